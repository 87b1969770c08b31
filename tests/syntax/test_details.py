"""Details that `parse_detail` accepts, and its problems for the rest."""

from __future__ import annotations

from functools import partial
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar import pieces, texts
from growing import grows_at_most
from samples import some
from tdls.grammars import START_SYMBOLS
from tdls.syntax import details
from tdls.syntax.details import parse_detail

STARTS = START_SYMBOLS["mlir"]
fast = settings(max_examples=some(500))


def paired(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(start, text) for start, entries in table.items() for text in entries]


GOOD = (
    *(("type", text) for text in texts.ACCEPTED_TYPES),
    *(("attribute", text) for text in texts.ACCEPTED_TYPES),
    *(("attribute", text) for text in texts.ACCEPTED_ATTRIBUTES),
    *(("attribute", text) for text in texts.ACCEPTED_LOCATIONS),
    *(("location", text) for text in texts.ACCEPTED_LOCATIONS),
    *(("attribute", text) for text in texts.KNOWN_BY_MEANING_ONLY),
    *paired(texts.ACCEPTED_PIECES),
)
BAD = (
    ("type", ""),
    ("attribute", ""),
    *(("type", text) for text in texts.REJECTED_TYPES),
    *(("attribute", text) for text in texts.REJECTED_TYPES),
    *(("attribute", text) for text in texts.REJECTED_ATTRIBUTES),
    *(("location", text) for text in texts.REJECTED_LOCATIONS),
    *paired(texts.REJECTED_PIECES),
)


@pytest.mark.parametrize(("start", "text"), GOOD)
def test_accepted(start: str, text: str) -> None:
    detail = parse_detail(start, text)
    assert detail.problem is None
    assert detail.tree is not None


@pytest.mark.parametrize(("start", "text"), BAD)
def test_rejected(start: str, text: str) -> None:
    detail = parse_detail(start, text)
    assert detail.tree is None
    assert detail.problem is not None
    assert 0 <= detail.problem.offset <= len(text)
    assert list(detail.problem.expectations) == sorted(set(detail.problem.expectations))
    assert detail.problem.expectations


@pytest.mark.parametrize(
    ("start", "marked", "expected"),
    [
        ("type", "^", "a type"),
        ("type", "^foo", "a type"),
        ("type", "() -> ^", "a type"),
        ("type", "()^", "`->`"),
        ("type", "tensor<4x^", "`?`, a size or a type"),
        ("type", "tensor<4xf32^", "`,` or `>`"),
        ("type", "tensor<4xf32>^>", "the end of the type"),
        ("type", "tensor<4^yf32>", "`x`"),
        ("type", "vector<[4^xf32>", "`]`"),
        ("type", "!foo.bar<a^", "`>`"),
        ("type", "!foo.bar<(a^>", "`)`"),
        ("type", "complex<^tensor<f32>>", "a dialect type, a scalar type or a type alias"),
        ("attribute", "[1,^]", "an attribute value"),
        ("attribute", "[1^", "`,` or `]`"),
        ("attribute", "-^", "a number"),
        ("attribute", "{a = ^}", "an attribute value"),
        ("attribute", "{^,}", "`}`, a string or an identifier"),
        ("attribute", "@a::^b", "a symbol name such as `@name`"),
        ("attribute", '"abc^', '`"` at the end of the string'),
        ("attribute", '"abc^\n"', '`"` at the end of the string'),
        ("attribute", '@"abc^', '`"` at the end of the string'),
        ("attribute", r'["abc^\q"]', r"one of `\n`, `\t`, `\"`, `\\` and `\` with two hexadecimal digits"),
        ("attribute", "dense<1>^", "`:`"),
        ("attribute", "strided<[1], ^off: 3>", "`offset`"),
        ("attribute", "affine_map<(d0) -> (d0 +^)>", "an affine expression"),
        ("attribute", "affine_map<(d0) -> (d0 ^d0)>", "`)`, `,` or an operator"),
        ("location", "loc(^)", "a location"),
        ("location", 'loc("a":^)', "an integer"),
        ("generic_operation", '"a.b"()^', "`(`, `:`, `<`, `[` or `{`"),
    ],
)
def test_problem_is_reported_at_its_place(start: str, marked: str, expected: str) -> None:
    offset = marked.index("^")
    problem = parse_detail(start, marked.replace("^", "")).problem
    assert problem is not None
    assert (problem.offset, problem.expected) == (offset, expected)
    assert problem.message == f"expected {expected}"


def test_tree_names_the_parts() -> None:
    tree = parse_detail("type", "tensor<4x?xf32, #enc>").tree
    assert tree is not None
    assert tree.data == "tensor_type"
    assert [str(child) for child in tree.children[:2]] == ["4", "?"]
    assert [child.data for child in tree.find_data("attribute_alias")] == ["attribute_alias"]


