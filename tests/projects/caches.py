"""Fixtures: a cache folder of a test's own, in which nothing is known of projects but for MLIR's bindings."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import platformdirs
import pytest

from fork_server import tdls_command

SAMPLE = Path(__file__).parent / "samples" / "kiln"
OF_TDLS_ALONE = ("*.tables-*", "formats-*")
OF_BINDINGS = "project*"
"""Patterns of cache files that take seconds to make and depend on no project."""


@pytest.fixture(scope="session")
def grammars(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Cache files of tdls's grammars, made once."""
    folder = tmp_path_factory.mktemp("grammars")
    command = [*tdls_command(), "--check", str(SAMPLE)]
    subprocess.run(command, env={**os.environ, "TDLS_CACHE_DIR": str(folder)}, capture_output=True, check=False)
    return [file for pattern in OF_TDLS_ALONE for file in folder.glob(pattern)]


@pytest.fixture
def cache_folder(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    grammars: list[Path],
    known_bindings: Path,
) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    (folder / "tdls").mkdir(0o700)
    for file in (*grammars, *known_bindings.glob(OF_BINDINGS)):
        shutil.copyfile(file, folder / file.name)
        shutil.copyfile(file, folder / "tdls" / file.name)
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_arguments, **_options: str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder
