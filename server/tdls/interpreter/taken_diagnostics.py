"""Takes the diagnostics that MLIR's bindings report."""

from __future__ import annotations

from typing import Any

from tdls.interpreter.locations import first_place


class TakenDiagnostics:
    """Collects what MLIR says, as JSON, up to a size in characters."""

    def __init__(self, limit: int) -> None:
        self.found: list[dict[str, Any]] = []
        self.size = 0
        self._limit = limit
        self._is_closed = False

    def take(self, diagnostic: Any) -> bool:
        """Take a diagnostic of the bindings; never raises, since it is called by C++."""
        if self.size <= self._limit and not self._is_closed:
            record = _record(diagnostic)
            self.size += len(record["message"]) + sum(len(note["message"]) for note in record["notes"])
            if self.size <= self._limit:
                self.found.append(record)
        return True

    def close(self) -> None:
        """Drop what is said from now on."""
        self._is_closed = True

    def complain(self, message: str) -> None:
        """Add an error unless MLIR has said one."""
        if not any(record["severity"] == "error" for record in self.found):
            self.found.append(
                {"severity": "error", "message": message, "file": None, "line": 0, "column": 0, "notes": []}
            )


def _record(diagnostic: Any) -> dict[str, Any]:
    place = first_place(str(diagnostic.location))
    return {
        "severity": str(diagnostic.severity).rpartition(".")[2].lower(),
        "message": str(diagnostic.message).rstrip(),
        "file": place.file if place else None,
        "line": place.line if place else 0,
        "column": place.column if place else 0,
        "notes": [_record(note) for note in diagnostic.notes],
    }
