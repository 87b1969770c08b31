"""Why something is not rewritten."""

from __future__ import annotations


class NotRewrittenError(Exception):
    """Nothing is rewritten; the message is one line for people, which says why."""
