"""Measure tdls: ``python3 benchmarks/run.py``, with the Python of an environment that has tdls.

Times are the best of several runs, of whole processes where the table says so. ``mlir-opt-22`` is measured, too,
where it is installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "tile_and_vectorize.mlir"
MLIR_OPT = "mlir-opt-22"
TREE_SIZE = 500
TDLS = [sys.executable, "-m", "tdls"]


def main() -> None:
    """Run every benchmark and print one table."""
    print(f"{'what':60}{'time':>12}  remark")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure_start()
        measure_parsing(folder)
        measure_small_file()
        measure_tree(folder)


def measure_start() -> None:
    """Whole processes that do next to nothing."""
    python = best_of(10, lambda: run([sys.executable, "-c", "pass"]))
    version = best_of(10, lambda: run([*TDLS, "--version"]))
    report("python -c pass (process)", python)
    report("tdls --version (process)", version, f"{1000 * (version - python):.0f} ms more than Python")


def measure_parsing(folder: Path) -> None:
    """Parse generated text in this process, next to mlir-opt on the same text."""
    from tdls.catalogue.catalogue import Catalogue
    from tdls.syntax.parser.parser import parse

    catalogue = Catalogue.shipped()
    for name, text in (("transform script", script(400)), ("payload", payload(2000)), ("blob", blob())):
        seconds = best_of(3, lambda text=text: parse(text, catalogue))  # type: ignore[misc]
        size = len(text) / 1e6
        report(f"parse {size:.1f} MB of {name}", seconds, f"{size / seconds:.2f} MB/s")
        if shutil.which(MLIR_OPT):
            file = folder / "input.mlir"
            file.write_text(text, encoding="utf-8")
            command = [MLIR_OPT, str(file), "-o", str(folder / "output.mlir")]
            theirs = best_of(3, lambda command=command: run(command))  # type: ignore[misc]
            report(f"  {MLIR_OPT}, parse and print (process)", theirs, f"{size / theirs:.2f} MB/s")


def measure_small_file() -> None:
    """Check one small file as a whole process, next to MLIR's own check."""
    ours = best_of(10, lambda: run([*TDLS, "--check", str(EXAMPLE)]))
    report(f"tdls --check {EXAMPLE.name} (process)", ours)
    if shutil.which(MLIR_OPT):
        command = [MLIR_OPT, "--transform-dialect-check-uses", str(EXAMPLE)]
        theirs = best_of(10, lambda: run(command))
        report(f"  {MLIR_OPT} --transform-dialect-check-uses (process)", theirs, f"tdls: {ours / theirs:.1f}x")


def measure_tree(folder: Path) -> None:
    """Check a tree of scripts with one and with two processes."""
    tree = folder / "tree"
    for number in range(TREE_SIZE):
        file = tree / f"part{number % 20}" / f"script{number}.mlir"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(script(1 + number % 5), encoding="utf-8")
    for jobs in (1, 2):
        command = [*TDLS, "--check", str(tree), "--jobs", str(jobs)]
        seconds = best_of(2, lambda command=command: run(command))  # type: ignore[misc]
        report(
            f"tdls --check, {TREE_SIZE} files, --jobs {jobs} (process)", seconds, f"{TREE_SIZE / seconds:.0f} files/s"
        )


def script(count: int) -> str:
    """Return a transform script with `count` named sequences."""
    sequences = "".join(
        f"""
  transform.named_sequence @tile_{number}(%root: !transform.any_op {{transform.readonly}}) {{
    %matmul = transform.structured.match ops{{["linalg.matmul"]}} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:3 = transform.structured.tile_using_for %matmul tile_sizes [{number + 1}, 16, 4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.foreach %tiled : !transform.any_op {{
    ^bb0(%one: !transform.any_op):
      %parent = transform.get_parent_op %one {{op_name = "scf.for"}} : (!transform.any_op) -> !transform.any_op
      transform.annotate %parent "step" : !transform.any_op
    }}
    %size = transform.param.constant {number} : i64 -> !transform.param<i64>
    transform.annotate %loops#0 "size" = %size : !transform.any_op, !transform.param<i64>
    transform.loop.unroll %loops#2 {{factor = 4}} : !transform.any_op
    transform.yield
  }}"""
        for number in range(count)
    )
    return f"module attributes {{transform.with_named_sequence}} {{{sequences}\n}}\n"


def payload(count: int) -> str:
    """Return `count` functions as a compiler prints them."""
    return "".join(
        f"""\
func.func @kernel_{number}(%arg0: memref<128x?xf32, strided<[256, 1], offset: ?>>, %arg1: index) -> f32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0.000000e+00 : f32
  %0 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %cst) -> (f32) {{
    %1 = memref.load %arg0[%c0, %arg2] : memref<128x?xf32, strided<[256, 1], offset: ?>>
    %2 = arith.mulf %1, %1 fastmath<contract> : f32
    %3 = arith.addf %arg3, %2 : f32
    scf.yield %3 : f32
  }}
  return %0 : f32
}}
"""
        for number in range(count)
    )


def blob() -> str:
    """Return a constant with ten megabytes of data."""
    data = "00000000" * (10_000_000 // 8)
    return f'%0 = arith.constant dense<"0x{data}"> : tensor<{len(data) // 8}xf32>\n'


def best_of(count: int, action: Callable[[], object]) -> float:
    """Return the shortest of `count` runs in seconds."""
    times: list[float] = []
    for _ in range(count):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


def run(command: list[str]) -> None:
    """Run a command that has to succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def report(what: str, seconds: float, remark: str = "") -> None:
    """Print one row of the table."""
    print(f"{what:60}{1000 * seconds:9.1f} ms  {remark}", flush=True)


if __name__ == "__main__":
    main()
