"""Outlines: the symbols of a section, as document symbols, and as workspace symbols found by letters of their names.

Most sections define one symbol; its entry comes from the first lines, without parsing the section.
"""

from __future__ import annotations

import re
from enum import Enum
from heapq import nsmallest
from typing import TYPE_CHECKING

from tdls.analysis.file.context import TrackedFact
from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.analysis.meaning.matchers import matcher_names
from tdls.ide.cursor.entity import symbol_place
from tdls.ide.snapshot import Location
from tdls.semantic.handle_types import kind_of as kind_of_type
from tdls.semantic.symbols import symbol_name
from tdls.structs import NamedTuple, Struct
from tdls.syntax.layout import code_start
from tdls.syntax.scanner import scan
from tdls.syntax.sections.sections import SectionKind
from tdls.text.scanning import before_blanks
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.scanner import Tokens
    from tdls.text.span import FileSpan

_SIZES = (250, 1_000, 4_000)
"""Lengths in code points to scan, in this order, until the signature is complete; a longer signature is left out."""
_SHORT = {CONSUMED: "consumed", READONLY: "readonly"}
_MARK = re.compile(rf"\b(?:{re.escape(CONSUMED)}|{re.escape(READONLY)})\b")
_BLANKS = re.compile(r"\s+")


class SignatureArgument(NamedTuple):
    """An argument in source form, with the effect that its attributes declare: ``consumed``, ``readonly`` or ``""``."""

    text: str
    effect: str


class SignatureText(NamedTuple):
    """Arguments and results; `results` is in source form, ``""`` for none."""

    arguments: tuple[SignatureArgument, ...]
    results: str

    @property
    def shown(self) -> str:
        """The signature in one line, each effect before its argument."""
        arguments = ", ".join(f"{argument.effect} {argument.text}".lstrip() for argument in self.arguments)
        return f"({arguments})" + (f" -> {self.results}" if self.results else "")


def signature_text(text: str, offset: int) -> SignatureText | None:
    """Return the signature that begins at `offset`, after the symbol, or None if there is none, or it is not closed."""
    for size in _SIZES:
        head = text[offset : offset + size]
        tokens = scan(head)
        closer = tokens.partners.get(0)
        if tokens.kinds[0] != "(":
            return None
        if closer is None:
            continue
        results = _results(tokens, closer + 1)
        if results.end < tokens.count or len(head) < size:
            items = _items(tokens, 1, closer)
            arguments = tuple(_argument(head[span.start : span.end]) for span in items)
            return SignatureText(arguments, _one_line(_text(tokens, results)))
    return None


def _argument(text: str) -> SignatureArgument:
    mark = _MARK.search(text)
    bare = text[: text.index("{")] if "{" in text else text
    return SignatureArgument(_one_line(bare), _SHORT[mark[0]] if mark else "")


def _results(tokens: Tokens, arrow: int) -> Span:
    """Return the range of token indices of the results after index `arrow`; empty if that is not an arrow."""
    if tokens.kinds[arrow] != "->":
        return Span(arrow, arrow)
    first = last = arrow + 1
    if tokens.kinds[first] != "(" and tokens.kinds[first + 1] == "<":
        last = first + 1
    return Span(first, tokens.partners.get(last, last) + 1)


def _text(tokens: Tokens, indices: Span) -> str:
    if indices.start == indices.end:
        return ""
    return tokens.text[tokens.starts[indices.start] : tokens.ends[indices.end - 1]]


def _items(tokens: Tokens, first: int, last: int) -> Iterator[Span]:
    """Yield the spans of the comma-separated items in tokens ``[first, last)``."""
    begin = index = first
    while index < last:
        if tokens.kinds[index] == ",":
            yield Span(tokens.starts[begin], tokens.ends[index - 1])
            begin = index + 1
        index = max(tokens.partners.get(index, index), index) + 1
    if begin < last:
        yield Span(tokens.starts[begin], tokens.ends[last - 1])


