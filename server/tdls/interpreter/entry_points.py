"""Where a run of a script can begin: named sequences, and transform operations that are scripts without a name.

What can be run follows mlir/lib/Dialect/Transform/Transforms/TransformInterpreterUtils.cpp (named sequences at any
depth, by name), and PossibleTopLevelTransformOpTrait of TransformInterfaces.cpp.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.facts import TrackedFact
from tdls.analysis.file.prefilter import mentions_transform
from tdls.semantic.handle_types import HandleKind, may_be
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE, TRANSFORM
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
"""Traits of operations that are of use for matching only; those that merely may be used for it have the interface."""
_HEAD = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)
_HEAD_SIZES = (200, 4_000)
"""Code points that are looked at before a section is read."""
_OPERATION = re.compile(
    r'\n[ \t]*(?:%[\w$.:-]+(?:[ \t]*,[ \t]*%[\w$.:-]+)*[ \t]*=[ \t]*)?"?([A-Za-z_]\w*(?:\.[\w$]+)+)', re.ASCII
)


class EntryPointKind(Enum):
    """What a run begins with."""

    SEQUENCE = "sequence"
    """A named sequence."""
    OPERATION = "operation"
    """A transform operation without a name, at the top level of the file or of a module."""


class EntryPoint(NamedTuple):
    """A place where a run can begin.

    `name` is that of the symbol, without ``@``. A transform operation has no name but that of its kind, with ``#2`` for
    the second one of a part, and so on. `span` is where the symbol, or the operation's name, is written in the file.
    """

    name: str
    part: int
    """Number of the part of the file between ``// -----`` markers, from 0."""
    span: FileSpan
    kind: EntryPointKind
    is_private: bool = False

    @property
    def shown(self) -> str:
        """The name as it is written in scripts."""
        return f"@{self.name}" if self.kind is EntryPointKind.SEQUENCE else self.name


def entry_points(file: SourceFile, among: Iterable[Context] | None = None) -> list[EntryPoint]:
    """Return the entry points of a file in the order of the text.

    Where only the sections `among` all are looked at, operations without a name are left out, which would be numbered.

    Left out are sequences that upstream cannot run, since they have no body or want more than a handle to the payload's
    root, and those that only match, as ``transform.foreach_match`` needs them. Sections are looked at again only when
    they change, and are not read where their beginning tells enough. Scripts in programs are run by these.
    """
    if file.program is not None:
        return []
    found: list[EntryPoint] = []
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
            found.append(EntryPoint(name, context.part, span, point.kind, point.is_private))
    return sorted(found, key=lambda point: point.span)


def read_entry_points(file: SourceFile) -> Generator[None, None, None]:
    """Look at all sections of a file; yields after each one, so that the work can be interrupted."""
    for context in file.contexts:
        _of_section(context)
        yield


class _Point(NamedTuple):
    """An entry point with its place in its section; operations bear no numbers yet."""

    name: str
    span: Span
    kind: EntryPointKind
    is_private: bool


class _Found(NamedTuple):
    """What may be an entry point, with places in its section."""

    operation: str
    symbol: str
    is_private: bool
    span: Span
    whole: Span
    arguments: list[str]
    """The types of its block's arguments, as far as their first word; empty without a block."""


def _of_section(context: Context) -> tuple[_Point, ...]:
    """Return the entry points of a section; nothing is said of a large one that is not read."""
    section = context.section
    is_quick = not section.is_large or section.is_read or _from_head(context) is not None
    return _points(context) if mentions_transform(section) and is_quick else ()


@TrackedFact
def _points(context: Context) -> tuple[_Point, ...]:
    if context.catalogue.ask(_names).search(context.section.text) is None:
        return ()
    head = _from_head(context)
    found = [head] if head is not None else _from_operations(context.model.operations)
    return tuple(_point(candidate) for candidate in found if _can_begin(context, candidate))


@lru_cache(maxsize=4)
def _names(catalogue: Catalogue) -> re.Pattern[str]:
    """Return what finds the names of operations that a run may begin with."""
    tops = (name for name in catalogue.operation_names(TRANSFORM) if _is_top_level(catalogue.operation(name)))
    alternatives = "|".join(map(re.escape, (NAMED_SEQUENCE, *tops)))
    return re.compile(rf"(?<![\w.])(?:{alternatives})(?![\w.])")


def _is_top_level(definition: OperationDefinition | None) -> bool:
    return definition is not None and _TOP_LEVEL in definition.traits


def _from_head(context: Context) -> _Found | None:
    """Return what a section begins with, if that may be an entry point and its first lines tell.

    They do not tell whether there is a body where no brace, or that of attributes, follows the signature.
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
    return _Found(name, symbol, is_private, span, whole, _argument_types(tokens, label + 1, closer))


def _signature(text: str, start: int, kind: str) -> tuple[Tokens, int, int | None]:
    """Return the tokens from `start` on as far as they are looked at, the index of the first one of `kind`, and that
    of the bracket which closes what is behind it; None if there is none.
    """
    for size in _HEAD_SIZES:
        tokens = scan(text[start : start + size])
        if kind in tokens.kinds:
            label = tokens.kinds.index(kind)
            closer = tokens.partners.get(label + 1)
            if tokens.kinds[label + 1] == "(" and closer is not None:
                return tokens, label, closer
    return tokens, 0, None


def _argument_types(tokens: Tokens, opener: int, closer: int) -> list[str]:
    values = (index for index in range(opener, closer) if tokens.kinds[index] == VALUE)
    return [tokens.text[tokens.starts[index + 2] : tokens.ends[index + 2]] for index in values]


def _from_operations(operations: Iterable[Operation]) -> Iterator[_Found]:
    """Yield what may be an entry point among `operations`, and among those in symbol tables."""
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


def _can_begin(context: Context, found: _Found) -> bool:
    if len(found.arguments) != 1:
        return False
    written = found.arguments[0]
    argument = written if "." in written else context.types.canonical(written)  # dialects' types have a dot
    if not may_be(context.catalogue, argument, HandleKind.OPERATIONS):
        return False
    return found.symbol == ENTRY_POINT or not _is_for_matching(context, found)


def _is_for_matching(context: Context, found: _Found) -> bool:
    """Tell whether operations that match are all that the lines behind the first one begin with."""
    names = _OPERATION.findall(context.section.text, found.whole.start, found.whole.end)
    definitions = [context.catalogue.operation(name) for name in names]
    traits = [definition.traits if definition is not None else frozenset() for definition in definitions]
    return all(_MAY_MATCH & some for some in traits) and any(
        _MATCHER.fullmatch(trait) for some in traits for trait in some
    )


def _point(found: _Found) -> _Point:
    if found.symbol:
        return _Point(found.symbol, found.span, EntryPointKind.SEQUENCE, found.is_private)
    return _Point(found.operation, found.span, EntryPointKind.OPERATION, is_private=False)
