"""Follows a parser's body as to what it does with operands.

All branches are followed, one after the other: all that is asked is in which order calls are made, and whether they
always are. Whatever mentions operands, or the operation that is being made, and is not understood ends this.
"""

from __future__ import annotations

from collections import ChainMap
from typing import TYPE_CHECKING

from tdls.catalogue.sources.cpp.effects.calls import call_of
from tdls.catalogue.sources.cpp.effects.statements import CompoundStatement, ForEach, If, Jump, Perhaps, Return, Simple
from tdls.catalogue.sources.cpp.parsers.expressions import ParserExpressions
from tdls.catalogue.sources.cpp.parsers.frame import ParserFrame
from tdls.catalogue.sources.cpp.parsers.function import Holds, held_by, names_operand, statements_of
from tdls.catalogue.sources.cpp.parsers.lists import initial
from tdls.catalogue.sources.cpp.parsers.operands import Holder, ParsedOperands, UnclearError
from tdls.catalogue.sources.cpp.tokens import arguments, closing, top_level

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.bounds.budget import Budget
    from tdls.catalogue.sources.cpp.effects.statements import Statement, Words
    from tdls.catalogue.sources.cpp.parsers.function import ParserFunction

    Find = Callable[[tuple[str, ...], int], ParserFunction | None]

_MOST_DEPTH = 16
"""Functions inside of functions."""
_IN_STEP = frozenset(("zip", "zip_equal", "zip_first"))
_NOTHING = (("std", "::", "nullopt"), ("nullopt",), ("{", "}"))
_OPERANDS = frozenset(("parseOperand", "parseOptionalOperand", "parseOperandList", "resolveOperand", "resolveOperands"))


def follow(function: ParserFunction, find: Find, budget: Budget) -> ParsedOperands:
    """Return what the ``parse`` of an operation does. Raises UnclearError, OverBudget.

    `find` gives the function of a path of names with a number of arguments, None where it is not known.
    """
    if any(held is not Holds.NOTHING for held in function.holds):
        raise UnclearError
    follower = _Follower(find, budget)
    follower.call(function, {})
    return follower.operands


