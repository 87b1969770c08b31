"""Joins the declaration of an operation in TableGen with the effects of its C++ class."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from tdls.catalogue.model import (
    Arity,
    ConditionalEffect,
    EffectSource,
    HandleEffect,
    OperandDefinition,
    OperationDefinition,
    PayloadEffect,
    ResultDefinition,
)
from tdls.catalogue.sources.bodies import ValueGroups
from tdls.catalogue.sources.cpp.evaluation import Evaluation, evaluate
from tdls.catalogue.sources.cpp.expressions import OperationShape
from tdls.catalogue.sources.cpp.facts import merge
from tdls.catalogue.sources.cpp.reading import read_members
from tdls.catalogue.sources.cpp.tokens import blanked
from tdls.catalogue.sources.work import SourceProblem
from tdls.structs import replace
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol, TypeVar

    from tdls.catalogue.sources.cpp.conditions import Atom
    from tdls.catalogue.sources.cpp.facts import CppClassFacts, CppFacts
    from tdls.catalogue.sources.cpp.reading import CppFunction

    _V = TypeVar("_V", OperandDefinition, ResultDefinition)
    Case = tuple[Mapping[Atom, bool], Evaluation]

    class DeclaredOperation(Protocol):
        """An operation that TableGen declares."""

        @property
        def definition(self) -> OperationDefinition:
            """Its definition in TableGen."""
            ...

        @property
        def cpp_class(self) -> str:
            """The qualified name of its C++ class."""
            ...

        @property
        def declares_effects(self) -> bool:
            """True if C++ decides its effects on handles."""
            ...

        @property
        def cpp_code(self) -> str:
            """Members of its class that are written in TableGen."""
            ...


_DIALECT = "transform"
_INTERFACES = frozenset(("TransformOpInterface", "MatchOpInterface"))
"""Interfaces of operations with handles in any dialect."""
_MOST_ATOMS = 5
_STRENGTH = (PayloadEffect.NONE, PayloadEffect.READS, PayloadEffect.UNKNOWN, PayloadEffect.MODIFIES)


def joined(operation: DeclaredOperation, facts: CppFacts) -> tuple[OperationDefinition, tuple[SourceProblem, ...]]:
    """Return the definition with effects and places of functions that C++ has, and the reasons for unknown effects.

    A ``getEffects`` of the class decides; without one, decorators or traits do. Effects of C++ that is not found or not
    understood are unknown. A definition whose class has no C++ stays unchanged.
    """
    definition = operation.definition
    found, inline = facts.of(operation.cpp_class), _inline(operation)
    for implementation in (found, inline):
        if implementation is not None:
            repeated = definition.takes_repeated or implementation.allows_repeated_handles
            definition = replace(definition, takes_repeated=repeated)
    definition = replace(definition, implemented_at=found.places if found is not None else ())
    deciding = inline if inline is not None and inline.has_effects else found
    has_own = _declares_own(operation, deciding)
    if not _asks_cpp(definition, in_cpp=operation.declares_effects or has_own):
        return definition, ()
    effects = _deciding(operation, deciding, facts, has_own=has_own)
    if effects is not None:
        return with_effects(definition, effects)
    return (_with_unknown_effects(definition) if has_own else definition), _not_found(operation, deciding)


def _declares_own(operation: DeclaredOperation, found: CppClassFacts | None) -> bool:
    """Whether the class has a ``getEffects`` of its own, which hides those of its traits, as names do in C++."""
    return (found is not None and found.has_effects) or _OWN_EFFECTS.search(blanked(operation.cpp_code)) is not None


_OWN_EFFECTS = re.compile(r"\bvoid\s+getEffects\s*\(")


def _with_unknown_effects(definition: OperationDefinition) -> OperationDefinition:
    return replace(
        definition,
        operands=tuple(replace(operand, effect=HandleEffect.UNKNOWN) for operand in definition.operands),
        results=tuple(replace(result, effect=HandleEffect.UNKNOWN) for result in definition.results),
        payload_effect=PayloadEffect.UNKNOWN,
    )


def with_effects(
    definition: OperationDefinition, effects: CppFunction
) -> tuple[OperationDefinition, tuple[SourceProblem, ...]]:
    """Return the definition with the effects of a body of ``getEffects``, and the reasons for unknown effects."""
    cases = _cases(OperationShape(definition), effects)
    count = len(definition.operands)
    operands = tuple(_with_effect(value, index, cases) for index, value in enumerate(definition.operands))
    results = tuple(_with_effect(value, count + index, cases) for index, value in enumerate(definition.results))
    changed = replace(
        definition,
        operands=operands,
        results=results,
        payload_effect=max((case.state.payload.payload_effect() for _, case in cases), key=_STRENGTH.index),
    )
    if any(case.takes_effects_of_body for _, case in cases):
        return replace(changed, effect_source=EffectSource.REGION), ()
    return changed, _problems(changed, cases)


def _inline(operation: DeclaredOperation) -> CppClassFacts | None:
    """Return the facts of the members that are written in TableGen; their place is that of the definition."""
    place = operation.definition.defined_at
    if not operation.cpp_code or place is None:
        return None
    name = operation.cpp_class.rpartition("::")[2]
    return merge([read_members(name, operation.cpp_code, place)]).of(name)


def _asks_cpp(definition: OperationDefinition, *, in_cpp: bool) -> bool:
    """Whether C++ may decide the operation's effects on handles."""
    is_open = definition.payload_effect is PayloadEffect.UNKNOWN and all(
        value.effect is HandleEffect.UNKNOWN for value in ValueGroups(definition).values
    )
    has_handles = definition.dialect == _DIALECT or not _INTERFACES.isdisjoint(definition.traits)
    return has_handles and (in_cpp or is_open) and definition.effect_source is EffectSource.FIXED


