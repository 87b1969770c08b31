"""Tables at the end of pytest: time by folder, numbers of comparisons; the choice of tests, and their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import samples

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

TESTS = Path(__file__).resolve().parents[1]
LONGEST_FIRST = ("patterns", "differential", "interpreter", "cli", "lsp", "projects", "soak", "integrations", "editors")
"""Folders in the order in which their tests begin, so that no process is left with a long file at the end."""
Compared = Callable[[str, int], None]
"""Notes a kind of things and how many of them a test has compared."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file of which all tests would be left out, which takes seconds."""
    if config.getoption("--all") or config.getoption("--rest"):
        return None
    folder = folder_of(collection_path.relative_to(TESTS.parent).as_posix())
    return folder in samples.TESTS_OF_SAMPLES or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the command line does not ask for, and begin with the longest files."""
    for item in items:
        if folder_of(item.nodeid) in samples.TESTS_OF_SAMPLES:
            item.add_marker("sample")
    left_out = [item for item in items if samples.is_left_out(item, config)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not samples.is_left_out(item, config)]
    ranks = {name: rank for rank, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: ranks.get(folder_of(item.nodeid), len(ranks)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables if the command line requests the slowest tests, too."""
    if not terminalreporter.config.getoption("durations"):
        return
    reports = [report for report in chain(*terminalreporter.stats.values()) if hasattr(report, "duration")]
    terminalreporter.section("seconds by folder")
    for folder, seconds in seconds_by_folder(reports).most_common():
        terminalreporter.line(f"{seconds:8.1f}  {folder}")
    terminalreporter.section("compared")
    for what, count in sorted(compared_things(reports).items()):
        terminalreporter.line(f"{count:8,}  {what}")


def seconds_by_folder(reports: Iterable[pytest.TestReport]) -> Counter[str]:
    """Add up the times of a folder's tests, in all processes."""
    seconds: Counter[str] = Counter()
    for report in reports:
        seconds[folder_of(report.nodeid)] += report.duration  # type: ignore[assignment]
    return seconds


def folder_of(nodeid: str) -> str:
    """Return the folder of `tests` that a test is in."""
    return nodeid.removeprefix("tests/").split("/")[0]


def compared_things(reports: Iterable[pytest.TestReport]) -> Counter[str]:
    """Add up the numbers of comparisons that tests have noted."""
    return Counter(
        {
            f"{report.nodeid.split('::')[0]}: {what}": count
            for report in reports
            if report.when == "call"
            for what, count in report.user_properties
            if isinstance(count, int)
        }
    )
