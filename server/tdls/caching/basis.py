"""Cache keys: a hash of the content a value was computed from, and of the code that computed it."""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import tdls
from tdls.caching.digest import DIGITS, digest
from tdls.caching.store import Store
from tdls.caching.user_cache import cache_folder
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BYTECODE = "__pycache__"
_GRAMMARS = "grammar"
_PYTHON = repr(sys.version_info[:3])
_DIGEST = re.compile(rf"[0-9a-f]{{{DIGITS}}}")


def own_file(part: str, package: Path | None = None) -> Path:
    """Return the path of a file or folder of the tdls in `package`; None is the running tdls.

    Grammars are in the package in a wheel, and two levels above it in a checkout.
    """
    package = package or _package()
    packaged = package / part
    is_in_checkout = part.partition("/")[0] == _GRAMMARS and not packaged.exists()
    return package.parents[1] / part if is_in_checkout else packaged


def _package() -> Path:
    return Path(tdls.__file__).resolve().parent


@cache
def own_digest(parts: tuple[str, ...]) -> str:
    """Return a hash of `parts` of the running tdls, and of the Python that runs it."""
    return digest_of_parts(parts, Store.of_user(), _package())


def digest_of_parts(parts: Sequence[str], store: Store | None, package: Path) -> str:
    """Return a hash of files and folders of the tdls whose code is in the folder `package`.

    Files are hashed once for each installation: `store` has the hash as long as sizes and modification times are
    unchanged. The hash is that of the content, so results are valid in every installation with the same content.
    """
    try:
        files = dict(_files(parts, package))
        names = sorted(files)
        looks = (f"{name}\0{files[name].st_size}\0{files[name].st_mtime_ns}\n" for name in names)
        key = digest(_PYTHON, "".join(looks))
        known = store.get(key) if store is not None else None
        if known is None or not _DIGEST.fullmatch(known):
            known = _content(names, package)
            if store is not None:
                store.put(key, known)
    except OSError:  # the files of tdls are being replaced
        import uuid

        return uuid.uuid4().hex
    return known


def _files(parts: Sequence[str], package: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the paths and states of the files in `parts`, and of lark's module, which holds its version."""
    parser = find_spec("lark")
    if parser is not None and parser.origin is not None:
        yield parser.origin, Path(parser.origin).stat()
    for part in parts:
        place = own_file(part, package)
        yield from _files_in(str(place)) if place.is_dir() else [(str(place), place.stat())]


def _files_in(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    pending = [folder]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    pending += [entry.path] if entry.name != _BYTECODE else []
                else:
                    yield entry.path, entry.stat()


def _content(names: Sequence[str], package: Path) -> str:
    files = sorted((_shown(Path(name), package), Path(name)) for name in names)
    return digest(_PYTHON, *(part for shown, path in files for part in (shown, digest(path.read_bytes()))))


def _shown(path: Path, package: Path) -> str:
    """Return a name for the file that is the same in every installation."""
    shown = path.relative_to(package) if path.is_relative_to(package) else Path(path.parent.name, path.name)
    return shown.as_posix()


_DIGITS_IN_NAME = 16
EVERYTHING = (".", "grammar")
"""The parts of a value that depends on all of tdls."""


class Basis(Struct, frozen=True):
    """Inputs of all values of one kind, other than their content: parts of tdls, Python, and lark."""

    kind: str
    """Prefix of the names of files that store such values."""
    parts: tuple[str, ...]
    """Files and folders of the package, code and facts alike; ``grammar`` is the folder of grammars."""

    def key(self, *content: str | bytes) -> str:
        """Return the cache key of the value that is computed from `content` and from nothing else that could change."""
        return digest(self.kind, tdls.__version__, own_digest(self.parts), *content)

    def file(self, *content: str | bytes) -> Path | None:
        """Return the cache file for the value that is computed from `content`; None without a cache folder."""
        folder = cache_folder()
        return folder / f"{self.kind}-{self.key(*content)[:_DIGITS_IN_NAME]}" if folder is not None else None
