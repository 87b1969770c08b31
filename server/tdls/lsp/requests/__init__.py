"""Requests on documents and recorded states: one thin adapter for each method, grouped as the features in `ide`."""
