"""The versions of LLVM that the shipped facts know, and what people call them.

A release is its number. A snapshot of the main branch is its month, 202608, so it is later than all releases. The table
is one of the shipped facts: a new version needs no change here.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Iterable

_TABLE: Final = Path(__file__).resolve().parents[1] / "catalogue" / "facts" / "_versions.json"
_MAIN: Final = "main"
_MONTH: Final = re.compile(r"(20\d\d)-(0[1-9]|1[0-2])", re.ASCII)
_RELEASE: Final = re.compile(r"\d{1,3}", re.ASCII)
_TOOL: Final = re.compile(r"LLVM (\d+)", re.ASCII)


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(_TABLE.read_text(encoding="utf-8"))
    return table


@lru_cache(maxsize=1)
def llvm_versions() -> tuple[int, ...]:
    """Return the versions that a script can be for, oldest first."""
    return (*map(int, _table()["releases"]), *_table()["snapshots"])


@lru_cache(maxsize=1)
def older_versions() -> tuple[int, ...]:
    """Return the oldest versions; their facts have the forms of transform operations that later ones lack."""
    return tuple(_table()["older"])


def newest_version() -> int:
    """Return the newest snapshot of the main branch."""
    return llvm_versions()[-1]


@lru_cache(maxsize=1)
def newest_release() -> int:
    """Return the newest release."""
    return int(list(_table()["releases"])[-1])


def version_since(change: str) -> int:
    """Return the first version with a change of MLIR that the facts name, such as ``strict-properties``."""
    return int(_table()["since"][change])


def is_estimated(version: int, dialect: str) -> bool:
    """Whether the facts of a dialect in `version` are those of its neighbours, since no tool of it has the dialect."""
    return dialect in _table()["releases"].get(str(version), {}).get("estimated", ())


def version_named(value: object) -> int | None:
    """Return the version that a number, ``main``, a month of it (``2026-10``) or a wheel stands for, or None.

    In a month before the oldest snapshot, main was what became the next release.
    """
    if isinstance(value, int):
        return value if not isinstance(value, bool) and str(value) in _table()["releases"] else None
    if not isinstance(value, str):
        return None
    if _RELEASE.fullmatch(value):
        return version_named(int(value))
    month = _MONTH.fullmatch(value)
    if month is None:
        wheels: dict[str, int] = _table()["wheels"]
        return newest_version() if value == _MAIN else wheels.get(value, wheels.get(value.removesuffix(".0")))
    snapshots: list[int] = [snapshot for snapshot in _table()["snapshots"] if snapshot <= int(month[1] + month[2])]
    if snapshots:
        return max(snapshots)
    if value < _table()["first_month"]:
        return None
    later = (int(number) for number, release in _table()["releases"].items() if value <= release["branched"])
    return next(later, newest_release())


def version_of_tool(mlir: str) -> int | None:
    """Return the version of a tool or of bindings by what they print of themselves, or None."""
    tool = _TOOL.match(mlir)
    if tool is None:
        return version_named(mlir.replace("-base-compiler ", "-").replace(" ", "-"))
    return int(tool[1]) if int(tool[1]) <= newest_release() else newest_version()


def version_name(version: int) -> str:
    """Return the name of a version, as settings and people write it."""
    return _MAIN if version == newest_version() else month_name(version) if version > newest_release() else str(version)


def month_name(snapshot: int) -> str:
    """Return the month of a snapshot, ``2026-08``."""
    return f"{snapshot // 100}-{snapshot % 100:02}"


def version_ranges(versions: Iterable[int]) -> str:
    """Return several versions as ranges: ``LLVM 18, 20 to 23 and main``."""
    known = [*dict.fromkeys((*older_versions(), *llvm_versions()))]
    ranges: list[list[int]] = []
    for version in sorted(versions):
        is_next = bool(ranges) and ranges[-1][-1] in known and version in known[known.index(ranges[-1][-1]) + 1 :][:1]
        if is_next:
            ranges[-1].append(version)
        else:
            ranges.append([version])
    return f"LLVM {enumerated([' to '.join(map(version_name, dict.fromkeys((each[0], each[-1])))) for each in ranges])}"


def known_versions() -> str:
    """Return the names that a setting may have, for messages: ``18, 19, main, or a month of main such as 2026-08``."""
    names = ", ".join(map(version_name, llvm_versions()))
    return f"{names}, or a month of main such as {month_name(newest_version())}"


def wheel_names() -> tuple[str, ...]:
    """Return the names of wheels that stand for the version of LLVM in them."""
    return tuple(_table()["wheels"])
