"""Texts that nobody writes are read, too: no exception, and no end of time."""

from __future__ import annotations

import pytest

from tdls.analysis.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue

COUNT = 20_000
TEXTS = {
    "unclosed braces": "{" * COUNT,
    "unclosed parentheses": "(" * COUNT,
    "unclosed angles": "!a<" * COUNT,
    "unclosed modules": "module {\n" * COUNT,
    "unclosed generic regions": '"a.b"({' * COUNT,
    "deep regions": "  a.b {\n" * COUNT + "}\n" * COUNT,
    "deep regions on one line": "a.b {" * COUNT + "}" * COUNT,
    "deep functions": "func.func @f(%a: i32) {\n" * COUNT,
    "deep sequences": "transform.sequence failures(propagate) {\n^bb0(%a: !transform.any_op):\n" * COUNT,
    "surplus braces": "}" * COUNT,
    "quotes": '"' * COUNT,
    "labels": "^bb0:\n" * COUNT,
    "results": "%a, " * COUNT,
    "uses before definitions": "".join(f"%{i} = a.b %{i + 1}\n" for i in range(COUNT)),
    "splits": "// -----\n" * COUNT,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_text_is_too_much(text: str) -> None:
    SourceFile.of(text, Catalogue.shipped()).findings()


def test_regions_that_are_too_deep_are_reported() -> None:
    found = SourceFile.of(TEXTS["deep regions"], Catalogue.shipped()).findings()
    assert "regions are nested too deeply to be read here" in {diagnostic.message for diagnostic in found}