def _deciding(
    operation: DeclaredOperation, found: CppClassFacts | None, facts: CppFacts, *, has_own: bool
) -> CppFunction | None:
    """Return the body that decides the effects, of the class or of a trait of the project, or None without one."""
    if found is not None and found.has_effects:
        return found.effects
    traits = () if has_own else sorted(trait.partition("<")[0] for trait in operation.definition.traits)
    names = (operation.cpp_class, *traits)
    bodies = [body for name in names if (body := facts.effects_of(name)) is not None]
    return bodies[0] if len({body.place for body in bodies}) == 1 else None


def _not_found(operation: DeclaredOperation, found: CppClassFacts | None) -> tuple[SourceProblem, ...]:
    place = operation.definition.defined_at
    if not operation.declares_effects or place is None:
        return ()
    has_several = found is not None and found.has_effects
    bodies = "several bodies of 'getEffects' were found" if has_several else "no body of 'getEffects' was found"
    name = operation.definition.name
    message = f"{bodies} for the class '{operation.cpp_class}'; the effects of '{name}' stay unknown"
    return (SourceProblem(place.path, place.line, message),)


def _cases(shape: OperationShape, effects: CppFunction) -> list[Case]:
    """Return the evaluations for all truth values of the atoms of the body."""
    first = evaluate(effects, shape, {})
    atoms = sorted(first.atoms, key=lambda atom: (atom.name, atom.value or ""))[:_MOST_ATOMS]
    if not atoms:
        return [({}, first)]
    choices = [dict(zip(atoms, answers, strict=True)) for answers in product((False, True), repeat=len(atoms))]
    return [(answers, evaluate(effects, shape, answers)) for answers in choices]


def _with_effect(value: _V, index: int, cases: Sequence[Case]) -> _V:
    found = [
        (answers, case.state.values[index].handle_effect()) for answers, case in cases if not _is_absent(value, answers)
    ]
    effects = {effect for _, effect in found}
    if len(effects) == 1:
        return replace(value, effect=effects.pop(), effect_when=())
    for atom in found[0][0]:
        otherwise = {effect for answers, effect in found if not answers[atom]}
        effect = {effect for answers, effect in found if answers[atom]}
        if not atom.is_operand and len(effect) == len(otherwise) == 1:
            exception = ConditionalEffect(atom.name, effect.pop(), atom.value)
            return replace(value, effect=otherwise.pop(), effect_when=(exception,))
    return replace(value, effect=HandleEffect.UNKNOWN, effect_when=())


def _is_absent(value: OperandDefinition | ResultDefinition, answers: Mapping[Atom, bool]) -> bool:
    """Whether the group has no value with these answers."""
    return value.arity is not Arity.ONE and any(
        atom.is_operand and atom.name == value.name and not present for atom, present in answers.items()
    )


def _problems(definition: OperationDefinition, cases: Sequence[Case]) -> tuple[SourceProblem, ...]:
    unknown = [f"'{value.name}'" for value in ValueGroups(definition).values if value.effect is HandleEffect.UNKNOWN]
    if definition.payload_effect is PayloadEffect.UNKNOWN:
        unknown.append("the payload")
    if not unknown:
        return ()
    notes = {place: reason for _, case in cases for place, reason in case.notes.items()}
    unknown_effects = f"the effects of '{definition.name}' on {enumerated(unknown)} stay unknown"
    return tuple(
        SourceProblem(place.path, place.line, f"{reason}; {unknown_effects}") for place, reason in notes.items()
    )
