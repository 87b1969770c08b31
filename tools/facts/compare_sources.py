"""Does tdls read effects out of MLIR's own sources as the facts have them? ``compare_sources.py --help``.

The facts are measured with MLIR; here TableGen files and C++ are read as those of any project.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from tdls.catalogue.model import EffectSource, OperandDefinition, OperationDefinition, ResultDefinition  # noqa: E402
from tdls.catalogue.shipped import ShippedSource  # noqa: E402
from tdls.catalogue.sources.bodies import ValueGroups  # noqa: E402
from tdls.catalogue.sources.cpp import CppFacts, joined, read_sources  # noqa: E402
from tdls.catalogue.sources.tablegen import TableGenOperation, read_units  # noqa: E402

_DIALECT = "transform"
_CPP = ("*.cpp", "*.h")
_UNKNOWN = "unknown"


@dataclass
class Comparison:
    """Counts of compared operations and effects, differences of sources and facts, and effects unknown by sources."""

    operations: int = 0
    in_cpp: int = 0
    effects: int = 0
    differences: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """One line with all counts."""
        return (
            f"{self.operations} operations, {self.in_cpp} with effects in C++; {self.effects} effects compared, "
            f"{len(self.differences)} differences, {len(self.unknown)} not understood"
        )


def compare(operations: list[TableGenOperation], facts: CppFacts, version: int) -> Comparison:
    """Compare the effects of operations with those that tdls ships for an LLVM version."""
    comparison = Comparison()
    shipped = ShippedSource().operations
    for operation in operations:
        variants = shipped.variants(operation.definition.name)
        expected = next((variant for variant in variants if version in variant.versions), None)
        if expected is None:
            comparison.differences.append(f"{operation.definition.name}: not among the facts of LLVM {version}")
            continue
        comparison.operations += 1
        comparison.in_cpp += operation.declares_effects
        _compare(comparison, expected, joined(operation, facts)[0])
    return comparison


def _compare(comparison: Comparison, expected: OperationDefinition, found: OperationDefinition) -> None:
    """Compare effects; where a body or a callee decides them, the facts have "unknown", too."""
    for what, fact, read in _effects(expected, found):
        comparison.effects += 1
        if read == fact:
            continue
        is_decided = expected.effect_source is EffectSource.FIXED
        if _UNKNOWN in read:
            comparison.unknown.append(f"{found.name}: {what} is {fact} in the facts")
        elif is_decided or what != _PAYLOAD:
            comparison.differences.append(f"{found.name}: {what} is {fact} in the facts, {read} in the sources")


_PAYLOAD = "the payload"


def _effects(expected: OperationDefinition, found: OperationDefinition) -> list[tuple[str, str, str]]:
    """Return the payload and each value, with the effect on it in the facts and in the sources."""
    pairs = [(_PAYLOAD, str(expected.payload_effect.value), str(found.payload_effect.value))]
    values = zip(ValueGroups(expected).values, ValueGroups(found).values, strict=True)
    return pairs + [(f"'{value.name}'", _effect(value), _effect(other)) for value, other in values]


def _effect(value: OperandDefinition | ResultDefinition) -> str:
    exceptions = [
        f"{exception.effect.value} with {exception.attribute}={exception.value}" for exception in value.effect_when
    ]
    return ", ".join([value.effect.value, *exceptions])


def main() -> int:
    """Print the counts and all differences; the exit code is 0 where there are none."""
    arguments = _parser().parse_args()
    mlir = Path(arguments.folder)
    include = mlir / "include"
    files = {path: text for path in sorted(include.rglob("*.td")) if "Transform" in (text := _text(path))}
    if not files:
        print(f"compare_sources.py: {include}: no TableGen files; name the folder mlir of LLVM", file=sys.stderr)
        return 2
    found = read_units(files, [include], lambda path: _text(path) if path.is_file() else None)
    operations = [operation for operation in found.operations if operation.definition.dialect == _DIALECT]
    facts = read_sources({path: _text(path) for pattern in _CPP for path in sorted(mlir.rglob(pattern))})
    comparison = compare(operations, facts, arguments.llvm)
    for line in (*comparison.differences, *comparison.unknown):
        print(line)
    print(comparison)
    return 1 if comparison.differences else 0


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="the folder mlir of LLVM's sources, with include and lib")
    parser.add_argument("--llvm", type=int, choices=(19, 22), default=22, help="LLVM major version of the sources")
    return parser


if __name__ == "__main__":
    sys.exit(main())
