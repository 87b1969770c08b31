"""Findings that negative tests are there for: tests of other tools, which expect an error or a failing run.

A file whose ``RUN:`` lines verify diagnostics expects errors at lines, by ``expected-error`` comments; one that is run
by ``not`` only, or has ``XFAIL: *``, is wrong on purpose as a whole. So is a part, up to ``// -----``, in which an
error is expected: MLIR does not read on to other errors in it. Where no comment expects anything, and FileCheck
reads the output of a tool with diagnostics in it, errors may be what the test is about.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING

from tdls.cli.checking.verification import expected_errors
from tdls.semantic.run_lines import instructions, run_lines
from tdls.structs import replace
from tdls.text.level import Level
from tdls.text.positions import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from tdls.cli.checking.targets import CheckTarget
    from tdls.cli.rendering.checked import CheckedFile, FingerprintedFinding, Tally
    from tdls.text.span import FileSpan

_NOT = "not"
_MARK = "// -----"
_RUN, _EXPECTED = "RUN:", "expected-error"
_FAILS = re.compile(r"XFAIL:[ \t]{0,40}\*")
_ANY_EXPECTED = re.compile("expected-(?:error|warning|remark|note)")
_PRINTING = frozenset(("verify-diagnostics", "parsing-diagnostics"))
"""Options by which tools print diagnostics, and go on: that of MLIR's tools, and one of xDSL's."""


def without_expected(searched: Set[str], tally: Tally, results: Iterable[CheckedFile]) -> Iterator[CheckedFile]:
    """Yield `results` without the findings that negative tests among the files `searched` expect; count these."""
    for checked in results:
        if not checked.findings or checked.name not in searched or _RUN not in checked.text:
            yield checked
            continue
        text = checked.text
        if fails_as_a_whole(text):
            kept: tuple[FingerprintedFinding, ...] = ()
        elif _EXPECTED in text and instructions(text).verifies_diagnostics:
            expected, lines = expected_errors(text), LineIndex(text)
            texts = [lines.line_text(line) for line in range(lines.line_count)]
            marks = [line for line, text in enumerate(texts) if text.startswith(_MARK)]
            bounds = [-1, *marks, len(texts)] if marks else []
            # Parts are between ``// -----``.
            parts = (range(before + 1, behind) for before, behind in pairwise(bounds))
            wrong_parts = [part for part in parts if any(_EXPECTED in texts[line] for line in part)]
            kept = tuple(
                finding
                for finding in checked.findings
                if not _is_expected(lines, expected, finding.diagnostic.span)
                and not any(lines.position(finding.diagnostic.span.start).line in part for part in wrong_parts)
            )
        elif prints_diagnostics(text):
            kept = tuple(finding for finding in checked.findings if finding.diagnostic.level is not Level.ERROR)
        else:
            yield checked
            continue
        tally.expected += len(checked.findings) - len(kept)
        yield replace(checked, findings=kept)


def is_negative_test(target: CheckTarget) -> bool:
    """Whether a file is there to be wrong, as a whole or at some lines."""
    try:
        text = target.read()
    except (OSError, UnicodeDecodeError):
        return False
    if _RUN not in text:
        return False
    expects = _EXPECTED in text and instructions(text).verifies_diagnostics
    return expects or fails_as_a_whole(text) or prints_diagnostics(text)


def prints_diagnostics(text: str) -> bool:
    """Whether FileCheck reads the diagnostics of a tool, and no comment says which ones are expected."""
    if _ANY_EXPECTED.search(text):
        return False
    return any(
        any(word.text.lstrip("-") in _PRINTING for command in line.commands for word in command)
        and any(PurePath(command[0].text).name.lower() == "filecheck" for command in line.commands)
        for line in run_lines(text)
    )


def fails_as_a_whole(text: str) -> bool:
    """Whether the test is expected to fail, or each ``RUN:`` line that runs a tool on the file expects that."""
    if _FAILS.search(text):
        return True
    runs = [
        command
        for line in run_lines(text)
        for command in line.commands
        if any("%s" in word.text for word in command) and PurePath(command[0].text).name != "FileCheck"
    ]
    return bool(runs) and all(command[0].text == _NOT for command in runs)


def _is_expected(lines: LineIndex, expected: set[int], span: FileSpan) -> bool:
    """Whether an error is expected at a line of a finding, or in the lines that it continues.

    MLIR may report an operation where it begins, and tdls where in it the mistake is. `expected` are 0-based lines.
    """
    first = lines.position(span.start).line
    last = lines.position(max(span.start, span.end - 1)).line
    for _ in range(_MOST_CONTINUED):
        if first == 0 or _indent(lines, first) <= _indent(lines, first - 1):
            break
        if lines.line_text(first - 1).rstrip().endswith(("{", ":")):
            break
        first -= 1
    return not expected.isdisjoint(range(first, last + 1))


_MOST_CONTINUED = 10


def _indent(lines: LineIndex, line: int) -> int:
    text = lines.line_text(line)
    return len(text) - len(text.lstrip())
