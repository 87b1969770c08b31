"""Executes the body of ``getEffects`` abstractly, for an operation known only by its definition.

Given answers decide conditions on attributes or operands. Of all other conditions both branches are taken, and
differing effects are unknown behind the join.
"""

from __future__ import annotations

from collections import ChainMap
from itertools import pairwise
from typing import TYPE_CHECKING

from tdls.catalogue.sources.bodies import CONSUMES, PRODUCES, Access, AccessState, either
from tdls.catalogue.sources.cpp.conditions import Conditions
from tdls.catalogue.sources.cpp.expressions import NOT_KNOWN, is_nothing, is_own_operation, substituted, target_of
from tdls.catalogue.sources.cpp.statements import (
    CompoundStatement,
    ForEach,
    If,
    Jump,
    Perhaps,
    Procedure,
    Return,
    Simple,
    call_of,
    changed_inside,
    declared,
    declared_names,
    initialised,
    lambda_of,
    leaves,
    statements_in,
    without_loop_jumps,
    words_in,
)
from tdls.catalogue.sources.cpp.tokens import arguments, closing, top_level
from tdls.structs import Struct, field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tdls.catalogue.model import SourcePlace
    from tdls.catalogue.sources.bodies import ValueRange
    from tdls.catalogue.sources.cpp.conditions import Atom
    from tdls.catalogue.sources.cpp.expressions import OperationShape
    from tdls.catalogue.sources.cpp.statements import Call, Statement, Words

    Find = Callable[[tuple[str, ...], int], Procedure | None]

_ON_HANDLES = {"consumesHandle": CONSUMES, "onlyReadsHandle": Access.READ, "producesHandle": PRODUCES}
_ON_PAYLOAD = {"modifiesPayload": Access.READ | Access.WRITE, "onlyReadsPayload": Access.READ}
_OF_BODY = "getPotentialTopLevelEffects"
_ACCESSES = {"Read": Access.READ, "Free": Access.FREE, "Allocate": Access.ALLOCATE, "Write": Access.WRITE}
_ADDING = frozenset(("emplace_back", "push_back"))
_HARMLESS = frozenset(("reserve", "size", "empty"))
_NOT_UNDERSTOOD = "what this does to the effects is not understood"


class EffectCalls:
    """Applies calls to states. `notes` are the reasons for unknown effects, by place."""

    def __init__(self, shape: OperationShape) -> None:
        self._shape = shape
        self.notes: dict[SourcePlace, str] = {}
        self.takes_effects_of_body = False

    def note(self, place: SourcePlace, reason: str) -> None:
        """Record the reason for an unknown effect; the first reason of a place is kept."""
        self.notes.setdefault(place, reason)

    def anything(self, place: SourcePlace, state: AccessState, reason: str = _NOT_UNDERSTOOD) -> AccessState:
        """Record `reason` and return `state` with all effects possible."""
        self.note(place, reason)
        state.touch_anything()
        return state

    def is_known(self, call: Call, values: tuple[Words, ...], effects: str) -> bool:
        """Whether the call is one of MLIR's helpers, or a method of the list with the name `effects`."""
        if call.receiver:
            return call.receiver == (effects,)
        if call.name in _ON_HANDLES:
            return len(values) == 2 and values[1] == (effects,)
        return call.name == _OF_BODY or (call.name in _ON_PAYLOAD and values == ((effects,),))

    def apply(self, call: Call, values: tuple[Words, ...], place: SourcePlace, state: AccessState) -> AccessState:
        """Return the state after a known call with arguments without variables."""
        if call.receiver:
            return self._added(call.name, values, place, state)
        if call.name in _ON_HANDLES:
            return self._handles(values[0], _ON_HANDLES[call.name], place, state)
        if call.name in _ON_PAYLOAD:
            state.payload.add(_ON_PAYLOAD[call.name], certain=True)
            return state
        self.takes_effects_of_body = True
        state.touch(self._shape.results, PRODUCES)
        state.touch_anything()
        return state

    def _handles(self, words: Words, access: Access, place: SourcePlace, state: AccessState) -> AccessState:
        target = target_of(words, self._shape)
        if target is not None:
            state.touch(target, access)
            return state
        self.note(place, "which handles this stands for is not understood")
        state.touch(self._shape.results if access is PRODUCES else self._shape.operands, access, certain=False)
        return state

    def _added(self, function: str, values: tuple[Words, ...], place: SourcePlace, state: AccessState) -> AccessState:
        """Apply ``effects.emplace_back(MemoryEffects::Read::get(), &operand, Resource::get())``."""
        if function in _HARMLESS:
            return state
        effect = _constructed(values)
        found = [_ACCESSES[word] for word in (effect[0] if effect else ()) if word in _ACCESSES]
        if function not in _ADDING or len(found) != 1:
            return self.anything(place, state)
        qualifiers = (word for value in effect[1:] for word, following in pairwise(value) if following == "::")
        resources = {word for word in qualifiers if word.endswith("Resource")}
        if resources == {"PayloadIRResource"}:
            state.payload.add(found[0], certain=True)
        elif resources == {"TransformMappingResource"}:
            words = effect[1]
            if target_of(words, self._shape) is None:
                return self.anything(place, state, "which handles this stands for is not understood")
            return self._handles(words, found[0], place, state)
        elif not resources and any("resource" in word.lower() for value in effect[1:] for word in value):
            return self.anything(place, state)
        return state


