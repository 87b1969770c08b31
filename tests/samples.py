"""How much of a large space tests try: a part of it by default, as much as they are made for with ``--all``.

The marker `sample` is for tests that only ``--all`` runs: proofs, soaks, browsers, other clients,
editors and Pythons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

TESTS_OF_SAMPLES = ("patterns", "soak", "editors")
"""Folders whose tests all have the marker."""
_PART = 10  # the default tries one of so many


class _Extent:
    is_whole = False


def configure(config: pytest.Config) -> None:
    """Take the command line's choice, before test modules are imported."""
    config.addinivalue_line("markers", "sample: part of a large space, or another client; left out without --all")
    _Extent.is_whole = config.getoption("--all") or config.getoption("--rest")


def some(whole: int) -> int:
    """Return how many of `whole` things to try."""
    return whole if _Extent.is_whole else max(1, whole // _PART)


def every(stride: int) -> int:
    """Return the stride in place of `stride`."""
    return stride if _Extent.is_whole else stride * _PART


def at_least(share: float) -> float:
    """Return the share that has to agree: one of few things is a large part of them."""
    return share if _Extent.is_whole else share - 0.1


def is_left_out(item: pytest.Item, config: pytest.Config) -> bool:
    """Whether a test is left out; ``--rest`` runs what the default does not, and modules that try more then."""
    is_sample = item.get_closest_marker("sample") is not None
    if config.getoption("--rest"):
        names = vars(getattr(item, "module", None) or object)
        is_generated = hasattr(getattr(item, "obj", None), "hypothesis")
        return not (is_sample or is_generated or names.get("some") is some or names.get("every") is every)
    return is_sample and not config.getoption("--all")
