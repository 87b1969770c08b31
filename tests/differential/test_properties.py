"""No text makes tdls raise or hang, and its results are consistent."""

from __future__ import annotations

from functools import cache, partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from growing import grows_at_most
from oracle.growth import MEGABYTE, Shape, blob, shapes
from oracle.payload_modules import seeds
from oracle.spelling import tokens
from oracle.transform_modules import scripts
from samples import some
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser.parser import parse

PIECES = (
    *"(){}[]<>,:=-+*?|/!#@^%",
    *("->", "::", "//", "\n", " ", "\t", '"', "\\", "{-#", "#-}", "// -----\n", "loc(", "dense<"),
    *("%0", "%a:2", "%a#1", "^bb0", "@f", "@f::@g", "!transform.any_op", "#map", "0x", "1.5e", "42"),
    *("transform.sequence", "transform.named_sequence", "transform.foreach", "transform.yield", "yield"),
    *("func.func", "module", "return", "scf.for", "affine_map<", "tensor<", "strided<", "failures("),
    *("attributes", "transform.structured.match", "ops{", "in", "to", "é", "日", "\u2028", "\x00", "\ufeff"),
)


@cache
def catalogue() -> Catalogue:
    return Catalogue.shipped()


@cache
def real_texts() -> tuple[str, ...]:
    return tuple(text for _, text in [*scripts(), *seeds()])


def understood(text: str) -> None:
    """Check `text` and look at all that comes back."""
    result = findings_in_file(SourceFile.of(text, catalogue()))
    for diagnostic in result:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
        assert diagnostic.message
    tree = parse(text, catalogue())
    assert tree.text == text
    for problem in tree.problems():
        span = problem.span
        assert 0 <= span.start <= span.end <= len(text)
    for operation in tree.walk():
        outer = operation.span
        assert 0 <= outer.start <= outer.end <= len(text)
        for region in (region.span for region in operation.regions):
            assert outer.start <= region.start <= region.end <= outer.end
        for use in operation.operands:
            assert text[use.start :].startswith(use.name)


relaxed = settings(max_examples=some(150))


@relaxed
@given(st.text(max_size=300))
def test_random_text(text: str) -> None:
    understood(text)


@relaxed
@given(st.lists(st.sampled_from(PIECES), max_size=120))
def test_random_tokens(pieces: list[str]) -> None:
    understood("".join(pieces))


@relaxed
@given(st.data())
def test_truncated_text(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(real_texts()))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    understood(text[start:end])


@relaxed
@given(st.data())
def test_shuffled_lines(data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from(real_texts())).splitlines(keepends=True)
    understood("".join(data.draw(st.permutations(lines[:40]))))


@relaxed
@given(st.data())
def test_shuffled_tokens(data: st.DataObject) -> None:
    pieces = tokens(data.draw(st.sampled_from(real_texts())))
    start = data.draw(st.integers(0, max(len(pieces) - 60, 0)))
    middle = data.draw(st.permutations(pieces[start : start + 60]))
    understood("".join([*pieces[:start], *middle, *pieces[start + 60 :]]))


@relaxed
@given(st.data())
def test_text_with_pieces_put_in(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(real_texts()))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text)))
        text = text[:place] + data.draw(st.sampled_from(PIECES)) + text[place:]
    understood(text)


@pytest.mark.parametrize("shape", shapes(), ids=lambda shape: shape.name)
def test_time_grows_with_the_text_and_not_faster(shape: Shape) -> None:
    small, large = (shape.make(size) for size in (MEGABYTE // 40, MEGABYTE // 5))
    parse(small, catalogue())
    works = [partial(parse, text, catalogue()) for text in (small, large)]
    assert grows_at_most(8 * 2.5, *works, slack=0.1)


def test_a_large_blob_costs_next_to_nothing() -> None:
    works = [partial(parse, blob(size), catalogue()) for size in (MEGABYTE, 20 * MEGABYTE)]
    assert grows_at_most(20 * 2.5, *works, slack=0.5)


@pytest.mark.parametrize("opening", ["(", "[", "{", "<", "({", '"a.b"() ({\n', "module {\n", "tuple<", "loc("])
def test_deep_nesting(opening: str) -> None:
    understood(opening * 3000)
