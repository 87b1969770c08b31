"""What tells a finding from others of its file, and stays the same while lines move."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from tdls.semantic.symbols import symbol_name
from tdls.syntax.comments import comments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.context import Context
    from tdls.analysis.source_file import SourceFile
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
    line = file.line_text(file.position(finding.span.start).line)
    return Identity(finding.rule, "::".join(_symbols(file, context, finding.span.start)), _normalised(line))


def _symbols(file: SourceFile, context: Context, offset: int) -> Iterator[str]:
    yield from _containers(context)
    place = file.to_local(context, offset)
    yield from (f"@{name}" for span, name in _named(context) if span.start <= place < span.end)


def _containers(context: Context) -> Iterator[str]:
    if context.container is not None:
        yield from _containers(context.container)
        operation = context.container_operation
        name = symbol_name(operation) if operation is not None else None
        yield from () if name is None else (f"@{name}",)


def _named(context: Context) -> list[tuple[Span, str]]:
    """Return the operations of a section that define symbols, outer ones first."""
    known: list[tuple[Span, str]] | None = context.section.derived.get("named")
    if known is None:
        named = ((operation.span, symbol_name(operation)) for operation in context.model.walk())
        known = context.section.derived["named"] = [(span, name) for span, name in named if name is not None]
    return known


def _normalised(line: str) -> str:
    """A line that has nothing but a comment keeps it."""
    code = next((line[: comment.span.start] for comment in comments(line)), line)
    words = " ".join(code.split()) or " ".join(line.split())
    if len(words) <= _LONGEST_LINE:
        return words
    digest = hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{words[:_SHOWN]}... {digest}"
