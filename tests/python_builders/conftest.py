"""Fixtures for tests of Python programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from python_builders.programs import HEAD, Programs
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    """A folder with the module ``kit``; skips without bindings."""
    require_bindings()
    (tmp_path / "kit.py").write_text(HEAD, encoding="utf-8")
    return Programs(tmp_path)
