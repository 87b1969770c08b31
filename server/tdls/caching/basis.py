"""What a kept value rests on: what it was made of, and what made it."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import tdls
from tdls.caching.digest import DIGITS, digest
from tdls.caching.store import Store
from tdls.caching.user_cache import cache_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BYTECODE = "__pycache__"
_GRAMMARS = "grammar"
_PYTHON = repr(sys.version_info[:3])
_DIGEST = re.compile(rf"[0-9a-f]{{{DIGITS}}}")


def own_file(part: str, package: Path | None = None) -> Path:
    """Return where a file or folder of the tdls in `package` is, None is the one that runs.

    Grammars are in the wheel, or beside the code in a checkout.
    """
    package = package or _package()
    packaged = package / part
    is_elsewhere = part.partition("/")[0] == _GRAMMARS and not packaged.exists()
    return package.parents[1] / part if is_elsewhere else packaged


def _package() -> Path:
    return Path(tdls.__file__).resolve().parent


@cache
def own_digest(parts: tuple[str, ...]) -> str:
    """Return a hash of `parts` of the tdls that runs, and of the Python that runs it."""
    return digest_of_parts(parts, Store.of_user(), _package())


def digest_of_parts(parts: Sequence[str], store: Store | None, package: Path) -> str:
    """Return a hash of files and folders of the tdls whose code is in the folder `package`.

    Files are hashed once for each installation: as long as none has another size or time, `store` knows the hash. So
    the results of one installation hold in another one with the same content.
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
    except OSError:  # somebody is changing tdls
        import uuid

        return uuid.uuid4().hex
    return known


def _files(parts: Sequence[str], package: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the paths and states of the files in `parts`, and of the one that has lark's version."""
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
    """Return the name of a file that is the same in every installation."""
    shown = path.relative_to(package) if path.is_relative_to(package) else Path(path.parent.name, path.name)
    return shown.as_posix()


_DIGITS_IN_NAME = 16
EVERYTHING = (".", "grammar")
"""The parts of what rests on all that tdls is."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What values of one kind rest on besides what they were made of: parts of tdls, Python, and lark."""

    kind: str
    """Begins the names of files in which such values are kept."""
    parts: tuple[str, ...]
    """Files and folders of the package, code and facts alike; ``grammar`` is the folder of grammars."""

    def key(self, *content: str | bytes) -> str:
        """Return what stands for the value that is made of `content`, and of nothing else that could change."""
        return digest(self.kind, tdls.__version__, own_digest(self.parts), *content)

    def file(self, *content: str | bytes) -> Path | None:
        """Return where to keep the value that is made of `content`; None if there is no place."""
        folder = cache_folder()
        return folder / f"{self.kind}-{self.key(*content)[:_DIGITS_IN_NAME]}" if folder is not None else None
