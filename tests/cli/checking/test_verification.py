from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tdls.cli.checking.verification import verify
from tdls.structs import replace
from tdls.text.diagnostic import Diagnostic, Note
from tdls.text.level import Level
from tdls.text.positions import LineIndex, Position
from tdls.text.span import FileSpan
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from pathlib import Path


def at(text: str, needle: str, level: Level = Level.ERROR, message: str = "the message") -> Diagnostic:
    start = text.index(needle)
    return Diagnostic("rule", level, message, FileSpan(start, start + len(needle)))


def differences(text: str, *diagnostics: Diagnostic) -> list[tuple[int, str]]:
    """Return 1-based line and message of each difference."""
    lines = LineIndex(text)
    found = verify(text, diagnostics)
    return [(lines.position(mismatch.span.start).line + 1, mismatch.message) for mismatch in found]


def test_an_unknown_place_is_none_of_the_file() -> None:
    text = "foo // expected-error @unknown {{message}}\n"
    expected = [(1, "unexpected error: the message"), (1, 'expected error "message" was not produced')]
    assert differences(text, at(text, "foo")) == expected


def test_invalid_regular_expression() -> None:
    text = "foo // expected-error-re {{a{{(}}}}\n"
    (line, message), *_ = differences(text)
    assert line == 1
    assert message.startswith("invalid regex: ")


def test_one_expectation_allows_several_findings() -> None:
    text = "foo // expected-error {{message}}\n"
    assert differences(text, at(text, "foo"), at(text, "oo")) == []


def test_notes_at_the_place_itself_are_those_of_mlir() -> None:
    note = Note("used after free", FileSpan(0, 3))
    finding = Diagnostic("rule", Level.WARNING, "consumed", FileSpan(0, 3), (note,))
    assert differences("foo // expected-warning {{used after free}}\n", finding) == []
    assert differences("foo\n", finding) == [(1, "unexpected warning: used after free")]


def test_hints_take_no_part() -> None:
    assert differences("foo\n", at("foo\n", "foo", Level.HINT)) == []


ORACLE_CASES = {
    "kinds": """\
// expected-error @below {{undeclared}}
func.func @a() { return %x : i32 }
// -----
// expected-warning @below {{undeclared}}
func.func @a() { return %x : i32 }
// -----
func.func @a() { return %x : i32 }
""",
    "places": """\
func.func @a() {
  return %x : i32
  // expected-error @above {{undeclared}}
}
// -----
func.func @a() {
  // expected-error@+1 {{unde}}
  return %x : i32
}
// -----
// expected-error@+3 {{unde}}

func.func @a() {
  return %x : i32
}
// -----
func.func @a() {
  return %x : i32
}
// expected-error@-2 {{undeclared SSA value name}}
// -----
func.func @a() {
  return %x : i32 // expected-error {{clared}}
}
// expected-error @below {{never}}
// expected-error @above {{never}}
""",
    "chains": """\
func.func @a() {
  // expected-error @below {{undeclared}}
  // expected-note @below {{never}}

  // expected-error @below {{undeclared}}
  // a comment ends the chain
  // expected-error @below {{use}}
  return %x : i32
}
""",
    "regular expressions": """\
func.func @a() {
  return %x : i32 // expected-error-re {{use {{[a-z]+}} undeclared {{S+A}}}}
}
// -----
func.func @a() {
  return %x : i32 // expected-error-re {{^use of und{{[[:alpha:]]+}}}}
}
// -----
func.func @a() {
  return %x : i32 // expected-error-re {{use {{of}}
}
// -----
func.func @a() {
  return %x : i32 // expected-error-re {{use (of)}}
}
""",
    "spellings": """\
func.func @a() {
  return %x : i32 // expected-error{{}}
}
// -----
func.func @a() {

  return %x : i32
}

// expected-error @-3 {{undeclared}}\r
""",
    "notes": """\
// expected-note @below {{see existing symbol definition here}}
func.func private @a()
// expected-error @below {{redefinition of symbol named 'a'}}
func.func private @a()
// -----
func.func private @a()
func.func private @a()
""",
    "several on one line": """\
func.func @a() {
  return %x : i32 // expected-error {{use}} expected-error {{undeclared}}
}
// -----
func.func @a() {
  return %x : i32 // expected-error {{use}} and more
}
""",
    "an expectation in another part": """\
// expected-error @+4 {{redefinition of symbol}}
func.func private @a()
// -----
func.func private @b()
func.func private @b()
""",
}
REPORTED = re.compile(r"^[^\n]*?:(\d+):(\d+): (error|warning|note|remark): (.*)$", re.MULTILINE)


def run_mlir_opt(text: str, folder: Path, *options: str) -> list[tuple[Position, str, str]]:
    """Return place, kind and message of each diagnostic of mlir-opt for `text`."""
    file = folder / "case.mlir"
    file.write_text(text, encoding="utf-8")
    command = [str(require_mlir_opt(22)), file.name, "--mlir-print-op-on-diagnostic=false", "-o", "case.out"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False, cwd=folder)
    return [
        (Position(int(line) - 1, int(column) - 1), kind, message)
        for line, column, kind, message in REPORTED.findall(done.stderr)
        if "near miss with file split marker" not in message
    ]


def as_diagnostics(text: str, reported: list[tuple[Position, str, str]]) -> list[Diagnostic]:
    lines = LineIndex(text)
    findings: list[Diagnostic] = []
    for position, kind, message in reported:
        span = FileSpan(lines.offset(position), lines.offset(position))
        if kind == "note":
            last = findings.pop()
            findings.append(replace(last, notes=(*last.notes, Note(message, span))))
        else:
            findings.append(Diagnostic("rule", Level(kind), message, span))
    return findings


@pytest.mark.parametrize("name", ORACLE_CASES)
@pytest.mark.parametrize("is_split", [True, False])
def test_agrees_with_mlir_opt(name: str, is_split: bool, tmp_path: Path) -> None:
    text = ORACLE_CASES[name]
    options = ["--split-input-file"] if is_split else []
    # mlir-opt 22 reports unmet expectations even without the option to do so.
    without_expectations = text.replace("expected-", "expected_")
    findings = as_diagnostics(text, run_mlir_opt(without_expectations, tmp_path, *options))
    reported = run_mlir_opt(text, tmp_path, *options, "--verify-diagnostics")
    theirs = [(position.line + 1, message) for position, _, message in reported]
    assert findings
    assert sorted(differences(text, *findings)) == sorted(theirs)
