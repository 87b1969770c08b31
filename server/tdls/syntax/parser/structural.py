"""Reads custom forms without a known format: finds boundaries, uses, types, regions and symbols.

An SSA name that is not defined yet and precedes a region is taken for an argument of that region's entry block
(``my.for %i = %lower to %upper iter_args(%sum = %zero)``); every other name is a use, and so is the right-hand side of
an ``=`` in a known operation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.syntax import scanner
from tdls.syntax.parser import operation_ends
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import (
    define_symbol,
    looks_like_dictionary,
    looks_like_unit,
    read_dictionary,
    read_function_type,
    read_successor,
    read_symbol,
    symbols_in_attributes,
    value_at,
)
from tdls.syntax.parser.operation_ends import UNFINISHED
from tdls.syntax.parser.operation_state import OPERANDS, is_symbol
from tdls.syntax.tree import BlockArgument, ValueUse

if TYPE_CHECKING:
    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.cursor import TokenCursor
    from tdls.syntax.parser.operation_state import OperationState
    from tdls.syntax.tree import TypeUse

_BUILTIN_TYPE = "type"
NAME = "name"
_OPENING = frozenset({",", "(", "[", "=", ":", "->", "*", "+", "-", "/", NAME})
"""Tokens that must be followed by another token, and the operation's own name."""
_IMPOSSIBLE_BEFORE: dict[str, frozenset[str]] = {
    scanner.VALUE: frozenset({scanner.VALUE, scanner.TYPE, scanner.NUMBER, scanner.ATTRIBUTE, _BUILTIN_TYPE}),
    scanner.NUMBER: frozenset({scanner.VALUE, scanner.TYPE, scanner.NUMBER, _BUILTIN_TYPE, ")"}),
    scanner.TYPE: frozenset({scanner.VALUE, scanner.NUMBER, scanner.TYPE, _BUILTIN_TYPE, ")", "]"}),
    _BUILTIN_TYPE: frozenset({scanner.VALUE, scanner.NUMBER, scanner.TYPE, _BUILTIN_TYPE, ")", "]"}),
    scanner.ATTRIBUTE: frozenset({scanner.VALUE, scanner.NUMBER, scanner.TYPE, scanner.ATTRIBUTE}),
    scanner.STRING: frozenset({scanner.NUMBER, scanner.TYPE, scanner.STRING}),
    ",": _OPENING,
    ")": _OPENING - {"(", NAME},
    "]": _OPENING - {"["},
    "}": _OPENING,
    ":": _OPENING,
    "=": _OPENING,
    "->": _OPENING - {NAME},
}
_ANGLES = frozenset("<>")


def may_follow(cursor: TokenCursor, index: int, *, first: bool = False) -> bool:
    """Whether token `index` can follow the previous token in the custom form of a known operation.

    `first` is True for the first token behind the operation's name.
    """
    kind = _kind(cursor, index)
    impossible = _IMPOSSIBLE_BEFORE.get(kind)
    if impossible is not None:
        return (NAME if first else _kind(cursor, index - 1)) not in impossible
    return index in cursor.tokens.partners if kind in _ANGLES else kind != scanner.BAD


def _kind(cursor: TokenCursor, index: int) -> str:
    kind = cursor.kinds[index]
    if kind != scanner.IDENTIFIER or not cursor.at_type(index) or cursor.kinds[index + 1] == "=":
        return kind
    is_of_number = cursor.kinds[index - 1] == ":" and cursor.kinds[index - 2] == scanner.NUMBER
    return kind if is_of_number else _BUILTIN_TYPE


_BEGIN_REGIONS = frozenset(
    {scanner.IDENTIFIER, scanner.VALUE, scanner.BLOCK, scanner.TYPE, scanner.ATTRIBUTE, "}", "{-#", scanner.END}
)
"""The tokens, except strings, that can begin a region's content."""


def hold_own(parser: AsmParser, state: OperationState) -> bool:
    """Whether the next braces hold syntax of the form's own, neither dictionary entries nor operations."""
    return _hold_values(parser) or not (looks_like_dictionary(parser, parser.index) or _hold_operations(parser, state))


