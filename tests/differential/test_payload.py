"""Payload that MLIR accepts has no findings, unregistered operations have none, and some mistakes have errors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oracle.payload_modules import seeds
from oracle.payload_mutants import mutants, said
from oracle.tools import SPLIT_MARKER, run
from samples import at_least, some
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import (
    AttributeDefinition,
    AttributeSpelling,
    OperandDefinition,
    OperationDefinition,
    TypeDefinition,
)
from tdls.catalogue.source import MemorySource
from tdls.cli.checking.verification import verify
from tdls.settings.model import Settings
from tdls.settings.selection import levels, with_levels
from tdls.text.level import Level
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from tdls.text.diagnostic import Diagnostic

PAYLOAD = Path(__file__).parent / "payload"
CATALOGUE = Catalogue.shipped()


def parts(name: str) -> list[str]:
    return (PAYLOAD / name).read_text(encoding="utf-8").split(f"\n{SPLIT_MARKER}\n")


def found(text: str, payload_syntax: str = "certain", *, possible: bool = False) -> list[Diagnostic]:
    settings = Settings(payload_syntax=payload_syntax)
    return with_levels(findings_in_file(SourceFile.of(text, CATALOGUE)), levels(settings, None, possible=possible))


def test_mlir_accepts_payload_of_the_accepted_list() -> None:
    require_mlir_opt(22)
    outcomes = run(parts("accepted.mlir"), "--allow-unregistered-dialect", major=22)
    assert [outcome.diagnostics for outcome in outcomes if outcome.text is None] == []


@pytest.mark.parametrize("part", parts("accepted.mlir"))
def test_nothing_is_found_in_payload_that_mlir_accepts(part: str) -> None:
    problems = [finding.message for finding in found(part, "all") if finding.level in (Level.ERROR, Level.WARNING)]
    assert problems == []


@pytest.mark.parametrize("part", parts("unknown.mlir"))
def test_nothing_is_certain_in_unreadable_payload(part: str) -> None:
    """Names of older versions are findings with the new name; nothing else follows from them."""
    assert [(each.message, each.span) for each in found(part) if each.rule != "older-form"] == []


@pytest.mark.parametrize("major", [19, 22])
@pytest.mark.parametrize("name", ["unknown.mlir", "mistaken.mlir", "verified.mlir"])
def test_mlir_does_not_read_payload_of_the_unreadable_list(name: str, major: int) -> None:
    require_mlir_opt(major)
    outcomes = run(parts(name), "--allow-unregistered-dialect", major=major)
    assert [number for number, outcome in enumerate(outcomes) if outcome.text is not None] == []


@pytest.mark.parametrize("part", parts("mistaken.mlir"))
def test_mistakes_that_are_certain(part: str) -> None:
    assert verify(part, found(part)) == []


@pytest.mark.parametrize("part", parts("verified.mlir"))
def test_mistakes_that_every_version_verifies(part: str) -> None:
    assert [finding.level for finding in found(part)] == [Level.ERROR]


@pytest.mark.parametrize("part", parts("mistaken.mlir"))
def test_payload_can_be_left_alone(part: str) -> None:
    assert found(part, "off", possible=True) == []


@pytest.mark.parametrize("escape", [r"\00", r"\n", r"\\", r"\""])
@pytest.mark.parametrize("count", [300, 1_000])
def test_long_strings_of_escapes(escape: str, count: int) -> None:
    assert found(f'"some.blob"() {{value = "{escape * count}"}} : () -> ()\n', "all") == []


def test_several_bits_in_one_string() -> None:
    flags = AttributeDefinition("flags", cases=("A", "B"), separator="|", spelling=AttributeSpelling.CUSTOM)
    allocate = OperationDefinition(
        "some.allocate", attributes=(flags,), assembly_format="`flags` `(` $flags `)` attr-dict", format_known=True
    )
    catalogue = Catalogue([MemorySource("some", [allocate])])
    text = 'some.allocate flags("A|B")\nsome.allocate flags("A")\nsome.allocate flags(A|B)\n'
    assert findings_in_file(SourceFile.of(text, catalogue)) == []
    (finding,) = findings_in_file(SourceFile.of('some.allocate flags("A|C")\n', catalogue))
    assert finding.rule == "syntax-error"


def test_numbers_before_types() -> None:
    close = OperationDefinition(
        "some.close",
        operands=(OperandDefinition("value"),),
        attributes=(AttributeDefinition("most", constraint="UI64Attr"),),
        assembly_format="$value `,` `most` `=` $most `:` type($value) attr-dict",
        format_known=True,
    )
    catalogue = Catalogue([MemorySource("some", [close])])
    text = "func.func @f(%value: tensor<4xf32>) {\n  some.close %value, most = 3 : tensor<4xf32>\n  return\n}\n"
    assert findings_in_file(SourceFile.of(text, Catalogue([*catalogue.sources, *CATALOGUE.sources]))) == []


def test_editors_get_hints_in_unreadable_payload() -> None:
    text = "func.func @f(%value: i32) {\n  %0 = spirv.IAdd %value, %value newly<here> : i32\n  return\n}\n"
    assert [(finding.level, finding.rule) for finding in found(text, possible=True)] == [(Level.HINT, "syntax-error")]
    assert [(finding.level, finding.rule) for finding in found(text, "all")] == [(Level.ERROR, "syntax-error")]


@pytest.mark.parametrize(
    "damaged",
    [
        "transform.print %root newly<here> : !transform.any_op",
        "transform.print root : !transform.any_op",
        "some.use %other : i32",
        "transform print %root",
        "transform.foreach %root : !transform.any_op { ^bb0(%one: !transform.any_op): some.use( }",
    ],
)
def test_scripts_are_checked_by_known_definitions(damaged: str) -> None:
    text = (
        "module attributes {transform.with_named_sequence} {\n"
        f"  transform.named_sequence @__transform_main(%root: !transform.any_op) {{\n    {damaged}\n"
        "    transform.yield\n  }\n}\n"
    )
    assert any(finding.level is Level.ERROR for finding in found(text))


@pytest.mark.parametrize(
    "frame",
    ["modul attributes {transform.with_named_sequence} {", "module attributes {transform.with_named_sequence}} {"],
)
def test_operations_around_scripts_belong_to_them(frame: str) -> None:
    text = f"{frame}\n  transform.named_sequence @a(%root: !transform.any_op) {{\n    transform.yield\n  }}\n}}\n"
    assert any(finding.level is Level.ERROR for finding in found(text))


def test_types_of_projects_may_get_interfaces_in_cpp() -> None:
    catalogue = Catalogue([MemorySource("some", types=[TypeDefinition("some.handle")]), *CATALOGUE.sources])
    text = (
        "module attributes {transform.with_named_sequence} {\n"
        "  transform.named_sequence @__transform_main(%root: !some.handle {transform.readonly}) {\n"
        "    %0 = transform.get_parent_op %root : (!some.handle) -> !some.handle\n"
        "    transform.yield\n  }\n}\n"
    )
    assert findings_in_file(SourceFile.of(text, catalogue)) == []


@pytest.mark.parametrize(
    "form",
    [
        "some.launch (%one) in (%all = %a)",
        "some.part [{?}, {1}] {b = <m = 8>} : i32",
        'some.part(%a) axes=[{"a":(1)2}] (%b: i32) {\n    some.end %b : i32\n  } : i32',
    ],
)
def test_forms_of_their_own_get_no_hint(form: str) -> None:
    text = f"func.func @f(%a: i32) {{\n  {form}\n  return\n}}\n"
    assert [finding for finding in found(text, "all") if finding.rule != "unfamiliar-payload-operation"] == []


def test_names_without_a_dialect_that_were_given_up() -> None:
    text = (
        "transform.sequence failures(propagate) {\n^bb0(%root: !transform.any_op):\n"
        "  %0 = get_closest_isolated_parent %root : (!transform.any_op) -> !transform.any_op\n"
        "  transform.print %0 : !transform.any_op\n}\n"
    )
    (finding,) = findings_in_file(SourceFile.of(text, CATALOGUE))
    assert finding.rule == "unknown-transform-operation"
    assert "transform.get_parent_op" in finding.message


def test_mistakes_in_payload_are_found_and_what_mlir_reads_has_none() -> None:
    require_mlir_opt(22)
    texts = [text for _, text in seeds()]
    read = [text for text, outcome in zip(texts, run(texts), strict=True) if outcome.text is not None]
    assert {text: said(CATALOGUE, text).certain for text in read if said(CATALOGUE, text).certain} == {}
    made = list(mutants(read, some(50), seed=0))
    outcomes = run([mutant.text for mutant in made])
    rejected = [each for each, outcome in zip(made, outcomes, strict=True) if outcome.text is None]
    found_in = [said(CATALOGUE, each.text) for each in rejected]
    assert len(rejected) > len(made) / 2
    assert sum(bool(each.certain or each.possible) for each in found_in) >= at_least(0.8) * len(rejected)
