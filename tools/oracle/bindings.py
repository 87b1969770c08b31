"""Runs MLIR's Python bindings (a newer LLVM than Debian's) on modules."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracle.bounded import run_bounded
from oracle.structure import BlockShape, Definition, OperationShape
from oracle.tools import MlirDiagnostic, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOOLS = Path(__file__).resolve().parent.parent
_TIME_LIMIT = 600.0


def shapes(modules: Sequence[str]) -> list[OperationShape | None]:
    """Return the shape of each module, None where MLIR rejects it or dies of it. Needs the extra ``mlir``."""
    return [_operation(stored) if stored else None for stored in _all_answers(modules)]


def outcomes(modules: Sequence[str]) -> list[Outcome]:
    """Return MLIR's outcome for each module, as `oracle.tools.run` does, without its text. Needs the extra ``mlir``."""
    return [_outcome(answer) for answer in _all_answers(modules, "complaints")]


def _outcome(answer: Any) -> Outcome:
    if answer is None:
        return Outcome(None, crashed=True)
    return Outcome("") if answer is True else Outcome(None, tuple(MlirDiagnostic(*entry) for entry in answer))


def _all_answers(modules: Sequence[str], *arguments: str) -> list[Any]:
    """Return the workers' answer for each module, None if the worker crashed."""
    found: list[Any] = []
    while len(found) < len(modules):
        found += _answers(modules[len(found) :], arguments)
        if len(found) < len(modules):
            found.append(None)
    return found


def _answers(modules: Sequence[str], arguments: Sequence[str]) -> list[Any]:
    """Run one worker; it answers for as many modules as it survives."""
    command = [sys.executable, "-m", "oracle.bindings_worker", *arguments]
    done = run_bounded(command, json.dumps(list(modules)).encode(), _TIME_LIMIT, folder=_TOOLS)
    if not done.stdout and done.returncode == 1:
        raise RuntimeError(f"the bindings cannot be used: {done.stderr.decode('utf-8', 'replace').strip()[-500:]}")
    return [json.loads(line) for line in done.stdout.decode().split("\n") if line]


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
