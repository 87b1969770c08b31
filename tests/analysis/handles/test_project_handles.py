"""Findings about handles that a project's operations return."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import (
    Arity,
    AttributeDefinition,
    HandleEffect,
    LoopFit,
    LoopNumbers,
    MatchCriterion,
    OperandDefinition,
    OperationDefinition,
    PayloadEffect,
    Relation,
    RelationKind,
    ResultCount,
    ResultDefinition,
)
from tdls.catalogue.source import MemorySource
from tdls.structs import replace

_HANDLE = "TransformHandleTypeInterface"
_TILE = OperationDefinition(
    "transform.my.tile",
    operands=(OperandDefinition("target", _HANDLE, effect=HandleEffect.CONSUMES),),
    results=(ResultDefinition("tiled", _HANDLE, effect=HandleEffect.PRODUCES),),
    payload_effect=PayloadEffect.MODIFIES,
    assembly_format="$target attr-dict `:` functional-type(operands, results)",
)
_SCRIPT = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %first = transform.my.tile %loop : (!transform.any_op) -> !transform.any_op
    %second = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %second {factor = 2} : !transform.any_op
    transform.loop.unroll %first {factor = 2} : !transform.any_op
    transform.yield
  }
}
"""


def findings(script: str) -> list[str]:
    """The rules that find something."""
    catalogue = Catalogue.shipped().with_source(MemorySource("my.json", [_TILE]))
    return [finding.rule for finding in findings_in_file(SourceFile.of(script, catalogue))]


def test_nothing_is_said_where_no_relation_is_known() -> None:
    assert findings(_SCRIPT) == []


def test_consumed_handles_are_invalid() -> None:
    used = _SCRIPT.replace("unroll %first", "unroll %loop")
    assert "use-after-free" in findings(used)


@pytest.mark.parametrize(
    ("fit", "sizes", "fits"),
    [
        (LoopFit.AT_MOST, "array<i64: 4, 4>", True),
        (LoopFit.AT_MOST, "array<i64: 4, 4, 4>", False),
        (LoopFit.EACH, "array<i64: 4>", False),
        (LoopFit.EACH_OR_NONE, "array<i64>", True),
        (LoopFit.INDEX, "1 : i64", True),
        (LoopFit.INDEX, "2 : i64", False),
    ],
)
def test_sizes_fit_loops_of_operations_of_a_project(fit: LoopFit, sizes: str, fits: bool) -> None:
    size = OperationDefinition(
        "transform.my.size",
        operands=(OperandDefinition("target", _HANDLE, effect=HandleEffect.READS),),
        attributes=(AttributeDefinition("sizes", per_loop=LoopNumbers(fit, "target")),),
        payload_effect=PayloadEffect.MODIFIES,
    )
    catalogue = Catalogue.shipped().with_source(
        MemorySource("my.json", [size, OperationDefinition("my.contract", loops=2)])
    )
    script = _SCRIPT.partition("%first")[0].replace("scf.for", "my.contract")
    script += f'"transform.my.size"(%loop) {{sizes = {sizes}}} : (!transform.any_op) -> ()\n transform.yield\n}}\n}}\n'
    found = [finding.rule for finding in findings_in_file(SourceFile.of(script, catalogue))]
    assert found == ([] if fits else ["never-succeeds"])


@pytest.mark.parametrize(("sizes", "loops"), [("", 0), ("sizes = array<i64: 4, 0, 4>", 2), ("one", 1)])
def test_loops_of_operations_of_a_project_are_counted(sizes: str, loops: int) -> None:
    tile = replace(
        _TILE,
        results=(
            ResultDefinition("tiled", _HANDLE),
            ResultDefinition("loops", _HANDLE, Arity.VARIADIC, count=ResultCount(("sizes",), one_with="one")),
        ),
    )
    catalogue = Catalogue.shipped().with_source(MemorySource("my.json", [tile]))
    for given in range(3):
        results = ", ".join(["!transform.any_op"] * (1 + given))
        made = f"%tiled, %loops:{given}" if given else "%tiled"
        script = _SCRIPT.partition("%first")[0]
        script += f'{made} = "transform.my.tile"(%loop) {{{sizes}}} : (!transform.any_op) -> ({results})\n'
        script += "transform.yield\n}\n}\n"
        found = [
            finding.rule
            for finding in findings_in_file(SourceFile.of(script, catalogue))
            if finding.rule == "loop-result-count"
        ]
        assert found == ([] if given == loops else ["loop-result-count"])


_FIND = OperationDefinition(
    "transform.my.find",
    operands=(OperandDefinition("scope", _HANDLE, effect=HandleEffect.READS),),
    results=(
        ResultDefinition(
            "found", _HANDLE, effect=HandleEffect.PRODUCES, relations=(Relation(RelationKind.FOUND_IN, "scope"),)
        ),
    ),
    attributes=(AttributeDefinition("kernels", asks=MatchCriterion.NAMES),),
    payload_effect=PayloadEffect.READS,
)


