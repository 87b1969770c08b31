"""Compares the findings of tdls with the errors of MLIR when it reads and verifies modules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from oracle import bindings
from oracle.corpus import corpus
from oracle.run_corpus.scripts import scripts
from oracle.tools import run
from oracle.verifier.mistakes import Mistake, mistakes
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules import all_rules
from tdls.syntax.parser.parser import parse
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oracle.tools import MlirDiagnostic, Outcome
    from tdls.catalogue.catalogue import Catalogue
    from tdls.syntax.tree import Operation
    from tdls.text.diagnostic import Diagnostic

_UNKNOWN_DIALECT = ("unregistered dialect", "does not appear to be registered")
BINDINGS = 23
"""The version of LLVM that the Python bindings have."""
_PROCESS = 400
"""Number of modules that one process with bindings reads."""
_LONGEST = 6000
POSSIBLE = "type-mismatch"
"""The rule whose findings are hints for types of other dialects: a project's C++ may attach interfaces to them."""
WHEN_RUN = frozenset({rule.name for rule in all_rules() if rule.shows_when_run or rule.is_silent} | {"use-after-free"})
"""Rules about mistakes that MLIR does not look for when it reads a module."""


@dataclass(frozen=True)
class Judged:
    """MLIR's and tdls's errors for a module with a mistake."""

    mistake: Mistake
    is_rejected: bool
    message: str
    """MLIR's first error."""
    operation: str
    """The operation in which MLIR reports it."""
    errors: tuple[Diagnostic, ...]
    is_found: bool
    """True if an error of tdls, or a note of one, is in that operation, or in the one with the mistake."""

    @property
    def is_false(self) -> bool:
        """True if tdls reports an error that MLIR does not see."""
        return not self.is_rejected and bool(self.errors)


def outcomes(texts: Sequence[str], major: int | None = None) -> list[Outcome]:
    """Return the outcome of each module that a version of LLVM reads."""
    if major != BINDINGS:
        return run(texts, major=major)
    starts = range(0, len(texts), _PROCESS)
    return [outcome for start in starts for outcome in bindings.outcomes(texts[start : start + _PROCESS])]


def valid_modules(major: int | None = None, *, sample: bool = False) -> list[str]:
    """Return scripts that MLIR accepts: every transform operation, generic and custom, and those of runs."""
    chosen = [
        module.text
        for module in corpus(sample=sample)
        if not module.kind.startswith("payload") and not module.explicit_locations
    ]
    texts = [text for text in [*chosen, *(script.text for script in scripts())] if len(text) < _LONGEST]
    texts = [text for text in dict.fromkeys(texts) if "\n// -----" not in text]
    pairs = zip(texts, outcomes(texts, major), strict=True)
    return [text for text, outcome in pairs if outcome.text is not None]


def generated(modules: Sequence[str], count: int, seed: int, catalogue: Catalogue, word: str = "") -> list[Mistake]:
    """Return `count` modules with a mistake each, of the kinds with `word` in them."""
    random = Random(seed)
    found: dict[str, Mistake] = {}
    while len(found) < count:
        for made in mistakes(random.choice(modules), 4, random, catalogue, word):
            found.setdefault(made.text, made)
    return list(found.values())[:count]


def judged(made: Sequence[Mistake], catalogue: Catalogue, major: int | None = None) -> list[Judged]:
    """Read each with MLIR and tdls; mistakes that crash MLIR are left out, and those with an unknown dialect."""
    return list(_judged(made, outcomes([each.text for each in made], major), catalogue))


def _judged(made: Sequence[Mistake], said_of: Sequence[Outcome], catalogue: Catalogue) -> Iterator[Judged]:
    for each, outcome in zip(made, said_of, strict=True):
        said = [entry for entry in outcome.diagnostics if entry.level in ("error", "note")]
        errors = [entry for entry in said if entry.level == "error"]
        is_rejected = outcome.text is None
        if outcome.crashed or (is_rejected and not errors) or any(_is_unknown(entry.message) for entry in errors):
            continue
        yield _compared(each, said if is_rejected else [], catalogue)


def _is_unknown(message: str) -> bool:
    return any(text in message for text in _UNKNOWN_DIALECT)


def _compared(made: Mistake, said: Sequence[MlirDiagnostic], catalogue: Catalogue) -> Judged:
    found = findings_in_file(SourceFile.of(made.text, catalogue, split=SplitMode.NEVER))
    errors = tuple(entry for entry in found if entry.level is Level.ERROR)
    if not said:
        return Judged(made, False, "", "", tuple(entry for entry in errors if entry.rule not in WHEN_RUN), False)
    operations = list(parse(made.text, catalogue).walk())
    offsets = [_offset(made.text, entry) for entry in said]
    named = [_innermost(operations, offset) for offset in [*offsets, made.place]]
    reported = [*errors, *(entry for entry in found if entry.rule == POSSIBLE and entry.level is Level.HINT)]
    spans = [span for entry in reported for span in (entry.span, *(note.span for note in entry.notes))]
    places = [_innermost(operations, span.start) for span in spans]
    is_found = any(place is other for place in places for other in named)
    first = next(entry for entry in said if entry.level == "error")
    where = _innermost(operations, _offset(made.text, first))
    return Judged(made, True, first.message, where.name if where else "", errors, is_found)


def _offset(text: str, entry: MlirDiagnostic) -> int:
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: entry.line]) + entry.column - 1


def _innermost(operations: Sequence[Operation], offset: int) -> Operation | None:
    around = [each for each in operations if each.start <= offset < each.end]
    return around[-1] if around else None


def share(found: Sequence[Judged]) -> float:
    """Return the share of rejections that are found; 1 if there are none."""
    rejected = [each for each in found if each.is_rejected]
    return sum(each.is_found for each in rejected) / len(rejected) if rejected else 1.0


def shape_of(message: str) -> str:
    """Return a message without the parts that depend on the module."""
    message = re.sub(r"'[^']*'|\"[^\"]*\"|%\w+|@\w+|!?[\w.]+<[^>]*>", "_", message)
    return re.sub(r"-?\d+", "N", message)
