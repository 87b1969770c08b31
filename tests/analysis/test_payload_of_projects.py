"""Payload in operations that a project defines: nothing is certain that the project may mean."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import Arity, OperandDefinition, OperationDefinition, RegionDefinition, ResultDefinition
from tdls.catalogue.source import MemorySource
from tdls.text.diagnostic import Subject
from tdls.text.level import Level

BODY = (RegionDefinition("body"),)
ANY_NUMBER = (OperandDefinition("values", arity=Arity.VARIADIC),)
ONE = (OperandDefinition("value"),)
CONTAINER = frozenset({"IsIsolatedFromAbove", "SymbolTable", "NoTerminator", "SymbolOpInterface"})
KNOWN = Catalogue(
    [
        MemorySource(
            "project",
            [
                OperationDefinition("part.component", regions=BODY, traits=CONTAINER, custom_assembly=True),
                OperationDefinition("part.state", regions=BODY, assembly_format="$body attr-dict", format_known=True),
                OperationDefinition("part.declared", traits=frozenset({"SymbolOpInterface"}), custom_assembly=True),
                OperationDefinition("part.concat", operands=ANY_NUMBER, custom_assembly=True),
                OperationDefinition("part.switch", operands=ONE, regions=BODY, custom_assembly=True),
                OperationDefinition("part.wire", results=(ResultDefinition("wire"),), custom_assembly=True),
                OperationDefinition(
                    "part.execute",
                    operands=ANY_NUMBER,
                    regions=BODY,
                    traits=frozenset({"IsIsolatedFromAbove"}),
                    assembly_format="`(` $values `:` type($values) `)` $body attr-dict",
                    format_known=True,
                ),
                OperationDefinition(
                    "part.await",
                    operands=ONE,
                    results=(ResultDefinition("done"),),
                    assembly_format="`(` $value `)` `=` `>` `with` `:` `:` attr-dict `:` type($value) `->` type($done)",
                    format_known=True,
                ),
                OperationDefinition(
                    "part.pack",
                    operands=ONE,
                    results=(ResultDefinition("packed"),),
                    assembly_format="$value attr-dict `:` type($packed)",
                    format_known=True,
                ),
            ],
        ),
        *Catalogue.shipped().sources,
    ]
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "part.component @main(%in: i8) -> (%out: i8) {\n  part.state {\n    part.concat %in, %out\n  }\n}\n",
            id="a container has arguments",
        ),
        pytest.param(
            "part.switch(%v : i32) {\n  [0] -> {\n    ^bb0(%a : i32):\n      %t = part.new %a\n  }\n"
            "  [1] -> {\n    ^bb0(%b : i32):\n      %t = part.new %b\n  }\n}\n",
            id="arms have names of their own",
        ),
        pytest.param(
            "func.func @f(%v: i32) {\n  part.switch %v {\n    token(%v : i32)\n    body {\n"
            "      %t = part.new %v\n    }\n"
            "    other {\n      %t = part.new %v\n    }\n  }\n  return\n}\n",
            id="keywords before regions",
        ),
        pytest.param(
            "part.declared @outer<W: i32 = 8>(in %clock: i1, out out: i1)\n", id="a declaration without regions"
        ),
        pytest.param(
            "%0 = part.wire : i42\npart.execute (%0 : i42) {\n^bb0(%a: i19):\n}\n",
            id="a value used by what is isolated",
        ),
        pytest.param(
            "module {\n  %0 = part.concat :\n  %1 = part.concat %0, %0 : i0, i0\n}\n", id="an empty list of types"
        ),
        pytest.param(
            '%a, %b = "some.op"() : () -> (i32, i32)\n\n"some.use"(%b) : (i32) -> ()\n', id="several results in a file"
        ),
        pytest.param(
            "func.func @f(%a: i32) {\n  part.switch %a : i32 {\n    case a(%b) {\n      %c = part.wire : i1\n    }\n"
            "    case b(%b) {\n      %d = part.wire : i1\n      part.concat %d : i1\n    }\n  }\n  return\n}\n",
            id="cases in braces",
        ),
        pytest.param(
            "func.func @f(%a: i32) {\n  part.switch %a {\n    handle @h(%s : i32) {\n      part.concat %s\n    }\n"
            "    do {\n    }\n  }\n  return\n}\n",
            id="regions behind keywords and symbols",
        ),
        pytest.param(
            "func.func @f(%a: i32) {\n  part.switch %a {\n    not %a : i32\n  }\n  return\n}\n",
            id="an operation of the default dialect, which no source tells",
        ),
        pytest.param("part.component @t(context = %c: i32) {\n  part.concat %c\n}\n", id="named arguments"),
        pytest.param(
            "part.component @t(in %a: i32 domains [%d], in %d: i8) {\n  part.concat %d\n}\n",
            id="an argument mentioned before its definition",
        ),
        pytest.param(
            'part.component @t(inout %a: i32) {\n  "some.use"(%a) : (!part.ref<i32>) -> ()\n}\n',
            id="a word that qualifies the type of an argument",
        ),
        pytest.param(
            "func.func @f(%a: i32, %b: i32) {\n  part.concat %a %b index [1, ?] : i32\n  return\n}\n",
            id="operands without commas",
        ),
        pytest.param(
            'func.func @f(%a: i32) {\n  part.concat %a shards=[<@m, [{"x", ?}, {?}]>] : i32\n'
            '  some.use %a shards=[<@m, [{"x", ?}, {?}]>] : i32\n  return\n}\n',
            id="braces of an attribute's own",
        ),
        pytest.param(
            "func.func @f(%a: i32) {\n  %0 = part.await (%a) => with :: : i32 -> i1\n"
            "  %1 = part.await (%a) = > with : : : i32 -> i1\n  return\n}\n",
            id="two literals in one token",
        ),
    ],
)
def test_nothing_is_found(text: str) -> None:
    found = findings_in_file(SourceFile.of(text, KNOWN))
    assert [finding.message for finding in found if finding.rule != "unfamiliar-payload-operation"] == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "func.func @f(%a: i32) {\n  %0 = part.pack %a : array<5 x struct<{a: i32}>>\n  return\n}\n",
            id="a type without its dialect",
        ),
        pytest.param(
            "func.func @f(%a: i32) {\n  %0 = part.wire %a : i32 -> %tied as i32\n  return\n}\n",
            id="a name that only says which operand a result is",
        ),
        pytest.param(
            "!t = type memref<4xf32>\nfunc.func @f() {\n  %0 = memref.alloc() : !t\n  return\n}\n",
            id="aliases before LLVM 15",
        ),
    ],
)
def test_nothing_is_certain(text: str) -> None:
    found = findings_in_file(SourceFile.of(text, KNOWN))
    assert [finding.message for finding in found if finding.subject is Subject.PAYLOAD] == []


SEARCH = """\
module attributes {transform.with_named_sequence} {
  func.func @f(%a: i8) {
    %0 = part.pack %a : i16
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %found = transform.structured.match ops{["NAME"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %found "found" : !transform.any_op
    transform.yield
  }
}
"""


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("part.pack", []),
        ("part.pakc", ["finds-nothing", "unfamiliar-payload-operation"]),
        ("part.unpacked", ["finds-nothing"]),
        ("linalg.matmul", ["finds-nothing"]),
        ("other.thing", ["finds-nothing"]),
    ],
)
def test_payload_whose_form_the_project_defines_hides_nothing(name: str, rules: list[str]) -> None:
    found = findings_in_file(SourceFile.of(SEARCH.replace("NAME", name), KNOWN))
    assert sorted(finding.rule for finding in found) == rules
    assert {finding.level for finding in found} <= {Level.HINT}


def test_payload_whose_form_is_unknown_may_hide_operations_of_its_dialect() -> None:
    text = SEARCH.replace("part.pack %a : i16", "part.wire %a maybe : i16").replace("NAME", "part.unpacked")
    assert findings_in_file(SourceFile.of(text, KNOWN)) == []


def test_what_mlir_printed_may_be_the_result_of_the_run() -> None:
    """MLIR prints a blank behind an empty yield: a script that it printed need not find anything any more."""
    text = SEARCH.replace("NAME", "linalg.matmul").replace("part.pack %a : i16", "arith.extsi %a : i8 to i16")
    levels = [
        [finding.level for finding in findings_in_file(SourceFile.of(each, KNOWN))]
        for each in (text, text.replace("yield", "yield "))
    ]
    assert levels == [[Level.WARNING], [Level.HINT]]
