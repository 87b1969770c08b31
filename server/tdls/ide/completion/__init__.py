"""Completion and signature help, driven by the parser's expectations at the cursor."""
