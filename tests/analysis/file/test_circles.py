"""Which sequences are in a circle of calls is found out once, and again where calls have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from tdls.analysis.checking.findings import Findings
from tdls.analysis.file import queries
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAMES = [f"s{number}" for number in range(6)]
GRAPHS = st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=3))
HANDLE = "!transform.any_op"


def module(calls: Mapping[str, Sequence[str]]) -> str:
    """Return a module with sequences that call others."""
    texts = ["module attributes {transform.with_named_sequence} {"]
    for name, callees in calls.items():
        texts.append(f"  transform.named_sequence @{name}(%root: {HANDLE} {{transform.readonly}}) {{")
        texts += [f"    transform.include @{each} failures(propagate) (%root) : ({HANDLE}) -> ()" for each in callees]
        texts.append("    transform.yield\n  }")
    return "\n".join([*texts, "}\n"])


def reaches(calls: Mapping[str, Sequence[str]], name: str) -> set[str]:
    found: set[str] = set()
    waiting = [*calls.get(name, ())]
    while waiting:
        callee = waiting.pop()
        if callee not in found:
            found.add(callee)
            waiting += calls.get(callee, ())
    return found


def recursive(findings: Findings) -> list[str]:
    findings.work(lambda: False)
    return [findings.file.slice(each.span) for each in findings.diagnostics() if each.rule == "recursive-sequence"]


@given(GRAPHS, st.permutations(NAMES))
def test_circles_are_those_that_a_walk_finds(calls: dict[str, list[str]], order: list[str]) -> None:
    file = SourceFile.of(module(calls), Catalogue.shipped())
    index = next(number for number, piece in enumerate(file.sections.pieces) if piece.frame is not None) if calls else 0
    for name in order if calls else ():
        assert queries.may_call_itself(file, index, name) == (name in reaches(calls, name))


@given(GRAPHS, GRAPHS)
def test_circles_follow_edits(before: dict[str, list[str]], after: dict[str, list[str]]) -> None:
    calls = {name: before.get(name, []) for name in NAMES}
    file = SourceFile.of(module(calls), Catalogue.shipped())
    findings = Findings(file)
    recursive(findings)
    for name, callees in after.items():
        calls[name] = callees
        start = file.text.index("\n", file.text.index(f"@{name}(")) + 1
        end = file.text.index("    transform.yield", start)
        lines = [f"    transform.include @{each} failures(propagate) (%root) : ({HANDLE}) -> ()\n" for each in callees]
        file = file.edited(FileSpan(start, end), "".join(lines))
        findings.advance(file)
        assert file.text == module(calls)
        assert recursive(findings) == [f"@{each}" for each in NAMES if each in reaches(calls, each)]


@given(GRAPHS, st.permutations(NAMES))
def test_each_sequence_is_looked_at_once(calls: dict[str, list[str]], order: list[str]) -> None:
    looked: list[str] = []

    def callees(name: str) -> list[str]:
        looked.append(name)
        return calls.get(name, [])

    known: dict[str, bool] = {}
    for name in order:
        if name not in known:
            known.update(queries.in_circles(callees, name, known))
    assert sorted(looked) == sorted(NAMES)
    assert known == {name: name in reaches(calls, name) for name in NAMES}


def test_long_chains_take_no_recursion() -> None:
    chain = {f"s{number}": [f"s{number + 1}"] for number in range(20_000)}
    known = queries.in_circles(lambda name: chain.get(name, []), "s0", {})
    assert not any(known.values())
    assert all(queries.in_circles(lambda name: chain.get(name, ["s0"]), "s0", {}).values())


def test_a_sequence_in_the_generic_form_is_followed() -> None:
    text = f"""\
module attributes {{transform.with_named_sequence}} {{
  "transform.named_sequence"() <{{function_type = ({HANDLE}) -> (), sym_name = "me"}}> ({{
  ^bb0(%root: {HANDLE}):
    transform.include @other failures(propagate) (%root) : ({HANDLE}) -> ()
    transform.yield
  }}) : () -> ()
  transform.named_sequence @other(%root: {HANDLE}) {{
    transform.include @me failures(propagate) (%root) : ({HANDLE}) -> ()
    transform.yield
  }}
}}
"""
    assert len(recursive(Findings(SourceFile.of(text, Catalogue.shipped())))) == 2
