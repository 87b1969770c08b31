"""How to ask ``tdls trace`` for the payload as it was before a step."""

from __future__ import annotations


def trace_place(line: int, column: int, execution: int) -> str:
    """Return what ``--at`` takes for an operation, all from 1; columns count characters."""
    return f"{line}:{column}" + (f"#{execution}" if execution > 1 else "")
