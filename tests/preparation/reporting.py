"""Tables at the end of pytest: time by folder, numbers of comparisons; the choice of slow tests, and their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

TESTS = Path(__file__).resolve().parents[1]
SLOW_FOLDERS = (
    "patterns",
    "differential",
    "interpreter",
    "cli",
    "lsp",
    "projects",
    "soak",
    "integrations",
    "editors",
    "security",
    "fork_server",
)
"""Folders whose tests compare much with MLIR, or start programs. All of them are slow, but for the samples.

They are begun in this order: the longest file is in the first."""
NOT_SLOW = "not slow"
"""Pytest's expression of markers that leaves out slow tests."""
_SAMPLE = "mark.sample"
Compared = Callable[[str, int], None]
"""Notes a kind of things and how many of them a test has compared."""


def pytest_configure(config: pytest.Config) -> None:
    """Tell pytest the markers."""
    config.addinivalue_line("markers", "slow: left out by tests/run.py --quick, as all tests of some folders are")
    config.addinivalue_line("markers", "sample: part of tests/run.py --quick in such a folder")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file of which all tests would be left out, which takes seconds."""
    if config.getoption("markexpr") != NOT_SLOW or collection_path.suffix != ".py":
        return None
    folder = folder_of(collection_path.relative_to(TESTS.parent).as_posix())
    is_left_out = folder in SLOW_FOLDERS and _SAMPLE not in collection_path.read_text(encoding="utf-8")
    return is_left_out or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests, and begin with their files, so that no worker is left with one of them at the end."""
    for item in items:
        if folder_of(item.nodeid) in SLOW_FOLDERS and not item.get_closest_marker("sample"):
            item.add_marker("slow")
    ranks = {name: rank for rank, name in enumerate(SLOW_FOLDERS)}
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
