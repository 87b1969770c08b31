"""What tdls itself is, as far as findings rest on it: its code, its facts, its grammars, and Python."""

from __future__ import annotations

import hashlib
import os
import sys
import uuid
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import tdls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.cli.cache.store import Store

_PACKAGE = Path(tdls.__file__).resolve().parent
_COMPILED = "__pycache__"
_PYTHON = str(sys.version_info[:3]).encode()


def program_digest(store: Store, package: Path = _PACKAGE) -> str:
    """Return a hash of tdls, whose code is in the folder `package`, and of the Python that runs it.

    Files are hashed once for each installation: as long as none has another size or time, `store` knows the hash. So
    the results of one installation hold in another one with the same content.
    """
    try:
        files = sorted(_files(package))
        looks = hashlib.sha256(_PYTHON)
        for name, status in files:
            looks.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
        key = looks.hexdigest()
        known = store.get(key)
        if known is None:
            known = _content(package, [name for name, _ in files])
            store.put(key, known)
    except OSError:  # somebody is changing tdls
        return uuid.uuid4().hex
    return known


def _files(package: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the files of the package and of the grammars, which stand beside it in a checkout, and lark's version."""
    grammars = package.parent.parent / "grammar"
    pending = [package, *([grammars] if grammars.is_dir() and not (package / "grammar").is_dir() else [])]
    parser = find_spec("lark")
    if parser is not None and parser.origin is not None:
        yield parser.origin, Path(parser.origin).stat()
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    pending += [Path(entry.path)] if entry.name != _COMPILED else []
                else:
                    yield entry.path, entry.stat()


def _content(package: Path, names: list[str]) -> str:
    content = hashlib.sha256(_PYTHON)
    for name in names:
        path = Path(name)
        shown = path.relative_to(package) if path.is_relative_to(package) else Path(path.parent.name, path.name)
        content.update(f"{shown.as_posix()}\0".encode())
        content.update(hashlib.sha256(path.read_bytes()).digest())
    return content.hexdigest()
