"""Runs in the user's own Python: executes the program, and observes the modules that it builds. Imports no MLIR."""
