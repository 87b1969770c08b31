"""Fixtures: a cache folder of a test's own, in which nothing is known of projects but for MLIR's bindings."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import platformdirs
import pytest

from command_line import STARTED
from tdls.caching.user_cache import cache_place

SAMPLE = Path(__file__).parent / "samples" / "kiln"
OF_TDLS_ALONE = ("*.tables-*", "formats-*")
OF_BINDINGS = "project*"
"""Patterns of cache files that take seconds to make and depend on no project."""


@pytest.fixture(scope="session")
def grammars(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Cache files of tdls's grammars, made once."""
    folder = tmp_path_factory.mktemp("grammars")
    variables = {**os.environ, "TDLS_CACHE_DIR": str(folder)}
    subprocess.run([*STARTED, "--check", str(SAMPLE)], env=variables, capture_output=True, check=False)
    return [file for pattern in OF_TDLS_ALONE for file in folder.rglob(pattern)]


@pytest.fixture
def cache_folder(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    grammars: list[Path],
    known_bindings: Path,
) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_arguments, **_options: str(folder / "tdls"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    made = cache_place().folder
    assert made is not None
    for file in (*grammars, *known_bindings.rglob(OF_BINDINGS)):
        shutil.copyfile(file, made / file.name)
    return made
