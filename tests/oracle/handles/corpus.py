"""The corpus of runs as far as its scripts can be compared in the same way as random ones."""

from __future__ import annotations

from interpreter.corpus.scripts import scripts
from oracle.handles.scripts import HandleScript

_ENTRY_POINT = "__transform_main"


def corpus() -> list[HandleScript]:
    """Return the scripts that stand in the module of their payload, and need nothing else to run."""
    return [
        HandleScript(script.name, script.text)
        for script in scripts()
        if script.payload is None
        and not script.libraries
        and script.entry_point == _ENTRY_POINT
        and not script.options
        and script.text.isascii()
    ]
