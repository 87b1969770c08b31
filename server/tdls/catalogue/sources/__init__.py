"""Readers of a project's TableGen, C++ and Python for the operations that they define."""
