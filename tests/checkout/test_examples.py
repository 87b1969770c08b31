"""The scripts in examples/ have the findings of their comments."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.files.selection import split_of
from tdls.syntax.sections.boundaries import SplitMode
from tools_at_hand import require_bindings, require_mlir_opt, require_tool

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CATALOGUE = Catalogue.shipped()


def found(name: str) -> list[str]:
    file = EXAMPLES / name
    split = SplitMode[split_of(file, "AUTO")]
    result = findings_in_file(SourceFile.of(file.read_text(encoding="utf-8"), CATALOGUE, split=split))
    return [diagnostic.rule for diagnostic in result]


@pytest.mark.parametrize("name", ["tile_and_vectorize", "matcher_library"])
def test_clean_scripts_are_clean(name: str) -> None:
    assert set(found(f"{name}.mlir")) <= {"removed-operation"}


def test_operations_without_sources_are_hints_at_most() -> None:
    assert set(found("project_operations.mlir")) == {"unknown-extension-operation"}


@pytest.mark.parametrize("name", ["search.py", "search.mjs"])
def test_the_search_tries_all_sizes(name: str) -> None:
    require_bindings()
    program = sys.executable if name.endswith(".py") else str(require_tool("node", "Debian package nodejs"))
    variables = {**os.environ, "TDLS": str(Path(sys.executable).with_name("tdls"))}
    command = [program, str(EXAMPLES / name)]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    ends = Counter(" ".join(line.split()[3:4]) for line in done.stdout.splitlines())
    assert set(ends) == {"success", "silenceable"}
    assert ends.total() == 64


@pytest.mark.parametrize("name", ["stale_handle.mlir", "schedule.py"])
def test_stale_handle_is_found(name: str) -> None:
    assert found(name) == ["use-after-free"]


@pytest.mark.parametrize("name", ["tile_and_vectorize", "matcher_library"])
def test_complete_scripts_run_in_mlir(name: str) -> None:
    file = str(EXAMPLES / f"{name}.mlir")
    command = [str(require_mlir_opt(22)), file, "--transform-interpreter", "-o", "-"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    first_effect = {"tile_and_vectorize": "vector.contract", "matcher_library": 'strategy = "contraction"'}
    assert first_effect[name] in done.stdout