class _Follower:
    def __init__(self, find: Find, budget: Budget) -> None:
        self.operands = ParsedOperands()
        self._expressions = ParserExpressions(self.operands, budget, self._called, self._lambda)
        self._find = find
        self._budget = budget
        self._depth = 0

    def call(self, function: ParserFunction, holders: dict[str, Holder]) -> None:
        """Follow a function with the variables that it is given."""
        self._budget.spend(function.size + 1)
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise UnclearError
        state = function.parameters[function.state] if function.state is not None else None
        frame = ParserFrame(function.parameters[function.parser], state, ChainMap(holders))
        self._statement(function.body, frame)
        self.operands.end_rest(frame.endings)
        self._depth -= 1

    def _called(self, path: tuple[str, ...], given: Sequence[Words], frame: ParserFrame) -> bool:
        """Follow a call that is given the parser; False where the function is not known."""
        function = self._find(path, len(given))
        if function is None or given[function.parser] != (frame.parser,):
            return False
        holders: dict[str, Holder] = {}
        for index, argument in enumerate(given):
            held = function.holds[index]
            if held in (Holds.ONE, Holds.LIST):
                holders[function.parameters[index]] = holder = frame.holder(argument)
                if holder.is_list is not (held is Holds.LIST):
                    raise UnclearError
            elif index == function.state:
                if argument != (frame.state,):
                    raise UnclearError
            elif index != function.parser:
                self._expressions.follow(argument, frame)
        self.call(function, holders)
        return True

    def _lambda(self, words: Words, frame: ParserFrame) -> None:
        """Follow the body of a lambda that is called any number of times."""
        opening = next((index for index, word in top_level(words) if word == "{"), len(words))
        if closing(words, opening) != len(words) - 1:
            raise UnclearError
        inside = words[opening + 1 : -1]
        ends = ParserFrame(frame.parser, frame.state, frame.holders, dict(frame.lambdas))
        self._repeated(statements_of(inside), ends)
        self.operands.end_rest(ends.endings)

    def _statement(self, statement: Statement, frame: ParserFrame) -> None:
        match statement:
            case Simple(words):
                return self._simple(words, frame)
            case Return(words):
                return self._return(words, frame)
            case Jump(anywhere=True):
                raise UnclearError
            case Jump():
                return None
        scope, lambdas = frame.holders, dict(frame.lambdas)
        frame.holders = scope.new_child()
        self._compound(statement, frame)
        frame.holders, frame.lambdas = scope, lambdas
        return None

    def _compound(self, statement: CompoundStatement | If | ForEach | Perhaps, frame: ParserFrame) -> None:
        match statement:
            case CompoundStatement(statements):
                for inner in statements:
                    self._statement(inner, frame)
            case If(initial, condition, then, otherwise):
                self._simple(initial, frame)
                self._simple(condition, frame)
                with self.operands.uncertain():
                    counts = [len(self.operands.resolved)]
                    for branch in (then, otherwise):
                        self._statement(branch, frame)
                        counts.append(len(self.operands.resolved))
                    self.operands.has_alternatives |= counts[0] < counts[1] < counts[2]
            case ForEach():
                self._for_each(statement, frame)
            case Perhaps(words, body):
                self._repeated(CompoundStatement((Simple(words, statement.place), body)), frame)

    def _repeated(self, body: CompoundStatement, frame: ParserFrame) -> None:
        with self.operands.repeated(list(frame.holders.values())):
            self._statement(body, frame)

    def _for_each(self, statement: ForEach, frame: ParserFrame) -> None:
        """A loop, over lists of operands perhaps."""
        call = call_of(statement.values)
        is_in_step = call is not None and call.name in _IN_STEP and len(call.arguments) == len(statement.names)
        values = call.arguments if call is not None and is_in_step else (statement.values,)
        elements: list[tuple[str, Holder]] = []
        for name, value in zip(statement.names, values, strict=False):
            if len(value) == 1 and value[0] in frame.holders:
                elements.append((name, self.operands.element_of(frame.holders[value[0]])))
            else:
                self._expressions.follow(value, frame)
        if elements and len(statement.names) != len(values):
            raise UnclearError
        before = len(self.operands.read)
        frame.holders.update(elements)
        self._repeated(CompoundStatement((statement.body,)), frame)
        if elements and len(self.operands.read) > before:
            raise UnclearError

    def _return(self, words: Words, frame: ParserFrame) -> None:
        self._expressions.follow(words, frame)
        if self.operands.is_uncertain and not _is_failure(words):
            self.operands.begin_rest()
            frame.endings += 1

    def _simple(self, words: Words, frame: ParserFrame) -> None:
        equals = next((index for index, word in top_level(words) if word == "="), None)
        left, right = (words, ()) if equals is None else (words[:equals], words[equals + 1 :])
        if right[:1] == ("[",) and right[-1:] == ("}",):
            if self._uses_operands(right, frame):
                frame.lambdas[left[-1] if left else ""] = right
        elif names_operand(left):
            self._declare(left, right, frame)
        else:
            self._expressions.follow(words, frame)

    def _uses_operands(self, words: Words, frame: ParserFrame) -> bool:
        """May a lambda read or use operands?"""
        known = {*frame.holders, *frame.lambdas, *((frame.state,) if frame.state is not None else ()), *_OPERANDS}
        return names_operand(words) or not known.isdisjoint(words)

    def _declare(self, words: Words, value: Words, frame: ParserFrame) -> None:
        """``OpAsmParser::UnresolvedOperand a, b`` and ``SmallVector<OpAsmParser::UnresolvedOperand, 4> a = {b, c}``"""
        held = held_by(words)
        last = max(index for index, word in enumerate(words) if names_operand((word,)) or word == ">")
        for declared in arguments(words[last + 1 :]):
            name, given = _declarator(declared, value)
            holder = Holder(held is Holds.LIST)
            if held not in (Holds.ONE, Holds.LIST) or (given and not holder.is_list):
                raise UnclearError
            for operand in initial(given, frame) if given else ():
                self.operands.move(operand, holder)
            frame.holders[name] = holder


def _declarator(words: Words, value: Words) -> tuple[str, Words]:
    """The name that is declared, and what it holds at first. `value` stands behind the equals sign.

    Raises UnclearError.
    """
    name, given = words[:1], words[1:]
    if given[:1] == ("(",) and closing(given, 0) == len(given) - 1:
        given = given[1:-1]
    elif given and given[:1] != ("{",):
        raise UnclearError
    if (given and value) or not name or not name[0].isidentifier():
        raise UnclearError
    known = given or value
    return name[0], () if known in _NOTHING else known


def _is_failure(words: Words) -> bool:
    """Does a function that returns this fail?"""
    return "?" not in words and ("emitError" in words or words[-3:] == ("failure", "(", ")"))