def _hold_values(parser: AsmParser) -> bool:
    """Recognize ``{%a : type}``, ``{name = %a}`` and ``{name: %a}``, which are neither a region nor a dictionary."""
    index = parser.index
    if parser.kinds[index + 1] == scanner.IDENTIFIER and parser.kinds[index + 2] == ":":
        return "." not in parser.spelling(index + 1) and not parser.tokens.first_on_line(index + 1)
    if parser.kinds[index + 1] in (scanner.IDENTIFIER, scanner.STRING) and parser.kinds[index + 2] == "=":
        return parser.kinds[index + 3] == scanner.VALUE
    return parser.kinds[index + 1] == scanner.VALUE and not operation_ends.starts_operation(parser, index + 1)


def _hold_operations(parser: AsmParser, state: OperationState) -> bool:
    """Whether braces without dictionary entries can be a region of `state`."""
    index = parser.index + 1
    if not _may_begin_operations(parser, index):
        return False
    kind = parser.kinds[index]
    if state.definition is not None and not state.definition.versions and not _may_name_operation(parser, state, index):
        return False
    if state.definition is not None:
        return state.may_have_regions or kind == "}"
    if kind == scanner.IDENTIFIER and "." not in parser.spelling(index):
        return parser.tokens.first_on_line(index) or operation_ends.is_bare_operation_name(parser, index)
    return kind in (scanner.IDENTIFIER, scanner.VALUE, scanner.STRING, scanner.BLOCK, "}")


def _may_name_operation(parser: AsmParser, state: OperationState, index: int) -> bool:
    """Whether an operation may begin at token `index` in braces that a project's C++ reads.

    There, ``[0] -> {...}``, ``token(%t)``, ``case Some(%a) {...}`` and ``body {...}`` have regions of their own.
    """
    kind, name = parser.kinds[index], parser.spelling(index)
    if kind != scanner.IDENTIFIER or "." in name:
        return kind in _BEGIN_REGIONS or kind == scanner.STRING
    dialect = state.definition.default_dialect or state.definition.dialect if state.definition is not None else ""
    is_of_dialect = bool(parser.known.variants(f"{dialect}.{name}"))
    return is_of_dialect or operation_ends.is_bare_operation_name(parser, index)


def _may_begin_operations(parser: AsmParser, index: int) -> bool:
    """Whether token `index`, the first one between braces, may begin the content of a region, even a damaged one.

    On a line of its own any token may begin a damaged operation. ``{?}`` and ``{"name": 1}`` are a format's own.
    """
    kind = parser.kinds[index]
    if kind == scanner.STRING:
        return parser.tokens.first_on_line(index) or parser.kinds[index + 1] == "("
    return parser.tokens.first_on_line(index) or kind in _BEGIN_REGIONS


def behind_operation_shorthand(parser: AsmParser, state: OperationState) -> int | None:
    """Return the token behind ``{ arith.addf {...} }``, which names the only operation of a region (`linalg.map`).

    The shorthand spells no region. None for any other text.
    """
    index = parser.index + 1
    if state.definition is None or parser.kinds[index] != scanner.IDENTIFIER:
        return None
    if parser.tokens.first_on_line(index):
        return None
    behind = index + 1
    if parser.kinds[behind] == "{":
        behind = parser.tokens.partners.get(behind, -1) + 1
    is_shorthand = parser.kinds[behind] == "}" and looks_like_unit(parser, index)
    return behind + 1 if is_shorthand else None


def hold_dictionary(parser: AsmParser, state: OperationState, *, top_level: bool) -> bool:
    """Whether the next braces hold dictionary entries, or are empty where only a dictionary makes sense.

    `top_level` is True if no other brackets of the operation are open.
    """
    if looks_like_dictionary(parser, parser.index):
        return True
    before = parser.kinds[parser.index - 1]
    if before in ("=", "<"):
        return True
    if before == scanner.IDENTIFIER and parser.spelling(parser.index - 1) == "attributes":
        return True
    return parser.kinds[parser.index + 1] == "}" and (not top_level or not state.may_have_regions)


_VISIBILITIES = ("private", "public", "nested")


