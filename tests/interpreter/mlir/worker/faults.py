"""Scripts that MLIR does not survive: it crashes, goes on for ever, takes all memory, or prints without end."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.scripts import NESTED_TOO_DEEP, doubling, sequence
from oracle.run_corpus.scripts import read
from tdls.interpreter.runs.model import Limits, Status
from tdls.structs import Struct, replace

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER = Path(__file__).parent
_AMPLE = Limits(seconds=20.0, memory=1 << 30, output=1 << 20)
_LIMITS = {
    Status.CRASH: _AMPLE,
    Status.TIMEOUT: replace(_AMPLE, seconds=0.3),
    Status.OUT_OF_MEMORY: replace(_AMPLE, memory=48 << 20),
    Status.TOO_MUCH_OUTPUT: replace(_AMPLE, output=1 << 16),
}
"""Limits within which a script can only end in one way."""
_SHORT = replace(_LIMITS[Status.TOO_MUCH_OUTPUT], seconds=1.0)
_FLOODED = frozenset({Status.TOO_MUCH_OUTPUT, Status.TIMEOUT})
"""Possible ends of a run with too much output: bindings take diagnostics one by one, but do not end it."""
_ENDED = frozenset({Status.FAILURE, Status.INVALID, Status.SUCCESS})
_UNDEFINED = frozenset(Status) - {Status.CANCELLED}
"""Possible ends where the behaviour of C++ is undefined: any is right, if tdls reports it."""
_FILES = {
    "crashes": Status.CRASH,
    "endless": Status.TIMEOUT,
    "memory": Status.OUT_OF_MEMORY,
}
_ANY = "!transform.any_op"
_MATCH = f'    %h0 = transform.structured.match ops{{["arith.addf"]}} in %root : ({_ANY}) -> {_ANY}\n'
_DOUBLINGS = 40


class Fault(Struct, frozen=True):
    """A script, a whole file, that runs with the bindings end in one of the ways in `expected` if they have `limits`.

    With other limits those that do not crash reach another limit.
    """

    name: str
    script: str
    expected: frozenset[Status]
    expected_of_tool: frozenset[Status]
    limits: Limits


@cache
def faults() -> list[Fault]:
    """Return all of them, those of a kind not one after the other."""
    kinds = [
        [_fault(each.name, each.text, status) for each in read(_FOLDER / f"{name}.mlir")]
        for name, status in _FILES.items()
    ]
    crashes, undefined = (
        [
            replace(_fault(each.name, each.text, Status.CRASH), expected=expected)
            for each in read(_FOLDER / f"{name}.mlir")
        ]
        for name, expected in (("crashes_of_llvm_22", _ENDED), ("undefined", _UNDEFINED))
    )
    kinds += [crashes, [replace(each, expected_of_tool=_UNDEFINED) for each in undefined], list(_generated())]
    longest = max(map(len, kinds))
    return [kind[number] for number in range(longest) for kind in kinds if number < len(kind)]


def _generated() -> Iterator[Fault]:
    yield _fault("a module in a module in a module", NESTED_TOO_DEEP, Status.CRASH)
    yield _fault("sequences that include two others", doubling(60), Status.TIMEOUT)
    looking = f"%p = transform.get_parent_op %e : ({_ANY}) -> {_ANY}"
    yield _fault("loops in loops", _nested(looking, 12), Status.TIMEOUT)
    yield _fault("loops that print", _nested(f"transform.print %e : {_ANY}", 5), Status.TOO_MUCH_OUTPUT)
    yield _fault("loops that print everything", _nested("transform.print", 5), Status.TOO_MUCH_OUTPUT)
    remark = _nested(f'transform.debug.emit_remark_at %e, "again" : {_ANY}', 5)
    yield replace(_fault("loops with remarks", remark, Status.TOO_MUCH_OUTPUT), expected=_FLOODED, limits=_SHORT)
    yield _fault("operations twice and twice", sequence(_MATCH + _doubled(_ANY), _payload()), Status.OUT_OF_MEMORY)
    values = f"    %h0 = transform.get_result %op[0] : ({_ANY}) -> !transform.any_value\n"
    script = sequence(_MATCH.replace("%h0", "%op") + values + _doubled("!transform.any_value"), _payload())
    yield _fault("values twice and twice", script, Status.OUT_OF_MEMORY)
    parameter = "    %h0 = transform.param.constant 1 : i64 -> !transform.param<i64>\n"
    script = sequence(parameter + _doubled("!transform.param<i64>"), _payload())
    yield _fault("parameters twice and twice", script, Status.OUT_OF_MEMORY)


def _fault(name: str, script: str, status: Status) -> Fault:
    return Fault(name, script, frozenset({status}), frozenset({status}), _LIMITS[status])


def _nested(innermost: str, depth: int) -> str:
    """Return a script that goes through 20 operations to the power of `depth` times; ``%e`` is one of them."""
    names = ["%e", *(f"%outer{number}" for number in range(1, depth))]
    begin = "".join(f"transform.foreach %h0 : {_ANY} {{\n^bb0({name}: {_ANY}):\n" for name in reversed(names))
    return sequence(_MATCH + begin + innermost + "\n" + "}\n" * depth, _payload())


def _doubled(kind: str) -> str:
    merged = (
        f"    %h{number + 1} = transform.merge_handles %h{number}, %h{number} : {kind}\n"
        for number in range(_DOUBLINGS)
    )
    return "".join(merged)


def _payload() -> str:
    additions = "".join(f"    %v{number} = arith.addf %x, %x : f32\n" for number in range(20))
    return f"  func.func @f(%x: f32) -> f32 {{\n{additions}    return %v0 : f32\n  }}\n"