def _constructed(values: tuple[Words, ...]) -> tuple[Words, ...]:
    """Return the arguments of an effect: those of a sole ``EffectInstance(...)`` argument, else `values` themselves."""
    if len(values) != 1 or not ("EffectInstance" in values[0] or values[0][:1] == ("{",)):
        return values
    opening = next((index for index, word in enumerate(values[0]) if word in ("(", "{")), len(values[0]))
    return tuple(arguments(values[0][opening + 1 : closing(values[0], opening)]))


_MOST_CALLS = 200
_MOST_DEPTH = 20


class Evaluation(Struct, frozen=True):
    """The result of a body: the `state` at its end, the atoms of its conditions (`atoms`), and reasons for unknown
    effects by place (`notes`)."""

    state: AccessState
    atoms: frozenset[Atom]
    notes: dict[SourcePlace, str]
    takes_effects_of_body: bool
    """True if the operation has the effects on its operands that its region has on block arguments."""


def evaluate(procedure: Procedure, shape: OperationShape, answers: Mapping[Atom, bool], find: Find) -> Evaluation:
    """Execute `procedure` for an operation.

    `answers` decide conditions (see `Conditions`). `find` returns the procedure for a path of names and a number of
    arguments, None if it is unknown.
    """
    runner = _BodyRunner(Conditions(shape, answers), find)
    state = runner.run(procedure, {}, AccessState.at_start(len(shape.values)))
    calls = runner.effect_calls
    return Evaluation(state, frozenset(runner.conditions.atoms), calls.notes, calls.takes_effects_of_body)


class _CallFrame(Struct):
    """One call of a procedure: the name of its list of effects, its variables, and the join of its returns."""

    effects: str
    variables: ChainMap[str, Words]
    lambdas: dict[str, Procedure] = field(default_factory=dict)
    finished: AccessState | None = None

    def assign(self, name: str, value: Words) -> None:
        """Change a variable in the scopes that declare it."""
        for scope in self.variables.maps:
            if name in scope:
                scope[name] = value

    def mentions_effects(self, words: Iterable[str]) -> bool:
        """Whether words name the list of effects, or a lambda that adds to it."""
        return not {self.effects, *self.lambdas}.isdisjoint(words)


