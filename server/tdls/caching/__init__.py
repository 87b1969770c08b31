"""A cache of computed values in the user's cache folder.

A cached value is valid as long as its inputs are unchanged; `Basis` lists these inputs.
"""
