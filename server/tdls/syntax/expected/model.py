"""Records of the entities that may follow at a cursor, as computed by `at_cursor.expected_at`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from tdls.catalogue.model import Arity, OperandDefinition, ResultDefinition
from tdls.structs import Struct
from tdls.syntax.parser.operation_state import OPERANDS, RESULTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.model import AttributeDefinition, OperationDefinition
    from tdls.syntax.parser.assembly import format as ods
    from tdls.syntax.parser.cursor import TokenCursor
    from tdls.syntax.parser.operation_state import OperationState
    from tdls.syntax.tree import Form, NamedAttribute, ResultGroup, ValueUse
    from tdls.text.span import Span

Group = TypeVar("Group", OperandDefinition, ResultDefinition)


class Focus(Struct, frozen=True):
    """The part of an operation that is being parsed, from token `start` on."""

    start: int = 0
    operand: OperandDefinition | None = None
    attribute: AttributeDefinition | None = None
    name: str = ""
    """The ODS name of the operand, attribute or values whose types are parsed, or a key as in `OperationState`."""
    function_type: tuple[str, str] | None = None
    """The keys of both sides of the function type that is being parsed."""
    is_argument: bool = False
    """True inside an argument or result of a function-like operation or of a block, which defines names."""


NOTHING = Focus()


def group_at(groups: Sequence[Group], position: int, sizes: Sequence[int] | None = None) -> tuple[Group | None, int]:
    """Return the group of value number `position` (0-based), and the value's number within the group.

    Without `sizes`, a group of arity one takes one value and any other takes all that are left.
    """
    for number, group in enumerate(groups):
        size = 1 if group.arity is Arity.ONE else position + 1
        if sizes is not None:
            size = sizes[number]
        if position < size:
            return group, position
        position -= size
    return None, position


def type_of(state: OperationState, key: str, position: int) -> ExpectedType:
    """Return the expectation for type number `position` (0-based) of the values that `key` stands for."""
    definition = state.definition
    if definition is None:
        return ExpectedType()
    if key == OPERANDS:
        if OPERANDS in state.values:
            group, number = group_at(definition.operands, position)
            return ExpectedType(group, number, _nth(state.values[OPERANDS], position))
        sizes = [len(state.values.get(operand.name, ())) for operand in definition.operands]
        group, number = group_at(definition.operands, position, sizes)
        values = state.values.get(group.name, ()) if group is not None else ()
        return ExpectedType(group, number, _nth(values, number))
    if key == RESULTS:
        return ExpectedType(*group_at(definition.results, position))
    operand = next((candidate for candidate in definition.operands if candidate.name == key), None)
    if operand is not None:
        return ExpectedType(operand, position, _nth(state.values.get(key, ()), position))
    result = next((candidate for candidate in definition.results if candidate.name == key), None)
    return ExpectedType(result, position)


def _nth(values: Sequence[ValueUse], position: int) -> ValueUse | None:
    return values[position] if position < len(values) else None


def function_type(definition: OperationDefinition | None, keys: tuple[str, str]) -> FunctionType:
    """Return the function type whose sides `keys` stand for."""
    operands = tuple(operand.name for operand in definition.operands) if definition is not None else ()
    results = tuple(result.name for result in definition.results) if definition is not None else ()
    inputs, outputs = keys
    return FunctionType(_names(inputs, operands, results), _names(outputs, operands, results))


def _names(key: str, operands: tuple[str, ...], results: tuple[str, ...]) -> tuple[str, ...]:
    if key == OPERANDS:
        return operands
    return results if key == RESULTS else (key,)


def place_in_function_type(cursor: TokenCursor, end: int) -> tuple[int, int]:
    """Return the side (0 or 1) of the open function type that contains token `end`, and the number of types before."""
    commas = 0
    index = end - 1
    while index >= 0:
        kind = cursor.kinds[index]
        if kind == "->":
            return 1, 0
        if kind == ":":
            return 0, 0
        partner = cursor.tokens.partners.get(index, index)
        if kind == "(" and partner == index:
            return int(cursor.kinds[index - 1] == "->"), commas
        commas += kind == ","
        index = min(partner, index) - 1
    return 0, 0


class Word(Struct, frozen=True):
    """The token at the cursor.

    `prefix` is its text from `span.start` up to the cursor, sigil or opening quote included; `span` extends to the end
    of the word behind the cursor. A word without prefix is empty and at the cursor.
    """

    prefix: str
    span: Span
    in_string: bool = False

    @property
    def sigil(self) -> str:
        """``%``, ``@``, ``!``, ``#``, ``^`` or ``"``; empty for a bare word."""
        return self.prefix[:1] if self.prefix[:1] in ("%", "@", "!", "#", "^", '"') else ""


