"""Comments that silence the rule of a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.suppression.directives import MARK, SuppressionScope
from tdls.analysis.suppression.suppressions import is_comment, suppressions_of
from tdls.syntax.lexing.comments import comments
from tdls.text.diagnostic import TextEdit
from tdls.text.line_index import Position
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.analysis.suppression.suppressions import PlacedDirective
    from tdls.text.diagnostic import Diagnostic

_BYTE_ORDER_MARK = "\ufeff"


def silence_in_line(file: SourceFile, finding: Diagnostic, reason: str = "") -> TextEdit:
    """Return the edit after which a comment silences the rule of `finding` in the line that it begins in.

    A comment that is there already gets one name more; `reason` goes into new ones only.
    """
    line = file.position(finding.span.start).line
    for placed in _directives_for(file, line):
        return _one_more(file, placed, finding)
    return _behind(file, line, finding, reason) or _before(file, line, finding, reason)


def silence_in_file(file: SourceFile, finding: Diagnostic, reason: str = "") -> TextEdit:
    """Return the edit after which a comment, behind the first ones, silences the rule of `finding` everywhere.

    A comment that is there already gets one name more; `reason` goes into new ones only.
    """
    for placed in suppressions_of(file).directives:
        if placed.directive.scope is SuppressionScope.FILE and placed.is_usable:
            return _one_more(file, placed, finding)
    line = 0
    while is_comment(file.line_text(line)):
        line += 1
    start = _start(file, line)
    if start == 0 and file.line_text(0).startswith(_BYTE_ORDER_MARK):
        start = 1
    return TextEdit(
        FileSpan(start, start), _directive(SuppressionScope.FILE, finding, reason) + _line_break(file, line)
    )


def _directives_for(file: SourceFile, line: int) -> list[PlacedDirective]:
    """Return the directives for single lines that are about `line`, those in it first."""
    found = [
        directive
        for directive in suppressions_of(file).directives
        if directive.directive.scope is SuppressionScope.LINE and directive.is_usable
    ]
    here = [directive for directive in found if directive.line == line]
    above = [directive for directive in found if directive.is_alone and directive.line < line <= directive.last_line]
    return here + above[::-1]


def _one_more(file: SourceFile, placed: PlacedDirective, finding: Diagnostic) -> TextEdit:
    names, inside = placed.directive.names, placed.directive.list_span
    place = names[-1].span.end if names else inside.end if inside is not None else placed.directive.span.end
    return TextEdit(placed.place(file, Span(place, place)), f", {finding.rule}" if names else finding.rule)


def _behind(file: SourceFile, line: int, finding: Diagnostic, reason: str) -> TextEdit | None:
    """Write a comment at the line's end; None where one is there already, or a string is not closed."""
    text = file.line_text(line)
    if any(comments(text)) or text.replace('\\"', "").count('"') % 2:
        return None
    start = _start(file, line)
    span = FileSpan(start + len(text.rstrip()), start + len(text))
    return TextEdit(span, f"  {_directive(SuppressionScope.LINE, finding, reason)}")


def _before(file: SourceFile, line: int, finding: Diagnostic, reason: str) -> TextEdit:
    text, start = file.line_text(line), _start(file, line)
    indent = text[: len(text) - len(text.lstrip())]
    return TextEdit(
        FileSpan(start, start), indent + _directive(SuppressionScope.LINE, finding, reason) + _line_break(file, line)
    )


def _directive(scope: SuppressionScope, finding: Diagnostic, reason: str) -> str:
    return f"// {MARK} {scope.value}[{finding.rule}]" + (f": {reason}" if reason else "")


def _start(file: SourceFile, line: int) -> int:
    return file.offset(Position(line, 0))


def _line_break(file: SourceFile, line: int) -> str:
    end = _start(file, line) + len(file.line_text(line))
    return "\r\n" if file.slice(FileSpan(end, end + 2)) == "\r\n" else "\n"
