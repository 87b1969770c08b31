"""A setup that lets the worker tell few passings, so that a short script has more."""

from __future__ import annotations

from tdls.interpreter.recording import recorder

PASSINGS = 1_000


def register(_context: object) -> None:
    """Lower the limit of the process in which this runs."""
    recorder.PASSINGS = PASSINGS
