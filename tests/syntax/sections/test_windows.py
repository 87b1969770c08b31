"""Windows of long operations: what is found in them is what is found in the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.checking.findings import Findings
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.limits import EDITED_OPERATION
from tdls.structs import replace
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context

MOST = replace(EDITED_OPERATION, most=300)
HEAD = "func.func @f(%a: f32, %n: index) -> f32 {\n  %zero = arith.constant 0 : index\n"
STATEMENTS = "".join(
    f"  %p{number} = arith.addf %{f'p{number - 1}' if number else 'a'}, %a : f32\n" for number in range(500)
)
FLAT = f"{HEAD}{STATEMENTS}  return %p499 : f32\n}}\n"
LOOP = "  %r = scf.for %i = %zero to %n step %n iter_args(%c = %p0) -> (f32) {\n"
INNER = "".join(f"    %q{n} = arith.mulf %{f'q{n - 1}' if n else 'c'}, %p{n % 9} : f32\n" for n in range(3_000))
NESTED = f"{HEAD}{STATEMENTS}{LOOP}{INNER}    scf.yield %q2999 : f32\n  }}\n  return %r : f32\n}}\n"


def file_of(text: str) -> SourceFile:
    return SourceFile.of(text, Catalogue.shipped(), most=MOST)


def windows(file: SourceFile) -> list[Context]:
    return [each for context in file.contexts for each in context.readable if each.window is not None]


def findings_of(file: SourceFile) -> list[tuple[int, str, str]]:
    return [(finding.span.start, finding.rule, finding.message) for finding in findings_in_file(file)]


@pytest.mark.parametrize("text", [FLAT, NESTED])
def test_windows_read_each_character_once(text: str) -> None:
    places = [
        context.to_file(Span(copy.here, copy.here + copy.length))
        for context in windows(file_of(text))
        for copy in (context.window.copies if context.window is not None else ())
        if copy.is_read
    ]
    assert "".join(text[place.start : place.end] for place in sorted(places)) == text


@pytest.mark.parametrize("text", [FLAT, NESTED])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("arith.addf %p249, %a", "arith.addf %p249, %missing"),
        ("%p250 = arith.addf", "%p3 = arith.addf"),
        ("arith.addf %p100, %a", "arith.addf %p400, %a"),
        ("%p250 = arith.addf %p249, %a : f32", "%p250 = arith.addf %p249, %a : f64"),
        ("%zero = arith.constant 0 : index", "%zero = arith.constant 0 : i32"),
        ("%p301 = arith.addf", "%p301 = arith.addf addf"),
        ("%p301 = arith.addf %p300, %a : f32", "%p301 = arith.addf %p300 : f32"),
        ("-> f32 {", "-> f64 {"),
        ("iter_args(%c = %p0)", "iter_args(%c = %n)"),
        ("%q2000 = arith.mulf %q1999", "%q2000 = arith.mulf %n"),
        ("scf.yield %q2999 : f32", "scf.yield"),
        ("  return", "  returnn"),
        ("%p3 = arith.addf", "%p3 = my.op"),
        ("%p3 = arith.addf %p2", "%p3 = arith.addf %2p2"),
    ],
)
def test_mistakes_are_found_as_in_the_whole(text: str, old: str, new: str) -> None:
    if old not in text:
        return
    file, fresh = file_of(text), text.replace(old, new, 1)
    edited = file.edited(FileSpan(text.index(old), text.index(old) + len(old)), new)
    assert findings_of(edited) == findings_of(SourceFile.of(fresh, Catalogue.shipped()))
    assert {each.section.text for each in windows(edited)} == {each.section.text for each in windows(file_of(fresh))}


def test_an_edit_reads_one_window_afresh() -> None:
    file = file_of(NESTED)
    findings = Findings(file)
    findings.work(lambda: False)
    assert not findings.diagnostics()
    before = {each.section for each in windows(file)}
    place = NESTED.index("%q1500 =")
    for span, text, found in ((FileSpan(place, place), "x", True), (FileSpan(place, place + 1), "", False)):
        file = file.edited(span, text)
        findings.advance(file)
        findings.work(lambda: not findings.is_behind_edit)
        assert bool(findings.diagnostics()) is found
        after = {each.section for each in windows(file)}
        assert len(after - before) <= 1
        before = after
    assert len(before) > 40


@pytest.mark.parametrize(
    "text",
    [
        FLAT.replace("  return", "  cf.br ^end\n^end:\n  return"),
        f"#map = affine_map<(d0) -> (d0)> // continued\n{FLAT}".replace(" // continued\n", " "),
        FLAT.replace("{\n", "attributes {\n  a = 1\n} {\n", 1),
    ],
)
def test_what_layout_does_not_tell_is_left_out(text: str) -> None:
    file = file_of(text)
    assert not windows(file)
    assert any(finding.rule == "not-analysed" for finding in findings_in_file(file))
