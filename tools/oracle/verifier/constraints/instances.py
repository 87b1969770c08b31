"""Valid modules in which a transform operation stands in generic form, of each operation several."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from oracle.tools import run
from oracle.transform_modules import candidates_of, scripts
from oracle.verifier.comparison import outcomes
from oracle.verifier.constraints.demands import definitions_at
from tdls.semantic.resolver import resolve
from tdls.semantic.types import TypeTexts
from tdls.syntax.parser.parser import parse
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Model, Operation

_WRITTEN = Path(__file__).parent / "instances.mlir"
"""A module with operations that nothing else has in a place where all of their constraints can be violated."""
_IN_NEWER = """\
"transform.payload"() <{normal_forms = []}> ({
  ^bb0:
}) : () -> ()
"""
_ATTEMPTS = 30


@dataclass(frozen=True)
class Instance:
    """An operation in generic form, in a module that MLIR accepts."""

    text: str
    model: Model
    operation: Operation

    @property
    def outermost(self) -> Operation:
        """The operation around it that stands in a module, or itself."""
        around = [self.operation, *self.operation.ancestors()]
        inside = [each for each in around if not each.name.endswith("module")]
        return inside[-1]

    @property
    def has_sequence(self) -> bool:
        """True if it stands in a named sequence, where values of every type can be had."""
        return self.outermost.name == "transform.named_sequence"


def instances(catalogue: Catalogue, major: int) -> dict[str, list[Instance]]:
    """Return instances by the name of the operation, those of which most constraints can be violated first."""
    found: defaultdict[str, list[Instance]] = defaultdict(list)
    for text in _valid_modules(catalogue, major):
        for instance in _instances_in(text, catalogue):
            found[instance.operation.name].append(instance)
    return {name: sorted(group, key=_rank) for name, group in found.items()}


def _rank(instance: Instance) -> tuple[bool, bool, int]:
    return not instance.has_sequence, has_used_results(instance), len(instance.text)


def has_used_results(instance: Instance) -> bool:
    """Whether something uses a result of the operation."""
    results = instance.operation.results
    return any(value in results for each in instance.model.walk() for value in each.operands if value is not None)


def _valid_modules(catalogue: Catalogue, major: int) -> list[str]:
    built = candidates_of(definitions_at(catalogue, major), Random(0), _ATTEMPTS)
    written = [text for _, text in scripts()]
    written.append(_WRITTEN.read_text(encoding="utf-8"))
    generic = [outcome.text for outcome in run(written, "--mlir-print-op-generic")]
    written += [_IN_NEWER]
    texts = [text for text in (*built, *generic, *written) if text is not None and "loc(" not in text]
    texts = list(dict.fromkeys(texts))
    pairs = zip(texts, outcomes(texts, major), strict=True)
    return [text for text, outcome in pairs if outcome.text is not None]


def _instances_in(text: str, catalogue: Catalogue) -> Iterator[Instance]:
    tree = parse(text, catalogue)
    model = resolve(tree, TypeTexts([(m.alias.name, m.alias.value) for m in tree.members if m.alias is not None]))
    for operation in model.walk():
        if operation.syntax.form is Form.GENERIC and operation.name.startswith("transform."):
            yield Instance(text, model, operation)


def applied(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """Return a text in which each edit replaces the text between two places."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
