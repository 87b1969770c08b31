"""Taking away the comments that silence nothing changes nothing else."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.checking.fingerprint import fingerprint
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.fixing import fix_in_rounds
from tdls.analysis.rules import COMMENT_RULES
from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from tdls.text.diagnostic import Diagnostic


CATALOGUE = Catalogue.shipped()
SCRIPT = """\
// RUN: mlir-opt %s
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %new = transform.apply_registered_pass "canonicalize" to %matmul : (!transform.any_op) -> !transform.any_op
    transform.print %matmul : !transform.any_op
    transform.print %matmul : !transform.any_op

    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  func.func private @f()
  transform.named_sequence @other(%root: !transform.any_op {transform.readonly}) {
    transform.print %root : !transform.any_op
    transform.yield
  }
}
"""
RULES = ["use-after-free", "TD301", "type-mismatch", "unused-suppression", "syntax-error", "no-rule"]
WORDS = ["ignore", "ignore", "ignore", "ignore-begin", "ignore-end", "ignore-file", "ignored"]


def with_comments(random: Random) -> str:
    """The script with comments behind lines, and in lines of their own."""
    lines = SCRIPT.split("\n")
    for _ in range(random.randint(1, 7)):
        names = ", ".join(random.choices(RULES, k=random.choice([1, 1, 2, 3])))
        comment = f"tdls: {random.choice(WORDS)}[{names}]{random.choice(['', ': why'])}"
        place = random.randrange(len(lines))
        if random.random() < 0.5:
            lines.insert(place, f"{random.choice(['', '    '])}// {comment}")
        else:
            lines[place] += f" {comment}" if "//" in lines[place] else f" // {comment}"
    return "\n".join(lines)


def others(text: str) -> Counter[tuple[str, ...]]:
    """Return all findings but those about comments."""
    file = SourceFile.of(text, CATALOGUE)
    return Counter(
        fingerprint(file, finding) for finding in findings_in_file(file) if finding.rule not in COMMENT_RULES
    )


@pytest.mark.parametrize("seed", range(50))
def test_removing_unused_comments_brings_nothing_back(seed: int) -> None:
    text = with_comments(Random(seed))
    fixed = fix_in_rounds(SourceFile.of(text, CATALOGUE), unused)
    assert fixed.is_settled
    assert not unused(fixed.file)
    assert others(fixed.file.text) == others(text), fixed.file.text
    assert without_comments(fixed.file.text) == without_comments(text)


def unused(file: SourceFile) -> list[Diagnostic]:
    return [finding for finding in findings_in_file(file) if finding.rule == "unused-suppression"]


def without_comments(text: str) -> list[str]:
    lines = [line.partition("//")[0].rstrip() for line in text.split("\n") if not line.lstrip().startswith("// tdls")]
    return [line for line in lines if line]
