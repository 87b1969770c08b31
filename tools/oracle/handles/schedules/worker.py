"""Grows schedules with MLIR's Python bindings; a process of its own since MLIR may crash.

Reads a JSON list of jobs from standard input: the name of a schedule, and the numbers of the trials that it died of
before. Prints a line of JSON with the text for each; before each trial its number is noted.
"""

from __future__ import annotations

import json
import sys
from typing import IO, TYPE_CHECKING, Any

from torch_mlir import ir

from oracle.handles.processes import NOTE
from oracle.handles.schedules.growing import ALL, STEP, Trial, grown
from oracle.handles.steps import is_value, new_context, own_output, place, run_pass, walk

if TYPE_CHECKING:
    from collections.abc import Collection

_STALE = ("invalidated by a previously executed", "consumed by this operation points to", "ancestor payload operation")


class _Bindings:
    """Runs scripts in one context."""

    def __init__(self, output: IO[str]) -> None:
        self._output = output
        self._context = new_context({STEP: self._pass})
        self._held: dict[int, list[str]] = {}
        self._trial = 0
        self._deadly: Collection[int] = ()
        self._diagnostics: list[str] = []

    def begin(self, deadly: Collection[int]) -> None:
        """Begin with another script, some trials of which are known to be deadly."""
        self._trial, self._deadly = 0, deadly

    def run(self, text: str) -> Trial:
        """Run a script; a deadly one is not run, and counts as failing."""
        self._trial += 1
        if self._trial in self._deadly:
            return Trial(False, False, {})
        print(f"{NOTE}{self._trial}", file=self._output, flush=True)
        self._held, self._diagnostics = {}, []
        with self._context:
            handler = self._context.attach_diagnostic_handler(self._take)
            try:
                module = ir.Module.parse(text)
                is_run = run_pass(module, "transform-interpreter")
            except ir.MLIRError:
                is_run = False
            finally:
                handler.detach()
        is_stale = any(part in message for message in self._diagnostics for part in _STALE)
        return Trial(is_run, is_stale, self._held)

    def _pass(self, operation: Any, state: Any) -> None:
        _, number, _ = place(operation.location)
        (handle,) = operation.operands
        if is_value(handle):
            self._held[number] = ["value"] if len(state.get_payload_values(handle)) else []
            return
        held = list(state.get_payload_ops(handle))
        names = [each.name for each in held]
        self._held[number] = [each.name for each in walk(held[0])] if number == ALL and held else names

    def _take(self, diagnostic: Any) -> bool:
        if str(diagnostic.severity).endswith("ERROR"):
            self._diagnostics.append(str(diagnostic.message))
        return True


def main() -> None:
    """Answer for every job, flushing each so that a crash loses one answer only."""
    jobs = json.load(sys.stdin)
    output = own_output()
    bindings = _Bindings(output)
    for job in jobs:
        bindings.begin(job["deadly"])
        print(json.dumps(grown(job["name"], bindings)), file=output, flush=True)


if __name__ == "__main__":
    main()
