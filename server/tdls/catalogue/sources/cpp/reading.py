"""Reads one C++ file: the functions and bases of the classes of operations."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.model import SourcePlace
from tdls.catalogue.sources.cpp.functions import Function, definitions
from tdls.catalogue.sources.cpp.statements import CompoundStatement, Procedure, Simple, read_statements
from tdls.catalogue.sources.cpp.tokens import arguments, blanked, tokens
from tdls.catalogue.sources.work import SourceProblem
from tdls.limits import EXPANDED_TEXT, MACRO_USES, Budget, OverBudget
from tdls.structs import Struct, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tdls.catalogue.sources.cpp.statements import Words

ClassPath = tuple[str, ...]


class ClassName(Struct, frozen=True):
    """The qualifier before a function's name (`written`), and the context of its look-up: the namespaces and classes
    around it, the namespaces of ``using namespace``, and namespace aliases."""

    written: ClassPath
    scope: ClassPath = ()
    imported: tuple[ClassPath, ...] = ()
    aliases: tuple[tuple[str, ClassPath], ...] = ()

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
        return any(_is_within(name, target) or _is_end(target, name) for name in (self.full, *self._replaced()))

    def may_be_called(self, qualifier: ClassPath) -> bool:
        """Whether a call with `qualifier` may refer to a function of this class or namespace."""
        return not qualifier or any(_is_end(qualifier, name) for name in self._qualified())

    def _replaced(self) -> Iterator[ClassPath]:
        """Yield the written path with aliases replaced."""
        for alias, path in self.aliases:
            if self.written[:1] == (alias,):
                yield (*path, *self.written[1:])

    def _qualified(self) -> Iterator[ClassPath]:
        for written in (self.written, *self._replaced()):
            for length in range(len(self.scope) + 1):
                outer = self.scope[:length]
                yield (*outer, *written)
                for imported in self.imported:
                    yield (*outer, *imported, *written)


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
_WORTH_READING = re.compile(rf"getEffects|EffectInstance|DiagnosedSilenc|::\s*(?:{_TELLING})\s*\(")


class CppFunction(Struct, frozen=True):
    """A function with a body; `procedure` is the body if it adds effects to a list in its parameters."""

    owner: ClassName
    name: str
    place: SourcePlace
    procedure: Procedure | None = None
    words: Words = ()
    """The words of the body, if it is short or adds effects."""

    @property
    def returns_true(self) -> bool:
        return self.words == ("return", "true", ";")


class FileFacts(Struct, frozen=True):
    """The facts of one file."""

    path: Path
    functions: tuple[CppFunction, ...] = ()
    bases: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Pairs of a class's name and the names of its bases."""
    problems: tuple[SourceProblem, ...] = ()
    """Problems for the parts that are left out."""


def read_source(path: Path, text: str) -> FileFacts:
    """Return the facts of one file; a file without relevant functions is skipped cheaply. Never raises."""
    if _WORTH_READING.search(text) is None:
        return FileFacts(path)
    text = text.replace("\r\n", "\n")
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(offset: int) -> SourcePlace:
        line = bisect_right(line_starts, offset) - 1
        return SourcePlace(path, line, offset - line_starts[line])

    code = blanked(text)
    found = _read(path, code, place)
    used = expansions(text, code)
    expanded = [_read(path, blanked(more), _at(place(offset))) for offset, more in used.texts]
    problems: tuple[SourceProblem, ...] = ()
    if used.given_up is not None:
        offset, over = used.given_up
        message = f"the uses of macros from here on ask for more than {over}; they are left out"
        problems = (SourceProblem(path, place(offset).line, message),)
    functions = tuple(function for part in (found, *expanded) for function in part.functions)
    return replace(found, functions=functions, problems=problems)


def read_members(class_name: str, code: str, place: SourcePlace) -> FileFacts:
    """Return the facts of class members whose `code` is part of another file, at `place`. Never raises."""
    return _read(place.path, blanked(f"class {class_name} {{ {code} }};"), _at(place))


