"""Where a script spells the names of payload operations, and which of these names no payload can have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.facts import ContextFact
from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.catalogue.shipped import shipped_source
from tdls.catalogue.similarity import is_typing_error
from tdls.semantic.transform_dialect import TRANSFORM, holds_payload_names, takes_payload_name
from tdls.text.scanning import integer
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import TypeUse

_TYPED = "array<"
_VALUE = re.compile(r"%[\w$.#-]+")
_WORD = re.compile(r"\w+")


def integers_in(text: str) -> tuple[int | None, ...] | None:
    """Return the elements of ``[4, [8], %size]`` or ``array<i64: 4, 8>``; None for an element that is an SSA value.

    Scalable elements, which have brackets of their own, count as what they are multiplied with. The answer is None for
    anything else than a list of integers, and where one is too long to be a number.
    """
    inside = _inside(text.strip())
    if inside is None:
        return None
    if not inside.strip():
        return ()
    elements: list[int | None] = []
    for spelled in inside.split(","):
        element = spelled.strip().removeprefix("[").removesuffix("]").strip()
        number = _number(element)
        if number is None and _VALUE.fullmatch(element) is None:
            return None
        elements.append(number)
    return tuple(elements)


def _inside(text: str) -> str | None:
    """What stands between the brackets, without the type of the elements."""
    if not text.endswith(("]", ">")):
        return None
    if text.startswith("["):
        return text[1:-1]
    if not text.startswith(_TYPED):
        return None
    kind, _, elements = text[len(_TYPED) : -1].partition(":")
    return elements if _WORD.fullmatch(kind.strip()) is not None else None


def _number(element: str) -> int | None:
    """The number of ``4`` or ``4 : i64``."""
    number, colon, kind = element.partition(":")
    is_typed = not colon or _WORD.fullmatch(kind.strip()) is not None
    return integer(number.strip()) if is_typed and not number.startswith("+") else None


def loops_of(catalogue: Catalogue, names: Iterable[str] | None) -> frozenset[int]:
    """Return the numbers of loops that operations with these names have; none if one of them does not tell."""
    found = [definition.loops if definition is not None else None for definition in _definitions(catalogue, names)]
    return frozenset(loops for loops in found if loops is not None) if None not in found else frozenset()


def have_one_output(catalogue: Catalogue, names: Iterable[str] | None) -> bool:
    """Tell whether operations with these names have a single initial value each."""
    found = [definition is not None and definition.outputs == 1 for definition in _definitions(catalogue, names)]
    return bool(found) and all(found)


def _definitions(catalogue: Catalogue, names: Iterable[str] | None) -> list[OperationDefinition | None]:
    return [catalogue.operation(name) for name in names or ()]


_STRING = re.compile(r'"([^"\\\n]*)"')
_OPERATION_NAME = re.compile(r"[A-Za-z_]\w*(\.[\w$-]+)*", re.ASCII)
_USUAL_DIALECTS = ("builtin", "func", "linalg", "scf", "tensor", "memref", "vector", "affine", "arith")
"""Where a name without a dialect is looked for."""


class SpelledName(NamedTuple):
    """The name of a payload operation, as it stands in the string at `span` (without quotes) of a section."""

    name: str
    span: Span


class UnknownName(NamedTuple):
    """A name of an upstream dialect that no LLVM version has, and the names that may be meant, the best first."""

    spelled: SpelledName
    meant: tuple[str, ...]
    is_typing_error: bool
    """True if the first one is meant for certain."""

    def fixes(self) -> tuple[SectionFix, ...]:
        """Return the change to the name that is meant; none where that is not clear."""
        if not self.is_typing_error and len(self.meant) != 1:
            return ()
        return (SectionFix(f"Change to `{self.meant[0]}`", (SectionEdit(self.spelled.span, self.meant[0]),)),)


@ContextFact
def unknown_payload_names(context: Context) -> tuple[UnknownName, ...]:
    """Return the names of payload operations that are spelled and that no payload can have.

    Those of dialects of projects are not judged. None is, as long as the project is being read.
    """
    return tuple(_unknown_names(context)) if context.catalogue.is_complete else ()


def _unknown_names(context: Context) -> Iterator[UnknownName]:
    for operation in context.model.walk():
        for spelled in spelled_names(context, operation):
            unknown = _judged(context.catalogue, spelled)
            if unknown is not None:
                yield unknown


def spelled_names(context: Context, operation: Operation) -> Iterator[SpelledName]:
    """Yield the names of payload operations that attributes and types of `operation` spell."""
    definition = operation.definition
    if operation.syntax.broken or definition is None:
        return
    for attribute in operation.syntax.attributes:
        if attribute.value is None or '"' not in attribute.value:
            continue
        if any(
            candidate.name == attribute.name and holds_payload_names(candidate) for candidate in definition.attributes
        ):
            yield from _strings(attribute.value, attribute.value_start)
    for type_ in _types(operation):
        if _takes_name(context.catalogue, type_.text):
            yield from _strings(type_.text, type_.start)


def _types(operation: Operation) -> Iterator[TypeUse]:
    """Yield the types with a string in them that the operation spells, once where one stands for several values."""
    seen: set[int] = set()
    syntax = operation.syntax
    for type_ in (*(syntax.operand_types or ()), *(syntax.result_types or ())):
        if type_ is not None and '"' in type_.text and type_.start not in seen:
            seen.add(type_.start)
            yield type_
    signature = syntax.signature
    for argument in signature.arguments if signature is not None else ():
        if argument.type is not None and '"' in argument.type.text:
            yield argument.type


def _takes_name(catalogue: Catalogue, text: str) -> bool:
    return takes_payload_name(catalogue.type_definition(text.strip()[1:].partition("<")[0]))


def _strings(text: str, offset: int) -> Iterator[SpelledName]:
    for match in _STRING.finditer(text):
        yield SpelledName(match[1], Span(match.start(1) + offset, match.end(1) + offset))


def _judged(catalogue: Catalogue, spelled: SpelledName) -> UnknownName | None:
    name = spelled.name
    dialect, dot, _ = name.partition(".")
    if not _OPERATION_NAME.fullmatch(name) or dialect == TRANSFORM or _is_known(catalogue, name):
        return None
    if not dot:
        meant = tuple(f"{usual}.{name}" for usual in _USUAL_DIALECTS if _is_known(catalogue, f"{usual}.{name}"))
        return UnknownName(spelled, meant, len(meant) == 1) if meant else None
    similar = catalogue.similar(name)
    if dialect in shipped_source().operations.dialects():
        meant = tuple(candidate for candidate in similar if is_typing_error(name, candidate))
        return UnknownName(spelled, meant or similar, len(meant) == 1)
    similar = tuple(candidate for candidate in similar if _is_dialect_mistyped(name, candidate))
    return UnknownName(spelled, similar, is_typing_error=False) if similar else None


def _is_known(catalogue: Catalogue, name: str) -> bool:
    return catalogue.operation(name) is not None or catalogue.renamed(name) is not None


def _is_dialect_mistyped(written: str, meant: str) -> bool:
    """Tell whether only the dialect differs, and not by a letter more: projects name theirs so."""
    dialect, _, last = written.partition(".")
    meant_dialect, _, meant_last = meant.partition(".")
    return last == meant_last and len(dialect) <= len(meant_dialect) and is_typing_error(dialect, meant_dialect)
