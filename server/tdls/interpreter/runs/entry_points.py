"""The entry points of a script: named sequences, and top-level transform operations without a name.

The rules for runnable operations follow mlir/lib/Dialect/Transform/Transforms/TransformInterpreterUtils.cpp (named
sequences at any depth, by name), and PossibleTopLevelTransformOpTrait of TransformInterfaces.cpp.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.analysis.file.context import TrackedFact
from tdls.analysis.file.prefilter import mentions_transform
from tdls.semantic.handle_types import HandleKind, may_be
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE, TRANSFORM
from tdls.structs import NamedTuple
from tdls.syntax.layout import code_start
from tdls.syntax.scanner import BLOCK, SYMBOL, VALUE, scan
from tdls.syntax.sections.sections import SectionKind
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation
    from tdls.syntax.scanner import Tokens

_TOP_LEVEL = "PossibleTopLevelTransformOpTrait"
_MAY_MATCH = frozenset({"MatchOpInterface", "IsTerminator"})
_MATCHER = re.compile(r"\w+MatcherOpTrait")
"""Traits of operations that serve only as matchers. Operations that can also transform have only the interface."""
_HEAD = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)
_HEAD_SIZES = (200, 4_000)
"""Code points of a section's beginning to scan before the whole section is parsed; the second size is a retry."""
_OPERATION = re.compile(
    r'\n[ \t]*(?:%[\w$.:-]+(?:[ \t]*,[ \t]*%[\w$.:-]+)*[ \t]*=[ \t]*)?"?([A-Za-z_]\w*(?:\.[\w$]+)+)', re.ASCII
)


class EntryPointKind(Enum):
    """The kind of operation that a run begins with."""

    SEQUENCE = "sequence"
    """A named sequence."""
    OPERATION = "operation"
    """A transform operation without a name, at the top level of the file or of a module."""


class EntryPoint(NamedTuple):
    """A place where a run can begin.

    `name` is the symbol name without ``@``. A transform operation has no symbol, so its operation name is used, with
    ``#2`` for the second one of a part, and so on. `span` covers the symbol, or the operation's name, in the file.
    """

    name: str
    part: int
    """Number of the part of the file between ``// -----`` markers (0-based)."""
    span: FileSpan
    kind: EntryPointKind
    is_private: bool = False

    @property
    def shown(self) -> str:
        """The name as scripts spell it."""
        return f"@{self.name}" if self.kind is EntryPointKind.SEQUENCE else self.name


def entry_points(file: SourceFile, among: Iterable[Context] | None = None) -> list[EntryPoint]:
    """Return the entry points of a file in text order.

    `among` limits the search to some sections; operations without a name are left out then, since their numbers depend
    on the whole file.

    The result leaves out sequences that upstream cannot run (no body, or arguments other than one handle to the
    payload's root), and sequences with matchers only, which serve ``transform.foreach_match``. Sections are analysed
    again only when they change, and not parsed where their first lines are sufficient. Files of host programs have no
    entry points, since the program runs its scripts.
    """
    if file.program is not None:
        return []
    points: list[EntryPoint] = []
    counts: Counter[tuple[int, str]] = Counter()
    for context in file.contexts if among is None else among:
        for point in _of_section(context):
            name = point.name
            if point.kind is EntryPointKind.OPERATION:
                if among is not None:
                    continue
                counts[context.part, name] += 1
                count = counts[context.part, name]
                name = f"{name}#{count}" if count > 1 else name
            span = context.to_file(point.span)
            points.append(EntryPoint(name, context.part, span, point.kind, point.is_private))
    return sorted(points, key=lambda point: point.span)


def read_entry_points(file: SourceFile) -> Generator[None, None, None]:
    """Analyse all sections of a file; yields after each one, so that the work can be interrupted."""
    for context in file.contexts:
        _of_section(context)
        yield


class _Point(NamedTuple):
    """An entry point with its span in its section, before operations are numbered."""

    name: str
    span: Span
    kind: EntryPointKind
    is_private: bool


class _Found(NamedTuple):
    """A candidate for an entry point, with spans in its section."""

    operation: str
    symbol: str
    is_private: bool
    span: Span
    whole: Span
    arguments: list[str]
    """Types of its block's arguments, at least the first token of each; empty without a block."""


def _of_section(context: Context) -> tuple[_Point, ...]:
    """Return the entry points of a section; none for a large section that would have to be parsed."""
    section = context.section
    is_quick = not section.is_large or section.is_read or _from_head(context) is not None
    return _points(context) if mentions_transform(section) and is_quick else ()


