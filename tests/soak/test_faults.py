"""A server survives crashes of MLIR and answers requests meanwhile; `python -m soak.faults` does it for longer."""

from __future__ import annotations

from soak.faults import provoke, runnable

MANY = 24
HOVERS_FOR_EACH = 4
"""Many fewer than are answered while a script runs that does not end by itself."""


def test_faults_cost_one_run_each() -> None:
    report = provoke(runnable()[:MANY])
    assert report.unexpected == []
    assert report.left == []
    assert sum(report.endings.values()) == MANY
    assert {"crash", "timeout", "out-of-memory"} <= set(report.endings)
    assert len(report.hovers) > HOVERS_FOR_EACH * MANY
