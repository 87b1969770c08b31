"""What is said of the thing at the cursor."""
