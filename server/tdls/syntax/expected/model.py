"""What may stand at a place in a text: the answer of `expected`, as plain records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tdls.catalogue.model import AttributeDefinition, OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.syntax.parser.assembly import format as ods
    from tdls.syntax.tree import Form, NamedAttribute, ResultGroup, ValueUse
    from tdls.text.span import Span


@dataclass(frozen=True, slots=True)
class Word:
    """What is written of the token at the cursor.

    `prefix` is its text from `span.start` up to the cursor, sigil or opening quote included, and `span` goes on to the
    end of the word behind the cursor. A word without prefix is empty and stands at the cursor.
    """

    prefix: str
    span: Span
    in_string: bool = False

    @property
    def sigil(self) -> str:
        """``%``, ``@``, ``!``, ``#``, ``^`` or ``"``; empty for a bare word."""
        return self.prefix[:1] if self.prefix[:1] in ("%", "@", "!", "#", "^", '"') else ""


@dataclass(frozen=True, slots=True)
class ExpectedLiteral:
    """A keyword or punctuation; `rest` is what the format says of the group that it begins."""

    text: str
    rest: tuple[ods.Element, ...] = ()


@dataclass(frozen=True, slots=True)
class OperationStart:
    """The beginning of an operation, or its name where ``%a =`` is written.

    `dialect` is the one whose prefix may be omitted; `results` is the number of results that are named, None where no
    name is written.
    """

    dialect: str
    results: int | None = None


@dataclass(frozen=True, slots=True)
class BlockLabel:
    """The label of the block that begins here."""


@dataclass(frozen=True, slots=True)
class AliasStart:
    """A type or attribute alias that begins here."""


@dataclass(frozen=True, slots=True)
class NewName:
    """An SSA name that is defined here."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A use of a value. `definition` is None where the operation or the place of the value in it is not known."""

    definition: OperandDefinition | None = None
    position: int = 0
    """How many values of the same group stand before."""


@dataclass(frozen=True, slots=True)
class ExpectedType:
    """A type; `definition` says of what, and `value` is the operand whose type it is, where that is known."""

    definition: OperandDefinition | ResultDefinition | None = None
    position: int = 0
    value: ValueUse | None = None


@dataclass(frozen=True, slots=True)
class FunctionType:
    """``(types) -> types`` of whole operand and result groups, by ODS names, in order."""

    inputs: tuple[str, ...]
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AttributeValue:
    """The value of the attribute `name`; `definition` is None for one that the operation does not define."""

    name: str
    definition: AttributeDefinition | None = None


@dataclass(frozen=True, slots=True)
class AttributeName:
    """A name in an attribute dictionary; `definitions` are the operation's attributes that are not given yet.

    `argument` tells that the dictionary belongs to an argument or result of a function-like operation.
    """

    definitions: tuple[AttributeDefinition, ...] = ()
    argument: bool = False


@dataclass(frozen=True, slots=True)
class AttributeDictionary:
    """An attribute dictionary; `keyword` tells that ``attributes`` stands before it."""

    keyword: bool = False


@dataclass(frozen=True, slots=True)
class RegionStart:
    """The ``{`` of a region."""


@dataclass(frozen=True, slots=True)
class SuccessorLabel:
    """A reference to a block."""


@dataclass(frozen=True, slots=True)
class SymbolReference:
    """A symbol in the value of the attribute `name`, or in a place that is not known."""

    name: str = ""
    definition: AttributeDefinition | None = None


@dataclass(frozen=True, slots=True)
class SymbolName:
    """The name of the symbol that the operation defines."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string: inside the value of the attribute `name`, or as a parameter of the dialect type `type_name`."""

    name: str = ""
    definition: AttributeDefinition | None = None
    type_name: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """A number."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Something that only a dialect's C++ knows, such as the parameters of one of its types."""

    head: str = ""
    """The type or attribute whose ``<...>`` it stands in, with sigil."""


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


@dataclass(frozen=True, slots=True, eq=False)
class PartialOperation:
    """The operation that the cursor is in, as far as it is written before the cursor.

    Places count from the start of the text. `operands` are by ODS name, or by the keys of `draft` where the text does
    not tell groups apart. `definition` is the newest that fits what is written.
    """

    name: str
    name_span: Span
    form: Form
    definition: OperationDefinition | None
    results: tuple[ResultGroup, ...]
    operands: dict[str, tuple[ValueUse, ...]]
    attributes: tuple[NamedAttribute, ...]
    path: tuple[ods.Element, ...]
    """The elements of the format that the cursor is in, outermost first; empty where there is no format."""
    reading: str = ""
    """The ODS name of what is read at the cursor, as far as one thing is."""


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What may stand at the cursor, the most likely first; nothing inside a comment.

    `on_new_line` tells that nothing stands before the word on its line: where an operation may begin there, one does.
    """

    word: Word
    expectations: tuple[Expectation, ...]
    operation: PartialOperation | None = None
    on_new_line: bool = False
