"""Makes the input of a failing run smaller, while it fails in the same way."""
