"""What C++ sources say of the classes of operations: where their functions are, and the bodies that add effects.

Sources are read one by one (`read_source`), so that what is known of a file can be kept; `merge` puts files together.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tdls.catalogue.cpp.blanking import blanked
from tdls.catalogue.cpp.calls import Procedure
from tdls.catalogue.cpp.functions import functions
from tdls.catalogue.cpp.naming import ClassName
from tdls.catalogue.cpp.statements import Block, Simple, read_statements
from tdls.catalogue.cpp.tokens import arguments, tokens
from tdls.catalogue.model import SourcePlace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from tdls.catalogue.cpp.functions import Function
    from tdls.catalogue.cpp.statements import Words

GET_EFFECTS = "getEffects"

_IMPLEMENTATIONS = (
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
"""Functions that say what an operation does, the more telling ones first."""
_WORTH_READING = re.compile(
    r"getEffects|EffectInstance|DiagnosedSilenceableFailure|::\s*(?:apply|match|populate|getSpeculatability|allowsRep)"
)


@dataclass(frozen=True, slots=True)
class CppFunction:
    """A function with a body. `procedure` is that body where it adds effects to a list it is given."""

    owner: ClassName
    name: str
    place: SourcePlace
    procedure: Procedure | None = None
    returns_true: bool = False
    """Is ``return true;`` all it does?"""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What one file says."""

    path: Path
    functions: tuple[CppFunction, ...] = ()


@dataclass(frozen=True, slots=True)
class CppEffects:
    """The body of a class's ``getEffects``, with the functions that it may call."""

    procedure: Procedure
    owner: ClassName
    place: SourcePlace
    facts: CppFacts

    def find(self, path: tuple[str, ...], count: int) -> Procedure | None:
        """The function that a call by `path` with `count` arguments means, None where that is not certain."""
        return self.facts.procedure(path, count, self)


@dataclass(frozen=True, slots=True)
class CppClassFacts:
    """What is known of one class: its ``getEffects``, and the places of the functions that say what it does, the more
    telling ones first."""

    effects: CppEffects | None
    places: tuple[SourcePlace, ...]
    allows_repeated_handles: bool = False


@dataclass(frozen=True, slots=True)
class CppFacts:
    """What all files say."""

    functions: Mapping[str, tuple[CppFunction, ...]]
    """By the last name of their class, "" for functions that have none."""
    procedures: Mapping[str, tuple[CppFunction, ...]] = field(default_factory=dict)
    """Functions that add effects, by name."""

    def of(self, cpp_class: str) -> CppClassFacts | None:
        """What is known of a class, ``mlir::transform::MyOp``; None where no function of it was found."""
        target = tuple(re.findall(r"\w+", cpp_class))
        members = _members(self.functions.get(target[-1], ()), target) if target else []
        if not members:
            return None
        places = sorted(members, key=lambda member: _IMPLEMENTATIONS.index(member.name))
        return CppClassFacts(
            self._effects(members),
            tuple(member.place for member in places),
            any(member.name == "allowsRepeatedHandleOperands" and member.returns_true for member in members),
        )

    def _effects(self, members: list[CppFunction]) -> CppEffects | None:
        found = [member for member in members if member.name == GET_EFFECTS and member.procedure is not None]
        if len({member.procedure for member in found}) != 1:
            return None
        member = found[0]
        return CppEffects(member.procedure, member.owner, member.place, self) if member.procedure else None

    def procedure(self, path: tuple[str, ...], count: int, caller: CppEffects) -> Procedure | None:
        """See `CppEffects.find`."""
        fitting = [
            function
            for function in self.procedures.get(path[-1], ())
            if function.procedure is not None
            and len(function.procedure.parameters) == count
            and function.owner.may_be_called(path[:-1])
        ]
        own = [function for function in fitting if function.owner.names[-1:] == caller.owner.names[-1:]]
        near = [function for function in fitting if function.place.path == caller.place.path]
        for candidates in (own, near, fitting):
            if len(candidates) == 1 and (len(path) > 1 or path[0] != GET_EFFECTS):
                return candidates[0].procedure
        return None


def read_sources(files: Mapping[Path, str]) -> CppFacts:
    """Read files with their texts. Never raises."""
    return merge(read_source(path, text) for path, text in files.items())


def read_source(path: Path, text: str) -> FileFacts:
    """What one file says; a file that defines nothing of interest costs little. Never raises."""
    if _WORTH_READING.search(text) is None:
        return FileFacts(path)
    return FileFacts(path, tuple(_functions(path, text)))


def merge(files: Iterable[FileFacts]) -> CppFacts:
    """Put the facts of files together."""
    by_class: dict[str, list[CppFunction]] = {}
    procedures: dict[str, list[CppFunction]] = {}
    for file in files:
        for function in file.functions:
            if function.name in _IMPLEMENTATIONS and function.owner.names:
                by_class.setdefault(function.owner.names[-1], []).append(function)
            if function.procedure is not None:
                procedures.setdefault(function.name, []).append(function)
    return CppFacts(
        {name: tuple(found) for name, found in by_class.items()},
        {name: tuple(found) for name, found in procedures.items()},
    )


def _members(functions_of_name: Iterable[CppFunction], target: tuple[str, ...]) -> list[CppFunction]:
    """Functions of the class with the qualified name `target`; none where it is not certain which class is meant."""
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


def _functions(path: Path, text: str) -> Iterator[CppFunction]:
    code = blanked(text)
    line_starts = [0, *(match.end() for match in re.finditer("\n", code))]

    def place(offset: int) -> SourcePlace:
        line = bisect_right(line_starts, offset) - 1
        return SourcePlace(path, line, offset - line_starts[line])

    for function in functions(code):
        parameters = arguments([token.text for token in function.parameters])
        adds_effects = any("EffectInstance" in parameter for parameter in parameters)
        if function.name not in _IMPLEMENTATIONS and not adds_effects:
            continue
        body = tokens(code, function.body_start, function.body_end) if adds_effects or _is_short(function) else []
        words = tuple(token.text for token in body)
        procedure = None
        if adds_effects:
            procedure = _procedure(parameters, words, [place(token.offset) for token in body])
        owner = ClassName(function.path[:-1], function.scope, function.imported, function.aliases)
        yield CppFunction(
            owner, function.name, place(function.name_offset), procedure, words == ("return", "true", ";")
        )


def _is_short(function: Function) -> bool:
    return function.body_end - function.body_start < 100


def _procedure(parameters: list[Words], words: Words, places: list[SourcePlace]) -> Procedure:
    names = tuple(map(_name, parameters))
    index = _effects_index(parameters)
    if "#" in words:
        depends_on_build = Simple(("#", names[index]), places[words.index("#")])
        return Procedure(names, index, Block((depends_on_build,)))
    return Procedure(names, index, read_statements(words, places))


def _effects_index(parameters: list[Words]) -> int:
    return next(index for index, parameter in enumerate(parameters) if "EffectInstance" in parameter)


def _name(parameter: Words) -> str:
    """The name that a parameter declares, "" where it has none."""
    declared = parameter[: parameter.index("=")] if "=" in parameter else parameter
    return declared[-1] if len(declared) > 1 and declared[-1].isidentifier() else ""
