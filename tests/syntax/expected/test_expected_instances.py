"""Each token of texts that MLIR accepts is among those that the parser expects at its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from oracle.transform_modules import operation_names, scripts, transform_modules
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax import scanner
from tdls.syntax.expected import model
from tdls.syntax.expected.at_cursor import expected_at
from tdls.syntax.parser.cursor import TokenCursor
from tdls.syntax.parser.parser import parse
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.scanner import Tokens
    from tdls.syntax.tree import Operation, Tree

pytestmark = pytest.mark.sample
_LEAST_SHARE = 0.998
_CATALOGUE = Catalogue.shipped()


class Boundary(NamedTuple):
    """A place between two tokens of an operation: the text before it, and the token after it."""

    before: str
    follower: str
    expectations: tuple[model.Expectation, ...]
    is_expected: bool


def boundaries(tree: Tree, operation: Operation) -> Iterator[Boundary]:
    """Ask at each boundary of `operation` outside its regions for the expected tokens."""
    span = operation.span
    begin = tree.text.rfind("\n", 0, span.start) + 1
    inside = [(region.start + 1 - begin, region.end - begin) for region in operation.regions]
    text = " " * (span.start - begin) + tree.text[span.start : span.end]
    tokens = scanner.scan(text)
    for index in range(1, tokens.count):
        start = tokens.starts[index]
        if "::" in tokens.kinds[index - 1 : index + 1] or any(first <= start < end for first, end in inside):
            continue
        before = f"{text[:start]} "
        found = expected_at(before + text[start:], len(before), _CATALOGUE, default_dialect="transform", nested=True)
        expected = any(matches(expectation, tokens, index) for expectation in found.expectations)
        yield Boundary(before, text[start : tokens.ends[index]], found.expectations, expected)


def matches(expectation: model.Expectation, tokens: Tokens, index: int) -> bool:
    """Whether token `index` is, or begins, an expected token."""
    kind = tokens.kinds[index]
    spelling = tokens.text[tokens.starts[index] : tokens.ends[index]]
    match expectation:
        case model.ExpectedLiteral(text=text):
            return spelling == text
        case model.OperationStart():
            return kind in (scanner.IDENTIFIER, scanner.STRING)
        case model.AttributeValue(definition=definition):
            if definition is not None and definition.cases:
                return spelling.strip('"') in definition.cases or kind in (scanner.ATTRIBUTE, scanner.NUMBER)
            return _cursor(tokens, index).at_attribute()
        case model.Anything(head=head):
            return bool(head)
        case model.ExpectedType():
            return _cursor(tokens, index).at_type()
        case _:
            return kind in _KINDS[type(expectation)]


_KINDS: dict[type, tuple[str, ...]] = {
    model.Operand: (scanner.VALUE,),
    model.NewName: (scanner.VALUE,),
    model.FunctionType: ("(",),
    model.AttributeName: (scanner.IDENTIFIER, scanner.STRING),
    model.AttributeDictionary: ("{", scanner.IDENTIFIER),
    model.RegionStart: ("{",),
    model.SuccessorLabel: (scanner.BLOCK,),
    model.BlockLabel: (scanner.BLOCK,),
    model.SymbolReference: (scanner.SYMBOL,),
    model.SymbolName: (scanner.SYMBOL,),
    model.Text: (scanner.STRING,),
    model.Number: (scanner.NUMBER,),
}


def _cursor(tokens: Tokens, index: int) -> TokenCursor:
    cursor = TokenCursor(tokens)
    cursor.index = index
    return cursor


@pytest.fixture(scope="module")
def at_boundaries() -> list[tuple[str, Boundary]]:
    """Return each boundary of each instance of a transform operation, with the operation's name."""
    require_mlir_opt(22)
    instances = [(module.text, module.operation) for module in transform_modules(0, attempts=10, kept=2)]
    return [*_boundaries(instances), *_boundaries([(text, "") for _, text in scripts()])]


def _boundaries(texts: list[tuple[str, str]]) -> Iterator[tuple[str, Boundary]]:
    for text, name in texts:
        tree = parse(text, _CATALOGUE)
        for operation in tree.walk():
            if operation.name.startswith(name or "transform."):
                yield from ((operation.name, boundary) for boundary in boundaries(tree, operation))


def test_every_operation_is_covered(at_boundaries: list[tuple[str, Boundary]]) -> None:
    assert {name for name, _ in at_boundaries} >= set(operation_names(_CATALOGUE))


def test_following_tokens_are_expected(at_boundaries: list[tuple[str, Boundary]]) -> None:
    surprises = [
        f"{answer.before[-80:]!r} then {answer.follower!r}" for _, answer in at_boundaries if not answer.is_expected
    ]
    assert len(surprises) / len(at_boundaries) <= 1 - _LEAST_SHARE, surprises


def test_no_operation_is_mostly_unexpected(at_boundaries: list[tuple[str, Boundary]]) -> None:
    counts: dict[str, list[int]] = {}
    for name, boundary in at_boundaries:
        count = counts.setdefault(name, [0, 0])
        count[0] += boundary.is_expected
        count[1] += 1
    assert [name for name, (good, total) in counts.items() if good < 0.9 * total] == []
