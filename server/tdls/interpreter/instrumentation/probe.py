"""Probes: operations of MLIR's own, inserted into scripts, that report something of a run; and their answers.

A run with probes is one request, for any backend: `with_probes`, or `only_probing` if nothing else of the run matters.
Answers have the positions of the diagnostics that they come from.

A probe prints, or issues a remark, under a label: the word of its kind, and numbers that say which one it is. It
changes nothing and succeeds, except for the stop: an operation without operands that may be at the top level is applied
to the payload's root at any depth, and a pass that does not exist fails definitely. It must not be nested in an
operation of its kind, so a separate sequence contains it.

Operations with attributes in braces are in generic form, which is the same in all versions of MLIR.
"""

from __future__ import annotations

import re
from collections import defaultdict
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from tdls.interpreter.model import Place
from tdls.interpreter.output.stripping import without_scripts
from tdls.semantic.handle_types import HandleKind
from tdls.structs import replace
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.interpreter.instrumentation.points import Handle
    from tdls.interpreter.model import RunDiagnostic, RunRequest
    from tdls.interpreter.placed_edits import Insertion
    from tdls.interpreter.script import Script

NUMBER: Final = "!transform.param<i64>"
HANDLE: Final = "!transform.any_op"
_NOWHERE = " loc(unknown)"
"""If a remark has a position, the tools print its source line, character by character."""


class Probe(NamedTuple):
    """A kind of probe: the first word of its labels, and how many numbers follow."""

    word: str
    arity: int = 1

    def label(self, *numbers: int) -> str:
        """Return the label of one probe."""
        return " ".join((self.word, *map(str, numbers)))


POINT: Final = Probe("tdls.point")
"""A passed point."""
SIZE: Final = Probe("tdls.size", 2)
"""The size of a handle, by the numbers of the point and of the handle there."""
ITEM: Final = Probe("tdls.item", 2)
"""An item of such a handle, or all of its parameters."""
STATE: Final = Probe("tdls.state")
"""The payload."""
STOP: Final = Probe("tdls.stop", 0)
"""The payload at the end of a run that stops."""


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
    return f' transform.debug.emit_param_as_remark {parameter}, "{label}" : {spelled_type}{_NOWHERE} '


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


class Show(Enum):
    """The level of detail for the operations of a handle.

    MLIR numbers all values of a function to print one of its operations, so that names of many operations take long.
    """

    NOTHING = "nothing"
    PLACES = "places"
    NAMES = "names and places"


_NAME = "%__tdls"


def mark(number: int) -> str:
    """Return operations that report passing point `number`."""
    value = f"{_NAME}{number}"
    return f" {value} = transform.param.constant 0 : i64 -> {NUMBER}{remark_with(value, POINT.label(number))}"


def size(number: int, index: int, handle: Handle) -> str:
    """Return operations that report the size of handle `index` at point `number`."""
    value = f"{_NAME}{number}_{index}"
    return size_of(value, handle.shown, handle.type) + remark_with(value, SIZE.label(number, index))


def contents_of(number: int, handles: tuple[Handle, ...], show: Show) -> str:
    """Return operations that report the size and the items of each handle."""
    return "".join(
        size(number, index, handle)
        + (_items(number, index, handle) if show is not Show.NOTHING else "")
        + (names(number, index, handle) if show is Show.NAMES else "")
        for index, handle in enumerate(handles)
    )


def printed_mark(number: int) -> str:
    """Return an operation that reports passing point `number`, for tools whose MLIR cannot issue remarks."""
    return print_of(POINT.label(number), flags="skip_regions")


def _items(number: int, index: int, handle: Handle) -> str:
    label = ITEM.label(number, index)
    if handle.kind is HandleKind.PARAMETERS:
        return remark_with(handle.shown, label, handle.type)
    return remark_at(handle.shown, label, handle.type, _NOWHERE)


def names(number: int, index: int, handle: Handle) -> str:
    """Return an operation that prints the operations of a handle, "" for other kinds of handles."""
    if handle.kind is not HandleKind.OPERATIONS:
        return ""
    return print_of(ITEM.label(number, index), handle.shown, handle.type, "skip_regions, use_local_scope")


