"""Counts by which means tdls reports failures of scripts: by the text, by the payload, or by an editor's own run.

Each script matches operations of a small payload and applies one or two operations with random attributes to them:
many fail. For each failing script the first of these counts that reports the operation that failed: an error or warning
of a rule without the payload, one with it, a hint, a finding of a run, or nothing. For the scripts that run,
errors of rules are false.

Usage, from the folder `tools`: ``python -m oracle.failures [--seed N] [--scripts N]``; ``--show N`` prints one script
with the findings in it. Exits with 1 where an error is false, or a failure is not reported.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from enum import Enum
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.runs.run_report import marks_of
from tdls.interpreter.backend import open_backend
from tdls.interpreter.runs.model import Limits, RunRequest, Status
from tdls.interpreter.runs.pipeline import reproduction
from tdls.interpreter.runs.script import Script
from tdls.settings.model import BackendChoice
from tdls.text.level import Level
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunResult
    from tdls.text.diagnostic import Diagnostic

_LIMITS = Limits(seconds=10.0)
_NAME = "script.mlir"
_ANY = "!transform.any_op"
_RULES_OF_EFFECT = frozenset({"finds-nothing", "dead-arm"})
"""Rules about operations that do nothing, which no run complains of."""

_PAYLOADS = {
    "linalg.matmul": """\
  func.func @matmul(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>, %c: tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
    %0 = linalg.matmul ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>)
                       outs(%c : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
    return %0 : tensor<{m}x{n}xf32>
  }}
""",
    "linalg.generic": """\
  func.func @generic(%a: tensor<{m}x{n}xf32>, %c: tensor<{m}xf32>) -> tensor<{m}xf32> {{
    %0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}} ins(%a : tensor<{m}x{n}xf32>) outs(%c : tensor<{m}xf32>) {{
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    }} -> tensor<{m}xf32>
    return %0 : tensor<{m}xf32>
  }}
""",
    "linalg.fill": """\
  func.func @fill(%m: memref<{m}x{n}xf32>, %x: f32) {{
    linalg.fill ins(%x : f32) outs(%m : memref<{m}x{n}xf32>)
    return
  }}
""",
    "scf.for": """\
  func.func @loop(%m: memref<{m}xf32>, %x: f32) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 12 : index
    scf.for %i = %c0 to %n step %c1 {{
      memref.store %x, %m[%i] : memref<{m}xf32>
    }}
    return
  }}
""",
    "tensor.pad": """\
  func.func @pad(%a: tensor<?x?xf32>, %x: f32) -> tensor<?x?xf32> {{
    %c0 = arith.constant 0 : index
    %d = tensor.dim %a, %c0 : tensor<?x?xf32>
    %0 = tensor.pad %a low[0, 0] high[1, %d] {{
    ^bb0(%i: index, %j: index):
      tensor.yield %x : f32
    }} : tensor<?x?xf32> to tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }}
