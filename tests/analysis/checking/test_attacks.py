"""The analysis limits its work for a text: each attack ends, in time and memory that grow with its length."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from analysis.checking import attacks
from analysis.checking.attacks import ATTACKS
from steps import steps
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.limits import LIMITS, NOT_ANALYSED
from tdls.text.span import FileSpan

_TESTS = Path(__file__).parent.parent.parent
_SECONDS = 120
_MEMORY = 1_500_000_000
_LOOK = f"""\
import sys
from analysis.checking.attacks import ATTACKS
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
try:
    import resource
except ImportError:  # Windows
    pass
else:
    resource.setrlimit(resource.RLIMIT_AS, ({_MEMORY}, {_MEMORY}))
make = ATTACKS[sys.argv[1]]
findings_in_file(SourceFile.of(make(int(sys.argv[2])), Catalogue.shipped()))
"""
ENDLESS = {
    "nested_loops": 38,
    "nested_loops_with_results": 38,
    "nested_loops_that_consume": 38,
    "calls_of_calls": 20,
    "chain_of_calls": 1000,
    "calls_of_unknown_ones": 20_000,
    "unknown_calls_of_many": 5000,
    "misspelled_values": 5000,
    "misspelled_symbols": 5000,
    "aliased_types": 1000,
    "wide_merges": 2000,
    "wide_split": 10_000,
    "wide_split_merged": 5000,
    "chain_of_parents_consumed": 3000,
    "loops_that_yield_one": 2000,
    "chain_of_blocks": 5000,
    "doubled_merges_on_payload": 80,
    "loops_that_yield_all_on_payload": 80,
}
"""Attacks at sizes that take very long, or more memory than there is, where nothing bounds them."""
GIVEN_UP = {
    "handle-steps": attacks.calls_of_calls(8),
    "call-depth": attacks.chain_of_calls(20),
    "callee-steps": attacks.calls_of_large_ones(200),
    "type-length": attacks.aliased_types(20),
    "blocks": attacks.script_of_blocks(10_001),
}
"""Texts that are more than one of the limits."""


@pytest.mark.sample
@pytest.mark.parametrize("name", ENDLESS)
def test_no_script_takes_the_analysis_long(name: str) -> None:
    command = [sys.executable, "-c", _LOOK, name, str(ENDLESS[name])]
    subprocess.run(command, cwd=_TESTS, timeout=_SECONDS, check=True)


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_of_a_small_size_are_analysed(name: str) -> None:
    assert not _given_up(SourceFile.of(ATTACKS[name](2), Catalogue.shipped()))


LINEAR = {
    "parameters_of_one": 100,
    "results_that_are_cut_off": 100,
    "arms": 50,
    "options_of_a_pass": 100,
    "sequences_that_call_the_next": 30,
    "blocks_of_branches": 100,
    "matchers_of_one_operand": 100,
    "redefinitions_of_one": 100,
    "redefinitions_of_many": 60,
    "undefined_blocks": 500,
    "uses_before_definitions_in_blocks": 100,
}
"""Attacks with sizes at which a quadratic part outweighs the rest."""


@pytest.mark.parametrize("name", LINEAR)
def test_steps_grow_with_the_length(name: str) -> None:
    make, size = ATTACKS[name], LINEAR[name]
    catalogue = Catalogue.shipped()

    def checking(count: int) -> int:
        text = make(count)
        findings_in_file(SourceFile.of(text, catalogue))  # reads the facts of the catalogue
        return steps(lambda: findings_in_file(SourceFile.of(text, catalogue)))

    first, second, third = (checking(factor * size) for factor in (1, 2, 4))
    assert third - second < 2.3 * (second - first)


@pytest.mark.parametrize(
    "limit", [pytest.param(limit, marks=pytest.mark.sample) if limit == "blocks" else limit for limit in GIVEN_UP]
)
def test_abandoned_analyses_are_reported_at_the_first_line(limit: str) -> None:
    found = _given_up(SourceFile.of(GIVEN_UP[limit], Catalogue.shipped()))
    (named,) = (each for each in LIMITS if each.name == limit)
    assert any(str(named) in message for _, message in found)
    assert all(GIVEN_UP[limit][span.start] not in " \n" for span, _ in found)


@pytest.mark.parametrize("limit", [limit for limit in GIVEN_UP if limit != "blocks"])
def test_abandoned_analyses_do_not_depend_on_edits(limit: str) -> None:
    text = GIVEN_UP[limit]
    file = SourceFile.of(text, Catalogue.shipped())
    findings_in_file(file)
    place = text.index("!")
    away = file.edited(FileSpan(place, len(text)), "")
    findings_in_file(away)
    again = findings_in_file(away.edited(FileSpan(place, place), text[place:]))
    assert again == findings_in_file(SourceFile.of(text, Catalogue.shipped()))


def test_sections_are_analysed_next_to_an_abandoned_one() -> None:
    wrong = attacks.sequence([attacks.match("%v"), attacks.consume("%v"), attacks.use("%v")], "wrong")
    text = attacks.calls_of_calls(8).replace(
        "{transform.with_named_sequence} {\n", "{transform.with_named_sequence} {\n" + wrong
    )
    rules = {finding.rule for finding in findings_in_file(SourceFile.of(text, Catalogue.shipped()))}
    assert {"use-after-free", NOT_ANALYSED} <= rules


def test_loops_in_loops_are_followed() -> None:
    found = findings_in_file(SourceFile.of(attacks.nested_loops_that_consume(8), Catalogue.shipped()))
    assert [finding.rule for finding in found] == ["invalidated-handle"] * 7


def _given_up(file: SourceFile) -> list[tuple[FileSpan, str]]:
    return [(finding.span, finding.message) for finding in findings_in_file(file) if finding.rule == NOT_ANALYSED]