_STOPPING = "__tdls_stop"
_SEQUENCE = f"named_sequence @{_STOPPING}("
_CALL = f"include @{_STOPPING} "


def stop() -> str:
    """Return an operation that calls `stopping_sequence`."""
    return f" transform.include @{_STOPPING} failures(propagate) () : () -> () "


def stopping_sequence() -> str:
    """Return the sequence that prints the payload and ends the run, to be inserted next to another named sequence."""
    root, result = f"{_NAME}_root", f"{_NAME}_none"
    return (
        f"transform.named_sequence @{_STOPPING}() {{ transform.sequence failures(propagate) {{ ^bb0({root}: {HANDLE}):"
        f"{print_of(STOP.label(), root, HANDLE)}"
        f' {result} = transform.apply_registered_pass "tdls-stop" to {root} : ({HANDLE}) -> {HANDLE} }}'
        " transform.yield } "
    )


def without_stop(printed: str) -> str:
    """Return the module `printed` without the text of `stop` and `stopping_sequence`, which MLIR prints on lines of
    their own.
    """
    kept: list[str] = []
    indentation: str | None = None
    for line in printed.splitlines(keepends=True):
        if indentation is not None:
            indentation = None if line.startswith(f"{indentation}}}") else indentation
        elif _SEQUENCE in line:
            indentation = line[: len(line) - len(line.lstrip(" "))]
        elif _CALL not in line:
            kept.append(line)
    return "".join(kept)


# Answers


class Answer(NamedTuple):
    """The answer of a probe: the numbers of its label, and the value of a remark, or the printed text."""

    probe: Probe
    numbers: tuple[int, ...]
    value: str
    place: Place | None = None
    """The position of a remark, if it has one."""


_SPACE = re.compile(r"\s")
_LABEL = re.compile(r"(tdls\.[a-z]+)(.*)", re.DOTALL)
PRINTER: Final = "[[[ IR printer: "
_PRINTED = re.compile(r"^\[\[\[ IR printer: ?(?P<label>.*?)(?: top-level)? ?\]\]\]$\n?", re.MULTILINE)


def remark_of(message: str, *probes: Probe) -> Answer | None:
    """Return the answer in a remark, None if it is not one of `probes`; a script may issue similar remarks."""
    found = _LABEL.match(message)
    probe = next((probe for probe in probes if probe.word == found[1]), None) if found is not None else None
    if found is None or probe is None:
        return None
    _, *words = _SPACE.split(found[2], probe.arity + 1)
    numbers = tuple(number for word in words[: probe.arity] if (number := integer(word)) is not None)
    return Answer(probe, numbers, " ".join(words[probe.arity :])) if len(numbers) == probe.arity else None


def remarks_in(diagnostics: Iterable[RunDiagnostic], *probes: Probe) -> Iterator[Answer]:
    """Yield the answers that were issued as remarks."""
    for diagnostic in diagnostics:
        answer = remark_of(diagnostic.message, *probes)
        if answer is not None and diagnostic.file is not None:
            answer = answer._replace(place=Place(diagnostic.file, diagnostic.line, diagnostic.column))
        if answer is not None:
            yield answer


def prints_in(printed: str, *probes: Probe) -> Iterator[Answer]:
    """Yield the answers that were printed, each with the text up to the next print of the run."""
    found: Answer | None = None
    begin = 0
    for header in _PRINTED.finditer(printed):
        if found is not None:
            yield found._replace(value=printed[begin : header.start()])
        begin, found = header.end(), remark_of(header["label"], *probes)
    if found is not None:
        yield found._replace(value=printed[begin:])


_END_OF_MODULE = "\n}\n"


def states_in(printed: str) -> Iterator[tuple[int, str]]:
    """Yield the payloads that were printed, each with the number of its probe."""
    for answer in prints_in(printed, STATE):
        state, end, _ = answer.value.partition(_END_OF_MODULE)
        if end:
            yield answer.numbers[0], without_scripts(state + end)