""",
}
"""Functions by the name of the operation to match; sizes are filled in."""


_OPERATIONS = """\
T structured.tile_using_for %t tile_sizes [SIZES]
T structured.tile_using_for %t tile_sizes [SIZES] interchange = [ORDER]
2 structured.tile_using_forall %t tile_sizes [SIZES] : (A) -> (A, A)
2 structured.tile_using_forall %t num_threads [SIZES] : (A) -> (A, A)
0 structured.vectorize %t vector_sizes [SIZES] : A
0 structured.vectorize %t : A
1 structured.vectorize_children_and_apply_patterns %t : (A) -> A
1 structured.generalize %t : (A) -> A
1 structured.interchange %t iterator_interchange = [ORDER] : (A) -> A
1 structured.convert_to_loops %t : (A) -> A
1 structured.decompose %t : (A) -> A
1 structured.rewrite_in_destination_passing_style %t : (A) -> A
1 structured.promote %t {operands_to_promote = [NUMBER]} : (A) -> A
1 structured.pack %t packed_sizes = [SIZES] : (A) -> A
2 structured.split %t after SIZE {dimension = NUMBER} : A, A
4 structured.split_reduction %t {split_factor = SIZE, insert_split_dimension = NUMBER} : (A) -> (A, A, A, A)
3 structured.multitile_sizes %t {dimension = NUMBER, target_size = SIZE} : (A) -> (A, A, A)
1 structured.match interface{LinalgOp} in %t : (A) -> A
1 get_parent_op %t {op_name = "PARENT"} : (A) -> A
1 get_parent_op %t {nth_parent = SIZE : i64} : (A) -> A
1 get_producer_of_operand %t[NUMBER] : (A) -> A
1 get_consumers_of_result %t[NUMBER] : (A) -> A
1 get_result %t[NUMBER] : (A) -> !transform.any_value
1 get_operand %t[NUMBER] : (A) -> !transform.any_value
1 split_handle %t : (A) -> A
2 split_handle %t : (A) -> (A, A)
0 loop.unroll %t {factor = SIZE : i64} : A
2 loop.peel %t : (A) -> (A, A)
1 loop.pipeline %t {iteration_interval = 1 : i64, read_latency = SIZE : i64} : (A) -> A
2 loop.outline %t {func_name = "out"} : (A) -> (A, A)
1 loop.coalesce %t : (A) -> A
1 apply_registered_pass "PASS" to %t : (A) -> A
0 apply_patterns to %t { transform.apply_patterns.canonicalization } : A
0 apply_cse to %t : A
0 apply_licm to %t : A
0 annotate %t "mark" : A
""".splitlines()
"""Operations on the handle ``%t`` of type ``A``, with the number of their results; ``T``: as tiling gives."""
_CHOICES: dict[str, tuple[object, ...]] = {
    "NUMBER": (0, 0, 1, 1, 2, 4),
    "SIZE": (0, 1, 1, 2, 2, 4, 8, 99),
    "PARENT": ("func.func", "scf.for", "scf.forall"),
    "PASS": ("canonicalize", "cse", "convert-scf-to-cf", "no-such-pass"),
}
_LIST_SIZES = (0, 1, 2, 3, 4, 8, 16)
_WRONG_COUNT = 0.1


def _operation(random: Random, number: int) -> str:
    """Return an operation on ``%m`` and its number, with random attributes."""
    count, _, text = random.choice(_OPERATIONS).partition(" ")
    sizes = [random.choice(_LIST_SIZES) for _ in range(random.choice((1, 2, 2, 3, 3, 4)))]
    order = random.sample(range(len(sizes)), len(sizes))
    if random.random() < _WRONG_COUNT * 2:
        order[0] = len(sizes)
    results = 1 + sum(size != 0 for size in sizes) if count == "T" else int(count)
    if count == "T":
        results = max(1, results + (random.random() < _WRONG_COUNT))
        text += f" : (A) -> ({', '.join('A' * results)})"
    text = text.replace("SIZES", ", ".join(map(str, sizes))).replace("ORDER", ", ".join(map(str, order)))
    for word, choices in _CHOICES.items():
        text = text.replace(word, str(random.choice(choices)))
    text = re.sub(r"\bA\b", _ANY, text).replace("%t", f"%m{number}")
    names = ", ".join(f"%r{number}_{index}" for index in range(results))
    return f"    {names}{' = ' if names else ''}transform.{text}\n"


def script_of(seed: int) -> str:
    """Return a script with its payload."""
    random = Random(seed)
    names = random.sample(list(_PAYLOADS), random.choice((1, 1, 2, 3)))
    dimensions = {name: random.choice((4, 8, 12, 16, 32, "?")) for name in "mnk"}
    payload = "".join(_PAYLOADS[name].format(**dimensions) for name in names)
    body = ""
    for number in range(random.choice((1, 1, 2))):
        wanted = random.choice((*names, *names, *names, "func.func", "linalg.copy"))
        body += f'    %m{number} = transform.structured.match ops{{["{wanted}"]}} in %root : ({_ANY}) -> {_ANY}\n'
        body += _operation(random, number)
    return (
        f"module attributes {{transform.with_named_sequence}} {{\n{payload}"
        f"  transform.named_sequence @__transform_main(%root: {_ANY}) {{\n{body}    transform.yield\n  }}\n}}\n"
    )


class FailureSource(Enum):
    """The first source of a finding at the operation that failed."""

    TEXT = "by the text"
    PAYLOAD = "by the payload"
    HINT = "as possible"
    RUN = "by a run only"
    NOTHING = "by nothing"


class JudgedFailure(NamedTuple):
    """A script with its run and the findings of tdls; `source` is None for a script that does not fail."""

    text: str
    result: RunResult
    source: FailureSource | None
    operation: str
    false: tuple[Diagnostic, ...]
    """Errors of rules about a script that runs."""


def judged(seed: int, backend: Backend) -> JudgedFailure:
    """Run the script of `seed`, and find the first finding of tdls at the operation that failed."""
    text = script_of(seed)
    request = RunRequest(Script(_NAME, text, Catalogue.shipped()), limits=_LIMITS)
    result = backend.run(request)
    file = SourceFile.of(text, Catalogue.shipped())
    found = findings_in_file(file)
    if result.status is Status.SUCCESS:
        return JudgedFailure(text, result, None, "", tuple(each for each in found if each.level is Level.ERROR))
    of_run = marks_of(result, {_NAME: file}, _NAME, FileSpan(0, 0), reproduction(request))[_NAME].findings
    errors = [each for each in of_run if each.level is Level.ERROR]
    lines = [result.executing[0].line - 1] if result.executing else []
    lines += (file.position(each.span.start).line for each in errors)
    line = lines[0] if lines else -1
    operation = file.line_text(line).partition("transform.")[2].split(" ")[0] if line > 0 else "?"
    here = [each for each in found if file.position(each.span.start).line == line and each.rule not in _RULES_OF_EFFECT]
    certain = [each for each in here if each.level is not Level.HINT]
    without = SourceFile.of(_without_payload(text), Catalogue.shipped())
    bare = [each for each in findings_in_file(without) if without.position(each.span.start).line == line]
    if any(each.level is not Level.HINT and each.rule not in _RULES_OF_EFFECT for each in bare):
        source = FailureSource.TEXT
    elif certain:
        source = FailureSource.PAYLOAD
    elif here:
        source = FailureSource.HINT
    else:
        of_errors = any(file.position(each.span.start).line == line for each in errors)
        source = FailureSource.RUN if of_errors else FailureSource.NOTHING
    return JudgedFailure(text, result, source, operation, ())


def _without_payload(text: str) -> str:
    """Return a script with empty lines in place of its payload."""
    first, *lines = text.split("\n")
    end = next(number for number, line in enumerate(lines) if "named_sequence" in line)
    return "\n".join([first, *[""] * end, *lines[end:]])


def _counted(results: Iterable[JudgedFailure]) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    sources: Counter[str] = Counter()
    kinds: Counter[tuple[str, str]] = Counter()
    for each in results:
        if each.source is not None:
            sources[each.source.value] += 1
            kinds[each.source.value, each.operation] += 1
    return sources, kinds


def main() -> int:
    """Judge the scripts that the command line asks for, and print the counts."""
    parser = argparse.ArgumentParser(prog="python -m oracle.failures", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scripts", type=int, default=1000)
    parser.add_argument("--show", type=int, metavar="N")
    options = parser.parse_args()
    backend = open_backend(BackendChoice("bindings"))
    try:
        if options.show is not None:
            return _show(judged(options.show, backend))
        results = {seed: judged(seed, backend) for seed in range(options.seed, options.seed + options.scripts)}
    finally:
        backend.close()
    sources, kinds = _counted(results.values())
    false = {seed: each for seed, each in results.items() if each.false}
    running = sum(each.source is None for each in results.values())
    print(f"{options.scripts} scripts: {running} run, {sources.total()} fail")
    for source in FailureSource:
        most = ", ".join(f"{name} {count}" for (kind, name), count in kinds.most_common() if kind == source.value)
        print(f"{sources[source.value]:6} reported {source.value}: {most}")
    print(f"{len(false)} scripts that run have errors")
    for seed, each in list(false.items())[:20]:
        print(f"  {seed}: {each.false[0].rule}: {each.false[0].message}")
    for seed in [seed for seed, each in results.items() if each.source is FailureSource.NOTHING][:20]:
        print(f"  not reported: {seed}: {results[seed].result.status.value} {results[seed].result.detail}")
    return 1 if false or sources[FailureSource.NOTHING.value] else 0


def _show(each: JudgedFailure) -> int:
    print(each.text)
    print(each.result.status.value, each.result.detail, each.source)
    for said in (*each.result.diagnostics, *each.false):
        print(said)
    for finding in findings_in_file(SourceFile.of(each.text, Catalogue.shipped())):
        print(finding.level.value, finding.rule, finding.message)
    return 0


if __name__ == "__main__":
    sys.exit(main())
