"""Finds the payload operation names that a script spells in attributes and types, and reports those that no payload
operation can have. Also reads the loop counts of named operations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.catalogue.shipped import shipped_source
from tdls.semantic.transform_dialect import TRANSFORM, holds_payload_names, is_transform_name, takes_payload_name
from tdls.structs import NamedTuple
from tdls.syntax.sections.facts import Fact
from tdls.text.similarity import is_typing_error
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import TypeUse


def loops_of(catalogue: Catalogue, names: Iterable[str] | None) -> frozenset[int]:
    """Return the loop counts of operations with these names; empty if the count of one name is unknown."""
    numbers = [definition.loops if definition is not None else None for definition in _definitions(catalogue, names)]
    return frozenset(loops for loops in numbers if loops is not None) if None not in numbers else frozenset()


def have_one_output(catalogue: Catalogue, names: Iterable[str] | None) -> bool:
    """Whether operations with these names have a single initial value each."""
    answers = [definition is not None and definition.outputs == 1 for definition in _definitions(catalogue, names)]
    return bool(answers) and all(answers)


def _definitions(catalogue: Catalogue, names: Iterable[str] | None) -> list[OperationDefinition | None]:
    return [catalogue.operation(name) for name in names or ()]


_STRING = re.compile(r'"([^"\\\n]*)"')
_OPERATION_NAME = re.compile(r"[A-Za-z_]\w*(\.[\w$-]+)*", re.ASCII)
_USUAL_DIALECTS = ("builtin", "func", "linalg", "scf", "tensor", "memref", "vector", "affine", "arith")
"""Dialects to search for a name spelled without a dialect."""


class SpelledName(NamedTuple):
    """The name of a payload operation in a string; `span` is its place in the section, without quotes."""

    name: str
    span: Span


class UnknownName(NamedTuple):
    """A name that no operation of any LLVM version has, with likely intended names in `meant`, the best first."""

    spelled: SpelledName
    meant: tuple[str, ...]
    is_typing_error: bool
    """True if the first name in `meant` is certainly intended."""

    def fixes(self) -> tuple[SectionFix, ...]:
        """Return the change to the intended name; empty if the intended name is ambiguous."""
        if not self.is_typing_error and len(self.meant) != 1:
            return ()
        return (SectionFix(f"Change to `{self.meant[0]}`", (SectionEdit(self.spelled.span, self.meant[0]),)),)


def lacking_names(context: Context, version: int) -> Iterator[tuple[Operation, SpelledName]]:
    """Yield the spelled names of payload operations that a version lacks and another one has, with their operations."""
    catalogue = context.catalogue
    for operation, spelled in spelled_names(context):
        variants, rename = catalogue.variants(spelled.name), catalogue.renamed(spelled.name)
        is_former = bool(variants) or (rename is not None and not is_transform_name(spelled.name))
        if is_former and not any(not variant.versions or version in variant.versions for variant in variants):
            yield operation, spelled


@Fact
def unknown_payload_names(context: Context) -> tuple[UnknownName, ...]:
    """Return the spelled names that no payload operation can have.

    A name in a dialect of the project is one if it looks like another one there. Nothing is checked until the project
    is read completely.
    """
    names = spelled_names(context) if context.catalogue.is_complete else ()
    unknown = (_unknown_name(context.catalogue, spelled) for _, spelled in names)
    return tuple(each for each in unknown if each is not None)


@Fact
def spelled_names(context: Context) -> tuple[tuple[Operation, SpelledName], ...]:
    """Return the names of payload operations that attributes and types of operations spell, with the operations."""
    operations = context.model.walk()
    return tuple((operation, spelled) for operation in operations for spelled in _spelled_by(context, operation))


def _spelled_by(context: Context, operation: Operation) -> Iterator[SpelledName]:
    definition = operation.definition
    if operation.syntax.broken:
        return
    known = definition.attributes if definition is not None else ()
    for attribute in operation.syntax.attributes:
        if attribute.value is None or '"' not in attribute.value:
            continue
        if any(candidate.name == attribute.name and holds_payload_names(candidate) for candidate in known):
            yield from _strings(attribute.value, attribute.value_start)
    for type_ in _types(operation):
        name = type_.text.strip()[1:].partition("<")[0]
        if takes_payload_name(context.catalogue.type_definition(name)):
            yield from _strings(type_.text, type_.start)


def _types(operation: Operation) -> Iterator[TypeUse]:
    """Yield the types with a string in them that the operation spells; a type shared by several values once."""
    seen: set[int] = set()
    syntax, signature = operation.syntax, operation.syntax.signature
    arguments = [argument.type for region in syntax.regions for block in region.blocks for argument in block.arguments]
    signed = (*(argument.type for argument in signature.arguments), *signature.results) if signature is not None else ()
    for type_ in (*(syntax.operand_types or ()), *(syntax.result_types or ()), *signed, *arguments):
        if type_ is not None and '"' in type_.text and type_.is_spelled and type_.start not in seen:
            seen.add(type_.start)
            yield type_


def _strings(text: str, offset: int) -> Iterator[SpelledName]:
    for match in _STRING.finditer(text):
        yield SpelledName(match[1], Span(match.start(1) + offset, match.end(1) + offset))


def _unknown_name(catalogue: Catalogue, spelled: SpelledName) -> UnknownName | None:
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
    similar = tuple(
        candidate
        for candidate in similar
        if _is_dialect_mistyped(name, candidate)
        or (candidate.startswith(f"{dialect}.") and is_typing_error(name, candidate))
    )
    return UnknownName(spelled, similar, is_typing_error=False) if similar else None


def _is_known(catalogue: Catalogue, name: str) -> bool:
    return catalogue.operation(name) is not None or catalogue.renamed(name) is not None


def _is_dialect_mistyped(written: str, meant: str) -> bool:
    """Whether only the dialect differs, and not by an added letter: projects add letters to name their own."""
    dialect, _, last = written.partition(".")
    meant_dialect, _, meant_last = meant.partition(".")
    return last == meant_last and len(dialect) <= len(meant_dialect) and is_typing_error(dialect, meant_dialect)
