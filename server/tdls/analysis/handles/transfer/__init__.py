"""What each operation of a script does to what handles stand for: one function for each kind of operation."""
