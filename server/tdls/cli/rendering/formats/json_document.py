"""The formats ``json`` and ``jsonl``; tests/cli checks them against the schema that docs/json-output.md describes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tdls
from tdls.cli.rendering.json_text import json_text
from tdls.cli.rendering.renderer import Renderer
from tdls.settings.rule_codes import RULE_CODES
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.cli.rendering.checked import CheckedFile, FingerprintedFinding, RenderOptions, SourceText, Tally
    from tdls.text.diagnostic import Diagnostic, Fix, Note
    from tdls.text.span import FileSpan

SCHEMA_VERSION = 1
_LONGEST_LINE = 200


class JsonFormat(Renderer):
    """The format ``json``: one document."""

    is_document = True

    def __init__(self, options: RenderOptions) -> None:
        super().__init__(options)
        self._separator = "\n    "

    def begin(self) -> Iterator[str]:
        """Yield the document up to the findings."""
        tool = json_text({"name": "tdls", "version": tdls.__version__})
        yield f'{{\n  "version": {SCHEMA_VERSION},\n  "tool": {tool},\n  "diagnostics": ['

    def file(self, checked: CheckedFile) -> Iterator[str]:
        source = checked.source
        rows = [render(finding.diagnostic, source) for finding in checked.findings]
        for row in rows:
            yield self._separator + row
            self._separator = ",\n    "

    def end(self, tally: Tally) -> Iterator[str]:
        """Yield the document after the findings: unreadable files, failed rules and counts."""
        yield "],\n" if self._separator == "\n    " else "\n  ],\n"
        unreadable = [{"path": name, "message": message} for name, message in tally.unreadable.items()]
        counts = {f"{level.value}s": tally.levels[level] for level in Level}
        read = tally.read_by.total()
        runs = {"run": tally.runs[True], "not_run": tally.runs[False], "read": read} if tally.runs else {}
        left_out = {"left_out": tally.left_out} if tally.left_out else {}
        summary: dict[str, Any] = {
            "files": tally.files,
            **left_out,
            **counts,
            **runs,
            "not_analysed": tally.not_analysed,
        }
        summary |= {"builders": tally.builders} if tally.builders else {}
        failed = [
            {"rule": rule, "path": each.name, "files": each.files, "message": each.failure.reason}
            for rule, each in tally.failures.items()
        ]
        yield f'  "unreadable": {json_text(unreadable)},\n  "failed_rules": {json_text(failed)},\n'
        yield f'  "summary": {json_text(summary)}\n}}\n'


def render(diagnostic: Diagnostic, source: SourceText) -> str:
    """Return the finding as a JSON object on one line."""
    return json_text(described(diagnostic, source))


def described(diagnostic: Diagnostic, source: SourceText) -> dict[str, Any]:
    """Return the finding as a dictionary of plain data for a JSON object."""
    line = source.lines.line_text(source.lines.position(diagnostic.span.start)[0])
    return {
        "path": source.name,
        "range": _range(source, diagnostic.span),
        "source": line.strip()[:_LONGEST_LINE],
        "level": diagnostic.level.value,
        "rule": diagnostic.rule,
        "code": RULE_CODES.get(diagnostic.rule),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "notes": [_note(note, source) for note in diagnostic.notes],
        "fixes": [_fix(fix, source) for fix in diagnostic.fixes],
        **_failed_step(diagnostic, source),
    }


def _failed_step(diagnostic: Diagnostic, source: SourceText) -> dict[str, Any]:
    """Return the member for the step at which a run failed, with the command that shows the payload before it."""
    if diagnostic.failed_step is None:
        return {}
    from tdls.cli.rendering.trace.text import trace_place

    line, column = source.lines.position(diagnostic.span.start)
    execution = diagnostic.failed_step.execution
    command = ["tdls", "trace", source.name, "--at", trace_place(line + 1, column + 1, execution)]
    return {"failed_step": {"execution": execution, "show_before": command}}


def _note(note: Note, source: SourceText) -> dict[str, Any]:
    if note.path is None:
        return {"message": note.message, "path": source.name, "range": _range(source, note.span)}
    other = source.other(note.path)
    place = None if other is None else _range(other, note.span)
    return {"message": note.message, "path": source.name_of(note.path), "range": place}


def _fix(fix: Fix, source: SourceText) -> dict[str, Any]:
    edits = [{"range": _range(source, edit.span), "new_text": edit.new_text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def _range(source: SourceText, span: FileSpan) -> dict[str, Any]:
    return {"start": _position(source, span.start), "end": _position(source, span.end)}


def _position(source: SourceText, offset: int) -> dict[str, int]:

    line, column = source.lines.position(offset)
    return {"line": line + 1, "column": column + 1, "offset": offset}


class JsonLinesFormat(Renderer):
    """The format ``jsonl``: one JSON object per line and finding."""

    def finding(self, finding: FingerprintedFinding, source: SourceText) -> str:
        return render(finding.diagnostic, source) + "\n"
