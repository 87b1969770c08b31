from __future__ import annotations

from collections import Counter

import pytest

from tdls.analysis.checking.fingerprint import Baseline, BaselineError
from tdls.text.diagnostic import Fingerprint

FIRST = Fingerprint("use-after-free", "@a", "transform.print %x")
SECOND = Fingerprint("use-after-free", "@b", "transform.print %x")
THIRD = Fingerprint("undefined-value", "@b", "transform.print %é")
KNOWN = Baseline({"a.mlir": Counter({FIRST: 2, THIRD: 1}), "sub/b.mlir": Counter({SECOND: 1})})


def test_written_baselines_are_read_back() -> None:
    again = Baseline.parse(KNOWN.text())
    assert again.files == KNOWN.files
    assert again.text() == KNOWN.text()
    assert len(again) == 4


def test_the_text_does_not_depend_on_the_order_of_findings() -> None:
    turned = Baseline({"sub/b.mlir": Counter([SECOND]), "a.mlir": Counter([THIRD, FIRST, FIRST])})
    assert turned.text() == KNOWN.text()


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([FIRST, FIRST, THIRD], [FIRST, FIRST, THIRD]),
        ([FIRST, FIRST, FIRST], [FIRST, FIRST, None]),
        ([SECOND], [FIRST]),
        ([SECOND, FIRST, FIRST], [None, FIRST, FIRST]),
        ([SECOND, FIRST, SECOND], [FIRST, FIRST, None]),
        ([FIRST._replace(rule="undefined-value")], [None]),
        ([FIRST._replace(line="transform.print %y")], [None]),
        ([], []),
    ],
    ids=["all", "one-more", "moved", "copied", "moved-and-copied", "other-rule", "other-line", "none"],
)
def test_an_entry_serves_as_many_findings_as_it_counts(
    found: list[Fingerprint], expected: list[Fingerprint | None]
) -> None:
    assert KNOWN.recognised("a.mlir", found) == expected


def test_files_have_their_own_entries() -> None:
    assert KNOWN.recognised("c.mlir", [FIRST]) == [None]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version": 2, "findings": {}}',
        '{"version": 1}',
        '{"version": 1, "findings": []}',
        '{"version": 1, "findings": {"a": [1]}}',
        '{"version": 1, "findings": {"a": [{"rule": "x", "symbol": "", "line": 3}]}}',
        '{"version": 1, "findings": {"a": [{"rule": "x", "symbol": "", "line": "", "count": 0}]}}',
        '{"version": 1, "findings": {"a": [{"rule": "x", "symbol": ""}]}}',
        "[" * 100_000,
    ],
)
def test_damaged_baselines_are_reported(text: str) -> None:
    with pytest.raises(BaselineError):
        Baseline.parse(text)
