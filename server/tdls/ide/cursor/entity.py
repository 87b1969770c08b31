"""Maps an offset of a section to the syntactic entity there; the first step of navigation, hover and rename.

A token of the line selects a finder by its kind; the finder searches the operation around the offset.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, TypeAlias

from tdls.limits import SYMBOL_NAMES
from tdls.semantic.model import operation_at
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS, PASS_NAME
from tdls.structs import Struct
from tdls.syntax import scanner
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Block, Operation, Value
    from tdls.syntax import tree as syntax

_WORDS = frozenset(
    {
        scanner.VALUE,
        scanner.IDENTIFIER,
        scanner.NUMBER,
        scanner.STRING,
        scanner.SYMBOL,
        scanner.TYPE,
        scanner.ATTRIBUTE,
        scanner.BLOCK,
    }
)


class WordToken(Struct, frozen=True):
    """A token other than punctuation; `kind` is one of the constants of the scanner."""

    kind: str
    span: Span
    text: str
    before_angle: bool
    """True if a ``<`` follows without a blank."""


def token_at(text: str, offset: int) -> WordToken | None:
    """Return the word that contains `offset` or ends there, or None for blanks, comments and punctuation.

    No MLIR token spans lines, so that only the line is scanned.
    """
    start = text.rfind("\n", 0, max(offset, 0)) + 1
    end = text.find("\n", start)
    tokens = scanner.scan(text[start : end if end >= 0 else len(text)])
    index = bisect_right(tokens.starts, offset - start, hi=tokens.count) - 1
    for candidate in (index, index - 1):
        if candidate < 0 or tokens.kinds[candidate] not in _WORDS or offset - start > tokens.ends[candidate]:
            continue
        span = Span(tokens.starts[candidate], tokens.ends[candidate])
        joined = tokens.kinds[candidate + 1] == "<" and tokens.starts[candidate + 1] == span.end
        return WordToken(tokens.kinds[candidate], span.shifted(start), tokens.text[span.start : span.end], joined)
    return None


class OperationName(Struct, frozen=True):
    """The name of `operation` in its text."""

    span: Span
    operation: Operation


class PayloadName(Struct, frozen=True):
    """A string that names an operation of the catalogue: ``ops{["linalg.matmul"]}``."""

    span: Span
    name: str


class PassName(Struct, frozen=True):
    """A string that names a pass of the catalogue: ``transform.apply_registered_pass "canonicalize"``."""

    span: Span
    name: str


class ValueDefinition(Struct, frozen=True):
    """A result group or a block argument.

    `values` is empty for the argument of a declaration. `operation` owns the result or the block's region.
    """

    span: Span
    name: str
    values: tuple[Value, ...]
    operation: Operation


class UsedValue(Struct, frozen=True):
    """Operand number `operand` (0-based) of `operation`; `value` is None if it is undefined.

    `operand` is None for a use outside the operand list, such as in the list of an affine map.
    """

    span: Span
    name: str
    value: Value | None
    operation: Operation
    operand: int | None


class SymbolDefinition(Struct, frozen=True):
    """The name of the symbol that `operation` defines; `span` includes the ``@``, `name` does not."""

    span: Span
    name: str
    operation: Operation


class UsedSymbol(Struct, frozen=True):
    """One name of a symbol reference; `path` ends with it: for ``@b`` of ``@a::@b::@c`` it is ``("a", "b")``."""

    span: Span
    path: tuple[str, ...]
    operation: Operation


class LabelEntity(Struct, frozen=True):
    """A label at the start of a block, or as a successor of `operation`; `block` is None if it is undefined."""

    span: Span
    label: str
    block: Block | None
    operation: Operation


class Attribute(Struct, frozen=True):
    """The name or the value of an attribute of `operation`, or of `argument`, one of its arguments."""

    span: Span
    attribute: syntax.NamedAttribute
    operation: Operation
    argument: syntax.BlockArgument | None


class DialectType(Struct, frozen=True):
    """``!name`` of a dialect; `name` without the sigil."""

    span: Span
    name: str


class AttributeKind(Struct, frozen=True):
    """``#name`` of a dialect; `name` without the sigil."""

    span: Span
    name: str


