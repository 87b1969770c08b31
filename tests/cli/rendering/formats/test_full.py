from __future__ import annotations

from pathlib import Path

import click

from tdls.cli.rendering.checked import SourceText
from tdls.cli.rendering.formats import concise, full
from tdls.cli.rendering.formats.full import LONGEST_LINE
from tdls.text.diagnostic import Diagnostic, Fix, Note
from tdls.text.level import Level
from tdls.text.span import FileSpan

OTHER = SourceText("lib.mlir", "first\nsecond\n")


def rendered(text: str, diagnostic: Diagnostic, coloured: bool = False) -> str:
    return full.render(diagnostic, SourceText("a.mlir", text), coloured, {Path("lib.mlir"): OTHER}.get)


def error_at(start: int, end: int, **more: object) -> Diagnostic:
    return Diagnostic("some-rule", Level.ERROR, "message", FileSpan(start, end), **more)  # type: ignore[arg-type]


def marked(text: str) -> str:
    """Return the snippet lines of an error between the two angle quotes in `text`."""
    start, end = text.index("«"), text.index("»") - 1
    plain = text.replace("«", "").replace("»", "")
    lines = rendered(plain, error_at(start, end)).splitlines()
    return "\n".join(lines[3:-1])


def test_finding_with_help_and_notes() -> None:
    text = "module {\n  %a = foo\n  bar %a\n}\n"
    notes = (
        Note("allocated here", FileSpan(11, 13)),
        Note("declared here", FileSpan(6, 12), Path("lib.mlir")),
        Note("somewhere else", FileSpan(0, 1), Path("unreadable.mlir")),
    )
    use = text.rindex("%a")
    finding = error_at(use, use + 2, notes=notes, help="do this\nor that")
    assert rendered(text, finding) == (
        "error[some-rule]: message\n"
        " --> a.mlir:3:7\n"
        "  |\n"
        "3 |   bar %a\n"
        "  |       ^^\n"
        "  |\n"
        "  = help: do this\n"
        "          or that\n"
        "note: allocated here\n"
        " --> a.mlir:2:3\n"
        "  |\n"
        "2 |   %a = foo\n"
        "  |   ^^\n"
        "note: declared here\n"
        " --> lib.mlir:2:1\n"
        "  |\n"
        "2 | second\n"
        "  | ^^^^^^\n"
        "note: somewhere else\n"
        "\n"
    )


def test_repairs_are_the_help_of_a_finding_without_one() -> None:
    fixes = tuple(Fix(title, ()) for title in ("Give `%m` the type `t`", "Cast it: `c`"))
    assert "  = help: give `%m` the type `t`, or cast it: `c`" in rendered("%m\n", error_at(0, 2, fixes=fixes))


def test_a_note_at_the_place_itself_shows_it_no_second_time() -> None:
    finding = error_at(0, 3, notes=(Note("in other words", FileSpan(0, 3)),))
    assert rendered("foo\n", finding) == (
        "error[some-rule]: message\n --> a.mlir:1:1\n  |\n1 | foo\n  | ^^^\nnote: in other words\n\n"
    )


def test_line_numbers_of_all_parts_are_aligned() -> None:
    text = "a\n" * 100
    finding = error_at(198, 199, notes=(Note("here", FileSpan(0, 1)),))
    lines = rendered(text, finding).splitlines()
    assert lines[1:5] == ["   --> a.mlir:100:1", "    |", "100 | a", "    | ^"]
    assert lines[6:10] == ["   --> a.mlir:1:1", "    |", "  1 | a", "    | ^"]


def test_tabs_wide_characters_and_combining_marks() -> None:
    assert marked("\tfoo «%x»") == "1 |     foo %x\n  |         ^^"
    assert marked('"日本" «%x»') == '1 | "日本" %x\n  |        ^^'
    assert marked("«日本» x") == "1 | 日本 x\n  | ^^^^"
    assert marked("e\u0301e\u0301 «%x»") == "1 | e\u0301e\u0301 %x\n  |    ^^"


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert marked("a\x1b[31mb «%x»\x7f") == "1 | a␛[31mb %x␡\n  |         ^^"
    assert marked("a\u202eb «%x»") == "1 | a\ufffdb %x\n  |     ^^"
    assert marked("a\u00a0b «%x»") == "1 | a b %x\n  |     ^^"


def test_control_characters_of_messages_do_not_reach_the_terminal_either() -> None:
    notes = (Note("note \x1b[0m", FileSpan(0, 1)),)
    finding = Diagnostic("some-rule", Level.ERROR, "found \x00\nand \x1b[31m", FileSpan(0, 1), notes, help="no \x07")
    lines = rendered("a", finding).splitlines()
    assert lines[:2] == ["error[some-rule]: found \\u0000", "  | and \\u001b[31m"]
    assert "  = help: no \\u0007" in lines
    assert "note: note \\u001b[0m" in lines
    assert concise.render(finding, SourceText("a", "a")) == "a:1:1: error: found \\u0000 and \\u001b[31m [some-rule]\n"


def test_empty_ranges() -> None:
    assert marked("foo «»bar") == "1 | foo bar\n  |     ^"
    assert marked("foo«»") == "1 | foo\n  |    ^"
    assert marked("foo\n«»") == "2 |\n  | ^"


def test_range_that_ends_with_its_line_break_stays_on_its_line() -> None:
    assert marked("foo «bar\n»baz") == "1 | foo bar\n  |     ^^^"
    assert marked("foo «bar\r\n»baz") == "1 | foo bar\n  |     ^^^"


def test_range_over_several_lines() -> None:
    assert marked("a «{\n  b\n}» c") == "1 |   a {\n  |  ___^\n2 | |   b\n3 | | } c\n  | |_^"


def test_range_over_many_lines_is_shortened() -> None:
    text = "«{\n" + "  x\n" * 20 + "}»"
    assert marked(text) == (" 1 |   {\n   |  _^\n 2 | |   x\n 3 | |   x\n   | | ...\n22 | | }\n   | |_^")


def test_long_lines_are_cut_around_the_range() -> None:
    shown = marked("a" * 10_000_000 + " «%x» " + "b" * 10_000_000).splitlines()
    assert len(shown[0]) < LONGEST_LINE + 20
    assert shown[0].index("%x") == shown[1].index("^^")
    assert shown[0].startswith("1 | ...aaa")
    assert shown[0].endswith("bbb...")
    whole_line = marked("«" + "a" * 1000 + "»").splitlines()
    assert whole_line[1].count("^") == LONGEST_LINE


def test_colour_only_adds_escape_sequences() -> None:
    text = "a {\n\tb\n}\n"
    for level in Level:
        notes = (Note("here", FileSpan(0, 1)),)
        finding = Diagnostic("some-rule", level, "message", FileSpan(2, 8), notes, help="help")
        coloured = rendered(text, finding, coloured=True)
        assert coloured != rendered(text, finding)
        assert click.unstyle(coloured) == rendered(text, finding)


def test_notes_name_files_as_the_finding_does() -> None:
    file = Path("lib.mlir").absolute()
    names = [SourceText(name, "").name_of(file) for name in ("a.mlir", str(file.with_name("a.mlir")))]
    assert names == ["lib.mlir", str(file)]
