"""Compares reports of matchers that never run with runs, for generated tables of ``foreach_match``.

Some arms are made of an earlier one so that all that they accept is accepted there: by fewer names, more conditions or
dimensions, or narrower comparisons of ranks, sizes of dimensions, numbers of operands and widths of types. Others
contradict themselves. tdls has to report most of these as dead, and the reported ones must not run.

Usage, from the folder `tools`: ``python -m oracle.arms [--seed N] [--tables N]``. Exits with 1 where something is wrong
or fewer than nine tenths of the arms that are dead are said to be.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from oracle.matching import (
    ANY,
    NAMES,
    NUMBER,
    RANK,
    Matcher,
    generated_matcher,
    generated_payload,
    structured_condition,
)
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules.transform.dead_arm import RULE
from tdls.analysis.rules.transform.impossible_match import RULE as IMPOSSIBLE
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backends.opening import open_backend
from tdls.interpreter.model import Emit, RunRequest, Status, TextFile
from tdls.interpreter.script import Script
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from tdls.interpreter.recording.backend import Backend

_LEAST_SHARE = 0.9


class Compared(NamedTuple):
    """Counts of compared tables and of arms that are dead by construction, and the arms that tdls reports as dead."""

    tables: int
    dead: Counter[str]
    said: Counter[str]
    """Of those that are dead, by why they are."""
    problems: list[str]


class _Table(NamedTuple):
    matchers: list[Matcher]
    dead: dict[int, str]
    """Why arms are dead, by their numbers, if they were made so."""

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
    dead: Counter[str] = Counter()
    said: Counter[str] = Counter()
    problems: list[str] = []
    for number in range(tables):
        source = random.Random(f"arms:{seed}:{number}")
        table, payload = _table(source), generated_payload(source)
        script = table.script()
        called = _called_dead(script)
        fired = _fired(script, payload, len(table.matchers), backend)
        dead.update(table.dead.values())
        said.update(why for arm, why in table.dead.items() if arm in called)
        problems += [f"{seed}:{number}: @m{arm} is not dead\n{script}" for arm in sorted(table.dead.keys() & fired)]
        problems += [f"{seed}:{number}: @m{arm} runs\n{script}" for arm in sorted(called & fired)]
    return Compared(tables, dead, said, problems)


def _table(source: random.Random) -> _Table:
    matchers = [_matcher(source)]
    dead: dict[int, str] = {}
    for number in range(1, source.randint(2, 5)):
        kind = source.random()
        if kind < 0.35:
            wider = [matchers[arm] for arm in range(number) if dead.get(arm) not in _CONTRADICTIONS]
            matchers.append(_narrower(source.choice(wider), source, number))
            dead[number] = "takes no more"
        elif kind < 0.6:
            contradiction = source.choice(tuple(_CONTRADICTIONS))
            matchers.append(_CONTRADICTIONS[contradiction](_matcher(source), source))
            dead[number] = contradiction
        else:
            matchers.append(_matcher(source))
    return _Table(matchers, dead)


def _matcher(source: random.Random) -> Matcher:
    """Return a matcher that may compare another number than the rank."""
    matcher = generated_matcher(source)
    return matcher._replace(yielded=source.choice(_YIELDED)) if matcher.inside else matcher


def _narrower(matcher: Matcher, source: random.Random, number: int) -> Matcher:
    """Return a matcher that accepts no more than another one."""
    names = [name for name in NAMES if any(name in line for line in matcher.before)] or list(NAMES)
    fewer = ", ".join(f'"{name}"' for name in source.sample(names, source.randint(1, len(names))))
    before = [f"transform.match.operation_name %op [{fewer}] : {ANY}"]
    more = [structured_condition(source, 10 * number + index) for index in range(source.randint(0, 2))]
    inside = [*map(_more_dimensions, matcher.inside), *more] if matcher.inside else []
    return Matcher(before, inside, _tightened(matcher.behind, source), matcher.yielded)


def _more_dimensions(condition: str) -> str:
    """Return a condition that asks the same of one dimension more, or more of operands."""
    if ".dim " in condition:
        return condition.replace("[0] {", "[0, 1] {")
    return condition.replace("{projected_permutation}", "{permutation}")


def _tightened(behind: list[str], source: random.Random) -> list[str]:
    """Return comparisons that hold for no more values."""
    if len(behind) != len(_ONE_COMPARISON):
        return behind
    bound, comparison = behind
    predicate, constant = comparison.split()[1], int(bound.split()[3])
    if predicate in ("ge", "gt"):
        constant += source.randint(0, 2)
    elif predicate in ("le", "lt"):
        constant -= source.randint(0, 2)
    return [f"%bound = transform.param.constant {constant} : i64 -> {NUMBER}", comparison]


def _with_body(matcher: Matcher, *conditions: str) -> Matcher:
    return matcher._replace(inside=[*matcher.inside, *conditions])


def _two_kinds(matcher: Matcher, source: random.Random) -> Matcher:
    which = source.choice(("0", "-1", "0, 1"))
    kinds = (f"transform.match.structured.dim %s[{which}] {{{kind}}} : {ANY}" for kind in ("parallel", "reduction"))
    return _with_body(matcher, *kinds)


def _two_kinds_of_overlapping(matcher: Matcher, source: random.Random) -> Matcher:
    some, others = source.choice((("0", "0, 1"), ("1, 0", "1"), ("-1", "0, -1")))
    first, second = source.sample(("parallel", "reduction"), 2)
    return _with_body(
        matcher,
        f"transform.match.structured.dim %s[{some}] {{{first}}} : {ANY}",
        f"transform.match.structured.dim %s[{others}] {{{second}}} : {ANY}",
    )


def _two_values(matcher: Matcher, source: random.Random) -> Matcher:
    """Return a matcher with comparisons of one number that do not hold together."""
    number = source.randint(1, 64)
    first, second, other = source.choice(
        (("eq", "ne", 0), ("ge", "lt", 0), ("gt", "le", 0), ("eq", "eq", 1), ("gt", "eq", 0), ("lt", "ge", 3))
    )
    behind = [
        f"%bound = transform.param.constant {number} : i64 -> {NUMBER}",
        f"%other = transform.param.constant {number + other} : i64 -> {NUMBER}",
        f"transform.match.param.cmpi {first} %y, %bound : {NUMBER}",
        f"transform.match.param.cmpi {second} %y, %other : {NUMBER}",
    ]
    source.shuffle(behind[2:])
    body = matcher if matcher.inside else _with_body(matcher, structured_condition(source, 1))
    return body._replace(behind=behind)


def _two_names(matcher: Matcher, source: random.Random) -> Matcher:
    names = source.sample(NAMES, 4)
    pairs = (names[:2], names[2:])
    asked = (f'transform.match.operation_name %op ["{name}", "{other}"] : {ANY}' for name, other in pairs)
    return matcher._replace(before=list(asked))


def _no_structured_name(matcher: Matcher, source: random.Random) -> Matcher:
    name = source.choice(("arith.addf", "func.func", "scf.for"))
    body = matcher if matcher.inside else _with_body(matcher, structured_condition(source, 1))
    return body._replace(before=[f'transform.match.operation_name %op ["{name}"] : {ANY}'])


_ONE_COMPARISON = ("a constant", "what is compared with it")
_CONTRADICTIONS = {
    "two kinds of a dimension": _two_kinds,
    "two kinds of dimensions that overlap": _two_kinds_of_overlapping,
    "two values": _two_values,
    "two names": _two_names,
    "a structured operation of another name": _no_structured_name,
}
_YIELDED: tuple[tuple[str, ...], ...] = (
    (RANK,),
    (f"%rank = transform.match.structured.dim %s[0] : ({ANY}) -> {NUMBER}",),
    (f"%rank = transform.match.structured.num_inputs %s : ({ANY}) -> {NUMBER}",),
    (
        f"%value = transform.match.structured.init %s[0] : ({ANY}) -> !transform.any_value",
        f"%rank = transform.match.structured.elemental_bitwidth %value : (!transform.any_value) -> {NUMBER}",
    ),
)
"""Numbers that matchers compare: ranks, sizes of dimensions, numbers of operands, and widths of element types."""


def _called_dead(script: str) -> set[int]:
    """Return the arms that are said to accept nothing, in the table or where they ask for it."""
    file = SourceFile.of(script, Catalogue.shipped())
    found = findings_in_file(file)
    places = [finding.span for finding in found if finding.rule == RULE.name]
    arms = {int(script[place.start : place.end].removeprefix("@m")) for place in places}
    impossible = [finding.span.start for finding in found if finding.rule == IMPOSSIBLE.name]
    return arms | {int(script[script.rindex("@m", 0, start) + 2 :].partition("(")[0]) for start in impossible}


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
    for why, count in compared.dead.most_common():
        print(f"{compared.said[why]:,} of {count:,} arms that are dead are said to be: {why}")
    is_little = compared.said.total() < _LEAST_SHARE * compared.dead.total()
    return 1 if compared.problems or is_little else 0


if __name__ == "__main__":
    sys.exit(main())
