from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from growing import grows_at_most
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.checking.fingerprint import fingerprint
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from tdls.text.diagnostic import Diagnostic, Fingerprint

CATALOGUE = Catalogue.shipped()
SCRIPT = """\
module @library attributes {transform.with_named_sequence} {
  module @inner attributes {transform.with_named_sequence} {
    transform.named_sequence @tile(%root: !transform.any_op {transform.readonly}) {
      transform.print   %typo : !transform.any_op  // why
      transform.yield
    }
  }
}
"""


def identities(text: str) -> list[Fingerprint]:
    file = SourceFile.of(text, CATALOGUE)
    return [fingerprint(file, finding) for finding in findings_in_file(file)]


def test_identity_has_rule_symbols_and_line() -> None:
    assert identities(SCRIPT) == [
        ("undefined-value", "@library::@inner::@tile", "transform.print %typo : !transform.any_op")
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("module @library", "// a comment\n\nmodule @library"),
        ("// why", ""),
        ("print   %typo", "print %typo"),
        ("      transform", "\ttransform"),
        ("\n", "\r\n"),
        ("transform.yield", "transform.print %root : !transform.any_op\n      transform.yield"),
    ],
)
def test_moved_lines_keep_their_identity(old: str, new: str) -> None:
    assert identities(SCRIPT.replace(old, new)) == identities(SCRIPT)


def test_long_lines_differ_by_all_of_their_text() -> None:
    filler = "x" * 10_000
    texts = [SCRIPT.replace(" : !", f' {{a = "{filler}{end}"}} : !', 1) for end in ("1", "2")]
    (first,), (second,) = map(identities, texts)
    assert first.line != second.line
    assert len(first.line) < 200


def test_comment_is_identified_by_its_text() -> None:
    (only,) = identities("// tdls: ignore\nmodule {}\n")
    assert only == ("malformed-suppression", "", "// tdls: ignore")


def _findings_on_one_line(count: int) -> tuple[SourceFile, list[Diagnostic]]:
    members = " ".join(f'func.func @f{i}() {{ "test.x"(%u{i}) : (i32) -> () return }}' for i in range(count))
    text = f'"test.outer"() ({{ {members} }}) : () -> ()\n'
    return SourceFile.of(text, CATALOGUE), findings_in_file(SourceFile.of(text, CATALOGUE))


def test_identities_take_time_that_grows_with_the_findings() -> None:
    small, large = _findings_on_one_line(1000), _findings_on_one_line(2000)
    assert len(small[1]) == 1000

    def identify(file: SourceFile, findings: list[Diagnostic]) -> list[Fingerprint]:
        fresh = SourceFile(file.sections, (), {})
        return [fingerprint(fresh, finding) for finding in findings]

    assert grows_at_most(3, lambda: identify(*small), lambda: identify(*large), slack=0.05)


def test_the_symbol_around_a_finding_is_found_among_many() -> None:
    file, findings = _findings_on_one_line(3)
    assert [fingerprint(file, finding).symbol for finding in findings] == ["@f0", "@f1", "@f2"]
