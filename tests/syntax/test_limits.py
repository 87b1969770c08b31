"""tdls reads extreme texts, too, without an exception and in bounded time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from growing import grows_at_most
from soak.attack.model import SCRIPT
from soak.attack.shapes import SHAPES
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.sections.boundaries import TextRange, grouped

if TYPE_CHECKING:
    from collections.abc import Callable

    from soak.attack.model import Attack

COUNT = 20_000
TEXTS = {
    "unclosed angles": "!a<" * COUNT,
    "unclosed generic regions": '"a.b"({' * COUNT,
    "deep regions": "  a.b {\n" * COUNT + "}\n" * COUNT,
    "deep functions": "func.func @f(%a: i32) {\n" * COUNT,
    "quotes": '"' * COUNT,
    "labels": "^bb0:\n" * COUNT,
    "uses before definitions": "".join(f"%{i} = a.b %{i + 1}\n" for i in range(COUNT)),
    "deep parentheses": "a.b " + "(" * COUNT + ")" * COUNT,
    "deep types": "!a = " + "tuple<" * COUNT + "i32" + ">" * COUNT,
    "deep attributes": "#a = " + "[" * COUNT + "]" * COUNT,
    "digits of sizes": f"%1 = vector.to_elements %0 : vector<{'9' * COUNT}xi8>",
    "digits of dimensions": f"%1 = tensor.collapse_shape %0 [[{'9' * COUNT}]] : tensor<2xi8> into tensor<2xi8>",
}

_NONE, _ONE = (0, 0, 0), (1, 0, 0)
_OPENING, _EVEN = TextRange(0, 0, _NONE, _ONE, finished=True), TextRange(0, 0, _NONE, _NONE, finished=False)
CHAINS: dict[str, Callable[[int], list[TextRange]]] = {
    "never balanced": lambda count: [*[_EVEN] * count, _OPENING],
    "opened": lambda count: [_OPENING] * count,
    "closed too often": lambda count: [
        *[_OPENING] * count,
        TextRange(0, 0, (2 * count, 0, 0), _NONE, finished=True),
        *[_OPENING] * 2 * count,
    ],
}
"""Runs of which none, or only the last one, gets balanced."""


@pytest.mark.parametrize("name", CHAINS)
def test_runs_are_grouped_in_time_that_grows_with_their_number(name: str) -> None:
    small, large = CHAINS[name](3000), CHAINS[name](6000)
    assert grows_at_most(3, lambda: grouped(small), lambda: grouped(large), slack=0.05)


def test_unfinished_sections_end_with_the_following_text() -> None:
    closing = TextRange(0, 0, _ONE, _NONE, finished=True)
    assert [group.stretches for group in grouped([_EVEN, _OPENING, _EVEN, closing, _OPENING])] == [4, 1]


@pytest.mark.sample
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_text_is_too_much(text: str) -> None:
    findings_in_file(SourceFile.of(text, Catalogue.shipped()))


@pytest.mark.sample
@pytest.mark.parametrize("attack", SHAPES, ids=[attack.name for attack in SHAPES])
def test_no_attack_is_too_much(attack: Attack) -> None:
    findings_in_file(SourceFile.of(attack.files(min(COUNT // 5, attack.largest))[SCRIPT], Catalogue.shipped()))


@pytest.mark.parametrize("begin", ["[", "[1, "])
def test_options_of_a_pass_are_lists_of_any_depth(begin: str) -> None:
    text = f'%x = transform.apply_registered_pass "p" with options = {{"a" = {begin * 5000}'
    found = findings_in_file(SourceFile.of(text, Catalogue.shipped()))
    assert "syntax-error" in {diagnostic.rule for diagnostic in found}


@pytest.mark.parametrize("name", ["deep regions", "deep parentheses", "deep types", "deep attributes"])
def test_what_is_nested_too_deeply_is_reported_once(name: str) -> None:
    kind = "regions" if "regions" in name else "brackets"
    text = TEXTS[name] + "\n%x = a.b %unknown\n"
    messages = [diagnostic.message for diagnostic in findings_in_file(SourceFile.of(text, Catalogue.shipped()))]
    assert messages.count(f"{kind} are nested too deeply to be read here") == 1
    assert any("%unknown" in message for message in messages)