def findings_of_search(scope: str, name: str, *uses: str) -> list[str]:
    """The rules that find something where operations called `name` are looked for twice in ones called `scope`."""
    types = ": (!transform.any_op) -> !transform.any_op"
    lines = [
        f'%scope = transform.structured.match ops{{["{scope}"]}} in %root {types}',
        *(f'%{number} = "transform.my.find"(%scope) {{kernels = ["{name}"]}} {types}' for number in range(2)),
        *uses,
        "transform.yield",
    ]
    catalogue = Catalogue.shipped().with_source(MemorySource("my.json", [_FIND]))
    head = _SCRIPT.partition("    %loop")[0]
    found = findings_in_file(SourceFile.of(head + "\n".join(lines) + "\n}\n}\n", catalogue))
    return [finding.rule for finding in found if finding.rule != "unused-handle"]


def test_searches_by_operations_of_a_project_may_find_something() -> None:
    assert findings_of_search("func.func", "linalg.matmul") == []


def test_the_same_search_by_an_operation_of_a_project_finds_the_same() -> None:
    uses = [f"transform.loop.unroll %{number} {{factor = 2}} : !transform.any_op" for number in range(2)]
    assert findings_of_search("func.func", "scf.for", *uses) == ["invalidated-handle"]


@pytest.mark.parametrize(
    ("attributes", "results", "fits"),
    [("", 1, True), ("", 2, False), ("strict = true", 2, False), ("strict = false", 2, True), ("rest = 0", 2, True)],
)
def test_results_for_each_operation_are_counted(attributes: str, results: int, fits: bool) -> None:
    count = ResultCount(operations_of="target", free_with=("strict", "rest"))
    split = OperationDefinition(
        "transform.my.split",
        operands=(OperandDefinition("target", _HANDLE, effect=HandleEffect.READS),),
        results=(ResultDefinition("single", _HANDLE, Arity.VARIADIC, HandleEffect.PRODUCES, count=count),),
        attributes=(AttributeDefinition("strict", default="true"), AttributeDefinition("rest", optional=True)),
        payload_effect=PayloadEffect.READS,
    )
    types = ", ".join(["!transform.any_op"] * results)
    split_root = f'%single:{results} = "transform.my.split"(%root) {{{attributes}}} : (!transform.any_op) -> ({types})'
    assert ("handle-count" in _rules_in([split], split_root)) is not fits


def test_a_handle_to_several_operations_is_reported_at_operands_for_one() -> None:
    inspect = OperationDefinition(
        "transform.my.inspect",
        operands=(OperandDefinition("target", _HANDLE, effect=HandleEffect.READS, takes_one=True),),
        payload_effect=PayloadEffect.READS,
    )
    lines = (
        '%both = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op',
        '"transform.my.inspect"(%both) : (!transform.any_op) -> ()',
    )
    function = "func.func @{}() {{ return }}\n"
    assert _rules_in([inspect], *lines, payload=function.format("f") + function.format("g")) == ["handle-count"]
    assert _rules_in([inspect], *lines, payload=function.format("f")) == []
    others = [replace(inspect, operands=(replace(inspect.operands[0], takes_one=False),))]
    assert _rules_in(others, *lines, payload=function.format("f") + function.format("g")) == []


def test_values_go_with_the_operations_that_define_them() -> None:
    def step(name: str, kind: RelationKind, of: str, result: str) -> OperationDefinition:
        relations = (Relation(kind, "target"),)
        return OperationDefinition(
            name,
            operands=(OperandDefinition("target", of, effect=HandleEffect.READS),),
            results=(ResultDefinition("result", result, effect=HandleEffect.PRODUCES, relations=relations),),
            payload_effect=PayloadEffect.READS,
        )

    values = "TransformValueHandleTypeInterface"
    steps = [
        step("transform.my.values", RelationKind.VALUES_OF, _HANDLE, values),
        step("transform.my.makers", RelationKind.DEFINES, values, _HANDLE),
    ]
    lines = (
        '%loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op',
        '%value = "transform.my.values"(%loop) : (!transform.any_op) -> !transform.any_value',
        '%maker = "transform.my.makers"(%value) : (!transform.any_value) -> !transform.any_op',
        "transform.loop.unroll %loop {factor = 2} : !transform.any_op",
        "transform.loop.unroll %maker {factor = 2} : !transform.any_op",
    )
    assert _rules_in(steps, *lines) == ["invalidated-handle"]
    silent = replace(steps[1], results=(replace(steps[1].results[0], relations=()),))
    assert _rules_in([steps[0], silent], *lines) == []


@pytest.mark.parametrize("asks", [None, MatchCriterion.MATCHERS])
def test_operations_of_a_project_call_named_sequences_where_it_says_so(asks: MatchCriterion | None) -> None:
    find = OperationDefinition(
        "transform.my.find_by",
        operands=(OperandDefinition("scope", _HANDLE, effect=HandleEffect.READS),),
        attributes=(AttributeDefinition("matcher", "SymbolRefAttr", asks=asks),),
        payload_effect=PayloadEffect.READS,
    )
    line = '"transform.my.find_by"(%root) {matcher = @nowhere} : (!transform.any_op) -> ()'
    assert _rules_in([find], line) == ([] if asks is None else ["unknown-symbol"])


def _rules_in(definitions: list[OperationDefinition], *lines: str, payload: str = "") -> list[str]:
    """Return the rules with findings in a script of `lines` in one file with `payload`."""
    catalogue = Catalogue.shipped().with_source(MemorySource("my.json", definitions))
    script = "\n".join([_SCRIPT.partition("    %loop")[0], *lines, "transform.yield", "}", "}", payload])
    found = [finding.rule for finding in findings_in_file(SourceFile.of(script, catalogue))]
    return [rule for rule in found if rule != "unused-handle"]
