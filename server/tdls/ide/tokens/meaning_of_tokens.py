"""Styles of tokens by what they mean: which value a name stands for, and what an operation does to it."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from tdls.analysis.meaning.use_after_free import use_after_free_of
from tdls.catalogue.model import HandleEffect, PayloadEffect
from tdls.ide.tokens.token_kinds import TokenKind, TokenModifier, style
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.semantic.transform_dialect import is_transform_operation
from tdls.syntax import scanner

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.scanner import Tokens
    from tdls.syntax.tree import NamedAttribute

_TOKEN_KINDS = {
    HandleKind.OPERATIONS: TokenKind.HANDLE,
    HandleKind.VALUES: TokenKind.VALUE_HANDLE,
    HandleKind.PARAMETERS: TokenKind.PARAMETER,
}
_EFFECT_ON_ARGUMENT = {
    HandleEffect.CONSUMES: TokenModifier.CONSUMED,
    HandleEffect.READS: TokenModifier.READONLY,
}


def meanings(context: Context, tokens: Tokens) -> dict[int, int]:
    """Return styles by where their tokens start in the section; tokens that only their text decides are left out."""
    finder = _Finder(context)
    for operation in context.model.walk():
        finder.look_at(operation)
    finder.look_at_strings(tokens)
    return finder.found


def is_matcher_operation(definition: OperationDefinition | None) -> bool:
    """Tell whether an operation is there to succeed or fail by what its operands stand for.

    The traits of matchers say so. Besides, an operation that may stand in matchers, has no results and does not even
    read the payload can have no other purpose.
    """
    if definition is None or "MatchOpInterface" not in definition.traits:
        return False
    if any(trait.endswith("MatcherOpTrait") for trait in definition.traits):
        return True
    return not definition.results and definition.payload_effect is PayloadEffect.NONE


class _Finder:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.found: dict[int, int] = {}
        self._kinds: dict[str, TokenKind] = {}
        uses = use_after_free_of(context).findings()
        self._invalid = {(id(use.operation), use.operand) for use in uses}

    def look_at(self, operation: Operation) -> None:
        """Find the meanings of an operation's own tokens, and of those that begin its blocks."""
        if operation.name and not self._reads_as_keyword(operation):
            self.found[operation.location.start] = self._name(operation)
        self._operands(operation)
        for value in operation.results:
            self.found[value.span.start] = style(self._kind(value), TokenModifier.DEFINITION)
        self._blocks(operation)
        self._attributes(operation.syntax.attributes)
        if operation.syntax.symbol_span is not None:
            start = operation.syntax.symbol_span.start
            self.found[start] = style(TokenKind.SYMBOL, TokenModifier.DEFINITION)
        for use in operation.syntax.symbols:
            self.found.setdefault(use.start, style(TokenKind.SYMBOL))

    def look_at_strings(self, tokens: Tokens) -> None:
        """Find strings that name operations: ``ops{["linalg.matmul"]}``."""
        for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
            name = tokens.text[start + 1 : end - 1]
            if kind == scanner.STRING and start not in self.found and _is_operation(self.context.file.catalogue, name):
                self.found[start] = style(TokenKind.PAYLOAD_OPERATION)

    def _reads_as_keyword(self, operation: Operation) -> bool:
        """Tell whether an operation of the payload is written without its dialect: ``module``, ``return``.

        Its text alone says the same in sections whose operations are not looked at.
        """
        begin, end = operation.location
        return "." not in self.context.section.text[begin:end] and not is_transform_operation(operation)

    def _name(self, operation: Operation) -> int:
        modifiers = TokenModifier(0)
        if not is_transform_operation(operation):
            return style(TokenKind.PAYLOAD_OPERATION)
        definition = operation.definition
        if definition is None and self.context.file.catalogue.renamed(operation.name) is not None:
            modifiers |= TokenModifier.DEPRECATED
        if definition is not None and definition.payload_effect is PayloadEffect.MODIFIES:
            modifiers |= TokenModifier.MODIFICATION
        is_matcher = is_matcher_operation(definition)
        return style(TokenKind.MATCHER_OPERATION if is_matcher else TokenKind.TRANSFORM_OPERATION, modifiers)

    def _operands(self, operation: Operation) -> None:
        consumed = {id(value) for value in self.context.effects.consumed_operands(operation)}
        for number, value in enumerate(operation.operands):
            if value is None:
                continue
            modifiers = TokenModifier.CONSUMED if id(value) in consumed else TokenModifier(0)
            if (id(operation), number) in self._invalid:
                modifiers |= TokenModifier.STALE
            start = operation.syntax.operands[number].start
            self.found[start] = style(self._kind(value), modifiers)

    def _blocks(self, operation: Operation) -> None:
        self._signature(operation)
        for block in operation.blocks():
            if block.syntax.label is not None:
                start = block.syntax.label_span.start
                self.found[start] = style(TokenKind.LABEL, TokenModifier.DEFINITION)
            for value in block.arguments:
                definition = style(self._kind(value), TokenModifier.DEFINITION)
                self.found.setdefault(value.span.start, definition)
            for argument in block.syntax.arguments:
                self._attributes(argument.attributes)

    def _signature(self, operation: Operation) -> None:
        """Look at the arguments of a function-like operation, which need no body."""
        signature = operation.syntax.signature
        if signature is None:
            return
        effects = self.context.effects.argument_effects(operation) if is_transform_operation(operation) else ()
        for argument, effect in zip_longest(signature.arguments, effects):
            if argument.name and argument.type is not None:
                kind = self._kind_of_type(self.context.model.types.canonical(argument.type.text), is_argument=True)
                modifiers = TokenModifier.DEFINITION | _EFFECT_ON_ARGUMENT.get(effect, TokenModifier(0))
                self.found[argument.start] = style(kind, modifiers)
            self._attributes(argument.attributes)

    def _attributes(self, attributes: Iterable[NamedAttribute]) -> None:
        for attribute in attributes:
            if self._spells_its_name(attribute):
                self.found[attribute.start] = style(TokenKind.ATTRIBUTE_NAME)

    def _spells_its_name(self, attribute: NamedAttribute) -> bool:
        if attribute.value is not None:
            return attribute.value_start > attribute.start
        span = attribute.span
        return self.context.section.text[span.start : span.end].strip('"') == attribute.name

    def _kind(self, value: Value) -> TokenKind:
        if value.type is None:
            return TokenKind.VALUE
        return self._kind_of_type(value.type, is_argument=value.block is not None)

    def _kind_of_type(self, type_text: str, *, is_argument: bool) -> TokenKind:
        known = self._kinds.get(type_text)
        if known is None:
            known = self._kinds[type_text] = _kind_of_type(self.context.file.catalogue, type_text)
        return TokenKind.BLOCK_ARGUMENT if is_argument and known is TokenKind.VALUE else known


def _kind_of_type(catalogue: Catalogue, type_text: str) -> TokenKind:
    kind = kind_of(catalogue, type_text)
    return _TOKEN_KINDS[kind] if kind is not None else TokenKind.VALUE


def _is_operation(catalogue: Catalogue, name: str) -> bool:
    dialect, dot, rest = name.partition(".")
    return bool(dot and rest and dialect.isidentifier()) and catalogue.operation(name) is not None
