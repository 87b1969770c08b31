"""Calls in the locations that MLIR prints: where what is inlined came from."""

from __future__ import annotations

import re

_TOKEN = re.compile(r'(?<!\\)"[^"\\]*(?:\\.[^"\\]*)*"|callsite\(|[()]| at ')
_LIMIT = 10
"""How many calls MLIR shows, in SourceMgrDiagnosticHandler of mlir/lib/IR/Diagnostics.cpp."""


def callers(location: str) -> list[str]:
    """Return where the printed `location` was called from, and where that was, innermost first, as MLIR prints it."""
    found: list[str] = []
    caller = _caller(location)
    while caller is not None and len(found) < _LIMIT:
        found.append(caller)
        caller = _caller(caller)
    return found


def _caller(location: str) -> str | None:
    """Return what follows "at" in the first call site; "at" and brackets in names do not count."""
    depth, start = 0, 0
    for token in _TOKEN.finditer(location):
        if token[0] == "callsite(" or (token[0] == "(" and depth):
            depth += 1
        elif token[0] == " at " and depth == 1:
            start = token.end()
        elif token[0] == ")" and depth:
            depth -= 1
            if not depth:
                return location[start : token.start()]
    return None
