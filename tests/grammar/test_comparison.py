"""Canonical types, and the names and parts of a text."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grammar import pieces
from samples import some
from tdls.syntax.details import parse_detail
from tdls.syntax.spellings import attribute_aliases_in, canonical_type, symbol_references_in, type_aliases_in

fast = settings(max_examples=some(500))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("tensor< 4 x ? x 5x f32 , #foo >", "tensor<4x?x5xf32, #foo>"),
        ("tensor<4 // size\n x8 xf32>", "tensor<4x8xf32>"),
        ("tensor<* x f32>", "tensor<*xf32>"),
        ("vector<[4]  xf32>", "vector<[4]xf32>"),
        ("(i32)->( i32)", "(i32) -> i32"),
        ("( ) -> ( )", "() -> ()"),
        ("() -> (() -> (i32))", "() -> (() -> i32)"),
        ("((i1)->(i2), i3) -> ((i3), i4)", "((i1) -> i2, i3) -> ((i3), i4)"),
        ("memref<4xf32,affine_map<(d0)->(d0)>>", "memref<4xf32, affine_map<(d0) -> (d0)>>"),
        ("!a.b<c   d>", "!a.b<c d>"),
        ("!a.b<4 x i32>", "!a.b<4xi32>"),
        ('!transform.op<"a  b">', '!transform.op<"a  b">'),
        ("", ""),
        ("-> (", "-> ("),
    ],
)
def test_canonical_type(text: str, canonical: str) -> None:
    assert canonical_type(text) == canonical
    assert canonical_type(canonical) == canonical


@fast
@given(pieces.types, pieces.gaps, pieces.gaps)
def test_blanks_do_not_matter(tokens: list[str], gaps: list[str], other_gaps: list[str]) -> None:
    assume("//" not in "".join(tokens))  # a comment ends with its line, so there blanks do matter
    canonical = canonical_type(pieces.written(tokens, gaps))
    assert canonical == canonical_type(pieces.written(tokens, other_gaps))
    assert canonical == canonical_type(canonical)


@fast
@given(pieces.types, pieces.gaps)
def test_canonical_type_is_a_type(tokens: list[str], gaps: list[str]) -> None:
    text = pieces.written(tokens, gaps)
    if "//" not in text and parse_detail("type", text).problem is None:
        assert parse_detail("type", canonical_type(text)).problem is None


@fast
@given(st.text(max_size=30))
def test_no_text_raises(text: str) -> None:
    canonical_type(text)
    type_aliases_in(text)
    attribute_aliases_in(text)
    symbol_references_in(text)


def test_aliases_and_symbols_are_found() -> None:
    text = '(!a, !b.c<!d>, !e<"!f @x">) -> (!g, tensor<4xf32, #h>, !i.j<#k, #l.m, @n::@"o p">) // !q #r @s'
    found = [
        [(text[slice(*reference.span)], *reference.path) for reference in find(text)]
        for find in (type_aliases_in, attribute_aliases_in, symbol_references_in)
    ]
    assert found == [
        [("!a", "a"), ("!d", "d"), ("!g", "g")],
        [("#h", "h"), ("#k", "k")],
        [('@n::@"o p"', "n", "o p")],
    ]
