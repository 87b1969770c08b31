"""Semantic tokens: the kind of each token, and modifiers for handles that are consumed or stale.

A scan of the text gives a lexical style to every token; the semantic model of transform scripts overrides some.
"""

from __future__ import annotations

import re
from array import array
from enum import IntEnum, IntFlag
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from tdls.analysis.file.context import TrackedFact
from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.handles.findings import stale_handles
from tdls.analysis.meaning.older_forms import removed_before
from tdls.analysis.meaning.use_after_free import use_after_free_of
from tdls.catalogue.model import HandleEffect, PayloadEffect
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.semantic.transform_dialect import is_transform_operation
from tdls.structs import NamedTuple
from tdls.syntax import scanner
from tdls.syntax.layout import comments
from tdls.syntax.scanner import scan
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.scanner import Tokens
    from tdls.syntax.tree import NamedAttribute


class TokenKind(IntEnum):
    """The kind of a token."""

    HANDLE = 0
    """A handle to payload operations."""
    PARAMETER = 1
    """A parameter, such as ``!transform.param<i64>``."""
    VALUE_HANDLE = 2
    """A handle to payload values."""
    VALUE = 3
    """Any other value: of the payload, or of unknown type."""
    BLOCK_ARGUMENT = 4
    """A block argument of the payload."""
    PAYLOAD_OPERATION = 5
    """The name of an operation of another dialect than transform, bare or in a string."""
    TRANSFORM_OPERATION = 6
    MATCHER_OPERATION = 7
    """A transform operation that only succeeds or fails depending on its operands."""
    SYMBOL = 8
    ATTRIBUTE_NAME = 9
    ATTRIBUTE = 10
    """``#name``: an alias or a dialect's attribute."""
    TYPE = 11
    KEYWORD = 12
    NUMBER = 13
    STRING = 14
    COMMENT = 15
    LABEL = 16


class TokenModifier(IntFlag):
    """Properties of a token besides its kind."""

    DEFINITION = 1
    CONSUMED = 2
    """A use that consumes the handle, or an argument that is consumed."""
    STALE = 4
    """A use of a handle that may have been consumed before, itself or through another handle."""
    DEPRECATED = 8
    """An operation name that LLVM removed or renamed."""
    READONLY = 16
    """An argument of a named sequence that is only read, so that callers can use the handle afterwards."""
    MODIFICATION = 32
    """An operation that changes the payload."""


MODIFIER_SHIFT = 5
"""A style is a kind plus modifiers shifted left by this number of bits."""


def style(kind: TokenKind, modifiers: int = 0) -> int:
    """Return kind and modifiers as one number."""
    return kind | modifiers << MODIFIER_SHIFT


def kind_of_style(token_style: int) -> TokenKind:
    """Return the kind in a style."""
    return _KINDS[token_style & (1 << MODIFIER_SHIFT) - 1]


@cache
def modifiers_of(token_style: int) -> TokenModifier:
    """Return the modifiers in a style."""
    return TokenModifier(token_style >> MODIFIER_SHIFT)


_KINDS = tuple(TokenKind)

_BUILTIN_TYPE = re.compile(r"[su]?i\d+|b?f\d\w*|tf32|index|none|tensor|memref|vector|complex|tuple", re.ASCII)
_DIMENSIONS = (scanner.NUMBER, "?", "*", "]")
"""Tokens before the ``x`` of ``4xf32``."""
_SIMPLE = {
    scanner.VALUE: style(TokenKind.VALUE),
    scanner.NUMBER: style(TokenKind.NUMBER),
    scanner.STRING: style(TokenKind.STRING),
    scanner.SYMBOL: style(TokenKind.SYMBOL),
    scanner.TYPE: style(TokenKind.TYPE),
    scanner.ATTRIBUTE: style(TokenKind.ATTRIBUTE),
    scanner.BLOCK: style(TokenKind.LABEL),
}
_DEFINED_BY_EQUALS = (scanner.VALUE, scanner.TYPE, scanner.ATTRIBUTE)
_COMMENT = style(TokenKind.COMMENT)
_KEYWORD = style(TokenKind.KEYWORD)
_TYPE = style(TokenKind.TYPE)
_ATTRIBUTE_NAME = style(TokenKind.ATTRIBUTE_NAME)
_OPERATION = style(TokenKind.PAYLOAD_OPERATION)


