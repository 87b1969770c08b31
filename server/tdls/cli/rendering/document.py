"""The ``json`` format; docs/json-output.md describes it and tests/cli checks it against the schema there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import tdls
from tdls.analysis.rules import find_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from tdls.cli.rendering.source import Source
    from tdls.text.diagnostic import Diagnostic, Fix, Note
    from tdls.text.span import Span

SCHEMA_VERSION = 1


def render(diagnostic: Diagnostic, source: Source, open_source: Callable[[Path], Source | None]) -> str:
    """Return the finding as a JSON object on one line."""
    rule = find_rule(diagnostic.rule)
    return json.dumps(
        {
            "path": source.name,
            "range": _range(source, diagnostic.span),
            "level": diagnostic.level.value,
            "rule": diagnostic.rule,
            "code": rule.code if rule is not None else None,
            "message": diagnostic.message,
            "help": diagnostic.help,
            "notes": [_note(note, source, open_source) for note in diagnostic.notes],
            "fixes": [_fix(fix, source) for fix in diagnostic.fixes],
        }
    )


def document(findings: Iterable[str], unreadable: Callable[[], Any], summary: Callable[[], Any]) -> Iterator[str]:
    """Yield the document piece by piece around `findings` (results of `render`).

    `unreadable` and `summary` are asked when all findings have passed.
    """
    tool = json.dumps({"name": "tdls", "version": tdls.__version__})
    yield f'{{\n  "version": {SCHEMA_VERSION},\n  "tool": {tool},\n'
    yield '  "diagnostics": ['
    separator = "\n    "
    for finding in findings:
        yield separator + finding
        separator = ",\n    "
    yield "],\n" if separator == "\n    " else "\n  ],\n"
    yield f'  "unreadable": {json.dumps(unreadable())},\n  "summary": {json.dumps(summary())}\n}}\n'


def _note(note: Note, source: Source, open_source: Callable[[Path], Source | None]) -> dict[str, Any]:
    if note.path is None:
        return {"message": note.message, "path": source.name, "range": _range(source, note.span)}
    other = open_source(note.path)
    place = None if other is None else _range(other, note.span)
    return {"message": note.message, "path": str(note.path), "range": place}


def _fix(fix: Fix, source: Source) -> dict[str, Any]:
    edits = [{"range": _range(source, edit.span), "new_text": edit.new_text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def _range(source: Source, span: Span) -> dict[str, Any]:
    return {"start": _position(source, span.start), "end": _position(source, span.end)}


def _position(source: Source, offset: int) -> dict[str, int]:
    line, column = source.lines.position(offset)
    return {"line": line + 1, "column": column + 1, "offset": offset}
