"""Definitions of the operations that a program registers, with the effects that their `get_effects` returns.

These effects count more than the structure of their classes, which may be in other packages, or made by calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tdls.catalogue.model import HandleEffect, OperandDefinition, OperationDefinition, PayloadEffect, ResultDefinition
from tdls.catalogue.source import MemorySource
from tdls.semantic.transform_dialect import is_transform_name, is_transform_operation
from tdls.structs import NamedTuple, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.python_builders.model import RegisteredGroup, RegisteredOperation

_SOURCE = "the program's own `get_effects`"
_TRAITS = {"MemoryEffectsOpInterface": "MemoryEffectOpInterface"}
"""Names of interfaces in Python that C++ spells differently."""
_D = TypeVar("_D", OperandDefinition, ResultDefinition)


def with_registered(catalogue: Catalogue, operations: Sequence[RegisteredOperation]) -> Catalogue:
    """Return a catalogue that knows the operations by their own answers."""
    definitions = registered_definitions(catalogue, operations)
    return catalogue.with_source(MemorySource(_SOURCE, definitions)) if definitions else catalogue


def registered_definitions(
    catalogue: Catalogue, operations: Sequence[RegisteredOperation]
) -> list[OperationDefinition]:
    """Return the definitions of operations by their own answers, and else as the catalogue has them."""
    answers: dict[str, list[RegisteredOperation]] = {}
    for operation in operations:
        if not operation.problem:
            answers.setdefault(operation.name, []).append(operation)
    definitions = [_definition(name, catalogue.operation(name), given) for name, given in answers.items()]
    return [definition for definition in definitions if definition is not None]


def _definition(
    name: str, known: OperationDefinition | None, answers: Sequence[RegisteredOperation]
) -> OperationDefinition | None:
    """Return the definition of an operation, or None if it is upstream's, or its operations differ in their groups."""
    if known is not None and known.versions:
        return None
    operands, results = _joined([each.operands for each in answers]), _joined([each.results for each in answers])
    if operands is None or results is None:
        return None
    if known is None:
        traits = {_TRAITS.get(interface, interface) for each in answers for interface in each.interfaces}
        known = OperationDefinition(
            name,
            tuple(OperandDefinition(group.name, arity=group.arity) for group in operands),
            tuple(ResultDefinition(group.name, arity=group.arity) for group in results),
            traits=frozenset(traits),
            source=_SOURCE,
        )
    elif len(known.operands) != len(operands) or len(known.results) != len(results):
        return None
    payload = {each.payload for each in answers}
    return replace(
        known,
        operands=_with_effects(known.operands, operands),
        results=_with_effects(known.results, results),
        payload_effect=payload.pop() if len(payload) == 1 else PayloadEffect.UNKNOWN,
    )


def _joined(instances: Sequence[tuple[RegisteredGroup, ...]]) -> list[RegisteredGroup] | None:
    """Return the groups with the effects on them in any instance, or None if instances have other groups."""
    first = instances[0]
    shape = [(group.name, group.arity) for group in first]
    if any([(group.name, group.arity) for group in groups] != shape for groups in instances):
        return None
    effects = [{effect for group in groups for effect in group.effects} for groups in zip(*instances, strict=True)]
    return [replace(group, effects=tuple(kinds)) for group, kinds in zip(first, effects, strict=True)]


def _with_effects(definitions: Sequence[_D], groups: Sequence[RegisteredGroup]) -> tuple[_D, ...]:
    """Return the definitions with the effects of their groups; effects on a group without values stay as they are."""
    return tuple(
        replace(definition, effect=group.effects[0] if len(group.effects) == 1 else HandleEffect.UNKNOWN)
        if group.effects
        else definition
        for definition, group in zip(definitions, groups, strict=True)
    )


class NotUnderstood(NamedTuple):
    """An operation in a script whose effects are not known: its place in the script, and why."""

    name: str
    offset: int
    reason: str


_NO_ANSWER = "no source defines it, and the program attaches no class with `get_effects` to it"


def not_understood(file: SourceFile, operations: Iterable[RegisteredOperation]) -> Iterator[NotUnderstood]:
    """Yield the operations directly in transform operations whose effects are not known, each name once.

    Those of the transform dialect that no source defines have a rule of their own.
    """
    problems = {operation.name: operation.problem for operation in operations if operation.problem}
    reported: set[str] = set()
    for context in file.contexts:
        for operation in context.model.walk():
            name, parent, known = operation.name, operation.parent, operation.definition
            if name in reported or parent is None or not is_transform_operation(parent):
                continue
            if known is None and is_transform_name(name):
                continue
            operands, results = (known.operands, known.results) if known is not None else ((), ())
            effects = [*(each.effect for each in operands), *(each.effect for each in results)]
            if known is None or (name in problems and HandleEffect.UNKNOWN in effects):
                reported.add(name)
                offset = context.to_file(operation.span).start
                yield NotUnderstood(name, offset, problems.get(name, _NO_ANSWER))
