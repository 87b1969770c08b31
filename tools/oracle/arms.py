"""Compares matchers that are said never to be asked with runs, for generated tables of ``foreach_match``.

Some arms are made of an earlier one so that all that they accept is accepted there: by fewer names, more conditions, or
narrower comparisons. Of these most have to be said to be dead, and what is said to be dead must not run.

Usage, from the folder `tools`: ``python -m oracle.arms [--seed N] [--tables N]``. Exits with 1 where something is wrong
or fewer than nine tenths of the arms that are dead are said to be.
"""

from __future__ import annotations

import argparse
import random
import sys
from typing import TYPE_CHECKING, NamedTuple

from oracle.matching import ANY, NAMES, NUMBER, Matcher, generated_matcher, generated_payload, structured_condition
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules.transform.dead_arm import RULE
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backends.opening import open_backend
from tdls.interpreter.model import Emit, RunRequest, Status, TextFile
from tdls.interpreter.script import Script
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from tdls.interpreter.jobs.backend import Backend

_LEAST_SHARE = 0.9


class Compared(NamedTuple):
    """How many tables were compared, how many of their arms are dead by how they were made, and what was said."""

    tables: int
    dead: int
    said: int
    """Of those that are dead."""
    problems: list[str]


class _Table(NamedTuple):
    matchers: list[Matcher]
    dead: set[int]
    """The numbers of the arms that were made of earlier ones."""

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
    dead, said, problems = 0, 0, []
    for number in range(tables):
        source = random.Random(f"arms:{seed}:{number}")
        table, payload = _table(source), generated_payload(source)
        script = table.script()
        called = _called_dead(script)
        fired = _fired(script, payload, len(table.matchers), backend)
        dead += len(table.dead)
        said += len(table.dead & called)
        problems += [f"{seed}:{number}: @m{arm} runs\n{script}" for arm in sorted(called & fired)]
    return Compared(tables, dead, said, problems)


def _table(source: random.Random) -> _Table:
    matchers = [generated_matcher(source)]
    dead: set[int] = set()
    for number in range(1, source.randint(2, 5)):
        if source.random() < 0.4:
            matchers.append(_narrower(source.choice(matchers), source, number))
            dead.add(number)
        else:
            matchers.append(generated_matcher(source))
    return _Table(matchers, dead)


def _narrower(matcher: Matcher, source: random.Random, number: int) -> Matcher:
    """Return a matcher that accepts no more than another one."""
    names = [name for name in NAMES if any(name in line for line in matcher.before)] or list(NAMES)
    fewer = ", ".join(f'"{name}"' for name in source.sample(names, source.randint(1, len(names))))
    before = [f"transform.match.operation_name %op [{fewer}] : {ANY}"]
    more = [structured_condition(source, 10 * number + index) for index in range(source.randint(0, 2))]
    inside = [*matcher.inside, *more] if matcher.inside else []
    return Matcher(before, inside, _tightened(matcher.behind, source))


def _tightened(behind: list[str], source: random.Random) -> list[str]:
    """Return comparisons that hold for no more values."""
    if not behind:
        return []
    bound, comparison = behind
    predicate, constant = comparison.split()[1], int(bound.split()[3])
    if predicate in ("ge", "gt"):
        constant += source.randint(0, 2)
    elif predicate in ("le", "lt"):
        constant -= source.randint(0, 2)
    return [f"%bound = transform.param.constant {constant} : i64 -> {NUMBER}", comparison]


def _called_dead(script: str) -> set[int]:
    file = SourceFile.of(script, Catalogue.shipped())
    places = [found.span for found in findings_in_file(file) if found.rule == RULE.name]
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
    return 1 if compared.problems or compared.said < _LEAST_SHARE * compared.dead else 0


if __name__ == "__main__":
    sys.exit(main())
