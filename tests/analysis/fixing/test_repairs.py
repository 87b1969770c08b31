"""The repairs of one mistake in a script that is right: the mistake is gone, or none is offered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.fixing import fix_in_rounds, with_tried_fixes
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.formatting.formatter import applied
from tdls.text.level import Level

CATALOGUE = Catalogue.shipped()
ANY, PARAM = "!transform.any_op", "!transform.param<i64>"
RIGHT = f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @tile(%op: {ANY} {{transform.consumed}}, %size: {PARAM} {{transform.readonly}})
      -> ({ANY}, {ANY}) {{
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%size] : ({ANY}, {PARAM}) -> ({ANY}, {ANY})
    transform.yield %tiled, %loop : {ANY}, {ANY}
  }}
  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
    %four = transform.param.constant 4 : i64 -> {PARAM}
    %mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> !transform.op<"linalg.matmul">
    %any = transform.cast %mm : !transform.op<"linalg.matmul"> to {ANY}
    %t:2 = transform.include @tile failures(propagate) (%any, %four) : ({ANY}, {PARAM}) -> ({ANY}, {ANY})
    %loop = transform.get_parent_op %t#0 {{op_name = "scf.for", deduplicate}} : ({ANY}) -> !transform.op<"scf.for">
    %main, %rest = transform.loop.peel %loop : (!transform.op<"scf.for">) -> ({ANY}, {ANY})
    transform.annotate %main "main" : {ANY}
    transform.loop.unroll %rest {{factor = 2}} : {ANY}
    transform.yield
  }}
}}
"""


def repaired(text: str) -> list[str]:
    """The texts after each offered repair of an error or a warning."""
    file = SourceFile.of(text, CATALOGUE)
    found = [finding for finding in findings_in_file(file) if finding.level is not Level.HINT]
    assert found
    fixes = [fix for finding in found for fix in with_tried_fixes(file, finding).fixes]
    return [applied(text, sorted(fix.edits, key=lambda edit: edit.span)) for fix in fixes]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('!transform.op<"linalg.matmul">\n    %any', "!transform.op<linalg.matmul>\n    %any"),
        ("(%any, %four)", "(%any)"),
        ("[%size] : (!transform.any_op, !transform.param<i64>)", "[%size] : (!transform.any_op)"),
        ("%main, %rest =", "%main ="),
        ("    transform.yield %tiled, %loop : !transform.any_op, !transform.any_op\n", ""),
        ("transform.with_named_sequence", "transform.with_name_sequence"),
        ("factor = 2", "factr = 2"),
        ("4 : i64", "4 : i32"),
        ("%tiled, %loop : !transform.any_op, !transform.any_op", "%tiled, %loop"),
        ("%loop : (!transform.op", "%lop : (!transform.op"),
        ("module attributes", "mdoule attributes"),
        ("module attributes {", "module {"),
        ("{transform.with_named_sequence}", "{with_named_sequence}"),
        ("(%root: !transform.any_op {", "(%root: {"),
        ("match ops{", "match{"),
        ("]} in %root : (!transform.any_op)", "]} in %root : ()"),
        ("failures(propagate)", "failures()"),
        ("    %any = ", "    = "),
        ("    %main, %rest =", "    , %rest ="),
        ("%main, %rest =", "%main, %rest, ="),
        ("%any = transform", "%any transform"),
        ("in %root :", "in :"),
        ("{factor = 2}", "{factor = 2"),
        ("[%size]", "[, %size]"),
        ("annotate %main", "annotate %main#1"),
        ("{factor = 2}", "{factor = 2,}"),
        ("{factor = 2} : !transform.any_op", ": !transform.any_op {factor = 2}"),
        ("    transform.yield\n  }\n}", "    transform.yield\n}"),
        ("{factor = 2} : !transform.any_op\n", "{factor = 2} :\n"),
        ("op, !transform.any_op)\n    transform.annotate", "op,)\n    transform.annotate"),
    ],
)
def test_the_repair_gives_the_right_script(right: str, wrong: str) -> None:
    assert RIGHT.count(right) == 1
    assert "".join(RIGHT.split()) in ["".join(text.split()) for text in repaired(RIGHT.replace(right, wrong))]


def test_a_type_that_is_not_written_goes() -> None:
    right = "func.func @f(%x: index) {\n  scf.index_switch %x\n  default {\n  }\n  return\n}\n"
    assert right in repaired(right.replace("%x\n", "%x : index\n"))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("%op tile", "%roo tile"), ("%any, %four)", "%sizes, %four)"), ("(%any, %four)", "(%tiled, %four)")],
)
def test_what_is_not_in_reach_is_no_repair(right: str, wrong: str) -> None:
    text = RIGHT.replace(right, wrong)
    assert text != RIGHT
    assert repaired(text) == []
    assert wrong in fix_in_rounds(SourceFile.of(text, CATALOGUE), findings_in_file, unsafe=True).file.text


