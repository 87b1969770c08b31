"""Cache keys: a hash of the content a value was computed from, and of the code that computed it."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import tdls
from tdls.caching.digest import DIGITS, digest
from tdls.caching.user_cache import Cache
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BYTECODE = "__pycache__"
_GRAMMARS = "grammar"
_Files = list[tuple[str, os.stat_result]]
_PYTHON = repr(sys.version_info[:3])


def own_file(part: str, package: Path | None = None) -> Path:
    """Return the path of a file or folder of the tdls in `package`; None is the running tdls.

    Grammars are in the package in a wheel, and two levels above it in a checkout.
    """
    package = package or _package()
    packaged = package / part
    is_in_checkout = part.partition("/")[0] == _GRAMMARS and not os.path.exists(packaged)
    return package.parents[1] / part if is_in_checkout else packaged


def _package() -> Path:
    return Path(tdls.__file__).resolve().parent


@cache
def own_digest(parts: tuple[str, ...]) -> str:
    """Return a hash of `parts` of the running tdls, and of the Python that runs it."""
    return digest_of_parts(parts, Cache.of_user(), _package(), _LOOKS)


_LOOKS: dict[str, _Files] = {}
"""The files in folders of the running tdls, which one digest after the other asks for."""


def digest_of_parts(parts: Sequence[str], cache: Cache, package: Path, looks: dict[str, _Files] | None = None) -> str:
    """Return a hash of files and folders of the tdls whose code is in the folder `package`.

    Files are hashed once for each installation: `cache` has the hash as long as sizes and modification times are
    unchanged. The hash is that of the content, so results are valid in every installation with the same content.
    `looks` keeps what is found in folders.
    """
    try:
        files = dict(_files(parts, package, {} if looks is None else looks))
        names = sorted(files)
        states = (f"{name}\0{files[name].st_size}\0{files[name].st_mtime_ns}\n" for name in names)
        name = f"installation-{digest(_PYTHON, ''.join(states))}"
        known = cache.get(name)
        if known is None:
            known = _content(names, package).encode("ascii")
            cache.put(name, known)
    except OSError:  # the files of tdls are being replaced
        return os.urandom(DIGITS // 2).hex()
    return known.decode("ascii")


def _files(parts: Sequence[str], package: Path, looks: dict[str, _Files]) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the paths and states of the files in `parts`, and of lark's module, which holds its version."""
    parser = find_spec("lark")
    if parser is not None and parser.origin is not None:
        yield parser.origin, Path(parser.origin).stat()
    for part in parts:
        place = own_file(part, package)
        yield from _files_in(str(place), looks) if os.path.isdir(place) else [(str(place), place.stat())]


def _files_in(folder: str, looks: dict[str, _Files]) -> _Files:
    if folder not in looks:
        found: _Files = []
        with os.scandir(folder) as entries:
            for entry in entries:
                if not entry.is_dir():
                    found.append((entry.path, entry.stat()))
                elif entry.name != _BYTECODE:
                    found += _files_in(entry.path, looks)
        looks[folder] = found
    return looks[folder]


def _content(names: Sequence[str], package: Path) -> str:
    files = sorted((_shown(Path(name), package), Path(name)) for name in names)
    return digest(_PYTHON, *(part for shown, path in files for part in (shown, digest(path.read_bytes()))))


def _shown(path: Path, package: Path) -> str:
    """Return a name for the file that is the same in every installation."""
    shown = path.relative_to(package) if path.is_relative_to(package) else Path(path.parent.name, path.name)
    return shown.as_posix()


EVERYTHING = (".", "grammar")
"""The parts of a value that depends on all of tdls."""


class Basis(Struct, frozen=True):
    """Inputs of all values of one kind, other than their content: parts of tdls, Python, and lark."""

    kind: str
    """Prefix of the names of entries with such values: lower-case letters, dots, hyphens and underscores."""
    parts: tuple[str, ...]
    """Files and folders of the package, code and facts alike; ``grammar`` is the folder of grammars."""

    def key(self, *content: str | bytes) -> str:
        """Return the cache key of the value that is computed from `content` and from nothing else that could change."""
        return digest(self.kind, tdls.__version__, own_digest(self.parts), *content)

    def name(self, *content: str | bytes) -> str:
        """Return the name of the cache entry for the value that is computed from `content`."""
        return f"{self.kind}-{self.key(*content)}"
