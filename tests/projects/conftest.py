"""Each test has a cache folder of its own."""

from __future__ import annotations

import pytest

from projects.caches import cache_folder, grammars

__all__ = ["cache_folder", "grammars"]


@pytest.fixture(autouse=True)
def _own_cache(request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("cache_folder")
