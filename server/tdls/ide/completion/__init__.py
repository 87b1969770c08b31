"""Completion, driven by the parser's expectations at the cursor."""