UNROLLED_MATMUL = f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
    %m = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}
    transform.loop.unroll %m {{factor = 2}} : {ANY}
    transform.yield
  }}
}}
"""
UNROLL = f"loop.unroll %m {{factor = 2}} : {ANY}"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (UNROLL, UNROLL.replace(" =", ":")),
        (UNROLL, UNROLL.replace("unroll", "unrol")),
        (UNROLL, UNROLL.replace("}", "")),
        (f"apply_licm to %m : {ANY}", f"apply_licm %m : {ANY}"),
        (f"apply_licm to %m : {ANY}", f"apply_lcm to %m : {ANY}"),
    ],
)
def test_a_repair_may_show_what_a_run_reports_of_its_operation(right: str, wrong: str) -> None:
    after, before = (UNROLLED_MATMUL.replace(UNROLL, text) for text in (right, wrong))
    assert [finding.rule for finding in findings_in_file(SourceFile.of(after, CATALOGUE))] == ["never-succeeds"]
    assert ["".join(text.split()) for text in repaired(before)] == ["".join(after.split())]


def test_a_repair_that_names_another_value_shows_nothing_else() -> None:
    assert repaired(UNROLLED_MATMUL.replace("unroll %m", "unroll %mm")) == []


def test_every_mistake_of_a_file_is_found_and_repaired() -> None:
    wrong, right = ((Path(__file__).parent / name).read_text("utf-8") for name in ("mistakes.mlir", "repaired.mlir"))
    file = SourceFile.of(wrong, CATALOGUE)
    assert [finding.level for finding in findings_in_file(file)].count(Level.ERROR) == 18
    assert fix_in_rounds(file, findings_in_file, unsafe=True).file.text == right


def test_a_second_definition_gets_another_name_where_it_is_meant() -> None:
    text = RIGHT.replace("%rest", "%loop")
    assert RIGHT.replace("%rest", "%loop_new") in repaired(text)


@pytest.mark.parametrize("mark", ["consumed", "readonly"])
def test_a_declaration_gets_the_marks_of_its_definition(mark: str) -> None:
    head = f"module attributes {{transform.with_named_sequence}} {{\n  transform.named_sequence private @act(%op: {ANY}"
    library = SourceFile.of(f"{head} {{transform.{mark}}}) {{\n    transform.yield\n  }}\n}}\n", CATALOGUE)
    file = SourceFile.of(f"{head})\n}}\n", CATALOGUE, libraries=[library])
    (finding,) = findings_in_file(file)
    assert [fix.title for fix in with_tried_fixes(file, finding).fixes] == [f"Mark the argument `transform.{mark}`"]


def test_comments_move_with_their_operation() -> None:
    unroll = f"    // Unrolled.\n    transform.loop.unroll %rest {{factor = 2}} : {ANY}\n"
    mark = f"    // Marked,\n    // in two lines.\n    transform.print %rest : {ANY}\n"
    plain = f"    transform.loop.unroll %rest {{factor = 2}} : {ANY}\n"
    file = SourceFile.of(RIGHT.replace(plain, unroll + mark), CATALOGUE)
    (finding,) = [each for each in findings_in_file(file) if each.rule == "use-after-free"]
    moved = next(fix for fix in with_tried_fixes(file, finding).fixes if fix.title.startswith("Move it before"))
    after = applied(file.text, sorted(moved.edits, key=lambda edit: edit.span))
    assert after == RIGHT.replace(plain, mark + unroll)


def test_an_ending_that_only_one_operation_has() -> None:
    file = SourceFile.of(RIGHT.replace("transform.loop.unroll", "transform.unroll"), CATALOGUE)
    (finding,) = [each for each in findings_in_file(file) if each.rule == "unknown-extension-operation"]
    assert applied(file.text, with_tried_fixes(file, finding).fixes[0].edits) == RIGHT


NESTED = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %loop { factor = 2 } : !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
"""


def test_a_successor_that_is_invalid_itself_is_not_offered() -> None:
    (finding,) = findings_in_file(SourceFile.of(NESTED, CATALOGUE))
    assert finding.rule == "use-after-free"
    assert [fix.title for fix in finding.fixes] == ["Find `%matmul` again, as `%matmul_again`"]
    valid = NESTED.replace("    transform.loop.unroll %loop { factor = 2 } : !transform.any_op\n", "")
    assert "vectorize %tiled" in repaired(valid)[0]
