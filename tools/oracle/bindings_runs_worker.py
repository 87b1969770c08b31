"""Runs scripts with MLIR's Python bindings; a process of its own since MLIR may crash.

Reads a JSON list of jobs from standard input, prints one line of JSON for each: the module that came out, if any, and
diagnostics.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from torch_mlir import ir
from torch_mlir.passmanager import PassManager


class _Taken:
    """The diagnostics of one job, as ``mlir-opt`` shows them: with the callers of inlined code as notes."""

    def __init__(self) -> None:
        self.found: list[dict[str, Any]] = []

    def take(self, diagnostic: Any) -> bool:
        taken = _entry(str(diagnostic.severity).lower().split(".")[-1], diagnostic.location, str(diagnostic.message))
        for caller in _callers(diagnostic.location):
            taken["notes"].append(_entry("note", caller, "called from"))
        for note in diagnostic.notes:
            taken["notes"].append(_entry("note", note.location, str(note.message)))
        self.found.append(taken)
        return True


def _entry(severity: str, location: Any, message: str) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "severity": severity,
        "message": message,
        "file": None,
        "line": 0,
        "column": 0,
        "notes": [],
    }
    place = _file_location(location)
    if place is not None:
        entry |= {"file": str(place.filename).strip('"'), "line": place.start_line, "column": place.start_col}
    elif not isinstance(location, ir.UnknownLoc):
        entry["message"] = f"{location}: {message}"
    return entry


def _file_location(location: Any) -> Any:
    if isinstance(location, ir.FileLineColLoc):
        return location
    return next((found for part in _parts(location) if (found := _file_location(part)) is not None), None)


def _parts(location: Any) -> list[Any]:
    if isinstance(location, ir.NameLoc):
        return [location.child_loc]
    if isinstance(location, ir.FusedLoc):
        return list(location.locations)
    if isinstance(location, ir.CallSiteLoc):
        return [location.callee, location.caller]
    return []


def _callers(location: Any) -> list[Any]:
    call = _call_site(location)
    return [call.caller, *_callers(call.caller)] if call is not None else []


def _call_site(location: Any) -> Any:
    if isinstance(location, ir.CallSiteLoc):
        return location
    return next((found for part in _parts(location) if (found := _call_site(part)) is not None), None)


def _run(job: dict[str, Any]) -> dict[str, Any]:
    os.chdir(job["folder"])
    taken = _Taken()
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        context.emit_error_diagnostics = True
        context.enable_multithreading(False)
        handler = context.attach_diagnostic_handler(taken.take)
        try:
            module = str(_module_after(job))
        except (ir.MLIRError, ValueError):
            module = ""
        handler.detach()
    return {"module": module, "diagnostics": taken.found}


def _module_after(job: dict[str, Any]) -> Any:
    """Return the module after the script. Raises the bindings' exception if the script fails."""
    root = ir.Module.parseFile(job["root"])
    PassManager.parse(job["pipeline"]).run(root.operation)
    return root


def main() -> None:
    """Answer for every job, flushing each so that a crash loses one answer only."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for job in json.load(sys.stdin):
        print(json.dumps(_run(job)), file=answers, flush=True)


if __name__ == "__main__":
    main()
