"""ODS assembly formats as records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samples import some
from tdls.caching.plain_data import dumps, loads
from tdls.catalogue.shipped import shipped_source
from tdls.syntax.parser.assembly.format import (
    AttrDict,
    Clause,
    Custom,
    Element,
    FunctionalType,
    Literal,
    OIList,
    Operands,
    OptionalGroup,
    Params,
    PropDict,
    Qualified,
    Ref,
    Regions,
    Results,
    String,
    Struct,
    Successors,
    TypeOf,
    Variable,
    Whitespace,
    parse_format,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

A, B, C = Variable("a"), Variable("b"), Variable("c")


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("", ()),
        ("$a attr-dict", (A, AttrDict(with_keyword=False))),
        ("$a`,`$b", (A, Literal(","), B)),
        ("attr-dict-with-keyword prop-dict", (AttrDict(with_keyword=True), PropDict())),
        ("operands results regions successors", (Operands(), Results(), Regions(), Successors())),
        ("`` ` ` `\\n` `foo.bar` `->`", (Whitespace(), Whitespace(), Whitespace(), Literal("foo.bar"), Literal("->"))),
        ("`:` type($a) type(operands)", (Literal(":"), TypeOf(A), TypeOf(Operands()))),
        ("functional-type(operands, $b)", (FunctionalType(Operands(), B),)),
        ("functional-type($a, results)", (FunctionalType(A, Results()),)),
        ("qualified(type($a)) qualified($b)", (Qualified(TypeOf(A)), Qualified(B))),
        (
            'custom<Name>($a, type($b), ref(type($c)), "text > \\"it\\"", attr-dict)',
            (Custom("Name", (A, TypeOf(B), Ref(TypeOf(C)), String('text > "it"'), AttrDict(with_keyword=False))),),
        ),
        ("($a^)?", (OptionalGroup((A,), (), 0),)),
        ("(`x` $a^ `:` type($a))?", (OptionalGroup((Literal("x"), A, Literal(":"), TypeOf(A)), (), 1),)),
        ("($a^):(`none` $b)?", (OptionalGroup((A,), (Literal("none"), B), 0),)),
        ("(`none`):($a `,` $b^)?", (OptionalGroup((Literal("none"),), (A, Literal(","), B), 2, inverted=True),)),
        ("(custom<X>($a)^ `y`)?", (OptionalGroup((Custom("X", (A,)), Literal("y")), (), 0),)),
        ("(($a^)? $b^)?", (OptionalGroup((OptionalGroup((A,), (), 0), B), (), 1),)),
        ("($a^):(($b^):($c)?)?", (OptionalGroup((A,), (OptionalGroup((B,), (C,), 0),), 0),)),
        (
            "oilist(`x` $a | `y` `(` $b `)` | `z` $c)",
            (
                OIList(
                    (
                        Clause((Literal("x"), A)),
                        Clause((Literal("y"), Literal("("), B, Literal(")"))),
                        Clause((Literal("z"), C)),
                    )
                ),
            ),
        ),
        ("`<` params `>`", (Literal("<"), Params(), Literal(">"))),
        ("(`<` struct($a, custom<X>($b))^ `>`)?", (OptionalGroup(
            (Literal("<"), Struct((A, Custom("X", (B,)))), Literal(">")), (), 1),)),
        ("struct(params)", (Struct((Params(),)),)),
    ],
)  # fmt: skip
def test_elements(text: str, elements: tuple[Element, ...]) -> None:
    assert parse_format(text).elements == elements


@pytest.mark.parametrize(
    "text", ["operands regions successors prop-dict attr-dict", "$a ` ` `,` type(results)", "custom<X>($a, ref($b))"]
)
def test_kept_formats_can_be_read(text: str) -> None:
    parsed = parse_format(text)
    assert loads(dumps(parsed)) == parsed


def test_anchor_is_an_element_of_its_branch() -> None:
    (group,) = parse_format("(`none`):($a `,` $b^)?").elements
    assert isinstance(group, OptionalGroup)
    assert group.anchor == B


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("$a attr-dictionary", "offset 12"),
        ("`unclosed", "offset 0"),
        ("type(", "offset 5"),
        ("type()", "offset 5"),
        ("functional-type($a)", "offset 18"),
        ("custom<>($a)", "offset 7"),
        ("custom<X>()", "offset 10"),
        ("($a^)", "offset 5"),
        ("()?", "offset 1"),
        ("oilist()", "offset 7"),
        ('"text"', "offset 0"),
        ("$1", "offset 0"),
        ("($a)?", "one anchor"),
        ("($a^ $b^)?", "one anchor"),
        ("($a^):($b^)?", "one anchor"),
        ("(`a` " * 150 + "$a^" + ")?" * 150, "more than format-depth"),
        ("type(" * 1000, "more than format-depth"),
        ("$a " * 5000, "more than format-length"),
    ],
)
def test_malformed_formats(text: str, message: str) -> None:
    form = parse_format(text)
    assert message in (form.problem or "")
    assert form.elements == ()


@settings(max_examples=some(300))
@given(
    st.lists(st.sampled_from(["$a", "`x`", "`", "(", ")", "?", ":", "^", "|", "type", "oilist", "custom<X>", ",", " "]))
)
def test_no_format_raises(words: list[str]) -> None:
    problem = parse_format("".join(words)).problem
    assert problem is None or "assembly format" in problem


def shipped_formats() -> Iterator[tuple[str, str]]:
    source = shipped_source()
    for table in (source.operations, source.types, source.attribute_kinds):
        for dialect in sorted(table.dialects()):
            for name in table.names(dialect):
                for definition in table.variants(name):
                    for part in (definition, *getattr(definition, "attributes", ())):
                        if part.assembly_format:
                            yield name, part.assembly_format


def test_every_shipped_format_is_understood() -> None:
    formats = list(shipped_formats())
    assert [(name, problem) for name, text in formats if (problem := parse_format(text).problem) is not None] == []
    assert len(formats) > 3_000