def lexical_styles(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and style of each token; punctuation has no style, and comments are not tokens."""
    kinds, ends = tokens.kinds, tokens.ends
    for index, (kind, start) in enumerate(zip(kinds, tokens.starts, strict=True)):
        if kind == scanner.IDENTIFIER:
            yield start, ends[index], _identifier(tokens, index)
        elif kind in _SIMPLE:
            yield start, ends[index], _SIMPLE[kind] | _definition(kinds, index)


def with_comments(text: str, styles: Iterator[tuple[int, int, int]]) -> array[int]:
    """Return the triples of `styles` and those of the comments of `text`, sorted and flattened."""
    flat = array("i")
    if "//" not in text:
        for triple in styles:
            flat.extend(triple)
        return flat
    for triple in sorted([*styles, *((*comment.span, _COMMENT) for comment in comments(text))]):
        flat.extend(triple)
    return flat


def lexical_tokens(text: str) -> array[int]:
    """Return start, end and style of each token of `text` as a flat array. Never raises; takes linear time."""
    return with_comments(text, lexical_styles(scan(text)))


def _definition(kinds: list[str], index: int) -> int:
    """Return the bits of `DEFINITION` for a token before ``=`` or ``:2 =``, else 0."""
    if kinds[index] not in _DEFINED_BY_EQUALS:
        return 0
    following = kinds[index + 1]
    counted = following == ":" and kinds[index + 2] == scanner.NUMBER and kinds[index + 3] == "="
    return style(TokenKind(0), TokenModifier.DEFINITION) if following == "=" or counted else 0


def _identifier(tokens: Tokens, index: int) -> int:
    kinds = tokens.kinds
    text = tokens.text[tokens.starts[index] : tokens.ends[index]]
    if kinds[index + 1] == "=":
        return _ATTRIBUTE_NAME
    if "." in text:
        return _dotted(kinds, index)
    return _TYPE if _BUILTIN_TYPE.fullmatch(text) or _goes_on_shape(tokens, index, text) else _KEYWORD


def _goes_on_shape(tokens: Tokens, index: int, text: str) -> bool:
    """Return whether a word is the rest of a shape: ``x8xf32`` of ``4x8xf32``, which the scanner splits."""
    joined = index > 0 and tokens.ends[index - 1] == tokens.starts[index]
    return joined and text.startswith("x") and tokens.kinds[index - 1] in _DIMENSIONS


def _dotted(kinds: list[str], index: int) -> int:
    """Return the style of a name with a dot: an operation, or a unit attribute in a dictionary (``{a.b, c.d}``)."""
    before, after = kinds[index - 1] if index else "", kinds[index + 1]
    return _ATTRIBUTE_NAME if before in ("{", ",") and after in ("}", ",") else _OPERATION


_TOKEN_KINDS = {
    HandleKind.OPERATIONS: TokenKind.HANDLE,
    HandleKind.VALUES: TokenKind.VALUE_HANDLE,
    HandleKind.PARAMETERS: TokenKind.PARAMETER,
}
_EFFECT_ON_ARGUMENT = {HandleEffect.CONSUMES: TokenModifier.CONSUMED, HandleEffect.READS: TokenModifier.READONLY}


def meanings(context: Context, tokens: Tokens) -> dict[int, int]:
    """Return semantic styles by the start of the token in the section; purely lexical tokens are left out."""
    finder = _Finder(context)
    for operation in context.model.walk():
        finder.look_at(operation)
    finder.look_at_strings(tokens)
    return finder.styles


def is_matcher_operation(definition: OperationDefinition | None) -> bool:
    """Return whether the only purpose of an operation is to succeed or fail depending on its operands.

    True for operations with a matcher trait, and for those that are allowed in matchers, have no results and do not
    even read the payload.
    """
    if definition is None or "MatchOpInterface" not in definition.traits:
        return False
    if any(trait.endswith("MatcherOpTrait") for trait in definition.traits):
        return True
    return not definition.results and definition.payload_effect is PayloadEffect.NONE


class _Finder:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.styles: dict[int, int] = {}
        self._kinds: dict[str, TokenKind] = {}
        self._invalid = {(id(use.operation), use.operand) for use in use_after_free_of(context).findings()}
        self._invalid.update(key for key, use in stale_handles(context).uses.items() if use.is_certain)

    def look_at(self, operation: Operation) -> None:
        """Add the styles of an operation's own tokens, and of the labels and arguments of its blocks."""
        if operation.name and not self._reads_as_keyword(operation):
            self.styles[operation.location.start] = self._name(operation)
        self._operands(operation)
        for value in operation.results:
            self.styles[value.span.start] = style(self._kind(value), TokenModifier.DEFINITION)
        self._blocks(operation)
        self._attributes(operation.syntax.attributes)
        if operation.syntax.symbol_span is not None:
            start = operation.syntax.symbol_span.start
            self.styles[start] = style(TokenKind.SYMBOL, TokenModifier.DEFINITION)
        for use in operation.syntax.symbols:
            self.styles.setdefault(use.start, style(TokenKind.SYMBOL))

    def look_at_strings(self, tokens: Tokens) -> None:
        """Add the styles of strings that name operations: ``ops{["linalg.matmul"]}``."""
        for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
            name = tokens.text[start + 1 : end - 1]
            if kind == scanner.STRING and start not in self.styles and _is_operation(self.context.file.catalogue, name):
                self.styles[start] = style(TokenKind.PAYLOAD_OPERATION)

    def _reads_as_keyword(self, operation: Operation) -> bool:
        """Return whether a payload operation is spelled without its dialect: ``module``, ``return``.

        Such a word keeps its lexical style, as in sections whose operations are not parsed.
        """
        begin, end = operation.location
        return "." not in self.context.section.text[begin:end] and not is_transform_operation(operation)

    def _name(self, operation: Operation) -> int:
        modifiers = TokenModifier(0)
        if not is_transform_operation(operation):
            return style(TokenKind.PAYLOAD_OPERATION)
        definition = operation.definition
        if removed_before(self.context, operation) is not None:
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
            self.styles[start] = style(self._kind(value), modifiers)

    def _blocks(self, operation: Operation) -> None:
        self._signature(operation)
        for block in operation.blocks():
            if block.syntax.label is not None:
                start = block.syntax.label_span.start
                self.styles[start] = style(TokenKind.LABEL, TokenModifier.DEFINITION)
            for value in block.arguments:
                definition = style(self._kind(value), TokenModifier.DEFINITION)
                self.styles.setdefault(value.span.start, definition)
            for argument in block.syntax.arguments:
                self._attributes(argument.attributes)

    def _signature(self, operation: Operation) -> None:
        """Add the arguments of a function-like operation, which may have no body."""
        signature = operation.syntax.signature
        if signature is None:
            return
        effects = self.context.effects.argument_effects(operation) if is_transform_operation(operation) else ()
        for argument, effect in zip_longest(signature.arguments, effects):
            if argument.name and argument.type is not None:
                kind = self._kind_of_type(self.context.model.types.canonical(argument.type.text), is_argument=True)
                modifiers = TokenModifier.DEFINITION | _EFFECT_ON_ARGUMENT.get(effect, TokenModifier(0))
                self.styles[argument.start] = style(kind, modifiers)
            self._attributes(argument.attributes)

    def _attributes(self, attributes: Iterable[NamedAttribute]) -> None:
        for attribute in attributes:
            if self._spells_its_name(attribute):
                self.styles[attribute.start] = style(TokenKind.ATTRIBUTE_NAME)

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


_STEP = 3


class SemanticToken(NamedTuple):
    """A token with its span in the file; it never spans lines."""

    span: FileSpan
    kind: TokenKind
    modifiers: TokenModifier


def semantic_tokens(snapshot: Snapshot, uri: str, span: FileSpan | None = None) -> Iterator[SemanticToken]:
    """Yield the tokens that overlap `span`, or all of the file, in textual order."""
    file = snapshot.file(uri)
    if file is None:
        return
    requested = span if span is not None else FileSpan(0, file.length)
    for index in pieces_in(file, requested):
        offset = file.sections.starts[index]
        tokens = tokens_of_piece(file, index)
        for at in range(0, len(tokens), _STEP):
            start, end = (file.cuts.offset(tokens[each] + offset) for each in (at, at + 1))
            if start < requested.end and requested.start < end:
                yield SemanticToken(FileSpan(start, end), kind_of_style(tokens[at + 2]), modifiers_of(tokens[at + 2]))


def pieces_in(file: SourceFile, span: FileSpan) -> range:
    """Return the indices of the pieces of the file that `span` touches."""
    if not file.sections.pieces:
        return range(0)
    return range(file.piece_at(span.start), file.piece_at(max(span.start, span.end - 1)) + 1)


def tokens_of_piece(file: SourceFile, index: int) -> array[int]:
    """Return start, end and style (see `style`) of each token of piece `index` as a flat array.

    Offsets count from the start of the piece. Semantic tokens are cached with the section and computed again when it or
    a section it refers to changes; purely lexical tokens are not cached, as a scan is fast.
    """
    piece = file.sections.pieces[index]
    if piece.section.is_left_out:
        return array("i")
    if not mentions_transform(piece.section):
        return lexical_tokens(piece.text)
    tokens = _tokens_of_section(file.context_of(piece.section))
    return _cut(tokens, piece.begin, piece.begin + piece.length) if piece.is_half else tokens


def source_of_tokens(file: SourceFile, index: int) -> object:
    """Return an object whose identity changes with the tokens of piece `index`: its cached tokens, or its section."""
    section = file.sections.pieces[index].section
    has_meaning = mentions_transform(section) and not section.is_left_out
    return _tokens_of_section(file.context_of(section)) if has_meaning else section


def _cut(tokens: array[int], begin: int, end: int) -> array[int]:
    """Return the tokens that start in ``[begin, end)``, with offsets relative to `begin`."""
    kept = array("i")
    for at in range(0, len(tokens), _STEP):
        if begin <= tokens[at] < end:
            kept.extend((tokens[at] - begin, tokens[at + 1] - begin, tokens[at + 2]))
    return kept


@TrackedFact
def _tokens_of_section(context: Context) -> array[int]:
    return with_comments(context.section.text, _styles(context))


def _styles(context: Context) -> Iterator[tuple[int, int, int]]:
    tokens = scan(context.section.text)
    meaning = meanings(context, tokens)
    for start, end, lexical in lexical_styles(tokens):
        yield start, end, meaning.get(start, lexical)
