from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.text.span import FileSpan

CATALOGUE = Catalogue.shipped()
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 4} : !transform.any_op
BEFORE
    transform.print %loop : !transform.any_op AFTER
    transform.yield
  }
}
"""
UNMARKED = "module {\n  // COMMENT\n  transform.named_sequence @a() {\n    transform.yield\n  }\n}\n"


def script(before: str = "", after: str = "") -> str:
    return SCRIPT.replace("BEFORE", before).replace("AFTER", after)


def found(before: str = "", after: str = "") -> list[str]:
    return [finding.rule for finding in findings_in_file(SourceFile.of(script(before, after), CATALOGUE))]


@pytest.mark.parametrize(
    "comment",
    [
        "// tdls: ignore[use-after-free]",
        "//tdls:ignore[use-after-free]",
        "// tdls: ignore[ use-after-free , ]",
        "// tdls: ignore[use-after-free]: the reason",
        "// tdls: ignore[use-after-free] -- the reason",
        "// tdls: ignore[TD301]",
        "// checked by hand, tdls: ignore[use-after-free] as it comes from a macro",
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_comment_silences_its_line_and_the_next(comment: str, line_end: str) -> None:
    assert found() == ["use-after-free"]
    assert found(after=comment + line_end.rstrip("\n")) == []
    assert found(before=comment + line_end.rstrip("\n")) == []


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("// tdls: ignore[type-mismatch]", ["unused-suppression"]),
        ("// tdls: ignore[]", ["malformed-suppression"]),
        ("// tdls: ignore", ["malformed-suppression"]),
        ("// tdls: ignored[use-after-free]", ["malformed-suppression"]),
        ("// tdls: ignore[use-after-free", ["malformed-suppression"]),
        ("// tdls: disable[use-after-free]", ["malformed-suppression"]),
        ("// tdls: silence[use-after-free]", ["malformed-suppression"]),
        ("// tdls: ingore[use-after-fre]", ["malformed-suppression"]),
        ("// tdls: see [1]", []),
        ("// tdls: on [x86, arm]: works", []),
        ("// tdls: ignore[use-after-fre]", ["unknown-suppressed-rule"]),
        ("// nottdls: ignore[use-after-free]", []),
        ("// tdls: payload=use-after-free.mlir", []),
        ("// tdls: ignores nothing here", ["malformed-suppression"]),
    ],
)
def test_other_comments_silence_nothing(comment: str, said: list[str]) -> None:
    assert sorted(found(before=comment)) == sorted(["use-after-free", *said])
    assert sorted(found(after=comment)) == sorted(["use-after-free", *said])


def test_comment_behind_code_is_about_its_own_line_only() -> None:
    before = "    transform.print %root : !transform.any_op // tdls: ignore[use-after-free]"
    assert found(before=before) == ["unused-suppression", "use-after-free"]


def test_comment_alone_is_about_the_next_line_of_code() -> None:
    comments = (
        "    // tdls: ignore[use-after-free]: what follows\n    // is made by a macro\n    // tdls: ignore[TD106]"
    )
    assert found(before=comments) == ["unused-suppression"]
    assert found(before="    // tdls: ignore[use-after-free]\n") == ["unused-suppression", "use-after-free"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("// tdls: ignore-begin[use-after-free]", "\n// tdls: ignore-end[use-after-free]", []),
        (
            "// tdls: ignore-begin[use-after-free, TD001]",
            "\n// tdls: ignore-end[TD001, TD301]",
            ["unused-suppression"],
        ),
        ("// tdls: ignore-begin[use-after-free]", "", ["malformed-suppression"]),
        (
            "// tdls: ignore-begin[use-after-free]\n// tdls: ignore-end[use-after-free]",
            "",
            ["unused-suppression", "use-after-free"],
        ),
        ("// tdls: ignore-end[use-after-free]", "", ["malformed-suppression", "use-after-free"]),
        ("", "// tdls: ignore-file[use-after-free]: generated", []),
        ("// tdls: ignore-file[use-after-free]", "// tdls: ignore[use-after-free]", ["unused-suppression"]),
        ("// tdls: ignore-file[TD301, TD001]", "", ["unused-suppression"]),
        ("// tdls: ignore[use-after-free] tdls: ignore[TD001]", "", ["unused-suppression"]),
        ("// tdls: ignore[use-after-free, use-after-free]", "", ["unused-suppression"]),
    ],
)
def test_regions_and_files(before: str, after: str, said: list[str]) -> None:
    assert found(before, after) == said


def test_the_narrowest_comment_is_the_one_that_silences() -> None:
    nested = "// tdls: ignore-begin[TD301]\n// tdls: ignore-begin[TD301]"
    text = script(
        nested,
        "\n// tdls: ignore-end[TD301]\n    transform.print %loop : !transform.any_op\n// tdls: ignore-end[TD301]",
    )
    assert findings_in_file(SourceFile.of(text, CATALOGUE)) == []


def test_comments_silence_findings_about_comments() -> None:
    unused = "// tdls: ignore[syntax-error]"
    assert found(before="// tdls: ignore-file[unused-suppression]\n" + unused, after="// tdls: ignore[TD301]") == []
    assert found(before=unused.replace("]", ", unused-suppression]"), after="// tdls: ignore[TD301]") == []
    assert found(before="// tdls: ignore[unused-suppression]", after="// tdls: ignore[TD301]") == ["unused-suppression"]


@pytest.mark.parametrize(
    "damage",
    [
        "transform.print %root : :",
        "transform.print %root : : // tdls: ignore[syntax-error]",
        "transform.include @gone failures(propagate) () : () -> () // tdls: ignore[unknown-symbol]",
        "transform.print %gone : !transform.any_op",
    ],
)
def test_nothing_is_called_unused_where_more_may_be_found_if_errors_are_put_right(damage: str) -> None:
    comment = "    transform.print %root : !transform.any_op // tdls: ignore[type-mismatch]\n"
    assert found(before=comment) == ["unused-suppression", "use-after-free"]
    assert "unused-suppression" not in found(before=f"{comment}    {damage}")


def test_errors_that_are_silenced_hide_nothing() -> None:
    comment = "    transform.print %gone : !transform.any_op // tdls: ignore[undefined-value, type-mismatch]"
    assert found(before=comment) == ["unused-suppression", "use-after-free"]


def test_text_in_a_string_is_no_comment() -> None:
    before = '    transform.annotate %loop "// tdls: ignore[use-after-free]" : !transform.any_op'
    assert found(before=before) == ["use-after-free"] * 2


def test_comment_in_front_of_a_section_belongs_to_it() -> None:
    assert [finding.rule for finding in findings_in_file(SourceFile.of(UNMARKED, CATALOGUE))] == [
        "missing-with-named-sequence"
    ]
    silenced = UNMARKED.replace("COMMENT", "tdls: ignore[missing-with-named-sequence]")
    assert findings_in_file(SourceFile.of(silenced, CATALOGUE)) == []


def test_editing_a_comment_counts_at_once() -> None:
    text = UNMARKED.replace("COMMENT", "tdls: ignore[missing-with-named-sequence]")
    file = SourceFile.of(text, CATALOGUE)
    assert findings_in_file(file) == []
    place = text.index("missing")
    edited = file.edited(FileSpan(place, place + 1), "M")
    assert findings_in_file(edited) == []
    edited = edited.edited(FileSpan(place, place + 1), "x")
    assert [finding.rule for finding in findings_in_file(edited)] == [
        "unknown-suppressed-rule",
        "missing-with-named-sequence",
    ]


def test_comment_concerns_the_first_line_of_a_container() -> None:
    damaged = UNMARKED.replace("module {", "module attributes {a = } {").replace("COMMENT", "nothing")
    assert "syntax-error" in [finding.rule for finding in findings_in_file(SourceFile.of(damaged, CATALOGUE))]
    silenced = findings_in_file(SourceFile.of("// tdls: ignore[syntax-error]\n" + damaged, CATALOGUE))
    assert "syntax-error" not in [finding.rule for finding in silenced]


@pytest.mark.parametrize("rule", ["failed-run", "failed-build"])
def test_rules_of_other_checks_make_no_comment_unused(rule: str) -> None:
    assert found("// tdls: ignore-file[type-mismatch]", "// tdls: ignore[TD301]") == ["unused-suppression"]
    assert found("", f"// tdls: ignore[TD301]\n// tdls: ignore[{rule}]") == []


def test_long_blocks_of_comments_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    comment, count = "// tdls: ignore[use-after-free]", 500
    file = SourceFile.of(script(before="\n".join([comment] * count)), CATALOGUE)
    read: list[int] = []
    line_text = SourceFile.line_text

    def counting(self: SourceFile, line: int) -> str:
        read.append(line)
        return line_text(self, line)

    monkeypatch.setattr(SourceFile, "line_text", counting)
    assert [finding.rule for finding in findings_in_file(file)] == ["unused-suppression"] * (count - 1)
    assert len(read) < 10 * count
