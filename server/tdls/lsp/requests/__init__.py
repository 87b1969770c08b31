"""Requests about documents: one thin adapter for each method, in the rooms that `ide` has; and those about states."""
