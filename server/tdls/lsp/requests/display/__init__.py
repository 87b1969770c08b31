"""Requests for what editors show in a document or beside it."""
