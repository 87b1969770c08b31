"""What tells a finding from others of its file, and stays the same while lines move."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.file_facts import FileFact
from tdls.analysis.file.tracked_facts import TrackedFact
from tdls.semantic.symbols import symbol_name
from tdls.syntax.lexing.comments import comments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.text.diagnostic import Diagnostic
    from tdls.text.span import Span

_LONGEST_LINE = 160
_SHOWN = 100


class Identity(NamedTuple):
    """A finding without its place; findings that differ in their place alone have the same."""

    rule: str
    symbol: str
    """The symbols around it from the outermost one on, as in ``@library::@tile``; may be empty."""
    line: str
    """The line it begins in, without its comment, with single blanks; of a very long one its beginning and a hash."""


def identity(file: SourceFile, finding: Diagnostic) -> Identity:
    """Return what identifies `finding`, which has its place in `file`."""
    context = file.context_at(finding.span.start)
    line = file.position(finding.span.start).line
    lines = _normalised_lines(file)
    if line not in lines:
        lines[line] = _normalised(file.line_text(line))
    symbols = "::".join(_symbols(context, finding.span.start))
    return Identity(finding.rule, symbols, lines[line])


@FileFact
def _normalised_lines(file: SourceFile) -> dict[int, str]:
    """Return a place for lines as they identify findings, by number, as far as they are asked for."""
    del file
    return {}


def _symbols(context: Context, offset: int) -> Iterator[str]:
    yield from _containers(context)
    place = context.to_local(offset)
    named = _named(context)
    index = bisect_right(named, place, key=lambda named_operation: named_operation.span.start) - 1
    around: list[str] = []
    while index >= 0:
        around += [named[index].name] if place < named[index].span.end else []
        index = named[index].outer
    yield from (f"@{name}" for name in reversed(around))


def _containers(context: Context) -> Iterator[str]:
    if context.container is not None:
        yield from _containers(context.container)
        operation = context.container_operation
        name = symbol_name(operation) if operation is not None else None
        yield from () if name is None else (f"@{name}",)


class _Named(NamedTuple):
    """An operation that defines a symbol."""

    span: Span
    name: str
    outer: int
    """The index of the innermost one around it; -1 if there is none."""


@TrackedFact
def _named(context: Context) -> list[_Named]:
    """Return the operations of a section that define symbols, in the order in which they begin."""
    found: list[_Named] = []
    open_ones: list[int] = []
    for operation in context.model.walk():
        name = symbol_name(operation)
        if name is None:
            continue
        while open_ones and found[open_ones[-1]].span.end <= operation.span.start:
            open_ones.pop()
        found.append(_Named(operation.span, name, open_ones[-1] if open_ones else -1))
        open_ones.append(len(found) - 1)
    return found


def _normalised(line: str) -> str:
    """A line that has nothing but a comment keeps it."""
    code = next((line[: comment.span.start] for comment in comments(line)), line)
    words = " ".join(code.split()) or " ".join(line.split())
    if len(words) <= _LONGEST_LINE:
        return words
    import hashlib

    digest = hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{words[:_SHOWN]}... {digest}"
