"""Reads one C++ file: the functions and bases of the classes of operations."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from tdls.catalogue.model import SourcePlace
from tdls.catalogue.sources.cpp.functions import Function, definitions
from tdls.catalogue.sources.cpp.statements import Block, Other, read_statements
from tdls.catalogue.sources.cpp.tokens import arguments, blanked, tokens
from tdls.structs import Struct, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tdls.catalogue.sources.cpp.statements import Words

ClassPath = tuple[str, ...]


class ClassName(Struct, frozen=True):
    """The qualifier before a function's name (`written`), and the context of its look-up: the namespaces and classes
    around it, and the namespaces of ``using namespace``."""

    written: ClassPath
    scope: ClassPath = ()
    imported: tuple[ClassPath, ...] = ()

    @property
    def full(self) -> ClassPath:
        """The whole path, from the outermost namespace."""
        return (*self.scope, *self.written)

    @property
    def names(self) -> ClassPath:
        """The last name of the path, the class's; empty for a function at the top level of a file."""
        return self.full[-1:]

    def qualified(self) -> frozenset[ClassPath]:
        """Return all qualified names that the class may have by C++ name look-up."""
        return frozenset(self._qualified())

    def may_be(self, target: ClassPath) -> bool:
        """Whether this may be the class `target`, if the file has unseen imports, or `target` is incomplete."""
        return _is_within(self.full, target) or _is_end(target, self.full)

    def _qualified(self) -> Iterator[ClassPath]:
        for length in range(len(self.scope) + 1):
            outer = self.scope[:length]
            yield (*outer, *self.written)
            for imported in self.imported:
                yield (*outer, *imported, *self.written)


def _is_within(names: ClassPath, path: ClassPath) -> bool:
    """Whether `names` is a subsequence of `path` with the same last name."""
    rest = iter(path)
    return bool(names) and names[-1] == path[-1] and all(name in rest for name in names)


def _is_end(end: ClassPath, path: ClassPath) -> bool:
    return bool(end) and path[-len(end) :] == end


GET_EFFECTS = "getEffects"

IMPLEMENTATIONS = (
    "apply",
    "applyToOne",
    "matchOperation",
    "matchValue",
    "populatePatterns",
    "populatePatternsWithState",
    "populateConversionPatterns",
    "populateConversionTargetRules",
    "getTypeConverter",
    GET_EFFECTS,
    "getSpeculatability",
    "allowsRepeatedHandleOperands",
    "verify",
)
"""The functions that implement an operation, the more informative ones first."""
_SHORT = 100
_TELLING = "|".join(name for name in IMPLEMENTATIONS if name != "verify")
_WORTH_READING = re.compile(rf"getEffects|DiagnosedSilenc|::\s*(?:{_TELLING})\s*\(")


class CppFunction(Struct, frozen=True):
    """A function with a body; `body` has its statements if it is a ``getEffects``."""

    owner: ClassName
    name: str
    place: SourcePlace
    body: Block = Block()
    words: Words = ()
    """The words of the body, if it is short or a ``getEffects``."""
    effects: str = ""
    """The name of the list to which a ``getEffects`` adds, "" for other functions."""

    @property
    def returns_true(self) -> bool:
        return self.words == ("return", "true", ";")


class FileFacts(Struct, frozen=True):
    """The facts of one file."""

    path: Path
    functions: tuple[CppFunction, ...] = ()
    bases: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Pairs of a class's name and the names of its bases."""


def read_source(path: Path, text: str) -> FileFacts:
    """Return the facts of one file; a file without relevant functions is skipped cheaply. Never raises."""
    if _WORTH_READING.search(text) is None:
        return FileFacts(path)
    text = text.replace("\r\n", "\n")
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(offset: int) -> SourcePlace:
        line = bisect_right(line_starts, offset) - 1
        return SourcePlace(path, line, offset - line_starts[line])

    return _read(path, blanked(text), place)


def read_members(class_name: str, code: str, place: SourcePlace) -> FileFacts:
    """Return the facts of class members whose `code` is part of another file, at `place`. Never raises."""
    return _read(place.path, blanked(f"class {class_name} {{ {code} }};"), lambda _: place)


def _read(path: Path, code: str, place: Callable[[int], SourcePlace]) -> FileFacts:
    functions: list[CppFunction] = []
    bases: list[tuple[str, tuple[str, ...]]] = []
    for definition in definitions(code):
        if not isinstance(definition, Function):
            bases += [(name, definition.bases) for name in definition.names[-1:] if definition.bases]
        elif (function := _function(definition, code, place)) is not None:
            functions.append(function)
    return FileFacts(path, tuple(functions), tuple(bases))


def _function(function: Function, code: str, place: Callable[[int], SourcePlace]) -> CppFunction | None:
    if function.name not in IMPLEMENTATIONS:
        return None
    parameters = arguments([token.text for token in function.parameters])
    adds_effects = function.name == GET_EFFECTS and len(parameters) == 1
    is_read = adds_effects or function.body_end - function.body_start < _SHORT
    body = tokens(code, function.body_start, function.body_end) if is_read else []
    words = tuple(token.text for token in body)
    owner = ClassName(function.path[:-1], function.scope, function.imported)
    found = CppFunction(owner, function.name, place(function.name_offset), words=words)
    if not adds_effects:
        return found
    effects, places = _name(parameters[0]) or _UNNAMED, [place(token.offset) for token in body]
    if "#" in words:  # it depends on the build
        return replace(found, body=Block((Other((effects,), places[words.index("#")]),)), effects=effects)
    return replace(found, body=read_statements(words, places), effects=effects)


_UNNAMED = "unnamed list"
"""Stands for the name of a list that the body cannot name."""


def _name(parameter: Words) -> str:
    """Return the name that a parameter declares, "" without one."""
    declared = parameter[: parameter.index("=")] if "=" in parameter else parameter
    return declared[-1] if len(declared) > 1 and declared[-1].isidentifier() else ""