@TrackedFact
def _points(context: Context) -> tuple[_Point, ...]:
    if context.catalogue.ask(_names).search(context.section.text) is None:
        return ()
    head = _from_head(context)
    candidates = [head] if head is not None else _from_operations(context.model.operations)
    return tuple(
        _Point(each.symbol, each.span, EntryPointKind.SEQUENCE, each.is_private)
        if each.symbol
        else _Point(each.operation, each.span, EntryPointKind.OPERATION, is_private=False)
        for each in candidates
        if _can_begin(context, each)
    )


@lru_cache(maxsize=4)
def _names(catalogue: Catalogue) -> re.Pattern[str]:
    """Return a pattern that matches the names of operations that a run may begin with."""
    tops = (name for name in catalogue.operation_names(TRANSFORM) if _is_top_level(catalogue.operation(name)))
    alternatives = "|".join(map(re.escape, (NAMED_SEQUENCE, *tops)))
    return re.compile(rf"(?<![\w.])(?:{alternatives})(?![\w.])")


def _is_top_level(definition: OperationDefinition | None) -> bool:
    return definition is not None and _TOP_LEVEL in definition.traits


def _from_head(context: Context) -> _Found | None:
    """Return the candidate that a section begins with, if the section's first lines are sufficient to decide.

    They are not sufficient if the signature is followed by no brace or by the brace of an attribute dictionary: then
    the text does not show whether there is a body.
    """
    section = context.section
    start = code_start(section.text)
    head = _HEAD.match(section.text, start)
    if head is None or section.kind is not SectionKind.PLAIN:
        return None
    name = head[0]
    is_sequence = name == NAMED_SEQUENCE
    if not is_sequence and not _is_top_level(context.catalogue.operation(name)):
        return None
    tokens, label, closer = _signature(section.text, start, SYMBOL if is_sequence else BLOCK)
    if closer is None or (not is_sequence and VALUE in tokens.kinds[:label]):
        return None
    behind = section.text[start + tokens.ends[closer] :].partition("{")
    if is_sequence and ("attributes" in behind[0] or not behind[1]):
        return None
    named = label if is_sequence else 0
    span = Span(tokens.starts[named], tokens.ends[named]).shifted(start)
    symbol = section.text[span.start + 1 : span.end].strip('"') if is_sequence else ""
    is_private = is_sequence and "private" in tokens.text[: tokens.starts[label]].split()
    whole = Span(start, len(section.text.rstrip()))
    values = (index for index in range(label + 1, closer) if tokens.kinds[index] == VALUE)
    types = [tokens.text[tokens.starts[index + 2] : tokens.ends[index + 2]] for index in values]
    return _Found(name, symbol, is_private, span, whole, types)


def _signature(text: str, start: int, kind: str) -> tuple[Tokens, int, int | None]:
    """Return the scanned tokens from `start` on, the index of the first token of `kind`, and the index of the bracket
    that closes the bracket behind it; None as the last item without one.
    """
    for size in _HEAD_SIZES:
        tokens = scan(text[start : start + size])
        if kind in tokens.kinds:
            label = tokens.kinds.index(kind)
            closer = tokens.partners.get(label + 1)
            if tokens.kinds[label + 1] == "(" and closer is not None:
                return tokens, label, closer
    return tokens, 0, None


def _from_operations(operations: Iterable[Operation]) -> Iterator[_Found]:
    """Yield candidates among `operations`, and among the operations of nested symbol tables."""
    for operation in operations:
        symbol = symbol_name(operation) if operation.name == NAMED_SEQUENCE else ""
        if symbol or (_is_top_level(operation.definition) and not operation.operands):
            blocks = list(operation.blocks())
            types = [argument.type or "" for argument in blocks[0].arguments] if blocks else []
            visibility = operation.syntax.attribute("sym_visibility")
            is_private = visibility is not None and visibility.value == '"private"'
            span = operation.syntax.symbol_span or operation.location
            yield _Found(operation.name, symbol or "", is_private, span, operation.span, types)
        elif operation.has_trait("SymbolTable"):
            yield from _from_operations(nested for block in operation.blocks() for nested in block.operations)


def _can_begin(context: Context, candidate: _Found) -> bool:
    if len(candidate.arguments) != 1:
        return False
    written = candidate.arguments[0]
    argument = written if "." in written else context.types.canonical(written)  # dialects' types have a dot
    if not may_be(context.catalogue, argument, HandleKind.OPERATIONS):
        return False
    return candidate.symbol == ENTRY_POINT or not _is_for_matching(context, candidate)


def _is_for_matching(context: Context, candidate: _Found) -> bool:
    """Whether all lines after the first one begin with matchers, or with operations that may match."""
    names = _OPERATION.findall(context.section.text, candidate.whole.start, candidate.whole.end)
    definitions = [context.catalogue.operation(name) for name in names]
    traits = [definition.traits if definition is not None else frozenset() for definition in definitions]
    return all(_MAY_MATCH & some for some in traits) and any(
        _MATCHER.fullmatch(trait) for some in traits for trait in some
    )
