"""What searches of a script looked at in a run, and why that is not what they look for."""
