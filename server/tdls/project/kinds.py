"""The kinds of files that may define operations, and how to tell which ones do."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class SourceKind(Enum):
    """What a file is written in. The value is for people."""

    TABLEGEN = "TableGen"
    CPP = "C++"
    IRDL = "IRDL"
    PYTHON = "Python"
    BINDINGS = "Python bindings"
    CATALOGUE = "JSON catalogue"


_SUFFIXES = {
    ".td": SourceKind.TABLEGEN,
    ".cpp": SourceKind.CPP,
    ".cc": SourceKind.CPP,
    ".cxx": SourceKind.CPP,
    ".h": SourceKind.CPP,
    ".hpp": SourceKind.CPP,
    ".irdl": SourceKind.IRDL,
    ".mlir": SourceKind.IRDL,
    ".py": SourceKind.PYTHON,
}
_CATALOGUE_NAME = re.compile(r"(.*\.)?tdls(-catalogue)?\.json")
_BINDINGS_NAME = re.compile(r"_\w+_ops_gen\.py")
_SIGNS = {SourceKind.IRDL: re.compile(rb"irdl\.dialect")}
"""What stands in every file that has something to say, for kinds whose reader does not look first itself."""
PATTERNS = ("**/*.{td,cpp,cc,cxx,h,hpp,irdl,py}", "**/*.json")
"""Globs, as editors understand them, for files that may define operations, scripts excepted."""


def kind_of(name: str) -> SourceKind | None:
    """Return what a file called `name` may be; None for what is no source of definitions."""
    if _CATALOGUE_NAME.fullmatch(name):
        return SourceKind.CATALOGUE
    if _BINDINGS_NAME.fullmatch(name):
        return SourceKind.BINDINGS
    return _SUFFIXES.get(name[name.rfind(".") :])


def may_define(kind: SourceKind, content: bytes) -> bool:
    """Tell by a quick look whether a file of this kind and `content` may have something to say."""
    sign = _SIGNS.get(kind)
    return sign is None or sign.search(content) is not None


def is_source(path: Path) -> bool:
    """Tell whether `path` is the name of a file that may define operations."""
    return kind_of(path.name) is not None
