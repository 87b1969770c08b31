"""Collect how MLIR prints operations whose form only C++ knows: ``python tools/facts/examples.py``.

For each operation without an assembly format in TableGen, the table in the shipped facts has one line as ``mlir-opt``
of LLVM 22, or else 19, prints it, without the contents of regions. The operations are those of `examples.mlir`, of the
oracle's payloads, as written and after some passes, and structured operations with tensors of all ranks. Those without
are printed in the generic form, or have no example yet (``--missing`` lists them).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from oracle.payload_modules import seeds  # noqa: E402
from oracle.tools import SPLIT_MARKER, run  # noqa: E402
from tdls.analysis.file.source_file import SourceFile  # noqa: E402
from tdls.catalogue.catalogue import Catalogue  # noqa: E402
from tdls.semantic.transform_dialect import TRANSFORM  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.syntax.tree import Operation, Region

TABLE = REPOSITORY / "server" / "tdls" / "catalogue" / "facts" / "_examples.json"
_MORE = Path(__file__).with_name("examples.mlir")
_VERSIONS = (22, 19)
_PRINTING = ("--allow-unregistered-dialect", "--mlir-print-local-scope")
_FUNCTIONS = "--pass-pipeline=builtin.module(func.func({}))"
_STAGES = (
    (),
    (_FUNCTIONS.format("tosa-to-linalg-named,tosa-to-linalg"),),
    ("--linalg-generalize-named-ops",),
    ("--one-shot-bufferize=bufferize-function-boundaries allow-unknown-ops", "--convert-linalg-to-affine-loops"),
    ("--convert-vector-to-scf",),
)
_LONGEST = 400
_MOST_RANKS = 6
_BLANKS = re.compile(r"\s+")


def main() -> int:
    """Collect, and write the table; the exit code is 2 where there is no ``mlir-opt``."""
    parser = argparse.ArgumentParser(description="Collect how MLIR prints operations whose form only C++ knows.")
    parser.add_argument("--output", type=Path, default=TABLE, metavar="FILE", help="the table to write")
    parser.add_argument("--missing", action="store_true", help="list the operations that no example was found of")
    arguments = parser.parse_args()
    wanted = _wanted(Catalogue.shipped())
    try:
        found = collected(_MORE.read_text(encoding="utf-8").split(f"{SPLIT_MARKER}\n"), wanted, [()])
        found |= collected((text for _, text in seeds()), wanted - found.keys())
        found |= collected(_structured(wanted - found.keys()), wanted - found.keys(), [()])
    except FileNotFoundError as error:
        print(f"examples.py: {error}", file=sys.stderr)
        return 2
    arguments.output.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n", encoding="utf-8", newline="\n")
    if arguments.missing:
        print("\n".join(sorted(wanted - found.keys())))
    return 0


def collected(
    texts: Iterable[str], wanted: frozenset[str], stages: Sequence[tuple[str, ...]] = _STAGES
) -> dict[str, str]:
    """Return the shortest way in which MLIR prints each operation that is `wanted`, as far as `texts` have it.

    Newer versions count first.
    """
    modules = list(dict.fromkeys(texts))
    found: dict[str, str] = {}
    for version in _VERSIONS:
        of_version: dict[str, str] = {}
        for stage in stages:
            for outcome in run(modules, *_PRINTING, *stage, major=version):
                for name, line in _examples(outcome.text or "", wanted - found.keys()):
                    known = of_version.get(name)
                    if known is None or _order(line) < _order(known):
                        of_version[name] = line
        found.update(of_version)
    return found


def _order(line: str) -> tuple[bool, int, str]:
    """Return the key by which the best example is the least: one with results that is short."""
    return not line.startswith("%"), len(line), line


def _wanted(catalogue: Catalogue) -> frozenset[str]:
    """Return the operations of which the catalogue knows no form."""
    definitions = filter(None, map(catalogue.operation, catalogue.operation_names()))
    return frozenset(
        definition.name
        for definition in definitions
        if definition.dialect != TRANSFORM and not (definition.assembly_format is not None and definition.format_known)
    )


def _structured(names: Iterable[str]) -> Iterator[str]:
    """Yield modules that may have structured operations, with tensors of all small ranks: MLIR says which are right."""
    ranks = range(1, _MOST_RANKS + 1)
    for name in sorted(name for name in names if name.startswith("linalg.")):
        given, made, more = _elements(name)
        for rank in ranks:
            yield _module(name, [_tensor(rank, given)], _tensor(rank, made))
        for first, second, output in product(ranks, repeat=3):
            yield _module(name, [_tensor(first, given), _tensor(second, given), *more], _tensor(output, made))


def _elements(name: str) -> tuple[str, str, list[str]]:
    """Return the types of elements that an operation takes and makes, and of the scalars that it takes besides."""
    if "quantized" in name or name.endswith("_q"):
        return "i8", "i32", ["i32", "i32"]
    return ("i32", "i32", []) if name.endswith("_unsigned") else ("f32", "f32", [])


def _tensor(rank: int, element: str) -> str:
    return f"tensor<{'?x' * rank}{element}>"


def _module(name: str, inputs: list[str], output: str) -> str:
    arguments = ", ".join(f"%arg{number}: {type_}" for number, type_ in enumerate([*inputs, output]))
    given = ", ".join(f"%arg{number}" for number in range(len(inputs)))
    operation = f"{name} ins({given} : {', '.join(inputs)}) outs(%arg{len(inputs)} : {output}) -> {output}"
    return f"func.func @f({arguments}) -> {output} {{\n  %0 = {operation}\n  return %0 : {output}\n}}\n"


def _examples(text: str, wanted: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the operations in MLIR's output: names with spellings."""
    if not any(name in text for name in wanted):
        return
    for context in SourceFile.of(text, Catalogue.shipped()).contexts:
        for operation in context.tree.walk():
            if operation.name not in wanted or operation.broken:
                continue
            line = _line(context.tree.text, operation)
            if not _is_generic(context.tree.text, operation) and len(line) <= _LONGEST:
                yield operation.name, line


def _line(text: str, operation: Operation) -> str:
    """Return an operation in one line, with its full name, and dots in place of the contents of its regions."""
    name = operation.name_span
    parts, at = [text[operation.start : name.start], operation.name], name.end
    for region in operation.regions:
        parts += [text[at : region.start], "{ ... }" if _is_filled(text, region) else text[region.start : region.end]]
        at = region.end
    return _BLANKS.sub(" ", "".join([*parts, text[at : operation.end]])).strip()


def _is_generic(text: str, operation: Operation) -> bool:
    return text[operation.name_span.start - 1] == '"' or text[operation.name_span.start] == '"'


def _is_filled(text: str, region: Region) -> bool:
    return bool(text[region.start + 1 : region.end - 1].strip())


if __name__ == "__main__":
    sys.exit(main())
