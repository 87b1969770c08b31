"""What an expression of a parser's body does with operands: its calls are found in the order of its words."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from tdls.catalogue.sources.cpp.parsers.function import names_operand
from tdls.catalogue.sources.cpp.parsers.lists import MEMBERS, added_by_function, added_by_member
from tdls.catalogue.sources.cpp.parsers.operands import Holder, UnclearError
from tdls.catalogue.sources.cpp.tokens import arguments, closing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.bounds.budget import Budget
    from tdls.catalogue.sources.cpp.effects.statements import Words
    from tdls.catalogue.sources.cpp.parsers.frame import ParserFrame
    from tdls.catalogue.sources.cpp.parsers.operands import ParsedOperands

    CallFunction = Callable[[tuple[str, ...], Sequence[Words], ParserFrame], bool]
    Repeat = Callable[[Words, ParserFrame], None]

_MOST_DEPTH = 30
"""Calls inside of the arguments of others."""
_MEMBER = frozenset((".", "->"))
_GUARDS = frozenset(("&&", "?", "!", "succeeded"))
"""What makes it uncertain whether all of an expression is evaluated where the text is right."""
_NOT_FOLLOWED = ("Argument", "Assignment", "GenericOperation", "OfSSAIds", "UseList", "CustomOperation")
"""Parts of the names of the parser's functions that read values in ways of their own."""
_READS_ONE = {"parseOperand": False, "parseOptionalOperand": True}
_READS_LIST = frozenset(("parseOperandList", "parseTrailingOperandList"))
_RESOLVES = frozenset(("resolveOperand", "resolveOperands"))
_HELPERS = frozenset(("parseDynamicIndexList", "parsePackedOrDynamicIndexList"))
"""Functions of MLIR that read operands into the variables that they are given, in this order."""
_OF_STATE = frozenset(("operands", "addOperands"))
_HARMLESS = frozenset(("size", "empty", "has_value", "hasValue", "reserve", "location", "emplace"))
_LOGICAL = frozenset(("&&", "||"))


