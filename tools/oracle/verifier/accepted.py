"""Modules that a version of LLVM accepts, most of them changed at random, and what tdls reports of them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

from oracle.bindings import shapes
from oracle.corpus import corpus
from oracle.run_corpus.scripts import scripts
from oracle.tools import run
from oracle.verifier.comparison import WHEN_RUN
from oracle.verifier.mistakes import mistakes
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.sections.stretches import SplitMode
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.text.diagnostic import Diagnostic

BINDINGS = 24
"""The version of LLVM that the Python bindings have."""
_LONGEST = 1500
"""Of what is longer much is payload, which mistakes are not made in."""
_BATCH = 4000
_EACH = 4
_PROCESS = 400
"""How many modules one process with bindings reads."""


class FalseError(NamedTuple):
    """An error that tdls reports of a module which MLIR accepts; `target` is the version that it was checked for."""

    text: str
    target: int | None
    error: Diagnostic


def accepts(texts: Sequence[str], major: int) -> list[bool]:
    """Return for each module whether that version of LLVM reads it."""
    if major == BINDINGS:
        starts = range(0, len(texts), _PROCESS)
        return [shape is not None for start in starts for shape in shapes(texts[start : start + _PROCESS])]
    return [outcome.text is not None and not outcome.crashed for outcome in run(texts, major=major)]


def accepted_modules(count: int, major: int, seed: int = 0, *, sample: bool = False) -> Iterator[list[str]]:
    """Yield `count` modules that MLIR accepts, in batches: those of the corpus, then what changes make of these."""
    written = [module.text for module in corpus(sample=sample) if not module.explicit_locations]
    texts = [text for text in [*written, *(script.text for script in scripts())] if len(text) < _LONGEST]
    texts = [text for text in dict.fromkeys(texts) if "\n// -----" not in text]
    found = dict.fromkeys(_accepted(texts, major))
    yield list(found)[:count]
    random, catalogue = Random(seed), Catalogue.shipped().at(major)
    while len(found) < count:
        pool = list(found)
        changed: dict[str, None] = {}
        while len(changed) < _BATCH:
            changed |= dict.fromkeys(made.text for made in mistakes(random.choice(pool), _EACH, random, catalogue))
        new = [text for text in _accepted(list(changed), major) if text not in found][: count - len(found)]
        found |= dict.fromkeys(new)
        yield new


def _accepted(texts: Sequence[str], major: int) -> Iterator[str]:
    return (text for text, is_accepted in zip(texts, accepts(texts, major), strict=True) if is_accepted)


def false_errors(texts: Sequence[str], major: int) -> Iterator[FalseError]:
    """Yield the errors that are reported of modules which MLIR accepts, for that version and for none in particular."""
    for catalogue in (Catalogue.shipped().at(major), Catalogue.shipped()):
        for text in texts:
            for found in findings_in_file(SourceFile.of(text, catalogue, split=SplitMode.NEVER)):
                if found.level is Level.ERROR and found.rule not in WHEN_RUN:
                    yield FalseError(text, catalogue.target, found)
