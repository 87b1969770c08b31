"""What MLIR's Python bindings (a newer LLVM than Debian's) make of modules."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracle.structure import BlockShape, Definition, OperationShape

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOOLS = Path(__file__).resolve().parent.parent
_TIME_LIMIT = 600.0


def shapes(modules: Sequence[str]) -> list[OperationShape | None]:
    """Return the shape of each module, None where MLIR rejects it or dies of it. Needs the extra ``mlir``."""
    found: list[OperationShape | None] = []
    while len(found) < len(modules):
        answers = _answers(modules[len(found) :])
        found += answers
        if len(found) < len(modules):
            found.append(None)
    return found


def _answers(modules: Sequence[str]) -> list[OperationShape | None]:
    """Run one worker; it answers for as many modules as it survives."""
    done = subprocess.run(
        [sys.executable, "-m", "oracle.bindings_worker"],
        input=json.dumps(list(modules)),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=_TOOLS,
        timeout=_TIME_LIMIT,
        env={**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"},
    )
    if not done.stdout and done.returncode == 1:
        raise RuntimeError(f"the bindings cannot be used: {done.stderr.strip()[-500:]}")
    lines = [line for line in done.stdout.split("\n") if line]
    return [_operation(stored) if (stored := json.loads(line)) else None for line in lines]


def _operation(stored: dict[str, Any]) -> OperationShape:
    shape = OperationShape(**stored)
    shape.operands = tuple(Definition(*entry) for entry in stored["operands"])
    shape.successor_operands = ()
    shape.successors = tuple(stored["successors"])
    shape.place = tuple(stored["place"]) if stored["place"] else None
    shape.origin = tuple(stored["origin"]) if stored["origin"] else None
    shape.regions = [[_block(block) for block in region] for region in stored["regions"]]
    return shape


def _block(stored: dict[str, Any]) -> BlockShape:
    operations = [_operation(operation) for operation in stored["operations"]]
    return BlockShape(stored["index"], stored["arguments"], operations)