def _one_line(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


_SYMBOL = r'@(?:"[^"\n]*"|[A-Za-z_][\w$.\-]*)'
_HEAD = re.compile(rf"([A-Za-z_][\w$.]*)\s+(?:(?:private|public|nested)\s+)?({_SYMBOL})", re.ASCII)
_LINE = re.compile(rf"\n[ \t]*([A-Za-z_][\w$.]*)[ \t]+(?:(?:private|public|nested)[ \t]+)?{_SYMBOL}", re.ASCII)
_DEFINING = frozenset({"FunctionOpInterface", "Symbol", "SymbolOpInterface"})


class SymbolKind(Enum):
    """The kind of an entry of an outline, and of a document or workspace symbol."""

    MODULE = "module"
    """A symbol table."""
    SEQUENCE = "sequence"
    """A named sequence."""
    MATCHER = "matcher"
    """A named sequence that is used as a matcher, with all arguments marked read-only."""
    FUNCTION = "function"
    """A function of the payload."""
    SCRIPT = "script"
    """A transform operation without a symbol that is a script."""
    BODY = "body"
    """An operation of a script whose body defines handles, such as a loop."""
    HANDLE = "handle"
    OTHER = "other"


class OutlineEntry(NamedTuple):
    """A named operation, a module, or a handle; spans count from the start of the section's text.

    `name` is the symbol or the handle, or the operation's name if it has neither. `selection` is the span of `name`.
    """

    kind: SymbolKind
    name: str
    has_symbol: bool
    operation: str
    signature: SignatureText | None
    span: Span
    selection: Span
    children: tuple[OutlineEntry, ...]

    @property
    def shown(self) -> str:
        """The name with its sigil."""
        return f"@{self.name}" if self.has_symbol else self.name

    @property
    def is_readonly(self) -> bool:
        """True for a function with arguments that are all marked read-only."""
        arguments = self.signature.arguments if self.signature is not None else ()
        return bool(arguments) and all(argument.effect == "readonly" for argument in arguments)


@TrackedFact
def outline_of(context: Context) -> tuple[OutlineEntry, ...]:
    """Return the outline entries of the section of `context`."""
    from_head = _from_head(context)
    return from_head if from_head is not None else tuple(_entries(context, context.model.operations))


@TrackedFact
def handles_of(context: Context) -> dict[int, tuple[OutlineEntry, ...]]:
    """Return the handles that each script of a section defines, those of bodies inside of these, by its selection."""
    return {
        (symbol_place(operation) or operation.location).start: tuple(_handles(context, operation))
        for operation in context.model.walk()
        if _kind(operation.definition) in _SCRIPTS
    }


_SCRIPTS = (SymbolKind.SEQUENCE, SymbolKind.SCRIPT)


def _handles(context: Context, operation: Operation) -> Iterator[OutlineEntry]:
    is_sequence = _kind(operation.definition) is SymbolKind.SEQUENCE
    for block in operation.blocks():
        yield from _entries_of_values(context, operation, () if is_sequence else block.arguments)
        for inner in block.operations:
            yield from _entries_of_values(context, inner, inner.results)
            body = tuple(_handles(context, inner))
            if body:
                yield OutlineEntry(SymbolKind.BODY, inner.name, False, "", None, inner.span, inner.location, body)


def _entries_of_values(context: Context, owner: Operation, values: Sequence[Value]) -> Iterator[OutlineEntry]:
    for value in values:
        if not value.number and kind_of_type(context.catalogue, value.type) is not None:
            yield OutlineEntry(SymbolKind.HANDLE, value.name, False, owner.name, None, owner.span, value.span, ())


def flat(entries: Iterable[OutlineEntry]) -> Iterator[OutlineEntry]:
    """Yield `entries` and all nested ones, in textual order."""
    for entry in entries:
        yield entry
        yield from flat(entry.children)


def read_outlines(file: SourceFile) -> Generator[None, None, None]:
    """Compute the outlines of all sections of a file; yields after each one, so that the work can be interrupted."""
    for context in file.contexts:
        outline_of(context)
        if context.mentions_transform:
            handles_of(context)
        yield


def _from_head(context: Context) -> tuple[OutlineEntry, ...] | None:
    """Return the only entry of a section if its first lines suffice, or None if the section has to be parsed."""
    text = context.section.text
    start = code_start(text)
    head = _HEAD.match(text[start:])
    if head is None or context.section.kind is not SectionKind.PLAIN:
        return None
    operation = head[1] if "." in head[1] else f"{context.section.surroundings.default_dialect}.{head[1]}"
    definition = context.file.catalogue.operation(operation)
    if definition is None or _DEFINING.isdisjoint(definition.traits) or _defines_more(context.file.catalogue, text):
        return None
    span, selection = Span(start, _end_of_code(text)), Span(*head.span(2)).shifted(start)
    name, signature = head[2][1:].strip('"'), signature_text(text, selection.end)
    return (OutlineEntry(_kind(definition), name, True, definition.name, signature, span, selection, ()),)


def _end_of_code(text: str) -> int:
    """Return the end of the last line of `text` that is neither blank nor only a comment."""
    end = before_blanks(text, len(text))
    while True:
        line = text.rfind("\n", 0, end) + 1
        if line == 0 or not text[line:end].lstrip().startswith("//"):
            return end
        end = before_blanks(text, line)


def _defines_more(catalogue: Catalogue, text: str) -> bool:
    """Return whether a line after the first may define another symbol."""
    if "sym_name" in text:
        return True
    names = {match[1] for match in _LINE.finditer(text, code_start(text))}
    definitions = (catalogue.operation(name) for name in names)
    return any(definition is None or not _DEFINING.isdisjoint(definition.traits) for definition in definitions)


def _kind(definition: OperationDefinition | None) -> SymbolKind:
    if definition is None:
        return SymbolKind.OTHER
    if "FunctionOpInterface" in definition.traits:
        is_sequence = "TransformOpInterface" in definition.traits
        return SymbolKind.SEQUENCE if is_sequence else SymbolKind.FUNCTION
    if "SymbolTable" in definition.traits:
        return SymbolKind.MODULE
    is_script = "PossibleTopLevelTransformOpTrait" in definition.traits
    return SymbolKind.SCRIPT if is_script else SymbolKind.OTHER


def _entries(context: Context, operations: list[Operation]) -> Iterator[OutlineEntry]:
    for operation in operations:
        inner = tuple(entry for block in operation.blocks() for entry in _entries(context, block.operations))
        entry = _of_operation(context, operation, inner)
        if entry is not None:
            yield entry
        else:
            yield from inner


def _of_operation(context: Context, operation: Operation, children: tuple[OutlineEntry, ...]) -> OutlineEntry | None:
    symbol, place = symbol_name(operation), symbol_place(operation)
    kind = _kind(operation.definition)
    if symbol and place is not None:
        has_signature = operation.syntax.signature is not None
        signature = signature_text(context.section.text, place.end) if has_signature else None
        return OutlineEntry(kind, symbol, True, operation.name, signature, operation.span, place, children)
    is_nested_script = kind is SymbolKind.SCRIPT and operation.parent is not None and bool(operation.operands)
    if kind in (SymbolKind.MODULE, SymbolKind.SCRIPT) and not is_nested_script:
        name = context.section.text[operation.location.start : operation.location.end].strip('"')
        return OutlineEntry(kind, name, False, operation.name, None, operation.span, operation.location, children)
    return None


class DocumentSymbol(Struct, frozen=True):
    """A named operation, or a handle.

    `detail` is its signature, or the operation that defines it, `selection` the span of its name inside `span`.
    """

    name: str
    kind: SymbolKind
    detail: str
    span: FileSpan
    selection: FileSpan
    children: tuple[DocumentSymbol, ...]


def document_symbols(snapshot: Snapshot, uri: str) -> list[DocumentSymbol]:
    """Return the outermost symbols of a file in textual order; parses sections only if their first lines require it."""
    file = snapshot.file(uri)
    return _Outline(file).symbols(None) if file is not None else []


class _Outline:
    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._matchers = matcher_names(file)
        self._levels: dict[int | None, list[Context]] = {}
        """Sections by the identity of the frame around them."""
        for context in file.contexts:
            frame = file.sections.pieces[context.index].frame
            self._levels.setdefault(id(frame) if frame is not None else None, []).append(context)

    def symbols(self, level: int | None) -> list[DocumentSymbol]:
        """Return the symbols of all sections in one frame (None: outermost), given by its identity."""
        return [symbol for context in self._levels.get(level, ()) for symbol in self._of_section(context)]

    def _of_section(self, context: Context) -> Iterator[DocumentSymbol]:
        inner = self.symbols(id(context.section))
        for entry in outline_of(context):
            symbol = self._symbol(context, entry, inner)
            inner = []
            yield symbol
        yield from inner

    def _symbol(self, context: Context, entry: OutlineEntry, inner: list[DocumentSymbol]) -> DocumentSymbol:
        is_script = entry.kind in _SCRIPTS and context.mentions_transform
        handles = handles_of(context).get(entry.selection.start, ()) if is_script else ()
        children = [self._symbol(context, child, []) for child in (*entry.children, *handles)]
        signature = entry.signature.shown if entry.signature is not None else ""
        return DocumentSymbol(
            entry.shown,
            kind_of(entry, self._matchers),
            signature or (entry.operation if entry.has_symbol or entry.kind is SymbolKind.HANDLE else ""),
            context.to_file(entry.span),
            context.to_file(entry.selection),
            (*children, *inner),
        )


def kind_of(entry: OutlineEntry, matchers: frozenset[str]) -> SymbolKind:
    """Return the kind of `entry`; `matchers` are the symbols that are used as matchers."""
    if entry.kind is SymbolKind.SEQUENCE and entry.is_readonly and entry.name in matchers:
        return SymbolKind.MATCHER
    return entry.kind


LIMIT = 500
"""Maximum number of workspace symbols to return; a longer list is of no use."""


class WorkspaceSymbol(Struct, frozen=True):
    """A symbol and the location of its name; `container` is the enclosing symbol, or ``""``."""

    name: str
    kind: SymbolKind
    container: str
    location: Location


def workspace_symbols(snapshot: Snapshot, query: str, limit: int = LIMIT) -> list[WorkspaceSymbol]:
    """Return at most `limit` symbols that contain the letters of `query` in this order, the best matches first.

    The case of letters is ignored. Of equally good matches the shorter name comes first.
    """
    letters = query.removeprefix("@").casefold()
    ranked = (
        ((rank, len(symbol.name), symbol.name, symbol.location), symbol)
        for uri, file in snapshot.files.items()
        for symbol in _symbols(uri, file)
        if (rank := _rank(letters, symbol.name[1:].casefold())) is not None
    )
    return [symbol for _, symbol in nsmallest(limit, ranked, key=lambda pair: pair[0])]


def _rank(letters: str, name: str) -> int | None:
    """Return the distance of `letters` from `name`, 0 for equal, or None if it does not contain them in this order."""
    if letters == name:
        return 0
    if name.startswith(letters):
        return 1
    at = name.find(letters)
    if at >= 0:
        return 2 if not name[at - 1].isalnum() else 3
    rest = iter(name)
    return 4 if all(letter in rest for letter in letters) else None


def _symbols(uri: str, file: SourceFile) -> Iterator[WorkspaceSymbol]:
    matchers = matcher_names(file)
    for context in file.contexts:
        around = context.container
        outer = outline_of(around) if around is not None else ()
        container = outer[0].shown if outer and outer[0].has_symbol else ""
        for entry in outline_of(context):
            yield from _flat(uri, context, entry, container, matchers)


def _flat(
    uri: str, context: Context, entry: OutlineEntry, container: str, matchers: frozenset[str]
) -> Iterator[WorkspaceSymbol]:
    if entry.has_symbol:
        location = Location(uri, context.to_file(entry.selection))
        yield WorkspaceSymbol(entry.shown, kind_of(entry, matchers), container, location)
    for child in entry.children:
        yield from _flat(uri, context, child, entry.shown if entry.has_symbol else container, matchers)
