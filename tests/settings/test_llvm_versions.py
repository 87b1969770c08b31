"""Names of LLVM versions: releases by number, snapshots of main by month, wheels."""

from __future__ import annotations

import pytest

from tdls.settings.keys import keys
from tdls.settings.layer import read_layer
from tdls.settings.llvm_versions import (
    llvm_versions,
    newest_release,
    newest_version,
    version_name,
    version_named,
    version_of_tool,
    version_ranges,
)


def test_each_version_has_a_name_that_means_it() -> None:
    for version in llvm_versions():
        assert version_named(version_name(version)) == version


@pytest.mark.parametrize(
    ("name", "version"),
    [
        (18, 18),
        ("21", 21),
        ("main", newest_version()),
        ("2026-11", newest_version()),
        ("2025-03", 21),
        ("2025-07", 21),
        ("2025-08", 22),
        ("iree-3.5", 21),
        (17, None),
        (newest_release() + 1, None),
        ("2026-13", None),
        ("2019-01", None),
        ("\u0662\u0662", None),
        (True, None),
        (22.0, None),
    ],
)
def test_names_of_versions(name: object, version: int | None) -> None:
    assert version_named(name) == version


@pytest.mark.parametrize(
    ("mlir", "version"),
    [
        ("LLVM 22.1.8", 22),
        ("LLVM 16.0.6", 16),
        ("LLVM 99.0.0git", newest_version()),
        ("iree-base-compiler 3.13.0", newest_version()),
        ("torch-mlir 20261001", 23),
        ("somebody's mlir", None),
    ],
)
def test_versions_of_tools(mlir: str, version: int | None) -> None:
    assert version_of_tool(mlir) == version


def test_ranges_are_of_neighbours() -> None:
    assert version_ranges((22, 18, 19, newest_version())) == "LLVM 18 to 19, 22 and main"
    assert version_ranges((16, 17)) == "LLVM 16 to 17"
    assert version_ranges(llvm_versions()) == "LLVM 18 to main"


def test_an_unknown_version_is_one_problem_and_costs_no_other_setting() -> None:
    sound, (problem,) = read_layer({"target-llvm": 99, "ignore": []}, {})
    assert sound == {"ignore": []}
    assert problem.message == "`target-llvm` cannot be `99`"
    assert all(f"`{version}`" in problem.help for version in llvm_versions()[:-1])
    assert keys({})["target-llvm"]
