from __future__ import annotations

from pathlib import Path

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

CONFIGURATION = Path(__file__).parents[2] / "pyproject.toml"


def test_no_floor_imports_a_higher_one() -> None:
    assert lint_imports(config_filename=str(CONFIGURATION), no_cache=True) == EXIT_STATUS_SUCCESS