class ExpectedLiteral(Struct, frozen=True):
    """A keyword or punctuation; `rest` has it and the elements of the format that go with it, of `definition`.

    They are those of the group that it begins if it `is_optional`, else the operands behind it.
    """

    text: str
    rest: tuple[ods.Element, ...] = ()
    definition: OperationDefinition | None = None
    is_optional: bool = False


class OperationStart(Struct, frozen=True):
    """The beginning of an operation, or its name behind ``%a =``.

    `dialect` is the one whose prefix may be omitted; `results` is the number of named results, None without ``%a =``.
    """

    dialect: str
    results: int | None = None


class BlockLabel(Struct, frozen=True):
    """The label of the block that begins here."""


class AliasStart(Struct, frozen=True):
    """A type or attribute alias that begins here."""


class NewName(Struct, frozen=True):
    """An SSA name that is defined here."""


class Operand(Struct, frozen=True):
    """A use of a value. `definition` is None if the operation or the value's position in it is not known."""

    definition: OperandDefinition | None = None
    position: int = 0
    """The number of earlier values of the same group."""


class ExpectedType(Struct, frozen=True):
    """A type, with the operand or result definition and the operand that it belongs to, if known."""

    definition: OperandDefinition | ResultDefinition | None = None
    position: int = 0
    value: ValueUse | None = None


class FunctionType(Struct, frozen=True):
    """``(types) -> types`` of whole operand and result groups, by ODS names, in order."""

    inputs: tuple[str, ...]
    results: tuple[str, ...]


class AttributeValue(Struct, frozen=True):
    """The value of the attribute `name`; `definition` is None if the operation does not define it."""

    name: str
    definition: AttributeDefinition | None = None


class AttributeName(Struct, frozen=True):
    """A name in an attribute dictionary; `definitions` are the operation's attributes that are not given yet.

    `argument` is True if the dictionary belongs to an argument or result of a function-like operation.
    """

    definitions: tuple[AttributeDefinition, ...] = ()
    argument: bool = False


class AttributeDictionary(Struct, frozen=True):
    """An attribute dictionary; `keyword` is True if ``attributes`` precedes it."""

    keyword: bool = False


class RegionStart(Struct, frozen=True):
    """The ``{`` of a region."""


class SuccessorLabel(Struct, frozen=True):
    """A reference to a block."""


class SymbolReference(Struct, frozen=True):
    """A symbol in the value of the attribute `name`; the name is empty if the attribute is not known."""

    name: str = ""
    definition: AttributeDefinition | None = None


class SymbolName(Struct, frozen=True):
    """The name of the symbol that the operation defines."""


class Text(Struct, frozen=True):
    """A string: inside the value of the attribute `name`, or as a parameter of the dialect type `type_name`."""

    name: str = ""
    definition: AttributeDefinition | None = None
    type_name: str = ""


class Number(Struct, frozen=True):
    """A number."""


class Anything(Struct, frozen=True):
    """Text that only a dialect's C++ can parse, such as the parameters of one of its types."""

    head: str = ""
    """The type or attribute whose ``<...>`` contains the text, with sigil."""


Expectation: TypeAlias = (
    ExpectedLiteral
    | OperationStart
    | BlockLabel
    | AliasStart
    | NewName
    | Operand
    | ExpectedType
    | FunctionType
    | AttributeValue
    | AttributeName
    | AttributeDictionary
    | RegionStart
    | SuccessorLabel
    | SymbolReference
    | SymbolName
    | Text
    | Number
    | Anything
)


class PartialOperation(Struct, frozen=True, eq=False):
    """The operation that contains the cursor, up to the cursor.

    Offsets count code points from the start of the text. `operands` are by ODS name, or by the keys of
    `operation_state` if the text does not separate groups. `definition` is the newest that fits the text.
    """

    name: str
    name_span: Span
    form: Form
    definition: OperationDefinition | None
    results: tuple[ResultGroup, ...]
    operands: dict[str, tuple[ValueUse, ...]]
    attributes: tuple[NamedAttribute, ...]
    path: tuple[ods.Element, ...]
    """The format elements that contain the cursor, outermost first; empty without a format."""
    reading: str = ""
    """The ODS name of the part that is parsed at the cursor; empty if it is not a single one."""


class Expected(Struct, frozen=True, eq=False):
    """The expectations at the cursor, the most likely first; none inside a comment.

    `on_new_line` is True if the word is the first of its line: if an operation may begin there, one does.
    """

    word: Word
    expectations: tuple[Expectation, ...]
    operation: PartialOperation | None = None
    on_new_line: bool = False
