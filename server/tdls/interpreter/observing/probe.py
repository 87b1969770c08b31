"""Probes: operations of MLIR's own, inserted into scripts, that report something of a run; and their answers.

A run with probes is one request, for any backend: `with_probes`, or `only_probing` if nothing else of the run matters.
Answers have the positions of the diagnostics that they come from.

A probe prints, or issues a remark, under a label: the word of its kind, and numbers that say which one it is. It
changes nothing and succeeds.

Operations with attributes in braces are in generic form, which is the same in all versions of MLIR.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from tdls.interpreter.output.stripping import without_scripts
from tdls.structs import NamedTuple, replace
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.interpreter.observing.points import Handle
    from tdls.interpreter.runs.model import Place, RunDiagnostic, RunRequest
    from tdls.interpreter.runs.placed_edits import Insertion
    from tdls.interpreter.runs.script import Script

NUMBER: Final = "!transform.param<i64>"
HANDLE: Final = "!transform.any_op"
NOWHERE = " loc(unknown)"
"""If a remark has a position, the tools print its source line, character by character."""


class Probe(NamedTuple):
    """A kind of probe: the first word of its labels, and how many numbers follow."""

    word: str
    arity: int = 1

    def label(self, *numbers: int) -> str:
        return " ".join((self.word, *map(str, numbers)))


SIZE: Final = Probe("tdls.size", 2)
"""The size of a handle, by the numbers of the point and of the handle there."""
STATE: Final = Probe("tdls.state")
"""The payload."""


def with_probes(request: RunRequest, probes: Iterable[tuple[Script, Insertion]]) -> RunRequest:
    """Return `request` with insertions in its scripts."""
    insertions: defaultdict[str, list[Insertion]] = defaultdict(list)
    for script, insertion in probes:
        insertions[script.name].append(insertion)
    return replace(
        request,
        script=request.script.inserting(insertions[request.script.name]),
        libraries=tuple(library.inserting(insertions[library.name]) for library in request.libraries),
    )


def only_probing(request: RunRequest, probes: Iterable[tuple[Script, Insertion]]) -> RunRequest:
    """Return `request` with insertions in its scripts, whose answers are all that the run is for."""
    return replace(with_probes(request, probes), emits=frozenset(), observe=False, only_remarks=True)


# Spelling


def size_of(name: str, handle: str, spelled_type: str) -> str:
    """Return an operation that defines the parameter `name` as the size of a handle."""
    return f" {name} = transform.num_associations {handle} : ({spelled_type}) -> {NUMBER}"


def remark_with(parameter: str, label: str, spelled_type: str = NUMBER) -> str:
    """Return an operation that issues a remark with the value of a parameter."""
    return f' transform.debug.emit_param_as_remark {parameter}, "{label}" : {spelled_type}{NOWHERE} '


def remark_at(handle: str, label: str, spelled_type: str = HANDLE, place: str = "") -> str:
    """Return an operation that issues a remark at each item of a handle; `place` is its own location, if any."""
    return f' transform.debug.emit_remark_at {handle}, "{label}" : {spelled_type}{place} '


def print_of(label: str, handle: str = "", spelled_type: str = "", flags: str = "") -> str:
    """Return an operation that prints a handle, or else the payload with all of its module."""
    properties = f'name = "{label}"{f", {flags}" if flags else ""}'
    return f' "transform.print"({handle}) <{{{properties}}}> : ({spelled_type}) -> () '


def parent_of(name: str, handle: str, spelled_type: str, wanted: str) -> str:
    """Return an operation that defines the handle `name` as the `wanted` parent of each operation, if it exists."""
    properties = f"allow_empty_results, {wanted}"
    return f' {name} = "transform.get_parent_op"({handle}) <{{{properties}}}> : ({spelled_type}) -> {HANDLE} '


NAME: Final = "%__tdls"
"""The beginning of the names of values that probes define."""


def size(number: int, index: int, handle: Handle) -> str:
    """Return operations that report the size of handle `index` at point `number`."""
    value = f"{NAME}{number}_{index}"
    return size_of(value, handle.shown, handle.type) + remark_with(value, SIZE.label(number, index))


# Answers


class Answer(NamedTuple):
    """The answer of a probe: the numbers of its label, and the value of a remark, or the printed text."""

    probe: Probe
    numbers: tuple[int, ...]
    value: str
    place: Place | None = None
    """The position of a remark, if it has one."""

    @property
    def number(self) -> int:
        """The number at the beginning of the value, 0 without one."""
        return integer(self.value.strip().partition(" ")[0]) or 0


_SPACE = re.compile(r"\s")
_LABEL = re.compile(r"(tdls\.[a-z]+)(.*)", re.DOTALL)
PRINTER: Final = "[[[ IR printer: "
_PRINTED = re.compile(r"^\[\[\[ IR printer: ?(?P<label>.*?)(?: top-level)? ?\]\]\]$\n?", re.MULTILINE)


def remark_of(message: str, *probes: Probe) -> Answer | None:
    """Return the answer in a remark, None if it is not one of `probes`; a script may issue similar remarks."""
    match = _LABEL.match(message)
    probe = next((probe for probe in probes if probe.word == match[1]), None) if match is not None else None
    if match is None or probe is None:
        return None
    _, *words = _SPACE.split(match[2], probe.arity + 1)
    numbers = tuple(number for word in words[: probe.arity] if (number := integer(word)) is not None)
    return Answer(probe, numbers, " ".join(words[probe.arity :])) if len(numbers) == probe.arity else None


def remarks_in(diagnostics: Iterable[RunDiagnostic], *probes: Probe) -> Iterator[Answer]:
    """Yield the answers that were issued as remarks."""
    for diagnostic in diagnostics:
        answer = remark_of(diagnostic.message, *probes)
        if answer is not None:
            yield answer._replace(place=diagnostic.place)


def prints_in(printed: str, *probes: Probe) -> Iterator[Answer]:
    """Yield the answers that were printed, each with the text up to the next print of the run."""
    answer: Answer | None = None
    begin = 0
    for header in _PRINTED.finditer(printed):
        if answer is not None:
            yield answer._replace(value=printed[begin : header.start()])
        begin, answer = header.end(), remark_of(header["label"], *probes)
    if answer is not None:
        yield answer._replace(value=printed[begin:])


_END_OF_MODULE = "\n}\n"


def states_in(printed: str) -> Iterator[tuple[int, str]]:
    """Yield the payloads that were printed, each with the number of its probe."""
    for answer in prints_in(printed, STATE):
        state, end, _ = answer.value.partition(_END_OF_MODULE)
        if end:
            yield answer.numbers[0], without_scripts(state + end)
