"""Random scripts: they succeed, fail in each way, and now and then make MLIR crash."""

from __future__ import annotations

from random import Random

from interpreter.scripts import sequence

_ANY = "!transform.any_op"
_NAMES = ("linalg.matmul", "arith.constant", "func.func", "scf.for", "func.return")
_DEEPEST = 3


def script(seed: int) -> str:
    """Return the script with this number, in one module with a matrix multiplication."""
    body = "".join(f"    {line}\n" for line in _Writer(seed).body(["%root"], 0))
    return sequence(body).replace("transform.readonly", "transform.consumed", 1)


class _Writer:
    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._number = 0

    def body(self, handles: list[str], depth: int) -> list[str]:
        """Return the lines of a few operations on `handles` and on their own results."""
        known = list(handles)
        lines: list[str] = []
        for _ in range(self._chance.randrange(1, 6)):
            is_nested = depth < _DEEPEST and self._chance.random() < 0.25
            lines += self._with_region(known, depth) if is_nested else [self._plain(known)]
        return lines

    def _plain(self, known: list[str]) -> str:
        """Return an operation, and add its results to `known`."""
        self._number += 1
        result, handle, other = f"%h{self._number}", self._chance.choice(known), self._chance.choice(known)
        kinds = {
            f'{result} = transform.structured.match ops{{["{self._chance.choice(_NAMES)}"]}} in {handle}'
            f" : ({_ANY}) -> {_ANY}": [result],
            f"{result} = transform.get_parent_op {handle} {{deduplicate}} : ({_ANY}) -> {_ANY}": [result],
            f"{result} = transform.merge_handles {handle}, {other} : {_ANY}": [result],
            f"{result}, {result}l = transform.structured.tile_using_for {handle}"
            f" tile_sizes [{self._chance.choice([0, 2, 4])}] : ({_ANY}) -> ({_ANY}, {_ANY})": [result, f"{result}l"],
            f"{result}:2 = transform.split_handle {handle} {{fail_on_payload_too_small = false, overflow_result = 1}}"
            f" : ({_ANY}) -> ({_ANY}, {_ANY})": [f"{result}#0", f"{result}#1"],
            f"%v{self._number} = transform.get_operand {handle}[0] : ({_ANY}) -> !transform.any_value // %c": [],
            f"%p{self._number} = transform.num_associations {handle} : ({_ANY}) -> !transform.param<i64>": [],
            f'transform.annotate {handle} "m{self._number}" : {_ANY}': [],
            f'transform.debug.emit_remark_at {handle}, "größe {self._number}" : {_ANY}': [],
            f'transform.print {handle} {{name = "p{self._number}"}} : {_ANY}': [],
        }
        line = self._chance.choice(list(kinds))
        known += kinds[line]
        return line

    def _with_region(self, known: list[str], depth: int) -> list[str]:
        """Return the lines of an operation that executes its regions."""
        self._number += 1
        handle, argument = self._chance.choice(known), f"%e{self._number}"
        kind = self._chance.choice(["foreach", "sequence", "alternatives"])
        outside = [] if kind == "alternatives" else known
        propagation = f" failures({self._chance.choice(['propagate', 'suppress'])})" if kind == "sequence" else ""
        lines = [f"transform.{kind} {handle} : {_ANY}{propagation} {{"]
        for number in range(2 if kind == "alternatives" else 1):
            lines += ["}, {"] if number else []
            lines += [f"^bb0({argument}: {_ANY}):", *self.body([*outside, argument], depth + 1)]
        return [*lines, "}"]