class ParserExpressions:
    """`call_function` follows a call by its path and arguments, if it knows the function; `repeat` follows a lambda
    that is called any number of times."""

    def __init__(self, operands: ParsedOperands, budget: Budget, call_function: CallFunction, repeat: Repeat) -> None:
        self._operands = operands
        self._budget = budget
        self._call_function = call_function
        self._repeat = repeat
        self._depth = 0

    def follow(self, words: Words, frame: ParserFrame) -> None:
        """Do what an expression does. Raises UnclearError where that is not understood."""
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise UnclearError
        with self._operands.uncertain(not _GUARDS.isdisjoint(words)):
            index = 0
            while index < len(words):
                index = self._token(words, index, frame)
        self._depth -= 1

    def _closing(self, words: Words, opening: int) -> int:
        close = closing(words, opening)
        self._budget.spend(close - opening)
        return close

    def _all(self, parts: Sequence[Words], frame: ParserFrame) -> None:
        for part in parts:
            self.follow(part, frame)

    def _token(self, words: Words, index: int, frame: ParserFrame) -> int:
        """Do what begins at a word; return the index behind it."""
        word = words[index]
        if word == "(":
            return self._called(words, index, frame)
        if word == "{":
            return self._braces(words, index, frame)
        if index and (words[index - 1] in _MEMBER or words[index - 1] == "::"):
            return index + 1
        if word == frame.parser:
            return self._of_parser(words, index, frame)
        if word == frame.state:
            return _of_state(words, index)
        if word in frame.holders:
            return self._of_holder(words, index, frame)
        if word in frame.lambdas or names_operand((word,)):
            raise UnclearError
        return index + 1

    def _braces(self, words: Words, index: int, frame: ParserFrame) -> int:
        """A list, or the body of a lambda, of which nobody knows when it runs."""
        close = self._closing(words, index)
        inside = words[index + 1 : close]
        context: AbstractContextManager[None] = self._operands.untouched() if ";" in inside else nullcontext()
        with context:
            self.follow(inside, frame)
        return close + 1

    def _called(self, words: Words, opening: int, frame: ParserFrame) -> int:
        """Parentheses: a call that is given the parser or a list to add to, or what is looked into like all else."""
        close = self._closing(words, opening)
        given = arguments(words[opening + 1 : close])
        path = _path_before(words, opening)
        added = added_by_function(path[-1], given, frame) if path else None
        if added is not None:
            self._operands.move(added[1], added[0])
            return close + 1
        if (frame.parser,) not in given:
            return opening + 1
        if path and self._call_function(path, given, frame):
            return close + 1
        for argument in given:
            if path[-1:] and path[-1] in _HELPERS and len(argument) == 1 and argument[0] in frame.holders:
                holder = frame.holders[argument[0]]
                self._operands.read_into(holder, many=holder.is_list, optional=True)
            elif argument != (frame.parser,):
                self.follow(argument, frame)
        return close + 1

    def _of_parser(self, words: Words, index: int, frame: ParserFrame) -> int:
        """``parser.function(...)``"""
        opening = _behind_template(words, index + 3)
        self._budget.spend(opening - index)
        if words[index + 1 : index + 2] not in ((".",), ("->",)) or words[opening : opening + 1] != ("(",):
            raise UnclearError
        close = self._closing(words, opening)
        self._parser_call(words[index + 2], arguments(words[opening + 1 : close]), frame)
        return close + 1

    def _parser_call(self, function: str, given: Sequence[Words], frame: ParserFrame) -> None:
        if any(part in function for part in _NOT_FOLLOWED):
            raise UnclearError
        if function in _READS_ONE and given:
            self._operands.read_into(_place(given[0], frame), optional=_READS_ONE[function])
            self._all(given[1:], frame)
        elif function in _READS_LIST and given:
            self._all(given[1:], frame)
            self._operands.read_into(frame.holder(given[0]), many=True)
        elif function in _RESOLVES:
            self._resolve(given, frame)
        elif function == "parseCommaSeparatedList":
            self._comma_separated(given, frame)
        else:
            self._all(given, frame)

    def _resolve(self, given: Sequence[Words], frame: ParserFrame) -> None:
        if len(given) < 2 or frame.state is None or given[-1] != (frame.state, ".", "operands"):
            raise UnclearError
        self._all(given[1:-1], frame)
        listed = given[0][:1] == ("{",) and given[0][-1:] == ("}",)
        for argument in arguments(given[0][1:-1]) if listed else given[:1]:
            self._operands.resolve(frame.holder(argument))

    def _comma_separated(self, given: Sequence[Words], frame: ParserFrame) -> None:
        for argument in given:
            if argument[:1] == ("[",):
                self._repeat(argument, frame)
            elif len(argument) == 1 and argument[0] in frame.lambdas:
                self._repeat(frame.lambdas[argument[0]], frame)
            else:
                self.follow(argument, frame)

    def _of_holder(self, words: Words, index: int, frame: ParserFrame) -> int:
        """``name.function(...)``, or the question whether there is a value."""
        holder = frame.holders[words[index]]
        before, behind = words[index - 1 : index], words[index + 1 : index + 2]
        if behind and behind[0] in _MEMBER:
            return self._member_of_holder(holder, words, index, frame)
        if before == ("!",) or not _LOGICAL.isdisjoint((*before, *behind)):
            return index + 1
        raise UnclearError

    def _member_of_holder(self, holder: Holder, words: Words, index: int, frame: ParserFrame) -> int:
        function = words[index + 2] if index + 2 < len(words) else ""
        if function in _HARMLESS:
            return index + 3
        if function not in MEMBERS or words[index + 3 : index + 4] != ("(",):
            raise UnclearError
        close = self._closing(words, index + 3)
        given = arguments(words[index + 4 : close])
        added = added_by_member(function, given, words[index], frame)
        self._operands.move(added.holder, holder, first=added.first)
        return close + 1


def _place(words: Words, frame: ParserFrame) -> Holder:
    """Return the variable that an operand is read into: one, or a list with ``list.emplace_back()``."""
    is_new_element = words[1:] == (".", "emplace_back", "(", ")")
    found = frame.holder(words[:1] if is_new_element else words)
    if found.is_list is not is_new_element:
        raise UnclearError
    return found


def _of_state(words: Words, index: int) -> int:
    """``state.member``, which is not about operands."""
    access, member = words[index + 1 : index + 2], words[index + 2 : index + 3]
    if access not in ((".",), ("->",)) or not member or member[0] in _OF_STATE:
        raise UnclearError
    return index + 3


def _path_before(words: Words, opening: int) -> tuple[str, ...]:
    """Return the path of names before a parenthesis; none where it is a member's, or anything else."""
    names: list[str] = []
    index = opening - 1
    while index >= 0 and words[index].isidentifier():
        names.insert(0, words[index])
        if index < 1 or words[index - 1] != "::":
            return () if index and words[index - 1] in _MEMBER else tuple(names)
        index -= 2
    return tuple(names) if index < 0 else ()


def _behind_template(words: Words, index: int) -> int:
    """Return the index behind ``<...>`` at `index`, or `index`."""
    depth = 0
    for position in range(index, len(words)) if words[index : index + 1] == ("<",) else ():
        depth += {"<": 1, ">": -1}.get(words[position], 0)
        if depth == 0:
            return position + 1
    return index
