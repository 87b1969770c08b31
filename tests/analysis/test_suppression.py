from __future__ import annotations

import pytest

from tdls.analysis.source_file import SourceFile
from tdls.analysis.suppression import silencing
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


def script(before: str = "", after: str = "") -> str:
    return SCRIPT.replace("BEFORE", before).replace("AFTER", after)


def found(before: str = "", after: str = "") -> list[str]:
    return [finding.rule for finding in SourceFile.of(script(before, after), CATALOGUE).findings()]


@pytest.mark.parametrize(
    "comment",
    [
        "// tdls: ignore[undefined-value]",
        "//tdls:ignore[undefined-value]",
        "// tdls: ignore[ undefined-value , ]",
        "// tdls: ignore[undefined-value]: the reason",
        "// tdls: ignore[undefined-value] -- the reason",
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
    ("comment", "said"),
    [
        ("// tdls: ignore[use-after-free]", ["unused-suppression"]),
        ("// tdls: ignore[]", ["malformed-suppression"]),
        ("// tdls: ignore", ["malformed-suppression"]),
        ("// tdls: ignored[undefined-value]", ["malformed-suppression"]),
        ("// tdls: ignore[undefined-value", ["malformed-suppression"]),
        ("// tdls: disable[undefined-value]", ["malformed-suppression"]),
        ("// tdls: silence[undefined-value]", ["malformed-suppression"]),
        ("// tdls: ingore[undefined-valeu]", ["malformed-suppression"]),
        ("// tdls: see [1]", []),
        ("// tdls: on [x86, arm]: works", []),
        ("// tdls: ignore[undefined-valeu]", ["unknown-suppressed-rule"]),
        ("// nottdls: ignore[undefined-value]", []),
        ("// tdls: payload=undefined-value.mlir", []),
        ("// tdls: ignores nothing here", ["malformed-suppression"]),
    ],
)
def test_other_comments_silence_nothing(comment: str, said: list[str]) -> None:
    assert sorted(found(before=comment)) == sorted(["undefined-value", *said])
    assert sorted(found(after=comment)) == sorted(["undefined-value", *said])


def test_comment_behind_code_is_about_its_own_line_only() -> None:
    before = "    transform.print %root : !transform.any_op // tdls: ignore[undefined-value]"
    assert found(before=before) == ["unused-suppression", "undefined-value"]


def test_comment_alone_is_about_the_next_line_of_code() -> None:
    comments = (
        "    // tdls: ignore[undefined-value]: what follows\n    // is made by a macro\n    // tdls: ignore[TD301]"
    )
    assert found(before=comments) == ["unused-suppression"]
    assert found(before="    // tdls: ignore[undefined-value]\n") == ["unused-suppression", "undefined-value"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("// tdls: ignore-begin[undefined-value]", "\n// tdls: ignore-end[undefined-value]", []),
        (
            "// tdls: ignore-begin[undefined-value, TD001]",
            "\n// tdls: ignore-end[TD001, TD101]",
            ["unused-suppression"],
        ),
        ("// tdls: ignore-begin[undefined-value]", "", ["malformed-suppression"]),
        (
            "// tdls: ignore-begin[undefined-value]\n// tdls: ignore-end[undefined-value]",
            "",
            ["unused-suppression", "undefined-value"],
        ),
        ("// tdls: ignore-end[undefined-value]", "", ["malformed-suppression", "undefined-value"]),
        ("", "// tdls: ignore-file[undefined-value]: generated", []),
        ("// tdls: ignore-file[undefined-value]", "// tdls: ignore[undefined-value]", ["unused-suppression"]),
        ("// tdls: ignore-file[TD101, TD001]", "", ["unused-suppression"]),
        ("// tdls: ignore[undefined-value] tdls: ignore[TD001]", "", ["unused-suppression"]),
        ("// tdls: ignore[undefined-value, undefined-value]", "", ["unused-suppression"]),
    ],
)
def test_regions_and_files(before: str, after: str, said: list[str]) -> None:
    assert found(before, after) == said


def test_the_narrowest_comment_is_the_one_that_silences() -> None:
    nested = "// tdls: ignore-begin[TD101]\n// tdls: ignore-begin[TD101]"
    text = script(
        nested, "\n// tdls: ignore-end[TD101]\n    transform.print %no : !transform.any_op\n// tdls: ignore-end[TD101]"
    )
    assert SourceFile.of(text, CATALOGUE).findings() == []


def test_comments_silence_what_is_found_about_comments() -> None:
    unused = "// tdls: ignore[syntax-error]"
    assert found(before="// tdls: ignore-file[unused-suppression]\n" + unused, after="// tdls: ignore[TD101]") == []
    assert found(before=unused.replace("]", ", unused-suppression]"), after="// tdls: ignore[TD101]") == []
    assert found(before="// tdls: ignore[unused-suppression]", after="// tdls: ignore[TD101]") == ["unused-suppression"]


@pytest.mark.parametrize(
    "damage", ["transform.print %root : :", "transform.include @gone failures(propagate) () : () -> ()"]
)
def test_nothing_is_called_unused_where_more_may_be_found_if_the_script_is_put_right(damage: str) -> None:
    comment = "    transform.print %root : !transform.any_op // tdls: ignore[use-after-free]\n"
    assert found(before=comment) == ["unused-suppression", "undefined-value"]
    assert "unused-suppression" not in found(before=f"{comment}    {damage}")


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
    assert [finding.rule for finding in edited.findings()] == ["unknown-suppressed-rule", "missing-with-named-sequence"]


def test_comment_concerns_the_first_line_of_a_container() -> None:
    damaged = UNMARKED.replace("module {", "module attributes {a = } {").replace("COMMENT", "nothing")
    assert "syntax-error" in [finding.rule for finding in SourceFile.of(damaged, CATALOGUE).findings()]
    silenced = SourceFile.of("// tdls: ignore[syntax-error]\n" + damaged, CATALOGUE).findings()
    assert "syntax-error" not in [finding.rule for finding in silenced]


def test_rules_that_are_looked_for_elsewhere_make_no_comment_unused(monkeypatch: pytest.MonkeyPatch) -> None:
    comment = "// tdls: ignore-file[use-after-free]"
    assert found(comment, "// tdls: ignore[TD101]") == ["unused-suppression"]
    monkeypatch.setattr(silencing, "_LOOKED_FOR", frozenset({"undefined-value"}))
    assert found(comment, "// tdls: ignore[TD101]") == []
