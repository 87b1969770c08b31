"""Locations in the program that a payload was made from: ``loc("kernel.py":12:8)``, inline or behind aliases.

An operation, its results, an argument and the parts of a location lead to lines of that program, innermost call first.
Which file a path means is the caller's question, since files are none of this floor's business.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.ide.cursor import entity as entities
from tdls.ide.cursor.linkage import alias_definition
from tdls.ide.cursor.target import PlacedEntity, placed_entity_at
from tdls.ide.markdown import code, section
from tdls.interpreter.runs.locations import unescaped
from tdls.structs import NamedTuple
from tdls.syntax import scanner
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import PurePath

    from tdls.analysis.file.context import Context
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation

    ResolvePath = Callable[[str], PurePath | None]


class SourceLocation(NamedTuple):
    """A position of a source file; `line` and `column` count from 1, as in MLIR's text."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


class SourceTrace(NamedTuple):
    """What the location of an entity names: operations of the source program (`names`), and positions in it."""

    span: FileSpan
    """The entity."""
    names: tuple[str, ...]
    locations: tuple[SourceLocation, ...]


class LocationLink(NamedTuple):
    """The path of a location in the text, with the file and the position that it means."""

    span: FileSpan
    target: PurePath
    location: SourceLocation


def source_trace(snapshot: Snapshot, uri: str, offset: int) -> SourceTrace | None:
    """Return where the operation, value or part of a location at `offset` came from; None if no location says so.

    The use of a value has the location of the value.
    """
    file = snapshot.file(uri)
    if file is None:
        return None
    context = file.context_at(offset)
    part = _part_of_location(context, context.to_local(offset))
    if part is not None:
        span, text = part
        return _trace(context, context.to_file(span), text)
    placed = placed_entity_at(snapshot, uri, offset)
    written = _location_of(placed) if placed is not None else None
    return _trace(context, placed.span, written) if placed is not None and written is not None else None


def origin_of_definition(snapshot: Snapshot, uri: str, offset: int) -> tuple[SourceLocation, ...]:
    """Return the positions that *Go to Definition* at `offset` leads to.

    There are none for a use of a value, which leads to the value.
    """
    placed = placed_entity_at(snapshot, uri, offset)
    if placed is not None and isinstance(placed.entity, entities.UsedValue):
        return ()
    trace = source_trace(snapshot, uri, offset)
    return trace.locations if trace is not None else ()


def _trace(context: Context, span: FileSpan, text: str) -> SourceTrace | None:
    parts = list(_positions(context, text, set()))
    names = tuple(part for part in dict.fromkeys(parts) if isinstance(part, str))
    locations = tuple(part for part in dict.fromkeys(parts) if isinstance(part, SourceLocation))
    return SourceTrace(span, names, locations) if names or locations else None


_MOST_ALIASES = 100
"""Maximum number of aliases to follow from one location; real call stacks have fewer frames."""


def _positions(context: Context, text: str, followed: set[str]) -> Iterator[SourceLocation | str]:
    """Yield the names and positions in the text of a location, in order, those of aliases included."""
    tokens = scanner.scan(text)
    index = 0
    while index < tokens.count:
        kind, spelled = tokens.kinds[index], text[tokens.starts[index] : tokens.ends[index]]
        location = _file_location(text, tokens, index)
        if location is not None:
            yield location
        elif kind == scanner.STRING:
            yield unescaped(spelled[1:-1])
        elif kind == scanner.ATTRIBUTE and spelled not in followed and len(followed) < _MOST_ALIASES:
            followed.add(spelled)
            alias = alias_definition(context, spelled)
            if alias is not None and alias.value.startswith("loc"):
                yield from _positions(context, alias.value, followed)
        elif kind == "<":  # metadata of a fused location
            index = max(tokens.partners.get(index, tokens.count), index)
        index += 1


def _file_location(text: str, tokens: scanner.Tokens, index: int) -> SourceLocation | None:
    """Return the location ``"file":line:column`` that begins at token `index`, or None."""
    form = [scanner.STRING, ":", scanner.NUMBER, ":", scanner.NUMBER]
    if tokens.kinds[index : index + 5] != form:
        return None
    path, _, line, _, column = (text[tokens.starts[at] : tokens.ends[at]] for at in range(index, index + 5))
    if not (line.isdecimal() and column.isdecimal() and len(line) + len(column) < 20):
        return None
    return SourceLocation(unescaped(path[1:-1]), int(line), int(column))


def _part_of_location(context: Context, offset: int) -> tuple[Span, str] | None:
    """Return the word at `offset` in a ``loc(...)`` of its line, and the text of the location that it stands for.

    A path, its line and its column stand for one position, a name and a keyword for the location in brackets behind it.
    """
    text = context.section.text
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : end if end >= 0 else len(text)]
    if "loc" not in line:
        return None
    tokens = scanner.scan(line)
    index = next((at for at in range(tokens.count) if tokens.starts[at] <= offset - start < tokens.ends[at]), None)
    if index is None or not _is_in_location(line, tokens, index):
        return None
    first = index
    while first and tokens.kinds[first] in (scanner.NUMBER, ":"):
        first -= 1
    if _file_location(line, tokens, first) is None:
        first = index
    last = first + 4 if tokens.kinds[first + 1] == ":" else first
    if tokens.kinds[first] in (scanner.STRING, scanner.IDENTIFIER) and first == last:
        opener = first + 1
        while tokens.kinds[opener] == "<" and tokens.partners.get(opener, 0) > opener:
            opener = tokens.partners[opener] + 1
        last = tokens.partners.get(opener, first) if tokens.kinds[opener] in ("(", "[") else first
    span = Span(tokens.starts[first], tokens.ends[first]).shifted(start)
    return span, line[tokens.starts[first] : tokens.ends[max(last, first)]]


def _is_in_location(line: str, tokens: scanner.Tokens, index: int) -> bool:
    """Whether token `index` is the ``loc`` of a location or in its brackets."""
    openers = (at for at in range(index + 2) if tokens.kinds[at] == "(" and tokens.partners.get(at, -1) > at)
    return any(
        line[tokens.starts[at - 1] : tokens.ends[at - 1]] == "loc" and at - 1 <= index < tokens.partners[at]
        for at in openers
        if at
    )


def _location_of(placed: PlacedEntity) -> str | None:
    """Return the text of the location of an entity, without aliases resolved; None if none is written."""
    context, entity = placed
    match entity:
        case entities.OperationName(operation=operation):
            return _behind_operation(context, operation)
        case entities.AliasDefinition(value=value) if value.startswith("loc"):
            return value
        case entities.ValueDefinition(values=()):
            return _behind_argument(context, entity.span)
        case entities.ValueDefinition(values=(value, *_)) | entities.UsedValue(value=value) if value is not None:
            if value.operation is not None:
                return _behind_operation(context, value.operation)
            return _behind_argument(context, value.span)
    return None


def _behind_operation(context: Context, operation: Operation) -> str | None:
    """Return the ``loc(...)`` at the end of an operation, or None."""
    regions = operation.syntax.regions
    start = regions[-1].span.end if regions else operation.location.end
    text = context.section.text[start : operation.span.end]
    if not text.endswith(")") or "loc" not in text:
        return None
    tokens = scanner.scan(text)
    opener = tokens.partners.get(tokens.count - 1, 0)
    is_location = opener > 0 and text[tokens.starts[opener - 1] : tokens.ends[opener - 1]] == "loc"
    return text[tokens.starts[opener - 1] :] if is_location else None


def _behind_argument(context: Context, name: Span) -> str | None:
    """Return the ``loc(...)`` behind the type of the argument with this name, or None."""
    text = context.section.text
    end = text.find("\n", name.end)
    rest = text[name.end : end if end >= 0 else len(text)]
    if "loc" not in rest:
        return None
    tokens = scanner.scan(rest)
    index = 0
    while index < tokens.count and tokens.kinds[index] not in (",", ")", "="):
        partner = tokens.partners.get(index, index)
        if tokens.kinds[index] == "(" and rest[: tokens.starts[index]].endswith("loc") and partner > index:
            return rest[tokens.starts[index - 1] : tokens.ends[partner]]
        index = max(partner, index) + 1
    return None


# Shown


_SHOWN = 10
"""Maximum number of positions in a hover; deep call stacks have more."""


def trace_text(trace: SourceTrace, resolve: ResolvePath) -> str:
    """Return Markdown with the positions of a trace, linked where `resolve` knows the file of a path."""
    items = [_shown(location, resolve(location.path)) for location in trace.locations[:_SHOWN]]
    more = len(trace.locations) - len(items)
    named = [f"as {code(name)}" for name in trace.names[:_SHOWN]]
    return section("From", [*items, *([f"{more} more"] if more > 0 else []), *named])


def _shown(location: SourceLocation, path: PurePath | None) -> str:
    return code(str(location)) if path is None else f"{code(str(location))} ([open]({path.as_uri()}#L{location.line}))"


_MOST_LINKS = 10_000
"""Maximum number of links of a file; an editor asks for all of them after each pause in typing."""
_WRITTEN = re.compile(r'("[^"\n]{1,4096}"):([0-9]{1,9}):([0-9]{1,9})(?![0-9])')


def location_links(snapshot: Snapshot, uri: str, resolve: ResolvePath) -> list[LocationLink]:
    """Return the paths in locations of a file that `resolve` knows, in textual order, up to a limit."""
    file = snapshot.file(uri)
    text = file.text if file is not None and file.mentions("loc(") else ""
    paths: dict[str, PurePath | None] = {}
    links: list[LocationLink] = []
    for match in _WRITTEN.finditer(text):
        string = match[1]
        if string not in paths:
            paths[string] = resolve(unescaped(string[1:-1]))
        target = paths[string]
        if target is not None:
            location = SourceLocation(unescaped(string[1:-1]), int(match[2]), int(match[3]))
            links.append(LocationLink(FileSpan(*match.span(1)), target, location))
            if len(links) == _MOST_LINKS:
                break
    return links
