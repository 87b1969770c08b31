"""Selection ranges: the nested spans by which an editor grows a selection, from a token to the whole file."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from tdls.syntax import scanner
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.ide.snapshot import Snapshot
    from tdls.syntax.scanner import Tokens
    from tdls.syntax.tree import Node, Operation, Region, Tree

_SEPARATORS_OF_PARTS = frozenset({"=", ":", "->"})
_PUNCTUATION = frozenset("{}()[]<>,:=+*?|/-") | {"->", "::", "...", "{-#", "#-}"}


def selection_ranges(snapshot: Snapshot, uri: str, offset: int) -> list[FileSpan]:
    """Return the spans around `offset`, innermost first: each contains the one before it, and the last is the file."""
    file = snapshot.file(uri)
    if file is None:
        return []
    found = [FileSpan(0, file.length)]
    context = file.context_at(offset)
    if context.section.is_left_out:
        return found
    local = context.to_local(offset)
    found += [context.to_file(span) for span in _spans_around(context.tree, local)]
    frame = context.container
    while frame is not None:
        for operation in frame.tree.top_level():
            found += [frame.to_file(span) for span in _spans_of_operation(frame.tree, operation)]
        frame = frame.container
    return _nested(found, offset)


def _nested(spans: Iterable[FileSpan], offset: int) -> list[FileSpan]:
    """Return a chain of those `spans` that contain `offset`, innermost first, without duplicates."""
    around = {span for span in spans if span.start <= offset <= span.end}
    result: list[FileSpan] = []
    for span in sorted(around, key=lambda span: (span.end - span.start, span)):
        if not result or (span.start <= result[-1].start and result[-1].end <= span.end):
            result.append(span)
    return result


def _spans_around(tree: Tree, offset: int) -> Iterator[Span]:
    """Yield the candidate spans around `offset` in a section's text, unordered."""
    members = (member.span for member in tree.members)
    innermost = next((span for span in members if span.start <= offset <= span.end), None)
    if innermost is None:
        return
    yield innermost
    operation: Operation | None = None
    operations: Iterable[Operation] = tree.top_level()
    while (inner := _operation_at(operations, offset)) is not None:
        operation = inner
        yield from _spans_of_operation(tree, operation)
        operations = [nested for region in operation.regions for block in region.blocks for nested in block.operations]
    near = _outside_of_regions(tree, operation, offset) if operation is not None else innermost
    for span in _spans_of_tokens(tree.text[near.start : near.end], offset - near.start):
        yield span.shifted(near.start)


def _outside_of_regions(tree: Tree, operation: Operation, offset: int) -> Span:
    """Return the part of `operation` around `offset` outside its regions; inside a region (a label), the line."""
    start, end = operation.span
    for region in operation.regions:
        span = region.span
        if span.end <= offset:
            start = span.end
        elif offset <= span.start:
            end = min(end, span.start)
        else:
            line_end = tree.text.find("\n", offset, span.end)
            line_start = max(tree.text.rfind("\n", span.start, offset), span.start) + 1
            return Span(line_start, line_end if line_end >= 0 else span.end)
    return Span(start, end)


def _operation_at(operations: Iterable[Operation], offset: int) -> Operation | None:
    return next((each for each in operations if each.span.start <= offset <= each.span.end), None)


def _spans_of_operation(tree: Tree, operation: Operation) -> Iterator[Span]:
    """Yield the spans of the operation and its parts, with regions and blocks but without nested operations."""
    yield operation.span
    all_types = (*(operation.operand_types or ()), *(operation.result_types or ()))
    types = [type_ for type_ in all_types if type_ is not None and type_.is_spelled]
    lists: tuple[Iterable[Node], ...] = (operation.results, operation.operands, types)
    for nodes in lists:
        yield from _spans_of_list(nodes)
    if types:
        yield _function_type(tree.text, Span(types[0].start, types[-1].end))
    for attribute in operation.attributes:
        yield attribute.span
        yield Span(attribute.value_start, attribute.value_end)
    for region in operation.regions:
        yield from _spans_of_region(tree, region)


def _spans_of_list(nodes: Iterable[Node]) -> Iterator[Span]:
    spans = [node.span for node in nodes]
    yield from spans
    if spans:
        yield Span(min(span.start for span in spans), max(span.end for span in spans))


def _function_type(text: str, types: Span) -> Span:
    """Return the span `types`, extended by a parenthesis directly before and one directly after it."""
    before = text.startswith("(", types.start - 1)
    return Span(types.start - before, types.end + text.startswith(")", types.end))


def _spans_of_region(tree: Tree, region: Region) -> Iterator[Span]:
    whole = region.span
    yield whole
    closing = 1 if tree.text[whole.end - 1] == "}" else 0
    yield _without_blanks(tree.text, Span(whole.start + 1, whole.end - closing))
    for block in region.blocks:
        yield block.span
        if block.operations:
            yield Span(block.operations[0].start, block.operations[-1].end)


def _without_blanks(text: str, span: Span) -> Span:
    inside = text[span.start : span.end]
    start = span.start + len(inside) - len(inside.lstrip())
    return Span(start, max(start, span.start + len(inside.rstrip())))


def _spans_of_tokens(text: str, offset: int) -> Iterator[Span]:
    """Yield the spans of the words, brackets, list items and item parts around `offset`."""
    tokens = scanner.scan(text)
    for index in range(tokens.count):
        if tokens.starts[index] <= offset <= tokens.ends[index] and tokens.kinds[index] not in _PUNCTUATION:
            yield _span(tokens, index, index)
    for opener, closer in tokens.partners.items():
        if opener < closer and tokens.starts[opener] <= offset <= tokens.ends[closer]:
            yield from _spans_of_bracket(tokens, opener, closer)


def _spans_of_bracket(tokens: Tokens, opener: int, closer: int) -> Iterator[Span]:
    yield _span(tokens, opener, closer)
    is_body = opener > 0 and tokens.ends[opener - 1] == tokens.starts[opener] and tokens.kinds[opener] == "<"
    if is_body and tokens.kinds[opener - 1] not in _PUNCTUATION:
        yield _span(tokens, opener - 1, closer)
    if opener + 1 == closer:
        return
    yield _span(tokens, opener + 1, closer - 1)
    items = _split(tokens, opener + 1, closer - 1, frozenset(","))
    parts = (_split(tokens, first, last, _SEPARATORS_OF_PARTS) for first, last in items)
    yield from (_span(tokens, first, last) for first, last in chain(items, *parts))


def _split(tokens: Tokens, first: int, last: int, separators: frozenset[str]) -> list[tuple[int, int]]:
    """Split the tokens from `first` to `last` (inclusive) at separators outside nested brackets."""
    found: list[tuple[int, int]] = []
    begin = index = first
    while index <= last:
        if tokens.kinds[index] in separators:
            found.append((begin, index - 1))
            begin = index + 1
        index = max(index, tokens.partners.get(index, index)) + 1
    found.append((begin, last))
    return [(begin, end) for begin, end in found if begin <= end]


def _span(tokens: Tokens, first: int, last: int) -> Span:
    return Span(tokens.starts[first], tokens.ends[last])
