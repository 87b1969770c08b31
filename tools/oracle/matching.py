"""Compares the conditions at which tdls reports matchers to fail with MLIR's runs, for generated matchers and payloads.

The interpreter shows where a matcher stops by the operations that it accepts if the matcher ends after each condition:
an action annotates each accepted operation of the payload. So for each operation the first
condition that fails is known without any of the marks that `tdls.interpreter.matching` puts into matchers.

Usage, from the folder `tools`: ``python -m oracle.matching [--seed N] [--matchers N]``. Exits with 1 where something
differs.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backend import open_backend
from tdls.interpreter.matching.probes import answers_of, marked
from tdls.interpreter.runs.model import Emit, RunRequest, Status, TextFile
from tdls.interpreter.runs.script import Script
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tdls.interpreter.backend import Backend

PAYLOAD_OPERATIONS = (
    (
        "%{n} = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%c : tensor<8x32xf32>)"
        " -> tensor<8x32xf32>"
    ),
    (
        "%{n} = linalg.batch_matmul ins(%d, %e : tensor<2x8x16xf32>, tensor<2x16x32xf32>) outs(%g : tensor<2x8x32xf32>)"
        " -> tensor<2x8x32xf32>"
    ),
    "%{n} = linalg.fill ins(%f : f32) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>",
    (
        "%{n} = linalg.reduce ins(%a : tensor<8x16xf32>) outs(%h : tensor<8xf32>) dimensions = [1]"
        " (%in: f32, %init: f32) {{ %s = arith.addf %in, %init : f32 linalg.yield %s : f32 }}"
    ),
    "%{n} = linalg.transpose ins(%a : tensor<8x16xf32>) outs(%i : tensor<16x8xf32>) permutation = [1, 0]",
    "%{n} = arith.addf %f, %f : f32",
    "%{n} = linalg.fill ins(%f : f32) outs(%k : tensor<f32>) -> tensor<f32>",
)
SIGNATURE = (
    "(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<8x32xf32>, %d: tensor<2x8x16xf32>,"
    " %e: tensor<2x16x32xf32>, %g: tensor<2x8x32xf32>, %f: f32, %h: tensor<8xf32>, %i: tensor<16x8xf32>,"
    " %k: tensor<f32>)"
)
ANY = "!transform.any_op"
NUMBER = "!transform.param<i64>"
NAMES = ("linalg.matmul", "linalg.batch_matmul", "linalg.fill", "linalg.reduce", "linalg.transpose")
IN_STRUCTURED = (
    "transform.match.structured.dim %s[{d}] {{{kind}}} : !transform.any_op",
    "transform.match.structured.dim %s[all] {{{kind}}} : !transform.any_op",
    "transform.match.structured.input %s[{d}] {{{map}}} : !transform.any_op",
    "transform.match.structured.init %s[all] {{{map}}} : !transform.any_op",
    "transform.match.structured.body %s {{passthrough}} : !transform.any_op",
    'transform.match.structured.body %s {{contraction = ["arith.mulf", "arith.addf"]}} : !transform.any_op',
    "%x{n} = transform.match.structured.rank %s : (!transform.any_op) -> !transform.param<i64>",
    "%x{n} = transform.match.structured.dim %s[{d}] : (!transform.any_op) -> !transform.param<i64>",
    "%x{n} = transform.match.structured.num_inputs %s : (!transform.any_op) -> !transform.param<i64>",
)
RANK = "%rank = transform.match.structured.rank %s : (!transform.any_op) -> !transform.param<i64>"
BEHIND = "transform.match.param.cmpi {predicate} %y, %bound : !transform.param<i64>"


class Matcher(NamedTuple):
    """A matcher as its conditions, of which some are in the body of ``match.structured``."""

    before: list[str]
    inside: list[str]
    """Empty if there is no ``match.structured``."""
    behind: list[str]
    yielded: tuple[str, ...] = (RANK,)
    """Operations that make the number `%rank`, which a comparison at the end of the body takes."""

    @property
    def size(self) -> int:
        """The number of conditions, including ``match.structured`` itself and the constants of comparisons."""
        return len(self.before) + (1 + len(self.inside) if self.inside else 0) + len(self.behind)

    def text(self, count: int, name: str = "m") -> str:
        """Return a named sequence with the first `count` conditions."""
        lines = self.before[:count]
        count -= len(self.before)
        if self.inside and count > 0:
            lines.append(f"%y = transform.match.structured %op : ({ANY}) -> {NUMBER} {{\n^bb0(%s: {ANY}):")
            lines += self.inside[: count - 1]
            lines += self.yielded
            lines.append(f"transform.match.structured.yield %rank : {NUMBER}\n}}")
            lines += self.behind[: max(0, count - 1 - len(self.inside))]
        body = "\n".join(lines)
        signature = f"@{name}(%op: {ANY} {{transform.readonly}}) -> {ANY}"
        return f"transform.named_sequence {signature} {{\n{body}\ntransform.yield %op : {ANY}\n}}"


class Compared(NamedTuple):
    """The number of compared pairs of matcher and operation, and the differences."""

    pairs: int
    problems: list[str]


def compare(seed: int, matchers: int, backend: Backend) -> Compared:
    """Compare `matchers` generated ones, each on a generated payload. Raises BackendError."""
    pairs, problems = 0, []
    for number in range(matchers):
        source = random.Random(f"{seed}:{number}")
        matcher, payload = generated_matcher(source), generated_payload(source)
        accepted = [_accepted(matcher.text(count), payload, backend) for count in range(matcher.size + 1)]
        stops = Counter(_first_without(line, accepted) for line in accepted[0])
        reported = _answers_of(matcher, payload, backend)
        del stops[1], reported[1]  # also operations that are not printed stop at the first one, such as those of bodies
        pairs += reported.total()
        if reported != stops:
            problems.append(f"{seed}:{number}: {reported} is not {stops}\n{matcher.text(matcher.size)}\n{payload}")
    return Compared(pairs, problems)


def _first_without(line: int, accepted: Sequence[Collection[int]]) -> int | None:
    """Return how many conditions a matcher has to have for not accepting the operation in `line`; None: it does."""
    return next((count for count, lines in enumerate(accepted) if line not in lines), None)


def generated_payload(source: random.Random) -> str:
    """Return a function with some operations."""
    operations = source.choices(PAYLOAD_OPERATIONS, k=source.randint(3, 12))
    lines = "\n".join(text.format(n=f"v{number}") for number, text in enumerate(operations))
    return f"func.func @f{SIGNATURE} {{\n{lines}\nreturn\n}}\n"


def generated_matcher(source: random.Random) -> Matcher:
    """Return a matcher with some conditions."""
    names = ", ".join(f'"{name}"' for name in source.sample(NAMES, source.randint(1, 5)))
    before = [f"transform.match.operation_name %op [{names}] : {ANY}"] if source.random() < 0.7 else []
    inside: list[str] = []
    if source.random() < 0.85 or not before:
        inside = [structured_condition(source, number) for number in range(source.randint(1, 4))]
    behind: list[str] = []
    if inside and source.random() < 0.5:
        predicate = source.choice(("eq", "ne", "le", "lt", "ge", "gt"))
        behind = [
            f"%bound = transform.param.constant {source.randint(1, 4)} : i64 -> {NUMBER}",
            BEHIND.format(predicate=predicate),
        ]
    return Matcher(before, inside, behind)


def structured_condition(source: random.Random, number: int) -> str:
    """Return a condition in the body of ``match.structured``, which may have a result of this number."""
    return source.choice(IN_STRUCTURED).format(
        n=number,
        d=source.choice(("0", "1", "-1", "2")),
        kind=source.choice(("parallel", "reduction")),
        map=source.choice(("permutation", "projected_permutation")),
    )


def _script(matcher: str) -> str:
    return f"""module attributes {{transform.with_named_sequence}} {{
{matcher}
transform.named_sequence @act(%op: {ANY} {{transform.readonly}}) {{
  transform.annotate %op "accepted" : {ANY}
  transform.yield
}}
transform.named_sequence @__transform_main(%root: {ANY} {{transform.consumed}}) {{
  transform.foreach_match in %root @m -> @act : ({ANY}) -> {ANY}
  transform.yield
}}
}}
"""


def _request(matcher: str, payload: str) -> RunRequest:
    script = Script("matcher.mlir", _script(matcher), Catalogue.shipped())
    return RunRequest(script, TextFile("payload.mlir", payload), emits=frozenset({Emit.PAYLOAD}))


def _accepted(matcher: str, payload: str, backend: Backend) -> set[int]:
    """Return the numbers of the lines with operations that a matcher accepts."""
    result = backend.run(_request(matcher, payload))
    if result.status is not Status.SUCCESS:
        raise RuntimeError(f"{result.diagnostics}\n{matcher}")
    return {number for number, line in enumerate(result.texts[Emit.PAYLOAD].splitlines()) if "accepted" in line}


def _answers_of(matcher: Matcher, payload: str, backend: Backend) -> Counter[int | None]:
    """Return how many operations are said to stop at each condition, None for those that are accepted."""
    marks = marked(_request(matcher.text(matcher.size), payload))
    result = backend.run(marks.request)
    attempts = answers_of(marks, result).attempts
    ends = {number for number, condition in enumerate(marks.conditions) if condition.is_end}
    order = _numbered_as_cut_off(matcher)
    return Counter(None if attempt.last in ends else order[attempt.last] for attempt in attempts)


def _numbered_as_cut_off(matcher: Matcher) -> dict[int, int]:
    """Return how many conditions a matcher has to have at least for a mark to be the last one that is reached."""
    inside = len(matcher.inside) + 1 if matcher.inside else 0
    rank = len(matcher.before) + inside  # the rank that is yielded is a condition, too, and never fails
    return {number: number + 1 if number < rank else number for number in range(matcher.size + 1)}


def main() -> int:
    """Run the comparison and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m oracle.matching", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--matchers", type=int, default=1000)
    parser.add_argument("--backend", default="bindings:torch_mlir")
    options = parser.parse_args()
    backend = open_backend(BackendChoice(options.backend))
    try:
        compared = compare(options.seed, options.matchers, backend)
    finally:
        backend.close()
    print(*compared.problems, sep="\n")
    print(f"{compared.pairs:,} pairs of matcher and operation beyond its first condition compared")
    print(f"{len(compared.problems)} matchers differ")
    return 1 if compared.problems else 0


if __name__ == "__main__":
    sys.exit(main())
