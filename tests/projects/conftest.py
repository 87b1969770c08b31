"""Each test has a cache folder of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import platformdirs
import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_arguments, **_options: str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder
