"""Compares reports of matchers that never run with runs, for generated tables of ``foreach_match``.

Some arms are made of an earlier one that accepts operations by name, so that it accepts all that they accept: they have
fewer of its names, and conditions. tdls has to report these as dead, and the reported ones must not run.

Usage, from the folder `tools`: ``python -m oracle.arms [--seed N] [--tables N]``. Exits with 1 where something is wrong
or an arm that is dead is not said to be.
"""

from __future__ import annotations

import argparse
import random
import sys
from typing import TYPE_CHECKING, NamedTuple

from oracle.matching import ANY, NAMES, Matcher, generated_matcher, generated_payload
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules.transform.dead_arm import RULE
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backend import open_backend
from tdls.interpreter.runs.model import Emit, RunRequest, Status, TextFile
from tdls.interpreter.runs.script import Script
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend

_SHARE = 0.6
"""The share of arms that are made of an earlier one, where one accepts operations by name."""


class Compared(NamedTuple):
    """Counts of compared tables and of arms that are dead by construction, and the arms that tdls reports as dead."""

    tables: int
    dead: int
    said: int
    problems: list[str]


class _Table(NamedTuple):
    matchers: list[Matcher]
    dead: set[int]
    """The numbers of the arms that were made so."""

    def script(self) -> str:
        """Return a script with an arm for each matcher, whose action notes its number."""
        sequences = "\n".join(map(self._sequences, range(len(self.matchers))))
        arms = ", ".join(f"@m{number} -> @a{number}" for number in range(len(self.matchers)))
        return f"""module attributes {{transform.with_named_sequence}} {{
{sequences}
transform.named_sequence @__transform_main(%root: {ANY} {{transform.consumed}}) {{
  %same = transform.foreach_match in %root {arms} : ({ANY}) -> {ANY}
  transform.yield
}}
}}
"""

    def _sequences(self, number: int) -> str:
        matcher = self.matchers[number]
        return f"""{matcher.text(matcher.size, name=f"m{number}")}
transform.named_sequence @a{number}(%op: {ANY} {{transform.readonly}}) {{
  transform.annotate %op "arm{number}" : {ANY}
  transform.yield
}}"""


def compare(seed: int, tables: int, backend: Backend) -> Compared:
    """Compare generated tables, each on a generated payload. Raises BackendError."""
    dead = said = 0
    problems: list[str] = []
    for number in range(tables):
        source = random.Random(f"arms:{seed}:{number}")
        table, payload = _table(source), generated_payload(source)
        script = table.script()
        called = _called_dead(script)
        fired = _fired(script, payload, len(table.matchers), backend)
        dead += len(table.dead)
        said += len(table.dead & called)
        problems += [f"{seed}:{number}: @m{arm} is not dead\n{script}" for arm in sorted(table.dead & fired)]
        problems += [f"{seed}:{number}: @m{arm} runs\n{script}" for arm in sorted(called & fired)]
    return Compared(tables, dead, said, problems)


def _table(source: random.Random) -> _Table:
    matchers = [generated_matcher(source)]
    dead: set[int] = set()
    for number in range(1, source.randint(2, 5)):
        by_name = [matcher for matcher in matchers if not matcher.inside]
        if by_name and source.random() < _SHARE:
            matchers.append(_narrower(source.choice(by_name), source))
            dead.add(number)
        else:
            matchers.append(generated_matcher(source))
    return _Table(matchers, dead)


def _narrower(matcher: Matcher, source: random.Random) -> Matcher:
    """Return a matcher that accepts no more than one by name."""
    names = [name for name in NAMES if f'"{name}"' in matcher.before[0]]
    fewer = ", ".join(f'"{name}"' for name in source.sample(names, source.randint(1, len(names))))
    narrower = generated_matcher(source)
    return narrower._replace(before=[f"transform.match.operation_name %op [{fewer}] : {ANY}"])


def _called_dead(script: str) -> set[int]:
    found = findings_in_file(SourceFile.of(script, Catalogue.shipped()))
    places = [finding.span for finding in found if finding.rule == RULE.name]
    return {int(script[place.start : place.end].removeprefix("@m")) for place in places}


def _fired(script: str, payload: str, arms: int, backend: Backend) -> set[int]:
    request = RunRequest(
        Script("table.mlir", script, Catalogue.shipped()),
        TextFile("payload.mlir", payload),
        emits=frozenset({Emit.PAYLOAD}),
    )
    result = backend.run(request)
    if result.status is not Status.SUCCESS:
        raise RuntimeError(f"{result.diagnostics}\n{script}")
    return {arm for arm in range(arms) if f"arm{arm}" in result.texts[Emit.PAYLOAD]}


def main() -> int:
    """Run the comparison and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m oracle.arms", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=1000)
    options = parser.parse_args()
    backend = open_backend(BackendChoice("bindings:torch_mlir"))
    try:
        compared = compare(options.seed, options.tables, backend)
    finally:
        backend.close()
    print(*compared.problems, sep="\n")
    print(f"{compared.tables:,} tables, {len(compared.problems)} arms said to be dead run")
    print(f"{compared.said:,} of {compared.dead:,} arms that are dead are said to be")
    return 1 if compared.problems or compared.said < compared.dead else 0


if __name__ == "__main__":
    sys.exit(main())
