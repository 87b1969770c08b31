"""Counts the coverage of the corpus: shapes of each transform operation, dialects of the payload.

Usage, from the folder `tools`: ``python -m oracle.coverage``.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict

from oracle.payload_modules import payload_modules
from oracle.tools import run
from oracle.transform_modules import operation_names, scripts, transform_modules

_OPERATION = re.compile(r'^\s*(?:%[^=]* = )?"([\w.]+)"\([^)]*\)(.*)$')
_ATTRIBUTE = re.compile(r"(?<=[{ ])([\w.$]+)(?= = |[,}])")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ENOUGH = 3


def transform_shapes(seed: int = 0) -> dict[str, set[str]]:
    """Return the shapes in the corpus of each transform operation.

    Two operations have the same shape if their types are the same, they have attributes of the same names,
    and the same optional parts.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for module in transform_modules(seed):
        if module.printing == "generic":
            for name, shape in _operations(module.text):
                if name == module.operation:
                    found[name].add(f"{module.shape}|{shape}")
    outcomes = run([text for _, text in scripts()], "--mlir-print-op-generic")
    for outcome in outcomes:
        assert outcome.text is not None
        for name, shape in _operations(outcome.text):
            found[name].add(shape)
    return {name: shapes for name, shapes in found.items() if name.startswith("transform.")}


def _operations(generic: str) -> list[tuple[str, str]]:
    """Return name and shape of the operations of a module in generic form, by line and closing bracket."""
    found: list[tuple[str, str]] = []
    open_operations: list[int] = []
    for line in generic.splitlines():
        operation = _OPERATION.match(line)
        if operation:
            found.append((operation[1], _shape(operation[2])))
            if line.endswith("({"):
                open_operations.append(len(found) - 1)
        elif line.lstrip().startswith("})"):
            name, shape = found[open_operations[-1]]
            found[open_operations.pop()] = (name, f"{shape} {_shape(line)}")
        elif open_operations and line.lstrip().startswith(("}, {", "^")):
            name, shape = found[open_operations[-1]]
            found[open_operations[-1]] = (name, f"{shape} {line.strip()}")
    return found


def _shape(text: str) -> str:
    head, _, types = text.partition(" : ")
    return f"{','.join(sorted(set(_ATTRIBUTE.findall(_QUOTED.sub(chr(34) * 2, head)))))}|{types}"


def payload_dialects() -> dict[str, int]:
    """Return how many payload modules have an operation of each dialect, unregistered ones excluded."""
    counts: defaultdict[str, int] = defaultdict(int)
    for module in payload_modules():
        if module.printing == "generic":
            for dialect in {name.partition(".")[0] for name, _ in _operations(module.text)}:
                counts[dialect] += 1
    return {name: count for name, count in counts.items() if name not in ("any", "my", "transform")}


def main() -> int:
    """Print the counts; return 1 where a transform operation has too few shapes."""
    shapes = transform_shapes()
    known = operation_names()
    few = [name for name in known if name in shapes and len(shapes[name]) < _ENOUGH]
    missing = [name for name in known if name not in shapes]
    print(f"{len(known)} transform operations at LLVM 22 by the catalogue, {len(shapes)} in the corpus")
    print(f"shapes of an operation: {sum(map(len, shapes.values())) / len(shapes):.1f} on average")
    print(f"with fewer than {_ENOUGH} shapes: {few or 'none'}")
    print(f"not accepted by mlir-opt in any shape: {missing or 'none'}")
    dialects = payload_dialects()
    print(f"{len(dialects)} payload dialects: {', '.join(f'{k} ({v})' for k, v in sorted(dialects.items()))}")
    return 1 if few or missing else 0


if __name__ == "__main__":
    sys.exit(main())
