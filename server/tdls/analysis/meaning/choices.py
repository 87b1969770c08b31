"""Choices that a script leaves open, knobs and alternatives, and how many combinations its constraints allow."""

from __future__ import annotations

import re
from functools import partial, reduce
from itertools import combinations as combinations_of
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import TrackedFact
from tdls.analysis.meaning.counting import count_combinations
from tdls.analysis.meaning.sequences import scripts_of
from tdls.payload.attributes import split
from tdls.semantic.terms import AND, DISTINCT, EQUAL, FOLDED, FUNCTIONS, IMPLIES, OR, Terms
from tdls.structs import NamedTuple
from tdls.syntax.types import constant
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Block, Operation, Value

TUNE: Final = "transform.tune."
"""The beginning of the names of operations with options."""
ALTERNATIVES: Final = "transform.tune.alternatives"
SELECTED: Final = {
    "transform.tune.knob": "selected",
    ALTERNATIVES: "selected_region_attr",
    "transform.param.constant": "value",
}
"""The attribute with the value of a choice, by operation."""
CONSTRAIN: Final = "transform.smt.constrain_params"
_STATEFUL = frozenset({"smt.push", "smt.pop", "smt.reset"})
"""Operations that change which assertions count."""
_MOST_COMPARED = 64
_NUMBER = re.compile(r"\s{0,9}(-?\d{1,99})", re.ASCII)


class Assertion(NamedTuple):
    """An ``smt.assert``, and the number of a term that has to be true, or None if it is not known."""

    operation: Operation
    term: int | None


class Choice(NamedTuple):
    """An operation whose value a run may set. A constant has no `name`; its `options` are None, and so not known."""

    operation: Operation
    name: str
    options: tuple[str, ...] | None
    value: str | None
    """As spelled, like the options."""


def choice_of(operation: Operation) -> Choice | None:
    """Return the choice that an operation is, or None; the operand of alternatives makes theirs."""
    if operation.name not in SELECTED or operation.syntax.broken or operation.operands:
        return None
    name, listed = constant(operation.spelled("name") or ""), operation.spelled("options") or ""
    options = tuple(split(listed[1:-1])) if listed.startswith("[") else None
    if operation.name == ALTERNATIVES:
        options = tuple(map(str, range(len(operation.regions))))
    value = operation.spelled(SELECTED[operation.name])
    return Choice(operation, name if isinstance(name, str) else "", options, value)


def number_of(spelled: str) -> int | None:
    """Return the integer or boolean that an attribute is, or None for any other."""
    number = spelled.partition(":")[0].strip()
    return number == "true" if number in ("true", "false") else integer(number)


