"""Each token of texts that MLIR accepts is among those that the parser expects at its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle.transform_modules import operation_names, scripts, transform_modules
from syntax.expected.followers import boundaries
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser.parser import parse
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syntax.expected.followers import Boundary

pytestmark = pytest.mark.sample
_LEAST_SHARE = 0.998
_CATALOGUE = Catalogue.shipped()


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
                found = boundaries(_CATALOGUE, tree, operation, "transform")
                yield from ((operation.name, boundary) for boundary in found)


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
