"""Executes the body of ``getEffects`` abstractly, for an operation known only by its definition.

Given answers decide conditions on attributes or operands. Of all other conditions both branches are taken, and
differing effects are unknown behind the join. A statement that is not understood may have any effect.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tdls.catalogue.sources.bodies import CONSUMES, PRODUCES, Access, AccessState, either
from tdls.catalogue.sources.cpp.conditions import Conditions
from tdls.catalogue.sources.cpp.expressions import NOT_KNOWN, is_nothing, substituted, target_of
from tdls.catalogue.sources.cpp.statements import (
    Block,
    ForEach,
    If,
    Other,
    Simple,
    call_of,
    changed_names,
    declaration,
    leaves,
)
from tdls.catalogue.sources.cpp.tokens import arguments, closing
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.catalogue.model import SourcePlace
    from tdls.catalogue.sources.cpp.conditions import Atom
    from tdls.catalogue.sources.cpp.expressions import OperationShape
    from tdls.catalogue.sources.cpp.reading import CppFunction
    from tdls.catalogue.sources.cpp.statements import Call, Statement, Words

_ON_HANDLES = {"consumesHandle": CONSUMES, "onlyReadsHandle": Access.READ, "producesHandle": PRODUCES}
_ON_PAYLOAD = {"modifiesPayload": Access.READ | Access.WRITE, "onlyReadsPayload": Access.READ}
_OF_BODY = "getPotentialTopLevelEffects"
_ACCESSES = {"Read": Access.READ, "Free": Access.FREE, "Allocate": Access.ALLOCATE, "Write": Access.WRITE}
_ADDING = frozenset(("emplace_back", "push_back"))
_HARMLESS = frozenset(("reserve", "size", "empty"))
_NOT_UNDERSTOOD = "what this does to the effects is not understood"
_NO_HANDLES = "which handles this stands for is not understood"


class Evaluation(Struct, frozen=True):
    """The result of a body: the `state` at its end, the atoms of its conditions (`atoms`), and reasons for unknown
    effects by place (`notes`)."""

    state: AccessState
    atoms: frozenset[Atom]
    notes: dict[SourcePlace, str]
    takes_effects_of_body: bool
    """True if the operation has the effects on its operands that its region has on block arguments."""


def evaluate(function: CppFunction, shape: OperationShape, answers: Mapping[Atom, bool]) -> Evaluation:
    """Execute a ``getEffects`` for an operation; `answers` decide conditions (see `Conditions`)."""
    runner = _BodyRunner(function, Conditions(shape, answers))
    state = runner.run(function.body)
    return Evaluation(state, frozenset(runner.conditions.atoms), runner.notes, runner.takes_effects_of_body)


class _BodyRunner:
    """Methods that take a state may change it, and return the state behind the code, None if its end is unreachable."""

    def __init__(self, function: CppFunction, conditions: Conditions) -> None:
        self.conditions = conditions
        self.notes: dict[SourcePlace, str] = {}
        """The reasons for unknown effects; the first reason of a place is kept."""
        self.takes_effects_of_body = False
        self._shape = conditions.shape
        self._effects = function.effects
        self._changed = changed_names(function.words)
        self._variables: dict[str, Words] = {}
        self._returned: AccessState | None = None

    def run(self, body: Block) -> AccessState:
        """Return the state at the end of a body."""
        start = AccessState.at_start(len(self._shape.values))
        return either(self._statement(body, start), self._returned) or start

    def _anything(self, place: SourcePlace, state: AccessState, reason: str = _NOT_UNDERSTOOD) -> AccessState:
        """Record `reason` and return `state` with all effects possible."""
        self.notes.setdefault(place, reason)
        state.touch_anything()
        return state

    def _statement(self, statement: Statement, state: AccessState) -> AccessState | None:
        match statement:
            case Simple():
                state = self._simple(statement.words, statement.place, state)
                if not statement.returns:
                    return state
                self._returned = either(self._returned, state)
                return None
            case Block(statements):
                return self._block(statements, state)
            case If():
                return self._if(statement, state)
            case ForEach():
                return self._for_each(statement, state)
            case Other(words, place):
                if self._effects not in words and not statement.leaves:
                    return state
                self._returned = either(self._returned, self._anything(place, state))
                return None

    def _block(self, statements: tuple[Statement, ...], state: AccessState | None) -> AccessState | None:
        for statement in statements:
            if state is None:
                return None
            state = self._statement(statement, state)
        return state

    def _if(self, statement: If, state: AccessState) -> AccessState | None:
        declared = declaration(statement.condition)
        state = self._simple(statement.condition, statement.place, state)
        holds = self.conditions.holds(substituted(declared[1] if declared else statement.condition, self._variables))
        if holds is not None:
            return self._statement(statement.then if holds else statement.otherwise, state)
        then = self._statement(statement.then, state.copy())
        otherwise = self._statement(statement.otherwise, state)
        if then != otherwise:
            self.notes.setdefault(statement.place, "whether this condition holds is not known")
        return either(then, otherwise)

    def _for_each(self, loop: ForEach, state: AccessState) -> AccessState | None:
        values = substituted(loop.values, self._variables)
        if is_nothing(values, self._shape):
            return state
        if leaves(loop.body) or self._effects in loop.values:
            return self._statement(Other((self._effects,), loop.place), state)
        outer = self._variables
        self._variables = {**outer, loop.name: (NOT_KNOWN,) if loop.name in self._changed else values}
        after = self._statement(loop.body, state.copy()) or state
        self._variables = outer
        covered = target_of(values, self._shape) or ()
        if self._shape.least(covered):
            return after
        joined = either(state, after) or after
        for index in covered:  # if a group has no values, nothing is done to them
            joined.values[index] = after.values[index]
        if joined != after and not covered:
            self.notes.setdefault(loop.place, "how often this runs is not known")
        return joined

    def _simple(self, words: Words, place: SourcePlace, state: AccessState) -> AccessState:
        declared = declaration(words)
        if declared is not None and declared[0] not in self._changed:
            self._variables[declared[0]] = substituted(declared[1], self._variables)
        if self._effects not in words or words == ("(", "void", ")", self._effects):
            return state
        call = call_of(words)
        return self._anything(place, state) if call is None else self._call(call, place, state)

    def _call(self, call: Call, place: SourcePlace, state: AccessState) -> AccessState:
        """Apply a call that mentions the list of effects."""
        values = tuple(substituted(value, self._variables) for value in call.arguments)
        effects = (self._effects,)
        if call.receiver == effects:
            return self._added(call.name, values, place, state)
        if not call.receiver and call.name in _ON_HANDLES and values[1:] == (effects,):
            return self._handles(values[0], _ON_HANDLES[call.name], place, state)
        if not call.receiver and call.name in _ON_PAYLOAD and values == (effects,):
            state.payload.add(_ON_PAYLOAD[call.name], certain=True)
            return state
        if call.receiver or call.name != _OF_BODY:
            return self._anything(place, state, f"what '{call.name}' adds to the effects is not known")
        self.takes_effects_of_body = True
        state.touch(self._shape.results, PRODUCES)
        state.touch_anything()
        return state

    def _handles(self, words: Words, access: Access, place: SourcePlace, state: AccessState) -> AccessState:
        target = target_of(words, self._shape)
        if target is not None:
            state.touch(target, access)
            return state
        self.notes.setdefault(place, _NO_HANDLES)
        state.touch(self._shape.results if access is PRODUCES else self._shape.operands, access, certain=False)
        return state

    def _added(self, function: str, values: tuple[Words, ...], place: SourcePlace, state: AccessState) -> AccessState:
        """Apply ``effects.emplace_back(MemoryEffects::Read::get(), &operand, Resource::get())``."""
        if function in _HARMLESS:
            return state
        effect = _constructed(values)
        accesses = [_ACCESSES[word] for word in (effect[0] if effect else ()) if word in _ACCESSES]
        if function not in _ADDING or len(accesses) != 1:
            return self._anything(place, state)
        qualifiers = (word for value in effect[1:] for word, following in pairwise(value) if following == "::")
        resources = {word for word in qualifiers if word.endswith("Resource")}
        if resources == {"PayloadIRResource"}:
            state.payload.add(accesses[0], certain=True)
        elif resources == {"TransformMappingResource"}:
            if target_of(effect[1], self._shape) is None:
                return self._anything(place, state, _NO_HANDLES)
            return self._handles(effect[1], accesses[0], place, state)
        elif not resources and any("resource" in word.lower() for value in effect[1:] for word in value):
            return self._anything(place, state)
        return state


def _constructed(values: tuple[Words, ...]) -> tuple[Words, ...]:
    """Return the arguments of an effect: those of a sole ``EffectInstance(...)`` argument, else `values` themselves."""
    if len(values) != 1 or not ("EffectInstance" in values[0] or values[0][:1] == ("{",)):
        return values
    opening = next((index for index, word in enumerate(values[0]) if word in ("(", "{")), len(values[0]))
    return tuple(arguments(values[0][opening + 1 : closing(values[0], opening)]))
