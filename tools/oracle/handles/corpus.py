"""Scripts that people wrote: the corpus of runs, and scripts for a newer MLIR than that is made for."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from oracle.handles.scripts import HandleScript
from oracle.run_corpus.scripts import scripts

_ENTRY_POINT = "__transform_main"
_NEWER = Path(__file__).parent / "newer"


class Job(NamedTuple):
    """A script to run, with its payload in the same module."""

    name: str
    text: str
    entry_point: str = _ENTRY_POINT


def corpus_jobs() -> list[Job]:
    """Return the scripts that stand in the module of their payload."""
    newer = (Job(path.stem, path.read_text(encoding="utf-8")) for path in sorted(_NEWER.glob("*.mlir")))
    own = (Job(script.name, script.text, script.entry_point) for script in scripts() if script.payload is None)
    return [*own, *newer]


def corpus() -> list[HandleScript]:
    """Return those that can be compared in the same way as random ones."""
    return [
        HandleScript(job.name, job.text)
        for job in corpus_jobs()
        if job.entry_point == _ENTRY_POINT and job.text.isascii()
    ]
