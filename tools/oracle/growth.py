"""Shows that time grows linearly with the text, and that large blobs cost next to nothing.

Usage, from the folder `tools`: ``python -m oracle.growth``.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle.payload_modules import seeds
from oracle.transform_modules import scripts
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser.parser import parse
from tdls.syntax.sections.boundaries import SplitMode

if TYPE_CHECKING:
    from collections.abc import Callable

MEGABYTE = 1_000_000
_STEPS = (1, 2, 5, 10, 20)

_FLAT = """\
  %match = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.print %match : !transform.any_op
"""
_NESTED = """\
func.func @f(%n: index, %m: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %x = affine.load %m[%i] : memref<?xf32>
    affine.store %x, %m[%i] : memref<?xf32>
  }
  return
}
"""


@dataclass(frozen=True)
class Shape:
    """A kind of text that can be made in any size."""

    name: str
    make: Callable[[int], str]


def _repeated(unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda size: before + unit * (max(size // len(unit), 1)) + after


def shapes() -> list[Shape]:
    """Return texts with many members, one long block, deep brackets, only errors, only comments, one line."""
    known = "".join(f"module {{\n{text}\n}}\n" for _, text in [*scripts(), *seeds()] if "{-#" not in text)
    sequence = "module attributes {transform.with_named_sequence} {\n"
    sequence += "transform.named_sequence @s(%root: !transform.any_op {transform.readonly}) {\n"
    return [
        Shape("many functions", _repeated(_NESTED, "module {\n", "}\n")),
        Shape("one long sequence", _repeated(_FLAT, sequence, "  transform.yield\n}\n}\n")),
        Shape("real modules", _repeated(known)),
        Shape("real modules cut short", lambda size: _repeated(known)(size)[: size - 1001]),
        Shape("only open braces", _repeated("{\n")),
        Shape("only closing braces", _repeated("}\n")),
        Shape("unknown words", _repeated("foo.bar baz %1 ( \n")),
        Shape("one line of brackets", _repeated("([{<")),
        Shape("open strings", _repeated('%0 = "foo\n')),
        Shape("comments", _repeated("// comment {{{ %0\n")),
        Shape("one dictionary", _repeated("a.b = [1, 2.0], ", '"x.y"() {', "z} : () -> ()\n")),
    ]


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time `work` takes, which other programs do not disturb."""
    start = time.process_time()
    work()
    return time.process_time() - start


def blob(size: int) -> str:
    """Return a module with one dense attribute of `size` hexadecimal digits."""
    type_ = f"tensor<{size // 8}xi32>"
    digits = "01234567" * (size // 8)
    return f'func.func @f() {{\n  %0 = arith.constant dense<"0x{digits}"> : {type_}\n  return\n}}\n'


def main() -> int:
    """Print the times; return 1 where 20 times the text takes more than 40 times as long."""
    parser = argparse.ArgumentParser(prog="python -m oracle.growth", description=__doc__)
    parser.add_argument("--megabytes", type=int, default=20, help="size of the largest text")
    parser.add_argument("--check", action="store_true", help="time the whole check instead of parsing")
    arguments = parser.parse_args()
    catalogue = Catalogue.shipped()
    sizes = [step for step in _STEPS if step <= arguments.megabytes]
    print(f"{'seconds for':<26}" + "".join(f"{size:>7} MB" for size in sizes) + f"{'growth':>10}")
    steepest = 0.0
    for shape in shapes():
        times = [_time(shape.make(size * MEGABYTE), catalogue, check=arguments.check) for size in sizes]
        growth = (times[-1] / times[0]) / (sizes[-1] / sizes[0])
        steepest = max(steepest, growth)
        print(f"{shape.name:<26}" + "".join(f"{each:>10.2f}" for each in times) + f"{growth:>10.2f}")
    text = blob(100 * MEGABYTE)
    print(f"{'100 MB dense blob':<26}{_time(text, catalogue, check=arguments.check):>10.2f}")
    return 1 if steepest > 2 else 0


def _time(text: str, catalogue: Catalogue, *, check: bool) -> float:
    if check:
        return seconds(lambda: findings_in_file(SourceFile.of(text, catalogue, split=SplitMode.NEVER)))
    return seconds(lambda: parse(text, catalogue))


if __name__ == "__main__":
    sys.exit(main())
