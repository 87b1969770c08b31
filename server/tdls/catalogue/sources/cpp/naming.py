"""Which class a C++ function belongs to, as far as the file that defines it tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClassName:
    """What stands before a function's name (`written`), and what it is seen from: the namespaces and classes around,
    those that are imported by ``using namespace``, and other names of namespaces."""

    written: Path
    scope: Path = ()
    imported: tuple[Path, ...] = ()
    aliases: tuple[tuple[str, Path], ...] = ()

    @property
    def full(self) -> Path:
        """All that is written, from the outermost namespace."""
        return (*self.scope, *self.written)

    @property
    def names(self) -> Path:
        """The class's name in its last place; empty for a function at the top level of a file."""
        return self.full[-1:]

    def qualified(self) -> frozenset[Path]:
        """All names that the class may have, by the rules of C++ for looking up what is written."""
        return frozenset(self._qualified())

    def may_be(self, target: Path) -> bool:
        """May this be the class `target`, if the file imports more than can be seen, or `target` is incomplete?"""
        return any(_is_within(name, target) or _is_end(target, name) for name in (self.full, *self._replaced()))

    def may_be_called(self, qualifier: Path) -> bool:
        """May a call with `qualifier` before the function's name mean a function of this class or namespace?"""
        return not qualifier or any(_is_end(qualifier, name) for name in self._qualified())

    def _replaced(self) -> Iterator[Path]:
        """What is written, with the name that an alias stands for."""
        for alias, path in self.aliases:
            if self.written[:1] == (alias,):
                yield (*path, *self.written[1:])

    def _qualified(self) -> Iterator[Path]:
        for written in (self.written, *self._replaced()):
            for length in range(len(self.scope) + 1):
                outer = self.scope[:length]
                yield (*outer, *written)
                for imported in self.imported:
                    yield (*outer, *imported, *written)


def _is_within(names: Path, path: Path) -> bool:
    """Are these names of `path`, in order, with the last one as the last?"""
    rest = iter(path)
    return bool(names) and names[-1] == path[-1] and all(name in rest for name in names)


def _is_end(end: Path, path: Path) -> bool:
    return bool(end) and path[-len(end) :] == end