class AliasUse(Struct, frozen=True):
    """A use of the alias `name`, which includes its sigil ``!`` or ``#``."""

    span: Span
    name: str


class AliasDefinition(Struct, frozen=True):
    """The name in the definition of an alias; `value` is its text in source form."""

    span: Span
    name: str
    value: str


class Keyword(Struct, frozen=True):
    """A bare identifier of no other kind; `operation` is None outside of operations."""

    span: Span
    text: str
    operation: Operation | None


Entity: TypeAlias = (
    OperationName
    | PayloadName
    | PassName
    | ValueDefinition
    | UsedValue
    | SymbolDefinition
    | UsedSymbol
    | LabelEntity
    | Attribute
    | DialectType
    | AttributeKind
    | AliasUse
    | AliasDefinition
    | Keyword
)


def entity_at(context: Context, offset: int) -> Entity | None:
    """Return the entity that contains `offset` of the section's text or ends there, or None for blanks and punctuation.

    None for comments, too. Spans count from the section's start. Once the section's model is built, the cost is that of
    the line and of the nesting depth at `offset`.
    """
    token = token_at(context.section.text, offset)
    if token is None:
        return None
    operation = operation_at(context.model, token.span.start)
    if operation is not None and operation.location.start <= token.span.start < operation.location.end:
        return OperationName(operation.location, operation)
    finder = _FINDERS.get(token.kind)
    entity = finder(context, operation, token) if finder is not None else None
    if entity is None and operation is not None:
        entity = _attribute(operation, token)
    if entity is None and token.kind == scanner.IDENTIFIER:
        return Keyword(token.span, token.text, operation)
    return entity


def symbol_uses_of(context: Context, operation: Operation) -> Iterator[UsedSymbol]:
    """Yield each name of the symbol references of `operation` itself, in their stored order.

    References with more names than the limit `SYMBOL_NAMES` are never resolved and are left out.
    """
    for use in operation.syntax.symbols:
        if len(use.path) > SYMBOL_NAMES.most:
            continue
        span = use.span
        for part, count in _names_of(context, span, use.path):
            yield UsedSymbol(part, use.path[:count], operation)


def symbol_place(operation: Operation) -> Span | None:
    """Return the span of the symbol name that `operation` defines: ``@name``, or the string of ``sym_name``."""
    if operation.syntax.symbol_span is not None:
        return operation.syntax.symbol_span
    spelled = operation.syntax.attribute("sym_name")
    if spelled is None or spelled.value is None:
        return None
    return Span(spelled.value_start, spelled.value_end)


def _names_of(context: Context, span: Span, path: tuple[str, ...]) -> Iterator[tuple[Span, int]]:
    if len(path) == 1:
        yield span, 1
        return
    tokens = scanner.scan(context.section.text[span.start : span.end])
    names = [index for index, kind in enumerate(tokens.kinds) if kind == scanner.SYMBOL]
    for count, index in enumerate(names, 1):
        yield Span(tokens.starts[index], tokens.ends[index]).shifted(span.start), count


def _contains(span: Span, offset: int) -> bool:
    return span.start <= offset < span.end


# Values


def _value(_: Context, operation: Operation | None, token: WordToken) -> Entity | None:
    if operation is None:
        return None
    start = token.span.start
    return _result(operation, start) or _argument(operation, start) or _use(operation, token)


def _result(operation: Operation, offset: int) -> ValueDefinition | None:
    for group in operation.syntax.results:
        span = group.span
        if _contains(span, offset):
            values = tuple(value for value in operation.results if value.span == span)
            return ValueDefinition(span, group.name, values, operation)
    return None


