"""Replacement for MLIR's own TableGen files where these are not found: see ``prelude/README.md``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tdls.catalogue.sources.tablegen.modules import Project
from tdls.catalogue.sources.tablegen.parser import parse

_FOLDER = Path(__file__).with_name("prelude")


@cache
def prelude() -> Project:
    """Return the files of the prelude, each visible in the others."""
    files = {path: parse(path.read_text(encoding="utf-8")) for path in sorted(_FOLDER.glob("*.td"))}
    return Project(files, (), lambda _: None)
