"""Fixtures for tests of scans."""

from __future__ import annotations

from projects.caches import cache_folder, grammars

__all__ = ["cache_folder", "grammars"]
