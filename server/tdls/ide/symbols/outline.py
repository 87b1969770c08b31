"""What a section defines that has a name, without reading it where its first lines tell."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.facts import TrackedFact
from tdls.ide.cursor.entity import symbol_place
from tdls.ide.signatures.signature_text import SignatureText, signature_text
from tdls.semantic.symbols import symbol_name
from tdls.syntax.layout import code_start
from tdls.syntax.sections.sections import SectionKind
from tdls.text.scanning import before_blanks
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation

_SYMBOL = r'@(?:"[^"\n]*"|[A-Za-z_][\w$.\-]*)'
_HEAD = re.compile(rf"([A-Za-z_][\w$.]*)\s+(?:(?:private|public|nested)\s+)?({_SYMBOL})", re.ASCII)
_LINE = re.compile(rf"\n[ \t]*([A-Za-z_][\w$.]*)[ \t]+(?:(?:private|public|nested)[ \t]+)?{_SYMBOL}", re.ASCII)
_DEFINING = frozenset({"FunctionOpInterface", "Symbol", "SymbolOpInterface"})


class OutlineKind(Enum):
    """What an entry of an outline is."""

    MODULE = "module"
    """A symbol table."""
    SEQUENCE = "sequence"
    """A named sequence."""
    FUNCTION = "function"
    """A function of the payload."""
    SCRIPT = "script"
    """A transform operation that is a script although it has no name."""
    OTHER = "other"


class OutlineEntry(NamedTuple):
    """A named operation, or a module; places count from the start of the section's text.

    `name` is the symbol, or the operation's name where it has no symbol. `selection` is where `name` is written.
    """

    kind: OutlineKind
    name: str
    has_symbol: bool
    operation: str
    signature: SignatureText | None
    span: Span
    selection: Span
    children: tuple[OutlineEntry, ...]

    @property
    def shown(self) -> str:
        """The name as it is written."""
        return f"@{self.name}" if self.has_symbol else self.name

    @property
    def is_readonly(self) -> bool:
        """True for a function that promises to leave all of its arguments, of which it has some, as they are."""
        arguments = self.signature.arguments if self.signature is not None else ()
        return bool(arguments) and all(argument.effect == "readonly" for argument in arguments)


@TrackedFact
def outline_of(context: Context) -> tuple[OutlineEntry, ...]:
    """Return what the section of `context` defines."""
    from_head = _from_head(context)
    return from_head if from_head is not None else tuple(_entries(context, context.model.operations))


def flat(entries: Iterable[OutlineEntry]) -> Iterator[OutlineEntry]:
    """Yield `entries` and all that is in them, in the order of the text."""
    for entry in entries:
        yield entry
        yield from flat(entry.children)


def read_outlines(file: SourceFile) -> Generator[None, None, None]:
    """Make the outlines of all sections of a file; yields after each one, so that the work can be interrupted."""
    for context in file.contexts:
        outline_of(context)
        yield


def _from_head(context: Context) -> tuple[OutlineEntry, ...] | None:
    """Return the only entry of a section if its beginning shows it; None where the section has to be read."""
    text = context.section.text
    start = code_start(text)
    head = _HEAD.match(text[start:])
    if head is None or context.section.kind is not SectionKind.PLAIN:
        return None
    definition = context.file.catalogue.operation(_full_name(context, head[1]))
    if definition is None or _DEFINING.isdisjoint(definition.traits) or _defines_more(context.file.catalogue, text):
        return None
    span = Span(start, _end_of_code(text))
    kind = _kind(definition)
    return (_entry(kind, head[2], definition.name, text, span, Span(*head.span(2)).shifted(start)),)


def _end_of_code(text: str) -> int:
    """Return where the last line of `text` ends that is more than a comment."""
    end = before_blanks(text, len(text))
    while True:
        line = text.rfind("\n", 0, end) + 1
        if line == 0 or not text[line:end].lstrip().startswith("//"):
            return end
        end = before_blanks(text, line)


def _entry(kind: OutlineKind, symbol: str, operation: str, text: str, span: Span, selection: Span) -> OutlineEntry:
    name = symbol[1:].strip('"')
    return OutlineEntry(kind, name, True, operation, signature_text(text, selection.end), span, selection, ())


def _full_name(context: Context, name: str) -> str:
    return name if "." in name else f"{context.section.surroundings.default_dialect}.{name}"


def _defines_more(catalogue: Catalogue, text: str) -> bool:
    """Tell whether a line but the first seems to define a symbol, too."""
    if "sym_name" in text:
        return True
    names = {match[1] for match in _LINE.finditer(text, code_start(text))}
    definitions = (catalogue.operation(name) for name in names)
    return any(definition is None or not _DEFINING.isdisjoint(definition.traits) for definition in definitions)


def _kind(definition: OperationDefinition | None) -> OutlineKind:
    if definition is None:
        return OutlineKind.OTHER
    if "FunctionOpInterface" in definition.traits:
        is_sequence = "TransformOpInterface" in definition.traits
        return OutlineKind.SEQUENCE if is_sequence else OutlineKind.FUNCTION
    if "SymbolTable" in definition.traits:
        return OutlineKind.MODULE
    is_script = "PossibleTopLevelTransformOpTrait" in definition.traits
    return OutlineKind.SCRIPT if is_script else OutlineKind.OTHER


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
    is_nested_script = kind is OutlineKind.SCRIPT and operation.parent is not None and bool(operation.operands)
    if kind in (OutlineKind.MODULE, OutlineKind.SCRIPT) and not is_nested_script:
        name = context.section.text[operation.location.start : operation.location.end].strip('"')
        return OutlineEntry(kind, name, False, operation.name, None, operation.span, operation.location, children)
    return None
