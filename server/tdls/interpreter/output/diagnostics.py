"""Reads diagnostics from a tool's standard error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.runs.model import RunDiagnostic, RunLevel
from tdls.structs import Struct, field, replace
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


_HEAD = re.compile(
    r"(?:(?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+)|<unknown>:0): "
    r"(?P<level>error|warning|remark|note): ?(?P<text>.*)"
)
_CARET = re.compile(r"[ \t]*[~^][~^ ]*\Z")
_TAB = 8
_END_OF_MESSAGES = ("PLEASE submit a bug report", "Stack dump:", "LLVM ERROR:")


class Printed(NamedTuple):
    """The `diagnostics`, and all other lines."""

    diagnostics: tuple[RunDiagnostic, ...]
    others: str


def read_diagnostics(text: str, sources: Mapping[str, Sequence[str]]) -> Printed:
    """Parse `text`, a tool's standard error; `sources` has the lines of files by the names that the tool uses."""
    drafts: list[_DiagnosticDraft] = []
    others: list[str] = []
    is_message = False
    for line in text.splitlines():
        head = _HEAD.match(line)
        if head is not None:
            drafts.append(_DiagnosticDraft.of(head))
            is_message = True
        elif is_message and not line.startswith(_END_OF_MESSAGES):
            drafts[-1].lines.append(line)
        else:
            is_message = False
            others.append(line)
    return Printed(_grouped(draft.diagnostic(sources) for draft in drafts), "\n".join(others))


class _DiagnosticDraft(Struct):
    level: RunLevel
    file: str | None
    line: int
    column: int
    lines: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, head: re.Match[str]) -> _DiagnosticDraft:
        line, column = (integer(head[name] or "") or 0 for name in ("line", "column"))
        return cls(RunLevel(head["level"]), head["file"], line, column, [head["text"]])

    def diagnostic(self, sources: Mapping[str, Sequence[str]]) -> RunDiagnostic:
        """Return the diagnostic without its trailing source line and carets."""
        lines = self.lines
        if len(lines) > 1 and _CARET.match(lines[-1]):
            lines = lines[:-1]
        source = sources.get(self.file or "", ())
        if len(lines) > 1 and 0 < self.line <= len(source):
            shown = source[self.line - 1].rstrip("\r\n").expandtabs(_TAB)
            lines = lines[:-1] if lines[-1].rstrip() == shown.rstrip() else lines
        return RunDiagnostic(self.level, "\n".join(lines).rstrip(), self.file, self.line, self.column)


def _grouped(diagnostics: Iterable[RunDiagnostic]) -> tuple[RunDiagnostic, ...]:
    """Attach notes to the preceding diagnostic."""
    groups: list[tuple[RunDiagnostic, list[RunDiagnostic]]] = []
    for diagnostic in diagnostics:
        if diagnostic.level is RunLevel.NOTE and groups:
            groups[-1][1].append(diagnostic)
        else:
            groups.append((diagnostic, []))
    return tuple(replace(diagnostic, notes=tuple(notes)) for diagnostic, notes in groups)