class Space:
    """The choices in a script, and the conditions that a combination of their options has to meet."""

    def __init__(self, context: Context, script: Operation, values: Mapping[int, str] | None = None) -> None:
        """`values` are set for choices, by the offset of their operation in the section."""
        self.terms = Terms()
        self.open: dict[int, Choice] = {}
        """The choices without a value, by term."""
        self.assertions: dict[int, list[Assertion]] = {}
        """Those of constraints that are executed, by the offset of the constraint."""
        self.is_finite = True
        """Whether the number of options of each choice is known."""
        self.is_known = True
        """Whether all conditions are known."""
        self._conditions: set[int] = set()
        self._guards: set[int] = set()
        """That a choice in a region that is not selected has its first option, so that it does not count."""
        self.known: dict[Value | None, int | None] = {}
        """The terms of values."""
        self._text, self._values = context.section.text, values or {}
        for block in script.blocks():
            self._read(block, None)

    def count(self, *, constrained: bool) -> int:
        """Return the number of combinations, of those that meet all conditions if `constrained`.

        Raises ArithmeticError as `count_combinations` does.
        """
        return count_combinations(self.terms, self.open, self._guards | (self._conditions if constrained else set()))

    def _read(self, block: Block, active: int | None) -> None:
        """Read a block, which is executed if the term `active` is true, always if it is None."""
        for operation in block.operations:
            choice, term = choice_of(operation), None
            if operation.name == CONSTRAIN:
                for assertion in self._asserted(operation):
                    if active is None or self.terms[active].domain != (False,):
                        self.assertions.setdefault(operation.location.start, []).append(assertion)
                    self._require(self._conditions, IMPLIES, active, assertion.term)
                continue
            if choice is not None:
                term = self._choose(choice, active)
            elif operation.name == ALTERNATIVES and operation.operands:
                term = self.known.get(operation.operands[0])
            for number, region in enumerate(operation.regions):
                inside = active
                if operation.name == ALTERNATIVES:
                    self.is_known &= term is not None
                    inside = self.terms.apply(EQUAL, term, self.terms.add([number]))
                    inside = inside if active is None else self.terms.apply(AND, active, inside)
                for inner in region.blocks:
                    self._read(inner, inside)

    def _asserted(self, constraint: Operation) -> Iterator[Assertion]:
        """Yield what a constraint asserts, the parts of conjunctions one by one."""
        body, known = constraint.body, self.known
        if body is None:
            return
        for argument, operand in zip(body.arguments, constraint.operands, strict=False):
            term = known.get(operand)
            domain = self.terms[term].domain if term is not None else ()
            types = {"!smt.bool" if isinstance(each, bool) else "!smt.int" for each in domain}
            known[argument] = term if types <= {argument.type} else None
        is_stateful = any(operation.name in _STATEFUL for operation in body.operations)
        for operation in body.operations:
            asserted, seen = list(operation.operands) if operation.name == "smt.assert" else [], set()
            while asserted:
                value = asserted.pop()
                if value in seen:
                    continue
                seen.add(value)
                if value is not None and value.operation is not None and value.operation.name == AND:
                    asserted += value.operation.operands
                else:
                    yield Assertion(operation, None if is_stateful else known.get(value))
            for result in operation.results:
                known[result] = self._result(operation)
        known.update(zip(constraint.results, map(known.get, body.yielded), strict=False))

    def _result(self, operation: Operation) -> int | None:
        """Return the term of the result of an operation in a constraint."""
        name, spelled = operation.name, operation.spelled("value")
        if name == "smt.constant":
            return self.terms.add([spelled == "true"])
        if name == "smt.int.constant":
            number = _NUMBER.match(spelled or self._text[operation.location.end : operation.span.end])
            value = integer(number[1]) if number is not None else None
            return self.terms.add([value]) if value is not None else None
        name = operation.spelled("pred") or "" if name == "smt.int.cmp" else name
        inputs, apply = [self.known.get(operand) for operand in operation.operands], self.terms.apply
        if name in (EQUAL, DISTINCT) and 1 < len(inputs) <= _MOST_COMPARED:
            pairs = pairwise(inputs) if name == EQUAL else combinations_of(inputs, 2)
            return reduce(partial(apply, AND), (apply(name, *pair) for pair in pairs))
        if name in FOLDED and inputs:
            return reduce(partial(apply, name), inputs)
        return apply(name, *inputs) if name in FUNCTIONS and inputs else None

    def _require(self, conditions: set[int], name: str, active: int | None, term: int | None) -> None:
        """Add a condition: `term`, or the function called `name` of `active` and `term`."""
        condition = self.terms.apply(name, active, term) if active is not None else term
        self.is_known &= condition is not None
        conditions.update(() if condition is None else (condition,))

    def _choose(self, choice: Choice, active: int | None) -> int | None:
        value = self._values.get(choice.operation.location.start, choice.value)
        spelled = (value,) if value is not None else choice.options
        numbers = tuple(dict.fromkeys(map(number_of, spelled or ())))
        domain = [number for number in numbers if number is not None]
        is_read = len({type(number) for number in numbers}) == 1 and len(domain) == len(numbers)
        self.is_finite &= bool(spelled)
        if value is not None and not is_read:
            return None
        term = self.terms.add(domain if is_read else range(len(spelled or "?")))
        if value is None:
            self.open[term] = choice
            if active is not None:
                first = self.terms.apply(EQUAL, term, self.terms.add(self.terms[term].domain[:1]))
                self._require(self._guards, OR, active, first)
        for result in choice.operation.results if is_read and choice.operation.name != ALTERNATIVES else ():
            self.known[result] = term
        return term


@TrackedFact
def spaces(context: Context) -> list[tuple[Operation, Space]]:
    """Return the scripts of a section with their choices."""
    return [(script, Space(context, script)) for script in scripts_of(context)]


class Combinations(NamedTuple):
    """The open choices of the script whose name ends at `end`, and how many combinations of options there are."""

    end: int
    choices: tuple[Choice, ...]
    total: int
    allowed: int
    """Those that meet all constraints, as far as these are known."""
    is_exact: bool


@TrackedFact
def combinations(context: Context) -> list[Combinations]:
    """Return the combinations of open choices for the scripts of a section with a known number of options."""
    counts = []
    for script, space in spaces(context):
        if space.open and space.is_finite:
            total, is_exact = 0, space.is_known
            try:
                total = allowed = space.count(constrained=False)
                allowed = space.count(constrained=True)
            except (ArithmeticError, TypeError):
                is_exact = False
            if total:
                end = (script.syntax.symbol_span or script.location).end
                counts.append(Combinations(end, tuple(space.open.values()), total, allowed, is_exact))
    return counts
