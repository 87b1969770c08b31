"""Which file an ``include`` means."""

from __future__ import annotations

import os.path
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from tdls.catalogue.sources.tablegen.syntax.parser import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tdls.catalogue.sources.tablegen.syntax.parser import ParsedFile


class FileFinder:
    """Finds included files and parses each once.

    A path is looked for next to the including file, then in the include folders, then among the ends of the paths of
    the project's own files, those nearest to the including file first.
    """

    def __init__(
        self,
        parsed: Mapping[Path, ParsedFile],
        include_folders: Sequence[Path],
        read: Callable[[Path], str | None],
        parse_text: Callable[[str], ParsedFile] = parse,
    ) -> None:
        self._own = parsed
        self._folders = include_folders
        self._read = read
        self._parse = parse_text
        self._parsed: dict[tuple[Path, frozenset[str]], ParsedFile | None] = {}
        self._by_name: dict[str, list[Path]] = {}
        for path in parsed:
            self._by_name.setdefault(path.name, []).append(path)
        self._found: dict[tuple[str, Path], Path | None] = {}

    def find(self, written: str, includer: Path) -> Path | None:
        """The file that ``include "written"`` means in the file `includer`; None if there is none."""
        key = (written, includer.parent)
        if key not in self._found:
            found = (path for path in self._candidates(written, includer) if self.parsed(path) is not None)
            self._found[key] = next(found, None)
        return self._found[key]

    def parsed(self, path: Path, macros: frozenset[str] = frozenset()) -> ParsedFile | None:
        """A file as it is where `macros` are defined; None if it cannot be read."""
        if not macros and path in self._own:
            return self._own[path]
        key = (path, macros)
        if key not in self._parsed:
            text = self._read(path)
            if text is None:
                self._parsed[key] = None
            else:
                self._parsed[key] = parse(text, macros) if macros else self._parse(text)
        return self._parsed[key]

    def _candidates(self, written: str, includer: Path) -> Iterator[Path]:
        for folder in (includer.parent, *self._folders):
            yield Path(os.path.normpath(folder / written))
        end = PurePosixPath(written).parts
        same_end = [path for path in self._by_name.get(end[-1] if end else "", ()) if path.parts[-len(end) :] == end]
        yield from sorted(same_end, key=lambda path: -_common_parts(path, includer))


def _common_parts(first: Path, other: Path) -> int:
    """How many folders two paths have in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first.parts, other.parts, strict=False)))
