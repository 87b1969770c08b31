"""Compares counts of handles that tdls finds with the counts in runs.

The scripts are those of `oracle.handles.scripts`: random payloads with scripts that make people's mistakes. No run
may contradict a claim that is certain: that a handle holds one operation if it holds any, that it holds several, or
that it holds none.

Usage, from the folder `tools`: ``python -m oracle.counts [--seed N] [--scripts N]``. Exits with 1 where a run
contradicts.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from oracle.handles.scripts import handle_script
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles.contents import Certainty
from tdls.analysis.handles.findings import evaluated, handle_findings
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backend import open_backend
from tdls.interpreter.runs.model import Limits, RunRequest, Status
from tdls.interpreter.runs.script import Script
from tdls.semantic.handle_types import HandleKind
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.interpreter.backend import Backend
    from tdls.semantic.model import Value

_LIMITS = Limits(seconds=20.0)


class CountClaim(NamedTuple):
    """The counts of operations that a handle may have whenever it is defined."""

    start: int
    """Offset of its definition."""
    number: int | None
    shown: str
    words: str
    allowed: frozenset[int] | None
    """The counts that may be; None where any but one may be."""

    def allows(self, count: int) -> bool:
        """Whether a run does not contradict."""
        return count != 1 if self.allowed is None else count in self.allowed


class ComparedCounts(NamedTuple):
    """The number of checked claims of each kind, and the contradictions."""

    looked_at: Counter[str]
    problems: list[str]


def claims_of(file: SourceFile) -> Iterator[CountClaim]:
    """Yield the claims of tdls about the counts of handles."""
    for context in file.contexts:
        if context.mentions_transform:
            for operation in context.model.walk():
                for value in operation.results:
                    yield from _claims(context, value)


def _claims(context: Context, value: Value) -> Iterator[CountClaim]:
    start = context.to_file(value.span).start
    evaluation = evaluated(context)
    if value in evaluation.empty:
        yield CountClaim(start, value.number, value.shown, "holds nothing", frozenset({0}))
    known = evaluation.contents.get(value)
    if known is not None and known.listed is not None:
        if known.listed.is_one:
            yield CountClaim(start, value.number, value.shown, "holds one that is known", frozenset({1}))
        elif known.listed.several is Certainty.CERTAINLY:
            yield CountClaim(start, value.number, value.shown, "holds several that are known", None)
    run = handle_findings(context).run_of(value)
    if run is None or not run.begins or run.kind(value) is not HandleKind.OPERATIONS:
        return
    payload = run.set_of(value)
    if payload.facts.is_one:
        yield CountClaim(start, value.number, value.shown, "holds one, if any", frozenset({0, 1}))
    elif payload.facts.several is Certainty.CERTAINLY:
        yield CountClaim(start, value.number, value.shown, "holds several", None)


def compare(seed: int, scripts: int, backend: Backend) -> ComparedCounts:
    """Compare the claims about generated scripts with runs. Raises BackendError."""
    catalogue = Catalogue.shipped()
    found = ComparedCounts(Counter(), [])
    for number in range(scripts):
        generated = handle_script(seed, number)
        if not generated.library:
            _compare_one(generated.name, SourceFile.of(generated.text, catalogue), backend, found)
    return found


def _compare_one(name: str, file: SourceFile, backend: Backend, found: ComparedCounts) -> None:
    claims = list(claims_of(file))
    if not claims:
        return
    result = backend.run(RunRequest(Script.of("script.mlir", file), emits=frozenset(), observe=True, limits=_LIMITS))
    if result.status not in (Status.SUCCESS, Status.FAILURE):
        return
    held = {(handle.start, handle.number): handle.snapshots for handle in result.handles}
    for claim in claims:
        for snapshot in held.get((claim.start, claim.number), ()):
            found.looked_at[claim.words] += 1
            if not claim.allows(snapshot.count):
                found.problems.append(f"{name}: {claim.shown} {claim.words}, but {snapshot.count} in a run")


def main() -> int:
    """Run the comparison and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m oracle.counts", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scripts", type=int, default=5000)
    parser.add_argument("--backend", default="bindings:torch_mlir")
    options = parser.parse_args()
    backend = open_backend(BackendChoice(options.backend))
    try:
        found = compare(options.seed, options.scripts, backend)
    finally:
        backend.close()
    print(*found.problems, sep="\n")
    for words, count in found.looked_at.most_common():
        print(f"{count:,} times a handle that {words}")
    print(f"{len(found.problems)} contradicted")
    return 1 if found.problems else 0


if __name__ == "__main__":
    sys.exit(main())
