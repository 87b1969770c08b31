"""Modules that a version of LLVM accepts, most of them changed at random, and the findings of tdls in them."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from oracle.corpus import corpus
from oracle.run_corpus.scripts import scripts
from oracle.verifier.comparison import WHEN_RUN, outcomes
from oracle.verifier.mistakes import mistakes
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.text.diagnostic import Diagnostic

_LONGEST = 1500
"""Longer texts are mostly payload, in which no mistakes are made."""
_BATCH = 4000
_WRITTEN = 4
"""One of how many modules is as it was written, if there are as many."""
_TRIES = 4
"""Of how many changes one is accepted, about."""
_MORE = 50
"""Number of additional tries, so that the last modules do not take a process each."""
_EACH = 4


class FalseError(NamedTuple):
    """An error that tdls reports of a module which MLIR accepts; `target` is the version that it was checked for."""

    text: str
    target: int | None
    error: Diagnostic


def accepted_modules(count: int, major: int, seed: int = 0, *, sample: bool = False) -> Iterator[list[str]]:
    """Yield `count` modules that MLIR accepts, in batches: some as they are written, then changed ones."""
    found: dict[str, None] = {}
    for make, most in ((_written(sample=sample), count // _WRITTEN), (_changed(found, major, seed), count)):
        while len(found) < most and (texts := list(islice(make, _tries(most - len(found))))):
            accepted = dict.fromkeys(_accepted(texts, major))
            new = [text for text in accepted if text not in found][: most - len(found)]
            found |= dict.fromkeys(new)
            yield new


def _tries(missing: int) -> int:
    return min(_BATCH, _TRIES * missing + _MORE)


def _written(*, sample: bool) -> Iterator[str]:
    """Yield each module of the corpus, in an order that does not put similar ones together."""
    written = [module.text for module in corpus(sample=sample) if not module.explicit_locations]
    texts = dict.fromkeys([*written, *(script.text for script in scripts())])
    chosen = [text for text in texts if len(text) < _LONGEST and "\n// -----" not in text]
    Random(0).shuffle(chosen)
    yield from chosen


def _changed(found: dict[str, None], major: int, seed: int) -> Iterator[str]:
    """Yield changed modules without end, some of them changed repeatedly; `found` may grow meanwhile."""
    random, catalogue = Random(seed), Catalogue.shipped().at(major)
    pool: list[str] = []
    while True:
        if len(pool) < len(found):
            pool = list(found)
        yield from (made.text for made in mistakes(random.choice(pool), _EACH, random, catalogue))


def _accepted(texts: Sequence[str], major: int) -> Iterator[str]:
    pairs = zip(texts, outcomes(texts, major), strict=True)
    return (text for text, outcome in pairs if outcome.text is not None and not outcome.crashed)


def false_errors(texts: Sequence[str], major: int) -> Iterator[FalseError]:
    """Yield the errors that are reported of modules which MLIR accepts, for that version and for none in particular."""
    for catalogue in (Catalogue.shipped().at(major), Catalogue.shipped()):
        for text in texts:
            for found in findings_in_file(SourceFile.of(text, catalogue, split=SplitMode.NEVER)):
                if found.level is Level.ERROR and found.rule not in WHEN_RUN:
                    yield FalseError(text, catalogue.target, found)
