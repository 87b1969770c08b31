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
    from tdls.catalogue.sources.cpp.reading import ClassName
    from tdls.catalogue.sources.cpp.statements import Procedure


class CppEffects(Struct, frozen=True):
    """The body of a class's ``getEffects``, with the functions that it may call."""

    procedure: Procedure
    owner: ClassName
    place: SourcePlace
    facts: CppFacts

    def find(self, path: tuple[str, ...], count: int) -> Procedure | None:
        """Return the function of a call by `path` with `count` arguments, or None if not certain."""
        return self.facts.procedure(path, count, self)


class CppClassFacts(Struct, frozen=True):
    """The facts of one class: its ``getEffects``, and places of its functions in the order of `IMPLEMENTATIONS`."""

    effects: CppEffects | None
    places: tuple[SourcePlace, ...]
    allows_repeated_handles: bool = False
    has_effects: bool = False
    """True if there is a ``getEffects``; several different ones leave `effects` None."""


class CppFacts(Struct, frozen=True):
    """The facts of all files."""

    functions: Mapping[str, tuple[CppFunction, ...]]
    """Functions by the last name of their class."""
    procedures: Mapping[str, tuple[CppFunction, ...]] = field(default_factory=dict)
    """Functions that add effects, by name."""
    bases: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Names of the bases of classes, by name."""

    def effects_of(self, cpp_class: str, most_bases: int = 5) -> CppEffects | None:
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

    def _effects(self, members: list[CppFunction]) -> CppEffects | None:
        """Return the body of ``getEffects``, if all that were found are copies of one."""
        bodies = {
            member.words: CppEffects(member.procedure, member.owner, member.place, self)
            for member in members
            if member.name == GET_EFFECTS and member.procedure is not None
        }
        return next(iter(bodies.values())) if len(bodies) == 1 else None

    def procedure(self, path: tuple[str, ...], count: int, caller: CppEffects) -> Procedure | None:
        """Return the function that `CppEffects.find` of `caller` returns."""
        fitting = [
            function
            for function in self.procedures.get(path[-1], ())
            if function.procedure is not None and len(function.procedure.parameters) == count
        ]
        found = _called(fitting, path, caller) if len(path) > 1 or path[0] != GET_EFFECTS else None
        return found.procedure if found is not None else None


def _called(fitting: Iterable[CppFunction], path: tuple[str, ...], caller: CppEffects) -> CppFunction | None:
    """Return the function of a call by `path` among the fitting ones, or None if not certain."""
    callable_ = [function for function in fitting if function.owner.may_be_called(path[:-1])]
    own = [function for function in callable_ if function.owner.names[-1:] == caller.owner.names[-1:]]
    near = [function for function in callable_ if function.place.path == caller.place.path]
    return next((found[0] for found in (own, near, callable_) if len(found) == 1), None)


def read_sources(files: Mapping[Path, str]) -> CppFacts:
    """Read files with their texts. Never raises."""
    return merge(read_source(path, text) for path, text in files.items())


def merge(files: Iterable[FileFacts]) -> CppFacts:
    """Combine the facts of files."""
    by_class: dict[str, list[CppFunction]] = {}
    procedures: dict[str, list[CppFunction]] = {}
    kept = list(files)
    for function in (function for file in kept for function in file.functions):
        if function.name in IMPLEMENTATIONS and function.owner.names:
            by_class.setdefault(function.owner.names[-1], []).append(function)
        if function.procedure is not None:
            procedures.setdefault(function.name, []).append(function)
    bases: dict[str, set[str]] = {}
    for name, names in (pair for file in kept for pair in file.bases):
        bases.setdefault(name, set()).update(names)
    return CppFacts(_tuples(by_class), _tuples(procedures), {name: frozenset(found) for name, found in bases.items()})


def _tuples(found: Mapping[str, list[CppFunction]]) -> dict[str, tuple[CppFunction, ...]]:
    return {name: tuple(functions) for name, functions in found.items()}


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
