"""What the last run of each target said about files."""

from __future__ import annotations

import threading
from functools import reduce
from typing import TYPE_CHECKING

from tdls.ide.run_marks import RunMarks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.runs.match_report import MatchMarks
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.text.span import FileSpan


class MarkStore:
    """Marks by target and URI; `by_uri` is replaced, never changed, when they change.

    Runs end in the event loop's thread, and documents are edited in their lanes: one change happens after the other.
    """

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._by_target: dict[RunTarget, dict[str, RunMarks]] = {}
        self.by_uri: Mapping[str, RunMarks] = {}
        """The marks of all targets. Files without any are not in it."""

    def of(self, uri: str) -> RunMarks:
        """Return what runs said about a file."""
        return self.by_uri.get(uri, RunMarks())

    def put(self, target: RunTarget, marks: Mapping[str, RunMarks]) -> set[str]:
        """Replace what the last run of `target` said by `marks`; return the URIs of files that have others now."""
        after = {uri: mark for uri, mark in marks.items() if mark}
        with self._changing:
            before = self._by_target.pop(target, {})
            self._by_target[target] = after
            self._merge()
        return {*before, *after}

    def explained(self, target: RunTarget, matches: Mapping[str, MatchMarks]) -> set[str]:
        """Add what another run of `target` told of matches; return the URIs of files that have other marks now."""
        with self._changing:
            marks = self._by_target.get(target, {})
            for uri, told in matches.items():
                found = marks.get(uri, RunMarks()).explained(told.matchers, told.reasons, told.unmet)
                if found:
                    marks[uri] = found
            self._merge()
        return set(matches)

    def edited(self, uri: str, file: SourceFile, span: FileSpan, text: str) -> None:
        """Keep the marks of a document in place: `span` of its version `file` becomes `text`."""
        if uri not in self.by_uri:
            return
        with self._changing:
            for marks in self._by_target.values():
                if uri in marks:
                    marks[uri] = marks[uri].edited(file, span, text)
            self._merge()

    def drop(self, uri: str) -> None:
        """Forget what was said about a file."""
        with self._changing:
            for marks in self._by_target.values():
                marks.pop(uri, None)
            self._merge()

    def _merge(self) -> None:
        uris = dict.fromkeys(uri for marks in self._by_target.values() for uri in marks)
        self.by_uri = {uri: self._merged(uri) for uri in uris}

    def _merged(self, uri: str) -> RunMarks:
        known = (marks[uri] for marks in self._by_target.values() if uri in marks)
        return reduce(RunMarks.with_those_of, known, RunMarks())