def _at(place: SourcePlace) -> Callable[[int], SourcePlace]:
    """Return a function that maps all offsets to one place."""
    return lambda _: place


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
    parameters = arguments([token.text for token in function.parameters])
    is_only = function.name == GET_EFFECTS and len(parameters) == 1
    adds_effects = is_only or any("EffectInstance" in parameter for parameter in parameters)
    if function.name not in IMPLEMENTATIONS and not adds_effects:
        return None
    is_short = function.body_end - function.body_start < _SHORT
    body = tokens(code, function.body_start, function.body_end) if adds_effects or is_short else []
    words = tuple(token.text for token in body)
    places = [place(token.offset) for token in body] if adds_effects else []
    return CppFunction(
        ClassName(function.path[:-1], function.scope, function.imported, function.aliases),
        function.name,
        place(function.name_offset),
        _procedure(parameters, words, places) if adds_effects else None,
        words if adds_effects or is_short else (),
    )


def _procedure(parameters: list[Words], words: Words, places: list[SourcePlace]) -> Procedure:
    names = tuple(map(_name, parameters))
    # The only parameter of `getEffects` is the list of effects, under any name of its type.
    index = next((index for index, parameter in enumerate(parameters) if "EffectInstance" in parameter), 0)
    if "#" in words:
        depends_on_build = Simple(("#", names[index]), places[words.index("#")])
        return Procedure(names, index, CompoundStatement((depends_on_build,)))
    return Procedure(names, index, read_statements(words, places))


def _name(parameter: Words) -> str:
    """Return the name that a parameter declares, "" without one."""
    declared = parameter[: parameter.index("=")] if "=" in parameter else parameter
    return declared[-1] if len(declared) > 1 and declared[-1].isidentifier() else ""


_DEFINITION = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)\((?P<parameters>[\w\s,\\]*)\)(?P<body>(?:[^\n\\]|\\\r?\n|\\.)*)",
    re.MULTILINE,
)
_CONTINUATION = re.compile(r"\\\r?\n")
_PASTE = "##"


class Expansions(NamedTuple):
    """Expansions of macros, as pairs of the use's offset and the text, and the offset at which the budget ended."""

    texts: tuple[tuple[int, str], ...] = ()
    given_up: tuple[int, OverBudget] | None = None
    """The offset of the first use that is left out, and the reason."""


def expansions(text: str, code: str) -> Expansions:
    """Return the expansions of macros that define functions with effects.

    `code` is `text` after `blanked`. Macros of other files are not expanded.
    """
    macros = {match["name"]: match for match in _DEFINITION.finditer(text) if "EffectInstance" in match["body"]}
    if not macros:
        return Expansions()
    names = "|".join(map(re.escape, macros))
    budget, uses = Budget(EXPANDED_TEXT), Budget(MACRO_USES)
    found: list[tuple[int, str]] = []
    place = 0
    try:
        for use in re.finditer(rf"\b(?P<name>{names})\s*\((?P<arguments>[^()]*)\)", code):
            place = use.start()
            uses.spend()
            found.append((place, _expanded(macros[use["name"]], use["arguments"], budget)))
    except OverBudget as over:
        return Expansions(tuple(found), (place, over))
    return Expansions(tuple(found))


def _expanded(macro: re.Match[str], arguments: str, budget: Budget) -> str:
    """Return the expansion of a macro. Raises OverBudget."""
    parameters = _CONTINUATION.sub(" ", macro["parameters"]).replace(" ", "").split(",")
    values = [value.strip() for value in arguments.split(",")]
    given = dict(zip(parameters, values, strict=False))
    body = _CONTINUATION.sub("\n", macro["body"])
    budget.spend(len(body))

    def argument(match: re.Match[str]) -> str:
        value = given.get(match[0], match[0])
        budget.spend(len(value))
        return value

    filled = re.sub(r"\b[A-Za-z_]\w*\b", argument, body)
    first, *pasted = filled.split(_PASTE)
    return "".join(
        [
            first.rstrip() if pasted else first,
            *(piece.strip() for piece in pasted[:-1]),
            *(piece.lstrip() for piece in pasted[-1:]),
        ]
    )