def _argument(operation: Operation, offset: int) -> ValueDefinition | None:
    for block in operation.blocks():
        for value in block.arguments:
            if _contains(value.span, offset):
                return ValueDefinition(value.span, value.name, (value,), operation)
    signature = operation.syntax.signature
    for argument in signature.arguments if signature is not None else ():
        span = argument.span
        if argument.name and _contains(span, offset):
            return ValueDefinition(span, argument.name, (), operation)
    return None


def _use(operation: Operation, token: WordToken) -> UsedValue:
    for number, use in enumerate(operation.syntax.operands):
        span = use.span
        if _contains(span, token.span.start):
            return UsedValue(span, use.name, operation.operands[number], operation, number)
    return UsedValue(token.span, token.text.partition("#")[0], None, operation, None)


# Blocks, symbols


def _label(_: Context, operation: Operation | None, token: WordToken) -> Entity | None:
    if operation is None:
        return None
    for block in operation.blocks():
        span = block.syntax.label_span
        if block.syntax.label is not None and _contains(span, token.span.start):
            return LabelEntity(span, block.syntax.label, block, operation)
    region = operation.block.region if operation.block is not None else None
    blocks = region.blocks if region is not None else ()
    target = next((block for block in blocks if block.syntax.label == token.text), None)
    return LabelEntity(token.span, token.text, target, operation)


def _symbol(context: Context, operation: Operation | None, token: WordToken) -> Entity | None:
    if operation is None:
        return None
    if symbol_place(operation) == token.span:
        return SymbolDefinition(token.span, symbol_name(operation) or "", operation)
    uses = symbol_uses_of(context, operation)
    return next((use for use in uses if _contains(use.span, token.span.start)), None)


# Types, attributes, aliases


def _type_or_attribute_kind(context: Context, _: Operation | None, token: WordToken) -> Entity:
    if "." in token.text or token.before_angle:
        return (DialectType if token.text.startswith("!") else AttributeKind)(token.span, token.text[1:])
    for member in context.tree.members:
        if member.alias is not None and member.alias.start == token.span.start:
            return AliasDefinition(token.span, member.alias.name, member.alias.value)
    return AliasUse(token.span, token.text)


def _is_pass_name(operation: Operation | None, token: WordToken) -> bool:
    if operation is None or operation.name != APPLY_REGISTERED_PASS:
        return False
    named = operation.syntax.attribute(PASS_NAME)
    return named is not None and named.value_start == token.span.start


def _string(context: Context, operation: Operation | None, token: WordToken) -> Entity | None:
    if operation is not None and symbol_place(operation) == token.span:
        return SymbolDefinition(token.span, symbol_name(operation) or "", operation)
    name = token.text[1:-1]
    if _is_pass_name(operation, token) and context.file.catalogue.pass_variants(name):
        return PassName(token.span, name)
    is_operation = "." in name and context.file.catalogue.operation(name) is not None
    return PayloadName(token.span, name) if is_operation else None


def _attribute(operation: Operation, token: WordToken) -> Attribute | None:
    for argument, attribute in _attributes(operation):
        if _contains(attribute.span, token.span.start):
            return Attribute(token.span, attribute, operation, argument)
    return None


def _attributes(operation: Operation) -> Iterator[tuple[syntax.BlockArgument | None, syntax.NamedAttribute]]:
    for attribute in operation.syntax.attributes:
        yield None, attribute
    signature = operation.syntax.signature
    arguments = [*signature.arguments] if signature is not None else []
    arguments += [argument for block in operation.blocks() for argument in block.syntax.arguments]
    for argument in arguments:
        for attribute in argument.attributes:
            yield argument, attribute


_FINDERS: dict[str, Callable[[Context, Operation | None, WordToken], Entity | None]] = {
    scanner.VALUE: _value,
    scanner.BLOCK: _label,
    scanner.SYMBOL: _symbol,
    scanner.TYPE: _type_or_attribute_kind,
    scanner.ATTRIBUTE: _type_or_attribute_kind,
    scanner.STRING: _string,
}
