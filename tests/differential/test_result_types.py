"""The type of each result in payload is the one that MLIR gives it, in every form of an operation."""

from __future__ import annotations

from oracle.payload_modules import seeds
from oracle.tools import run
from tdls.catalogue.catalogue import Catalogue
from tdls.semantic.resolver import resolve
from tdls.semantic.types import TypeTexts
from tdls.syntax.parser.parser import parse
from tools_at_hand import require_mlir_opt

CATALOGUE = Catalogue.shipped()
READ = ("--allow-unregistered-dialect", "--mlir-print-local-scope")
WRITTEN = frozenset(
    {"affine", "arith", "bufferization", "cf", "complex", "func", "index", "linalg", "math", "memref", "scf", "tensor"}
    | {"ub", "vector"}
)
"""The dialects of the payload that people write."""


def results(text: str) -> dict[str, list[tuple[str | None, ...]]]:
    """Return the types of the results of all operations in `text`, by the name of the operation."""
    tree = parse(text, CATALOGUE)
    aliases = [(member.alias.name, member.alias.value) for member in tree.members if member.alias is not None]
    found: dict[str, list[tuple[str | None, ...]]] = {}
    for operation in resolve(tree, TypeTexts(aliases)).walk():
        if operation.results:
            found.setdefault(operation.name, []).append(tuple(value.type for value in operation.results))
    return found


def test_types_of_results() -> None:
    require_mlir_opt(22)
    texts = [text for _, text in seeds()]
    printed = run(texts, *READ, major=22)
    generic = run(texts, *READ, "--mlir-print-op-generic", major=22)
    wrong = []
    unknown: set[str] = set()
    known: set[str] = set()
    for custom, reference in zip(printed, generic, strict=True):
        if custom.text is None or reference.text is None:
            continue
        expected = results(reference.text)
        for name, types in results(custom.text).items():
            if len(types) != len(expected.get(name, ())):  # the generic form has the bodies that others leave out
                continue
            for ours, theirs in zip(types, expected[name], strict=True):
                (unknown if None in ours else known).add(name)
                wrong += [(name, *pair) for pair in zip(ours, theirs, strict=True) if pair[0] not in (None, pair[1])]
    assert wrong == []
    assert {name for name in unknown if name.partition(".")[0] in WRITTEN} == set()
    assert len(known) > 250
