"""Runs that MLIR does not survive cost one run: they end as they should, the next one works, nothing is left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psutil
import pytest

from interpreter.mlir.worker.faults import Fault, faults
from interpreter.scripts import MATCH, TILE, run, sequence
from tdls.interpreter.runs.model import Status

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend

ENOUGH = 30
ONE_OF_EACH_KIND = list({fault.expected_of_tool: fault for fault in reversed(faults())}.values())
ORDINARY = sequence(MATCH + TILE)


def test_there_are_many_different_faults() -> None:
    assert len({fault.name for fault in faults()}) == len({fault.script for fault in faults()}) == len(faults())
    assert len(faults()) >= ENOUGH
    kinds = {status for fault in faults() for status in fault.expected_of_tool}
    assert kinds >= {Status.CRASH, Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.TOO_MUCH_OUTPUT}


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.name)
def test_bindings_outlive(fault: Fault, bindings: Backend) -> None:
    others = set(psutil.Process().children(recursive=True))
    result = run(bindings, fault.script, limits=fault.limits)
    assert result.status in fault.expected, (result.detail, result.diagnostics[:1])
    assert bool(result.detail) == (result.status not in (Status.SUCCESS, Status.FAILURE, Status.INVALID))
    assert run(bindings, ORDINARY).status is Status.SUCCESS
    assert len(set(psutil.Process().children(recursive=True)) - others) <= 1


@pytest.mark.parametrize("fault", ONE_OF_EACH_KIND, ids=lambda fault: fault.name)
def test_tools_are_ended(fault: Fault, tool: Backend) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    result = run(tool, fault.script, limits=fault.limits)
    assert result.status in fault.expected_of_tool, (result.detail, result.diagnostics[:1])
    assert run(tool, ORDINARY).status is Status.SUCCESS
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before
