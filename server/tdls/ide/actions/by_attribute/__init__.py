"""Rewriting a match that is split by position to matches by attribute, where a run says that this keeps the result."""
