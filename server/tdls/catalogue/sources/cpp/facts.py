"""Facts of C++ sources on the classes of operations: places of their functions, and bodies that add effects.

Sources are read one by one (`read_source`), so that the facts of a file can be cached; `merge` combines files.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.catalogue.sources.cpp.reading import GET_EFFECTS, IMPLEMENTATIONS, CppFunction, FileFacts, read_source
from tdls.structs import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tdls.catalogue.model import SourcePlace


class CppClassFacts(Struct, frozen=True):
    """The facts of one class: its ``getEffects``, and places of its functions in the order of `IMPLEMENTATIONS`."""

    effects: CppFunction | None
    places: tuple[SourcePlace, ...]
    allows_repeated_handles: bool = False
    has_effects: bool = False
    """True if there is a ``getEffects``; several different ones leave `effects` None."""


class CppFacts(Struct, frozen=True):
    """The facts of all files."""

    functions: Mapping[str, tuple[CppFunction, ...]]
    """Functions by the last name of their class."""
    bases: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Names of the bases of classes, by name."""

    def effects_of(self, cpp_class: str, most_bases: int = 5) -> CppFunction | None:
        """Return the ``getEffects`` of a class, own or inherited, or None if not certain."""
        found = self.of(cpp_class)
        if found is not None and found.has_effects:
            return found.effects
        bases = self.bases.get(cpp_class.rpartition("::")[2], ()) if most_bases else ()
        inherited = [effects for base in sorted(bases) if (effects := self.effects_of(base, most_bases - 1))]
        return inherited[0] if len(inherited) == 1 else None

    def of(self, cpp_class: str) -> CppClassFacts | None:
        """Return the facts of a class, ``mlir::transform::MyOp``, or None if no function of it was found."""
        target = tuple(re.findall(r"\w+", cpp_class))
        members = _members(self.functions.get(target[-1], ()), target) if target else []
        if not members:
            return None
        places = sorted(members, key=lambda member: IMPLEMENTATIONS.index(member.name))
        return CppClassFacts(
            self._effects(members),
            tuple(member.place for member in places),
            any(member.name == "allowsRepeatedHandleOperands" and member.returns_true for member in members),
            any(member.name == GET_EFFECTS for member in members),
        )

    def _effects(self, members: list[CppFunction]) -> CppFunction | None:
        """Return the ``getEffects``, if all that were found are copies of one."""
        bodies = {member.words: member for member in members if member.effects}
        return next(iter(bodies.values())) if len(bodies) == 1 else None


def read_sources(files: Mapping[Path, str]) -> CppFacts:
    """Read files with their texts. Never raises."""
    return merge(read_source(path, text) for path, text in files.items())


def merge(files: Iterable[FileFacts]) -> CppFacts:
    """Combine the facts of files."""
    by_class: dict[str, list[CppFunction]] = {}
    kept = list(files)
    for function in (function for file in kept for function in file.functions):
        if function.owner.names:
            by_class.setdefault(function.owner.names[-1], []).append(function)
    bases: dict[str, set[str]] = {}
    for name, names in (pair for file in kept for pair in file.bases):
        bases.setdefault(name, set()).update(names)
    functions = {name: tuple(several) for name, several in by_class.items()}
    return CppFacts(functions, {name: frozenset(found) for name, found in bases.items()})


def _members(functions_of_name: Iterable[CppFunction], target: tuple[str, ...]) -> list[CppFunction]:
    """Return the functions of the class with the qualified name `target`; none if the class is ambiguous."""
    exact: list[CppFunction] = []
    close: list[CppFunction] = []
    for function in functions_of_name:
        if target in function.owner.qualified():
            exact.append(function)
        elif function.owner.may_be(target):
            close.append(function)
    if exact:
        return exact
    return close if len({function.owner.full for function in close}) == 1 else []
