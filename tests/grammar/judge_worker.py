"""Says for each type or attribute of standard input whether MLIR accepts it; a program of its own, as MLIR may
crash."""

from __future__ import annotations

import json
import sys

from torch_mlir import ir

PARSERS = {"type": ir.Type, "module": ir.Module}


def main() -> None:
    """Answer requests ``[kind, text]``, one a line, by MLIR's error message or null."""
    context = ir.Context()
    context.allow_unregistered_dialects = True
    for line in sys.stdin:
        kind, text = json.loads(line)
        print(json.dumps(error(kind, text, context)), flush=True)


def error(kind: str, text: str, context: ir.Context) -> str | None:
    """Return why MLIR rejects `text`; for types that it accepts but cannot wrap, the bindings raise other errors."""
    try:
        PARSERS.get(kind, ir.Attribute).parse(text, context)
    except ir.MLIRError as problem:
        return "; ".join(diagnostic.message for diagnostic in problem.error_diagnostics)
    except (TypeError, ValueError):
        return None
    return None


if __name__ == "__main__":
    main()
