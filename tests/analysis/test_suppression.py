from __future__ import annotations

import pytest

from tdls.analysis.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.text.span import Span

CATALOGUE = Catalogue.shipped()
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
BEFORE
    transform.structured.vectorize %typo : !transform.any_op AFTER
    transform.yield
  }
}
"""
UNMARKED = "module {\n  // COMMENT\n  transform.named_sequence @a() {\n    transform.yield\n  }\n}\n"


def found(before: str = "", after: str = "") -> list[str]:
    text = SCRIPT.replace("BEFORE", before).replace("AFTER", after)
    return [finding.rule for finding in SourceFile.of(text, CATALOGUE).findings()]


@pytest.mark.parametrize(
    "comment",
    [
        "// tdls: ignore[undefined-value]",
        "//tdls:ignore[undefined-value]",
        "// tdls: ignore[ syntax-error , undefined-value ]",
        "// tdls: ignore[TD101]",
        "// checked by hand, tdls: ignore[undefined-value] as it comes from a macro",
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_comment_silences_its_line_and_the_next(comment: str, line_end: str) -> None:
    assert found() == ["undefined-value"]
    assert found(after=comment + line_end.rstrip("\n")) == []
    assert found(before=comment + line_end.rstrip("\n")) == []


@pytest.mark.parametrize(
    "comment",
    [
        "// tdls: ignore[use-after-free]",
        "// tdls: ignore[]",
        "// tdls: ignore",
        "// tdls: ignored[undefined-value]",
        "// nottdls: ignore[undefined-value]",
    ],
)
def test_other_comments_silence_nothing(comment: str) -> None:
    assert found(before=comment) == ["undefined-value"]
    assert found(after=comment) == ["undefined-value"]


def test_comment_behind_code_is_about_its_own_line_only() -> None:
    before = "    transform.print %root : !transform.any_op // tdls: ignore[undefined-value]"
    assert found(before=before) == ["undefined-value"]


def test_text_in_a_string_is_no_comment() -> None:
    before = '    transform.annotate %other "// tdls: ignore[undefined-value]" : !transform.any_op'
    assert found(before=before) == ["undefined-value"] * 2


def test_comment_in_front_of_a_section_belongs_to_it() -> None:
    assert [finding.rule for finding in SourceFile.of(UNMARKED, CATALOGUE).findings()] == [
        "missing-with-named-sequence"
    ]
    silenced = UNMARKED.replace("COMMENT", "tdls: ignore[missing-with-named-sequence]")
    assert SourceFile.of(silenced, CATALOGUE).findings() == []


def test_editing_a_comment_counts_at_once() -> None:
    text = UNMARKED.replace("COMMENT", "tdls: ignore[missing-with-named-sequence]")
    file = SourceFile.of(text, CATALOGUE)
    assert file.findings() == []
    place = text.index("missing")
    edited = file.edited(Span(place, place + 1), "M")
    assert edited.findings() == []
    edited = edited.edited(Span(place, place + 1), "x")
    assert [finding.rule for finding in edited.findings()] == ["missing-with-named-sequence"]


def test_comment_concerns_the_first_line_of_a_container() -> None:
    damaged = UNMARKED.replace("module {", "module attributes {a = } {").replace("COMMENT", "nothing")
    assert "syntax-error" in [finding.rule for finding in SourceFile.of(damaged, CATALOGUE).findings()]
    silenced = SourceFile.of("// tdls: ignore[syntax-error]\n" + damaged, CATALOGUE).findings()
    assert "syntax-error" not in [finding.rule for finding in silenced]
