"""Compares `use-after-free` findings with the warnings of `transform-dialect-check-uses`.

Usage, from the folder `tools`: ``python -m oracle.check_parity --scripts 1500``.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from oracle.check_scripts import CATEGORIES, check_scripts
from oracle.test_extension import catalogue_with_test_extension
from oracle.tools import run
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.syntax.parser.parser import parse
from tdls.syntax.sections.boundaries import SplitMode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.check_scripts import CheckScript
    from oracle.tools import MlirDiagnostic
    from tdls.catalogue.catalogue import Catalogue
    from tdls.text.diagnostic import Diagnostic

_WARNING = re.compile(r"operand #(\d+) may be used after free")
_REJECTED_SHARE = 0.7

Place = tuple[int, int]
"""Line (0-based) and column (1-based) of a location in ASCII text."""


class Finding(NamedTuple):
    """One use after free: places of the using operation, the definition and the freeing operation."""

    place: Place
    operand: int
    allocated: frozenset[Place]
    freed: frozenset[Place]


@dataclass
class Parity:
    """The findings of one script: by both, by MLIR alone, by tdls alone, and other errors of tdls."""

    script: CheckScript
    both: set[Finding]
    missing: set[Finding]
    extra: set[Finding]
    errors: list[str] = field(default_factory=list)

    @property
    def equal(self) -> bool:
        """Say whether both found the same and tdls has nothing to complain about besides."""
        return not (self.missing or self.extra or self.errors)


def parity(count: int, seed: int = 0) -> list[Parity]:
    """Compare `count` generated scripts that MLIR accepts; there may be fewer if the generator is out of
    luck.
    """
    scripts = check_scripts(int(count / _REJECTED_SHARE), seed)
    outcomes = run([script.text for script in scripts], "--transform-dialect-check-uses")
    catalogue = catalogue_with_test_extension()
    accepted = [pair for pair in zip(scripts, outcomes, strict=True) if pair[1].text is not None]
    return [_parity(script, outcome.diagnostics, catalogue) for script, outcome in accepted[:count]]


def _parity(script: CheckScript, diagnostics: Sequence[MlirDiagnostic], catalogue: Catalogue) -> Parity:
    expected = _mlir_findings(diagnostics)
    result = findings_in_file(SourceFile.of(script.text, catalogue, split=SplitMode.NEVER))
    found = _tdls_findings(script.text, result, catalogue)
    errors = [each.message for each in result if each.level.value == "error"]
    return Parity(script, expected & found, expected - found, found - expected, errors)


def _mlir_findings(diagnostics: Sequence[MlirDiagnostic]) -> set[Finding]:
    found = []
    for entry in diagnostics:
        place = (entry.line, entry.column)
        match = _WARNING.fullmatch(entry.message)
        if match:
            found.append(Finding(place, int(match[1]), frozenset(), frozenset()))
        elif entry.level == "note" and found and entry.message == "allocated here":
            found[-1] = found[-1]._replace(allocated=found[-1].allocated | {place})
        elif entry.level == "note" and found and entry.message == "freed here":
            found[-1] = found[-1]._replace(freed=found[-1].freed | {place})
    return set(found)


def _tdls_findings(text: str, diagnostics: Sequence[Diagnostic], catalogue: Catalogue) -> set[Finding]:
    """Return the findings with the place MLIR reports: the name of the operation whose operand is
    underlined.
    """
    operations = {}
    tree = parse(text, catalogue)
    for operation in tree.walk():
        for use in operation.operands:
            name = operation.name_span.start
            operations[use.start] = _place(text, name)
    found = set()
    for diagnostic in diagnostics:
        match = next(filter(None, (_WARNING.fullmatch(note.message) for note in diagnostic.notes)), None)
        if diagnostic.rule != "use-after-free" or not match:
            continue
        notes = defaultdict(set)
        for note in diagnostic.notes:
            notes[note.message].add(_place(text, note.span.start))
        place = operations[diagnostic.span.start]
        allocated, freed = frozenset(notes["allocated here"]), frozenset(notes["freed here"])
        found.add(Finding(place, int(match[1]), allocated, freed))
    return found


def _place(text: str, offset: int) -> Place:
    return text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset)


def main() -> int:
    """Print the table; return 0 where the findings are equal, else 1."""
    parser = argparse.ArgumentParser(prog="python -m oracle.check_parity", description=__doc__)
    parser.add_argument("--scripts", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=3, help="how many scripts with differences to show")
    arguments = parser.parse_args()
    results = parity(arguments.scripts, arguments.seed)
    _print_table(results)
    unequal = [result for result in results if not result.equal]
    for result in sorted(unequal, key=lambda each: len(each.script.text))[: arguments.show]:
        print(f"\n--- {result.script.category}")
        print("MLIR alone:", sorted(result.missing))
        print("tdls alone:", sorted(result.extra))
        print("errors:", result.errors)
        print(result.script.text)
    return 1 if unequal else 0


def _print_table(results: Sequence[Parity]) -> None:
    columns = ("scripts", "with findings", "findings of both", "MLIR alone", "tdls alone", "unequal scripts")
    rows: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        counts = {
            "scripts": 1,
            "with findings": int(bool(result.both or result.missing)),
            "findings of both": len(result.both),
            "MLIR alone": len(result.missing),
            "tdls alone": len(result.extra),
            "unequal scripts": int(not result.equal),
        }
        rows[result.script.category].update(counts)
        rows["all"].update(counts)
    print(f"{'category':<14}" + "".join(f"{column:>18}" for column in columns))
    for category in (*CATEGORIES, "all"):
        print(f"{category:<14}" + "".join(f"{rows[category][column]:>18}" for column in columns))


if __name__ == "__main__":
    sys.exit(main())