class _BodyRunner:
    """Methods that take a state may change it, and return the state behind the code, None if its end is unreachable."""

    def __init__(self, conditions: Conditions, find: Find) -> None:
        self.conditions = conditions
        self.effect_calls = EffectCalls(conditions.shape)
        self._find = find
        self._calls = 0
        self._depth = 0

    def run(self, procedure: Procedure, variables: dict[str, Words], state: AccessState) -> AccessState:
        """Return the state after a call of a function."""
        frame = _CallFrame(procedure.parameters[procedure.effects], ChainMap(variables))
        return self._entered(procedure.body, frame, state)

    def _entered(self, body: CompoundStatement, frame: _CallFrame, state: AccessState) -> AccessState:
        self._calls += 1
        self._depth += 1
        end = self._statement(body, frame, state)
        self._depth -= 1
        return either(end, frame.finished) or state

    def _statement(self, statement: Statement, frame: _CallFrame, state: AccessState) -> AccessState | None:
        match statement:
            case Simple(words, place):
                return self._simple(words, place, frame, state)
            case Return(words, place):
                frame.finished = either(frame.finished, self._simple(words, place, frame, state))
                return None
            case Jump(place):
                return self.effect_calls.anything(place, state, "this jump is not followed")
        scope = frame.variables
        frame.variables = scope.new_child()
        behind = self._compound(statement, frame, state)
        frame.variables = scope
        return behind

    def _compound(
        self, statement: CompoundStatement | If | ForEach | Perhaps, frame: _CallFrame, state: AccessState
    ) -> AccessState | None:
        match statement:
            case CompoundStatement(statements):
                return self._block(statements, frame, state)
            case If():
                return self._if(statement, frame, state)
            case ForEach():
                return self._for_each(statement, frame, state)
            case Perhaps(words, body, place):
                return self._perhaps(words, body, place, frame, state)

    def _block(self, statements: tuple[Statement, ...], frame: _CallFrame, state: AccessState) -> AccessState | None:
        current: AccessState | None = state
        for statement in statements:
            if current is None:
                return None
            current = self._statement(statement, frame, current)
        return current

    def _if(self, statement: If, frame: _CallFrame, state: AccessState) -> AccessState | None:
        state = self._simple(statement.initial, statement.place, frame, state)
        state = self._simple(statement.condition, statement.place, frame, state)
        holds = self.conditions.holds(substituted(_value(statement.condition), frame.variables))
        if holds is not None:
            return self._statement(statement.then if holds else statement.otherwise, frame, state)
        if frame.mentions_effects(words_in(statement)) or leaves(statement):
            self.effect_calls.note(statement.place, "whether this condition holds is not known")
        then = self._statement(statement.then, frame, state.copy())
        return either(then, self._statement(statement.otherwise, frame, state))

    def _for_each(self, statement: ForEach, frame: _CallFrame, state: AccessState) -> AccessState | None:
        values = _iterated(substituted(statement.values, frame.variables), len(statement.names))
        if any(is_nothing(value, self.conditions.shape) for value in values):
            return state
        self._forget_assigned(statement.body, frame)
        frame.variables.update(zip(statement.names, values, strict=True))
        targets = [target_of(value, self.conditions.shape) for value in values]
        covered = [target for target in targets if target]
        if leaves(statement.body) or len(covered) != 1 or frame.effects in statement.values:
            return self._perhaps(statement.values, statement.body, statement.place, frame, state)
        before = state.copy()
        after = self._statement(statement.body, frame, state) or before
        return self._behind_loop(before, after, covered[0])

    def _behind_loop(self, before: AccessState, after: AccessState, covered: ValueRange) -> AccessState:
        """Return the state behind a loop over `covered`, which does nothing if there are no values."""
        if self.conditions.shape.least(covered):
            return after
        result = either(before, after) or after
        for part in covered:
            if part.whole:
                result.values[part.index] = after.values[part.index]
        return result

    def _perhaps(
        self, words: Words, body: Statement, place: SourcePlace, frame: _CallFrame, state: AccessState
    ) -> AccessState | None:
        self._forget_assigned(body, frame)
        state = self._simple(words, place, frame, state)
        returns = any(isinstance(inner, Return) for inner in statements_in(body))
        if not frame.mentions_effects(words_in(body)) and not returns:
            return state
        self.effect_calls.note(place, "how often this runs is not known")
        return either(state.copy(), self._statement(without_loop_jumps(body), frame, state))

    def _forget_assigned(self, body: Statement, frame: _CallFrame) -> None:
        """Forget the variables that a repeated body assigns to."""
        for inner in statements_in(body):
            if isinstance(inner, Simple):
                for name, following in pairwise(inner.words):
                    if following in ("=", "+", "-", "|", "&", "++", "--", "."):
                        frame.assign(name, (NOT_KNOWN,))

    def _simple(self, words: Words, place: SourcePlace, frame: _CallFrame, state: AccessState) -> AccessState:
        self._forget_changed(words, frame)
        equals = next((index for index, word in top_level(words) if word == "="), None)
        if equals is not None:
            return self._assignment(words[:equals], words[equals + 1 :], place, frame, state)
        call = call_of(words)
        if call is not None and not call.receiver and call.name in frame.lambdas:
            return self._call_lambda(call, place, frame, state)
        if call is None:
            name, value = initialised(words) or (declared(words), (NOT_KNOWN,))
            if name is not None:
                frame.variables[name] = substituted(value, frame.variables)
        elif len(call.receiver) == 1:
            frame.assign(call.receiver[0], (NOT_KNOWN,))
        if not frame.mentions_effects(words) or words == ("(", "void", ")", frame.effects):
            return state
        return self._effect_call(call, place, frame, state)

    def _forget_changed(self, words: Words, frame: _CallFrame) -> None:
        """Forget variables that are passed to functions by reference or assigned to in lambdas."""
        for name in changed_inside(words):
            if name in frame.variables and not is_own_operation(frame.variables[name], self.conditions.shape):
                frame.assign(name, (NOT_KNOWN,))

    def _assignment(
        self, left: Words, right: Words, place: SourcePlace, frame: _CallFrame, state: AccessState
    ) -> AccessState:
        procedure = lambda_of(right, place)
        if procedure is not None and len(left) > 1 and frame.mentions_effects(words_in(procedure.body)):
            frame.lambdas[left[-1]] = procedure
            return state
        names = declared_names(left)
        if len(left) == 1:
            frame.assign(left[0], (NOT_KNOWN,))
        else:
            value = substituted(right, frame.variables) if len(names) == 1 and names == left[-1:] else (NOT_KNOWN,)
            frame.variables.update(dict.fromkeys(names, value))
        return self.effect_calls.anything(place, state) if frame.mentions_effects((*left, *right)) else state

    def _effect_call(self, call: Call | None, place: SourcePlace, frame: _CallFrame, state: AccessState) -> AccessState:
        """Apply a call, or another statement (None), that mentions the list of effects."""
        if call is None:
            return self.effect_calls.anything(place, state)
        values = tuple(substituted(value, frame.variables) for value in call.arguments)
        if self.effect_calls.is_known(call, values, frame.effects):
            return self.effect_calls.apply(call, values, place, state)
        if call.name == "for_each" and len(values) == 2:
            return self._for_each_call(call, place, frame, state)
        procedure = self._find(call.path, len(values)) if call.receiver in ((), ("this",)) else None
        mentioning = [index for index, value in enumerate(call.arguments) if frame.effects in value]
        if procedure is None or mentioning != [procedure.effects] or self._is_exhausted():
            return self.effect_calls.anything(place, state, f"what '{call.name}' adds to the effects is not known")
        variables = dict(zip(procedure.parameters, values, strict=True))
        del variables[procedure.parameters[procedure.effects]]
        return self.run(procedure, variables, state)

    def _for_each_call(self, call: Call, place: SourcePlace, frame: _CallFrame, state: AccessState) -> AccessState:
        """Apply ``for_each(values, [&](Type name) { ... })``, or ``for_each`` with the name of a lambda."""
        given = call.arguments[1]
        procedure = frame.lambdas.get(given[0]) if len(given) == 1 else lambda_of(given, place)
        if procedure is None or len(procedure.parameters) != 1 or leaves(procedure.body):
            return self.effect_calls.anything(place, state)
        loop = ForEach(procedure.parameters, call.arguments[0], procedure.body, place)
        return self._statement(loop, frame, state) or state

    def _call_lambda(self, call: Call, place: SourcePlace, frame: _CallFrame, state: AccessState) -> AccessState:
        procedure = frame.lambdas[call.name]
        mentioning = [
            name for name, value in zip(procedure.parameters, call.arguments, strict=False) if frame.effects in value
        ]
        if (
            len(call.arguments) != len(procedure.parameters)
            or self._is_exhausted()
            or mentioning not in ([], [frame.effects])
        ):
            return self.effect_calls.anything(place, state)
        inner = _CallFrame(frame.effects, frame.variables.new_child(), dict(frame.lambdas))
        values = [substituted(value, frame.variables) for value in call.arguments]
        inner.variables.update(zip(procedure.parameters, values, strict=True))
        inner.variables.pop(frame.effects, None)
        return self._entered(procedure.body, inner, state)

    def _is_exhausted(self) -> bool:
        return self._calls >= _MOST_CALLS or self._depth >= _MOST_DEPTH


def _value(condition: Words) -> Words:
    """Return the tested expression of a condition; of ``Type name = value`` the value."""
    equals = next((index for index, word in top_level(condition) if word == "="), None)
    return condition if equals is None else condition[equals + 1 :]


def _iterated(values: Words, count: int) -> list[Words]:
    """Return the range of each name of a loop: the arguments of ``zip`` or ``enumerate``, else the one range."""
    call = call_of(values)
    if call is not None and call.name in ("zip", "zip_equal", "zip_first") and len(call.arguments) == count:
        return list(call.arguments)
    if call is not None and call.name == "enumerate" and len(call.arguments) == 1 and count <= 2:
        return [(NOT_KNOWN,), call.arguments[0]][-count:]
    return [values] if count == 1 else [(NOT_KNOWN,)] * count