class StructuralReader:
    """Reads from behind the name of an operation to its end into `state`."""

    def __init__(self, parser: AsmParser, state: OperationState) -> None:
        self.parser = parser
        self.state = state
        self.values: list[ValueUse] = []
        self.first = parser.index
        self.undecided: list[tuple[int, BlockArgument]] = []
        """Names not visible yet, with their index among `values`: arguments of the next region, if there is one."""
        self.typed: set[str] = set()
        self.untyped: set[int] = set()
        """Starts of names without a type in a project's form, which may mention arguments: `x [%b], in %b: i1`."""
        self.bound: list[BlockArgument] = []
        """Arguments of the last region with values in the form (``%name = %value``); later regions share them."""

    def read(self) -> None:
        """Read from the parser's next token to the operation's end. Never raises."""
        parser = self.parser
        self._read_symbol_name()
        while parser.index < parser.limit and not self._at_end():
            before = parser.index
            self._read_token(top_level=True)
            parser.index = max(parser.index, before + 1)
        self._check_end()
        if self._lacks_body():
            self.undecided.clear()
        # Names that are not arguments of a region are uses, in the order of the text.
        uses: list[ValueUse] = []
        taken = 0
        for position, argument in self.undecided:
            uses += self.values[taken:position]
            uses.append(ValueUse(argument.start, argument.end, argument.name))
            taken = position
        self.values = uses + self.values[taken:]
        self.undecided.clear()
        self.state.values[OPERANDS] = self.values
        self.state.symbols.extend(symbols_in_attributes(self.state.attributes))
        if self.state.symbol_name is not None and not self.state.defines_symbol:
            self.state.forget_symbol_name()

    def _at_end(self) -> bool:
        parser = self.parser
        kind = parser.kinds[parser.index]
        if kind == "}" and -1 < parser.tokens.partners.get(parser.index, -1) < self.first:
            return True
        if kind == scanner.BLOCK:
            return parser.tokens.first_on_line(parser.index) and not self._at_successor()
        if kind == scanner.IDENTIFIER and parser.at_keyword("loc") and parser.kinds[parser.index + 1] == "(":
            return self._at_trailing_location()
        return operation_ends.starts_operation(parser, parser.index) and not self._must_go_on()

    def _at_successor(self) -> bool:
        """Whether a block label is a successor rather than the begin of a block.

        It is one if a type follows or the previous token cannot end an operation.
        """
        parser, index = self.parser, self.parser.index
        before = parser.kinds[index - 1]
        if before in (",", "(", "[", ":"):
            return True
        behind = parser.tokens.partners.get(index + 1, index) + 1 if parser.kinds[index + 1] == "(" else index + 1
        if parser.kinds[behind] == ":":
            return parser.kinds[behind + 1] == "("
        return (
            before == scanner.IDENTIFIER
            and index > self.first
            and not operation_ends.completes_operation(parser, index - 1)
        )

    def _must_go_on(self) -> bool:
        """Whether the operation has regions that are still to come.

        It is known to have them and only its name is read yet, or it gives names to values (``%name = %value``) for a
        region, and a keyword in front of braces follows.
        """
        if self.bound and not self.state.regions and self.parser.at(scanner.IDENTIFIER):
            is_keyword = "." not in self.parser.spelling(self.parser.index)
            return is_keyword and self.parser.kinds[self.parser.index + 1] == "{"
        definition = self.state.definition
        has_regions = definition is not None and any(not region.variadic for region in definition.regions)
        return has_regions and self.parser.index == self.first and self.parser.at(scanner.VALUE)

    def _at_trailing_location(self) -> bool:
        """Whether ``loc(...)`` ends the operation rather than an argument in it (``%i loc(...) = 0``)."""
        parser = self.parser
        behind = parser.tokens.partners.get(parser.index + 1, -1) + 1
        if behind == 0 or behind >= parser.limit:
            return True
        return parser.tokens.first_on_line(behind) or operation_ends.starts_operation(parser, behind)

    def _read_symbol_name(self) -> None:
        """Read a symbol right behind the name or its visibility as the defined one; `read` may revise that.

        If the operation is known to define a symbol, any keywords may precede it: ``memref.global constant @a``.
        """
        parser = self.parser
        if self._keywords_before_symbol():
            while parser.at(scanner.IDENTIFIER):
                parser.take()
        if parser.at(scanner.SYMBOL) and parser.kinds[parser.index + 1] != "::":
            define_symbol(parser, self.state, parser.index)
            parser.take()

    def _keywords_before_symbol(self) -> bool:
        parser, index = self.parser, self.parser.index
        definition = self.state.definition
        defines_symbol = definition is not None and is_symbol(definition)
        while parser.kinds[index] == scanner.IDENTIFIER and (defines_symbol or parser.spelling(index) in _VISIBILITIES):
            index += 1
        return index > parser.index and parser.kinds[index] == scanner.SYMBOL

    def _check_end(self) -> None:
        parser = self.parser
        last = parser.index - 1
        if self.state.definition is None or parser.kinds[last] not in UNFINISHED:
            return
        if not (last == self.first and parser.kinds[last] == ":" and self._is_beginning(last)):
            self._report(Mismatch(parser.index, "the rest of the operation"))

    def _check_token(self) -> None:
        """Report a token that cannot follow the previous one in any format of upstream; a project's C++ takes any."""
        parser = self.parser
        index = parser.index
        if self.state.definition is None or not self.state.definition.versions or self.state.broken:
            return
        if not (may_follow(parser, index, first=index == self.first) or self._is_beginning(index)):
            message = f"unexpected {parser.shown(index)} after {parser.shown(index - 1)}"
            parser.report_at(index, index + 1, message)
            self.state.broken = True

    def _is_beginning(self, index: int) -> bool:
        """Whether token `index` begins a form without operands, or follows an alias in front of them."""
        kind = self.parser.kinds[index]
        if index == self.first + 1:
            return kind == scanner.VALUE and self.parser.kinds[index - 1] == scanner.ATTRIBUTE
        definition = self.state.definition
        operands = definition.operands if definition is not None else ()
        return index == self.first and kind == ":" and all(operand.arity is not Arity.ONE for operand in operands)

    def _read_token(self, *, top_level: bool) -> None:
        parser = self.parser
        kind = parser.kinds[parser.index]
        self._check_token()
        if kind == scanner.VALUE:
            self._read_value()
        elif kind == scanner.SYMBOL:
            self.state.symbols.append(read_symbol(parser))
        elif kind == "{":
            self._read_braces(top_level=top_level)
        elif kind in ("(", "[", "<"):
            self._read_group()
        elif kind == scanner.BLOCK:
            self._read_successor()
        elif kind in (scanner.TYPE, scanner.ATTRIBUTE, scanner.IDENTIFIER):
            self._step_over(parser.index + 1)
        elif kind in (")", "]", "}") and parser.index not in parser.tokens.partners:
            is_known = self.state.definition is not None
            mismatch = Mismatch(parser.index, "the rest of the operation", is_certain=is_known)
            self._report(mismatch, f"this `{kind}` closes nothing")
            parser.take()
        elif kind == ":" and top_level:
            self._read_trailing_type()
        else:
            before = parser.tokens.partners.get(parser.index - 1, 0) - 1
            is_in_attribute = parser.kinds[before] == "="  # ``name = (types) -> types``
            parser.take()
            if kind == "->" and top_level and self.state.definition is not None and not is_in_attribute:
                self.state.trailing_type = ([], self._types())

    def _report(self, mismatch: Mismatch, help_text: str | None = None) -> None:
        """Record a problem, unless the operation has one already."""
        if not self.state.broken:
            mismatch.help_text = help_text
            self.parser.report(mismatch)
        self.state.broken = True

    def _step_over(self, index: int) -> None:
        """Continue at token `index`, or behind the ``<...>`` that begins there."""
        parser = self.parser
        partner = parser.tokens.partners.get(index, -1) if parser.kinds[index] == "<" else -1
        parser.index = partner + 1 if partner > index else index

    def _read_value(self) -> None:
        parser = self.parser
        index = parser.take()
        name = parser.spelling(index)
        may_be_argument = self.state.may_have_regions or self.state.symbol_name is not None
        definition = self.state.definition
        is_of_project = definition is not None and not definition.versions
        has_type = parser.at(":") and parser.at_type(parser.index + 1)
        is_assigned = definition is not None and parser.kinds[index - 1] == "=" and not (is_of_project and has_type)
        if "#" in name or parser.is_visible(name) or not may_be_argument or is_assigned:
            self.values.append(value_at(parser, index))
            return
        argument = BlockArgument(*parser.place(index, index + 1), name)
        if is_of_project and has_type:
            self.typed.add(name)
        elif is_of_project:
            self.untyped.add(argument.start)
        if parser.at("="):
            self.bound.append(argument)
        renames = parser.kinds[index - 1] == scanner.IDENTIFIER and parser.spelling(index - 1) == "as"
        if has_type and not renames:
            spelled = self._try_type(parser.index + 1)
            is_qualified = is_of_project and parser.kinds[index - 1] == scanner.IDENTIFIER
            argument.type = None if is_qualified else spelled
        self.undecided.append((len(self.values), argument))

    def _try_type(self, index: int) -> TypeUse | None:
        parser = self.parser
        try:
            end = parser.after_type(index)
        except Mismatch:
            return None
        parser.index = end
        return parser.type_use(index, end)

    def _read_braces(self, *, top_level: bool) -> None:
        parser = self.parser
        if hold_own(parser, self.state):
            self._read_group()
            return
        behind = behind_operation_shorthand(parser, self.state)
        if behind is not None:
            parser.index = behind
            return
        try:
            if hold_dictionary(parser, self.state, top_level=top_level):
                self._read_dictionary(top_level=top_level)
                return
            self.state.regions.append(parser.read_region(self.state, self._arguments()))
        except Mismatch as mismatch:
            self._report(mismatch)
            parser.index += not operation_ends.starts_operation(parser, parser.index)

    def _read_dictionary(self, *, top_level: bool) -> None:
        """Read a dictionary, or a group like one, as some forms have other values. Raises `Mismatch`."""
        parser = self.parser
        start, mark = parser.index, len(parser.problems)
        try:
            self.state.attributes.extend(read_dictionary(parser))
        except Mismatch as mismatch:
            definition = self.state.definition
            is_own = not top_level and (definition is None or not definition.versions)
            is_value = parser.kinds[mismatch.index] in (scanner.IDENTIFIER, "<")
            is_own = is_own or (is_value and parser.kinds[mismatch.index - 1] == "=")
            if mismatch.offset is not None or not is_own:
                raise
            del parser.problems[mark:]
            parser.index = start
            self._read_group()

    def _arguments(self) -> tuple[BlockArgument, ...]:
        """Return the arguments that the operation's form gives to the region at the next token."""
        arguments = tuple(
            argument
            for _, argument in self.undecided
            if argument.name not in self.typed or argument.start not in self.untyped
        )
        self.undecided.clear()
        if arguments:
            bound = {argument.start for argument in self.bound}
            self.bound = [argument for argument in arguments if argument.start in bound]
            return arguments
        has_label = self.parser.kinds[self.parser.index + 1] == scanner.BLOCK
        return tuple(self.bound) if self.state.regions and not has_label else ()

    def _read_group(self) -> None:
        """Read the tokens between brackets; report and step over a bracket without a partner."""
        parser = self.parser
        opener = parser.index
        closer = parser.tokens.partners.get(opener, -1)
        if closer < opener or closer > parser.limit:
            if parser.kinds[opener] != "<":
                expected = f"a closing bracket for this `{parser.kinds[opener]}`"
                self._report(Mismatch(opener, expected, is_certain=True))
            parser.index = opener + 1
            return
        saved, parser.limit = parser.limit, closer
        parser.index = opener + 1
        while parser.index < closer:
            before = parser.index
            self._read_token(top_level=False)
            parser.index = max(parser.index, before + 1)
        parser.limit, parser.index = saved, closer
        self._check_token()
        parser.index = closer + 1

    def _read_successor(self) -> None:
        try:
            successor = read_successor(self.parser)
        except Mismatch:
            return
        self.state.successors.append(successor)
        self.values.extend(successor.arguments)

    def _read_trailing_type(self) -> None:
        """Read ``: (types) -> types``, which is assumed to spell the operation's type.

        For a known operation ``: types``, ``: types -> types`` and ``: type to type`` do, too.
        """
        parser = self.parser
        start = parser.take()
        if not parser.at("("):
            if self.state.definition is not None:
                operands = self._types()
                has_results = parser.accept("->") or parser.accept_keyword("to")
                self.state.trailing_type = (operands, self._types() if has_results else [])
            return
        try:
            operands, results = read_function_type(parser)
        except Mismatch:
            parser.index = start + 1
            return
        self.state.trailing_type = (operands, results)

    def _types(self) -> list[TypeUse]:
        """Read types up to the first token that begins none; none at all between brackets that hold anything else."""
        parser, start = self.parser, self.parser.index
        is_enclosed = parser.accept("(")
        types: list[TypeUse] = []
        while parser.at_type() and (read := self._try_type(parser.index)) is not None:
            types.append(read)
            if not (parser.at(",") and parser.at_type(parser.index + 1)):
                break
            parser.take()
        if is_enclosed and not parser.accept(")"):
            parser.index = start
            return []
        return types

    def _lacks_body(self) -> bool:
        """Whether the operation has no body, so that the names of its arguments are not uses.

        That is so if a symbol is only declared, and if the form assigns values to names (``%name = %value``).
        """
        state = self.state
        if state.regions:
            return False
        if self.bound and not state.broken:
            return True
        if state.symbol_name is None:
            return False
        return not self.values if state.definition is None else state.defines_symbol
