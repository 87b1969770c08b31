"""Where an operation that nobody knows ends: only layout and the tokens at both sides tell that."""

from __future__ import annotations

import pytest

from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser.parser import parse

CATALOGUE = Catalogue.shipped()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('foreign.op\n  "text" : i32', ["foreign.op"]),
        ('foreign.op\n"foreign.other"() : () -> ()', ["foreign.op", "foreign.other"]),
        ("foreign.op %a\n  : index", ["foreign.op"]),
        ("foreign.op : i32 arith.constant 1 : i32", ["foreign.op", "arith.constant"]),
        ("%a = foreign.op : i32 %b = foreign.other %a : index", ["foreign.op", "foreign.other"]),
        ("foreign.op %a, arith.constant", ["foreign.op"]),
    ],
)
def test_operations(text: str, names: list[str]) -> None:
    assert [operation.name for operation in parse(text, CATALOGUE).top_level()] == names
