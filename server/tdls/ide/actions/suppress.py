"""Silencing a rule at one place by a comment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.suppression import DIRECTIVE
from tdls.ide.actions.request import ActionKind, CodeAction
from tdls.syntax.comments import comments
from tdls.text.diagnostic import TextEdit
from tdls.text.line_index import Position
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.source_file import SourceFile
    from tdls.ide.actions.request import ActionRequest
    from tdls.text.diagnostic import Diagnostic


def find(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for each rule that has findings at a place."""
    for finding in {finding.rule: finding for finding in reversed(request.findings)}.values():
        title = f"Ignore `{finding.rule}` here"
        yield CodeAction(title, ActionKind.QUICK_FIX, (_edit(request.file, finding),), finding)


def _edit(file: SourceFile, finding: Diagnostic) -> TextEdit:
    line = file.position(finding.span.start).line
    known = _add_to_directive(file, line, finding) or _add_to_directive(file, line - 1, finding, alone=True)
    return known or _behind(file, line, finding) or _before(file, line, finding)


def _add_to_directive(file: SourceFile, line: int, finding: Diagnostic, *, alone: bool = False) -> TextEdit | None:
    """Add the rule to a comment that silences others."""
    text = file.line_text(line)
    for comment in comments(text):
        match = DIRECTIVE.match(comment.text)
        if match is not None and not (alone and text[: comment.span.start].strip()):
            place = _start(file, line) + comment.span.start + match.end(1)
            return TextEdit(Span(place, place), f", {finding.rule}" if match[1].strip() else finding.rule)
    return None


def _behind(file: SourceFile, line: int, finding: Diagnostic) -> TextEdit | None:
    """Write a comment at the line's end; None where one is there already, or a string is not closed."""
    text = file.line_text(line)
    if any(comments(text)) or text.replace('\\"', "").count('"') % 2:
        return None
    start = _start(file, line)
    return TextEdit(Span(start + len(text.rstrip()), start + len(text)), f"  {_directive(finding)}")


def _before(file: SourceFile, line: int, finding: Diagnostic) -> TextEdit:
    text, start = file.line_text(line), _start(file, line)
    indent = text[: len(text) - len(text.lstrip())]
    end = start + len(text)
    line_end = "\r\n" if file.slice(Span(end, end + 2)) == "\r\n" else "\n"
    return TextEdit(Span(start, start), f"{indent}{_directive(finding)}{line_end}")


def _directive(finding: Diagnostic) -> str:
    return f"// tdls: ignore[{finding.rule}]"


def _start(file: SourceFile, line: int) -> int:
    return file.offset(Position(line, 0))
