"""The loops and buffers of a payload in one line: ``1 linalg.matmul in 4x8 forall, then 16 for; 64 KB in space 2``."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby, starmap
from typing import TYPE_CHECKING

from tdls.payload.attributes import split
from tdls.payload.kinds import STRUCTURED
from tdls.payload.loops import DYNAMIC, LOOPS, constant_of, trip_count
from tdls.syntax.types import type_tree
from tdls.text.scanning import integer
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from tdls.payload.operations import PayloadOperation
    from tdls.payload.tree import Payload

_BUFFERS = ("memref.alloc", "memref.alloca", "memref.global")
_RANGE = re.compile(
    r"\s*(?:unsigned\s+)?(?P<variables>\([^()]*\)|%[\w$.-]+)\s*"
    r"(?:in\s*(?P<bounds>\([^()]*\))|=\s*(?P<lower>{one})\s*to\s*(?P<upper>{one})(?:\s*step\s*(?P<step>{one}))?)"
    r"".replace("{one}", r"\([^()]*\)|%?[\w$.-]+"),
    re.ASCII,
)
"""The variables and bounds behind the name of a loop: ``(%i) in (4)``, ``%i = 0 to %n step 8``."""
_LAYOUTS = ("affine_map<", "strided<")
_MOST_NESTS = 3
_UNITS = ("B", "KB", "MB", "GB", "TB")


def summary_of(payload: Payload, targets: Collection[str] = ()) -> str:
    """Return the loops around operations with their trip counts, and the buffers with their sizes; "" without both.

    The operations are those called as one of `targets`, or else the structured ones, or else the innermost loops.
    """
    operations = [*payload.root.walk()]
    inside = [each for each in operations if each.name in targets and each.name not in LOOPS and _nest(each)]
    structured = [each for each in operations if each.written is not None and each.written.has_trait(STRUCTURED)]
    inside = inside or [each for each in structured if _nest(each)]
    if inside:
        counts = Counter((each.name, _nest(each)) for each in inside)
        nests = [f"{count} {name} in {nest}" for (name, nest), count in counts.items()]
    else:
        around = {outer for each in operations if each.name in LOOPS for outer in each.ancestors()}
        innermost = Counter(_nest(each) for each in operations if each.name in LOOPS and each not in around)
        nests = [nest if count == 1 else f"{count} times {nest}" for nest, count in innermost.items()]
    shown = [*nests[:_MOST_NESTS], *([f"{len(nests) - _MOST_NESTS} more nests"] if len(nests) > _MOST_NESTS else [])]
    return "; ".join([*shown, *_buffers(operations, payload.aliases)])


def _nest(operation: PayloadOperation) -> str:
    """Return the loops around an operation, and itself if it is one, outermost first; "" without any."""
    loops = [each for each in (operation, *operation.ancestors()) if each.name in LOOPS][::-1]
    groups = groupby(((_trips(loop), loop.name.rpartition(".")[2]) for loop in loops), key=lambda loop: loop[1])
    words: list[str] = []
    for kind, group in groups:
        trips = [trips for trips, _ in group]
        words += [f"{'x'.join(trips)} {kind}"] if kind == "for" else [f"{each} {kind}".strip() for each in trips]
    return ", then ".join(words)


def _trips(loop: PayloadOperation) -> str:
    """Return the trip counts of the dimensions of a loop, such as ``4x8`` or ``?``; "" for a loop without bounds."""
    if loop.name == "scf.while" or loop.written is None:
        return ""
    header = _RANGE.match(loop.behind_name)
    if header is None:
        return "?"
    values = {value.shown: value for value in loop.written.operands if value is not None}
    count = len(split(header["variables"].strip("()")))

    def numbers(group: str, default: int) -> list[int]:
        spelled = header[group] if header is not None else None
        if spelled is None:
            return [default] * count
        words = split(spelled.strip("()"))
        given = [constant_of(values.get(word)) if word.startswith("%") else integer(word) for word in words]
        return [DYNAMIC if each is None else each for each in given if len(given) == count] or [DYNAMIC] * count

    uppers = numbers("bounds" if header["bounds"] else "upper", DYNAMIC)
    bounds = zip(numbers("lower", 0), uppers, numbers("step", 1), strict=True)
    return "x".join("?" if count is None else str(count) for count in starmap(trip_count, bounds))


def _buffers(operations: Iterable[PayloadOperation], aliases: Mapping[str, str]) -> Iterator[str]:
    """Yield the total size of the buffers of each memory space, then the number of those of unknown size."""
    sizes: Counter[str] = Counter()
    unknown = 0
    for operation in operations:
        if operation.name not in _BUFFERS or operation.written is None:
            continue
        global_type = operation.behind_name.partition(" = ")[0].partition(" {")[0].rpartition(": ")[2]
        spelled = operation.written.results[0].type if operation.written.results else global_type
        type_ = type_tree(spelled or "")
        parameters = [aliases.get(each, each) for each in type_.parameters]
        width, count = type_.element.width, type_.count
        if type_.kind == "memref" and width is not None and count is not None and width % 8 == 0:
            space = parameters[-1] if parameters and not parameters[-1].startswith(_LAYOUTS) else ""
            sizes[space] += count * width // 8
        else:
            unknown += 1
    for space, size in sizes.items():
        name = space if space.startswith("#") else f"space {space}" if space else "the default space"
        unit = next((n for n in range(len(_UNITS) - 1) if size % 1024 ** (n + 1)), 0)
        yield f"{size // 1024**unit:,} {_UNITS[unit]} in {name}"
    if unknown:
        yield f"{counted(unknown, 'buffer')} of unknown size"
