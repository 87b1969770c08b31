"""Small projects of TableGen files, given as texts."""

from __future__ import annotations

from pathlib import Path

from tdls.catalogue.sources.tablegen import TableGenDefinitions, TableGenOperation, read_units
from tdls.catalogue.sources.tablegen.modules import Project
from tdls.catalogue.sources.tablegen.parser import parse

FOLDER = Path("/project").absolute()


def read_project(**files: str) -> TableGenDefinitions:
    """Read files that are given by name, with ``__`` for a slash and without ``.td``; nothing else can be included."""
    return read_units({_path(name): text for name, text in files.items()}, (), lambda _: None)


def read_text(text: str) -> TableGenDefinitions:
    """Read a single file."""
    return read_project(main=text)


def only_operation(text: str) -> TableGenOperation:
    """The one operation that a file defines."""
    (operation,) = read_text(text).operations
    return operation


def evaluated(text: str) -> Project:
    """The records of a file, without MLIR's own."""
    return Project({_path("main"): parse(text)}, (), lambda _: None)


def _path(name: str) -> Path:
    return FOLDER / f"{name.replace('__', '/')}.td"
