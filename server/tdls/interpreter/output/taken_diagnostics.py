"""Collects the diagnostics that MLIR's bindings report, in the form in which tools print them."""

from __future__ import annotations

import json
import os
import re
import time
from typing import Any

from tdls.interpreter.runs.locations import first_place

_TOKEN = re.compile(r'(?<!\\)"[^"\\]*(?:\\.[^"\\]*)*"|callsite\(|[()]| at ')
_LIMIT = 10
"""Maximum number of call sites that MLIR shows, in SourceMgrDiagnosticHandler of mlir/lib/IR/Diagnostics.cpp."""


def callers(location: str) -> list[str]:
    """Return the call sites of the printed `location`, innermost first, as MLIR prints them."""
    locations: list[str] = []
    caller = _caller(location)
    while caller is not None and len(locations) < _LIMIT:
        locations.append(caller)
        caller = _caller(caller)
    return locations


def _caller(location: str) -> str | None:
    """Return the caller of the first call site; "at" and brackets in names do not count."""
    depth, start = 0, 0
    for token in _TOKEN.finditer(location):
        if token[0] == "callsite(" or (token[0] == "(" and depth):
            depth += 1
        elif token[0] == " at " and depth == 1:
            start = token.end()
        elif token[0] == ")" and depth:
            depth -= 1
            if not depth:
                return location[start : token.start()]
    return None


_UNKNOWN = "loc(unknown)"
_REMARK = "remark"
_OWN = tuple(f"tdls.{word}" for word in ("candidate", "done", "found", "item", "point", "size", "state"))
"""First words of the remarks of probes that may be numerous; MLIR's additions to them are dropped."""
_OWN_LOCATED = ("tdls.candidate", "tdls.item")
"""Those whose location matters."""
_NO_TEXT = "MLIR's message has bytes that are not UTF-8; it is in the output of the run"
_STATE = "tdls.state "
"""The remark of a probe that prints the payload."""
_RECORD_SIZE = 500
"""Bytes of a diagnostic in addition to its message."""


class TakenDiagnostics:
    """Collects MLIR's diagnostics as JSON values, up to a size in bytes."""

    def __init__(self, limit: int, log: int | None = None) -> None:
        """Each diagnostic is also written to the file descriptor `log` at once, since the process may crash."""
        self._log = log
        self.print_state: Any = str
        """A function that prints the payload, for the remarks of probes that ask for it."""
        self.found: list[dict[str, Any]] = []
        self.size = 0
        self._limit = limit

    def take(self, diagnostic: Any) -> bool:
        """Collect a diagnostic of the bindings; never raises, since C++ calls it. If this is false, MLIR prints it."""
        if self.size <= self._limit:
            record = _record(diagnostic)
            if record["message"].startswith(_STATE):
                record["message"] = f"{' '.join(record['message'].split()[:2])} {self.print_state()}"
            self.size += sum(_RECORD_SIZE + len(words["message"]) for words in (record, *record["notes"]))
            if self.size <= self._limit:
                self.found.append(record)
                if self._log is not None:
                    os.write(self._log, json.dumps(record).encode() + b"\n")
            return _NO_TEXT not in (words["message"] for words in (record, *record["notes"]))
        return True

    def complain(self, message: str) -> None:
        """Add an error unless there is one already."""
        if not any(record["level"] == "error" for record in self.found):
            self.found.append({"level": "error", "message": message, "file": None, "line": 0, "column": 0, "notes": []})


def bindings_text(diagnostic: Any, member: str) -> str:
    """Return a member of a diagnostic as text; the bindings cannot pass on bytes that are not UTF-8."""
    try:
        return str(getattr(diagnostic, member)).rstrip()
    except (RuntimeError, UnicodeDecodeError):
        return _NO_TEXT


def _record(diagnostic: Any) -> dict[str, Any]:
    message = bindings_text(diagnostic, "message")
    if message.startswith(_OWN):
        is_located = message.startswith(_OWN_LOCATED)
        record = _entry(_REMARK, bindings_text(diagnostic, "location") if is_located else _UNKNOWN, message)
        return {**record, "at": time.perf_counter()}
    location = bindings_text(diagnostic, "location")
    record = _entry(str(diagnostic.severity).rpartition(".")[2].lower(), location, message)
    record["notes"] += [_entry("note", f"loc({caller})", "called from") for caller in callers(location)]
    for note in diagnostic.notes:
        record["notes"].append(_entry("note", bindings_text(note, "location"), bindings_text(note, "message")))
    return record


def _entry(level: str, location: str, message: str) -> dict[str, Any]:
    """Return a diagnostic as tools print it: a location that is neither unknown nor in a file precedes the message."""
    place = first_place(location)
    return {
        "level": level,
        "message": message if place or location == _UNKNOWN else f"{location}: {message}",
        "file": place.file if place else None,
        "line": place.line if place else 0,
        "column": place.column if place else 0,
        "notes": [],
    }