def test_results_are_kept() -> None:
    assert parse_detail("type", "tuple<f32>") is parse_detail("type", "tuple<f32>")


@pytest.mark.parametrize("start", ["type", "attribute"])
def test_obvious_details_are_read_by_the_grammar(start: str) -> None:
    @fast
    @given(st.from_regex(getattr(details, f"_OBVIOUS_{start.upper()}"), fullmatch=True))
    def run(text: str) -> None:
        assert parse_detail(start, text).tree is not None
        assert parse_detail(start, f"{text} // not obvious").problem is None

    run()


@pytest.mark.parametrize("start", STARTS)
def test_no_text_raises(start: str) -> None:
    words = st.sampled_from(
        [*'<>()[]{}",:=-+*?!#%^@/\\\n x0é\0', "->", "x", "tensor", "dense", "loc", "i32", "affine_map"]
    )
    random_text = st.one_of(st.text(max_size=20), st.lists(words, max_size=20).map("".join))

    @fast
    @given(random_text)
    def run(text: str) -> None:
        detail = parse_detail(start, text)
        assert (detail.tree is None) != (detail.problem is None)

    run()


@fast
@given(pieces.attributes, pieces.gaps, st.randoms(use_true_random=False))
def test_truncated_text_is_reported_at_its_end(tokens: list[str], gaps: list[str], random: object) -> None:
    text = pieces.written(tokens, gaps).rstrip()
    cut = text[: random.randrange(len(text))]  # type: ignore[attr-defined]
    problem = parse_detail("attribute", cut).problem
    if problem is not None and "//" not in cut:
        assert problem.offset <= len(cut)
        assert text.startswith(cut[: problem.offset])


NESTED = {
    "nested": lambda n: "[" * n + "]" * n,
    "unclosed": lambda n: "[" * n,
    "list": lambda n: "[" + "1, " * n + "1]",
    "literal": lambda n: "dense<[" + "1, " * n + "1]> : tensor<4xi32>",
    "shape": lambda n: "tensor<" + "4x" * n + "f32>",
    "body": lambda n: "!a.b" + "<" * n + ">" * n,
    "open body": lambda n: "!a.b" + "<" * n,
    "text in body": lambda n: "!a.b<" + "a->" * n + ">",
    "sum": lambda n: "affine_map<() -> (" + "1 + " * n + "1)>",
    "parentheses": lambda n: "affine_map<() -> (" + "(" * n + "1" + ")" * n + ")>",
    "symbols": lambda n: "@a" + "::@b" * n,
    "digits": lambda n: "i" + "9" * n,
    "name": lambda n: "!" + "a.-" * n + "!",
    "escapes": lambda n: '"' + r"\41" * n + '"',
    "open escapes": lambda n: '"' + r"\41" * n,
    "comments": lambda n: "//\n" * n,
}


@pytest.mark.sample
@pytest.mark.parametrize("shape", NESTED)
def test_time_is_linear(shape: str) -> None:
    works = [partial(parse_detail, "attribute", NESTED[shape](size)) for size in (4_000, 32_000)]
    assert grows_at_most(40, *works, slack=0.02)


@pytest.mark.sample
def test_blobs_cost_next_to_nothing() -> None:
    def both(bytes_: int) -> None:
        blob = '"0x' + "AB" * bytes_ + '"'
        parse_detail("attribute", f"dense<{blob}> : tensor<4xi8>")
        parse_detail("attribute", f"[dense<{blob}> : tensor<4xi8>")

    assert grows_at_most(40, partial(both, 1_000_000), partial(both, 10_000_000), slack=0.5)


def test_blobs_are_read() -> None:
    blob = '"0x' + "AB" * 1_000 + '"'
    assert parse_detail("attribute", f"dense<{blob}> : tensor<1000xi8>").problem is None
    problem = parse_detail("attribute", f"[dense<{blob}> : tensor<4xi8>").problem
    assert problem is not None
    assert problem.offset == len(blob) + len("[dense<> : tensor<4xi8>")


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ('"' + "a" * 5_000, 5_001),
        ('["' + "a" * 5_000 + "\n, 1]", 5_002),
        ('"' + "a" * 5_000 + r'\q"', 5_001),
        ('["' + "a" * 5_000 + r"\"\\" + '", "b" 1]', 5_013),
        ('["' + "a" * 5_000 + '", // "\n 1, "' + "b" * 5_000 + '" "c"]', 10_017),
    ],
)
def test_problems_at_and_behind_long_strings(text: str, offset: int) -> None:
    problem = parse_detail("attribute", text).problem
    assert problem is not None
    assert problem.offset == offset


def test_tables_have_no_duplicates() -> None:
    everything = list(chain(GOOD, BAD))
    assert len(everything) == len(set(everything))
