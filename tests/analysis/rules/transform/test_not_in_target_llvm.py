"""Scripts for one version of LLVM: operations and forms that this version lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.shipped import shipped_source
from tdls.settings.llvm_versions import llvm_versions, newest_version
from tdls.text.level import Level

if TYPE_CHECKING:
    from tdls.text.diagnostic import Diagnostic

LLVM_VERSIONS = llvm_versions()
MAIN, ANY = newest_version(), "!transform.any_op"


CATALOGUE = Catalogue.shipped()
NEW = "transform.apply_patterns.vector.interleave_and_deinterleave_to_shuffle"
FORMER = "transform.apply_patterns.vector.interleave_to_shuffle"


def findings(text: str, target: int | None) -> list[Diagnostic]:
    return findings_in_file(SourceFile.of(text, CATALOGUE.at(target)))


def patterns(name: str) -> str:
    return f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    transform.apply_patterns to %root {{
      {name}
    }} : !transform.any_op
    transform.yield
  }}
}}
"""


def script(operation: str) -> str:
    return f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @main(%root: !transform.any_op {{transform.consumed}}) {{
    {operation}
    transform.yield
  }}
}}
"""


def test_settings_know_the_versions_that_there_are_facts_of() -> None:
    assert shipped_source().llvm_versions == LLVM_VERSIONS


@pytest.mark.parametrize("version", LLVM_VERSIONS)
def test_names_are_those_of_the_target(version: int) -> None:
    catalogue = CATALOGUE.at(version)
    names = catalogue.operation_names("transform")
    assert (NEW in names, FORMER in names) == (version >= 23, 19 <= version < 23)
    assert all(version in catalogue.variants(name)[0].versions for name in names)
    assert all(name in CATALOGUE.operation_names("transform") for name in names)


def test_operations_without_target_version_are_known_by_name() -> None:
    definition = CATALOGUE.at(19).operation(NEW)
    assert definition is not None
    assert not CATALOGUE.at(19).is_at_target(definition)
    assert definition == CATALOGUE.operation(NEW)


def test_a_catalogue_without_target_knows_all() -> None:
    assert CATALOGUE.at(None) is CATALOGUE
    assert CATALOGUE.at(22).at(None).operation_names("transform") == CATALOGUE.operation_names("transform")
    assert CATALOGUE.at(22).incomplete().with_source(shipped_source()).target == 22


@pytest.mark.parametrize(
    ("name", "target", "called"),
    [(NEW, 22, FORMER), (NEW, 19, FORMER), (FORMER, 23, NEW), (NEW, 23, None), (FORMER, 22, None), (NEW, None, None)],
)
def test_a_renamed_operation_is_found_with_its_name_in_the_target(
    name: str, target: int | None, called: str | None
) -> None:
    found = findings(patterns(name), target)
    if called is None:
        assert found == []
        return
    (finding,) = found
    assert finding.rule == "not-in-target-llvm"
    assert finding.message == f"LLVM {target} has no operation `{name}`; there it is called `{called}`"
    (edit,) = finding.fixes[0].edits
    assert edit.new_text == called
    assert patterns(name)[slice(*edit.span)] == name


def test_the_quotes_of_a_generic_operation_stay() -> None:
    text = patterns(f'"{NEW}"() : () -> ()')
    (edit,) = findings(text, 22)[0].fixes[0].edits
    assert text[slice(*edit.span)] == NEW


@pytest.mark.parametrize(
    ("spelled", "target", "message"),
    [
        ("fuse %root [8]", 22, "is written as in LLVM 18 to 21 here, and not as in LLVM 22"),
        ("fuse %root [8]", 19, None),
        ("fuse %root tile_sizes [8]", 22, None),
        ("fuse %root tile_sizes [8]", 19, "not as in LLVM 19"),
        ("fuse %root tile_sizes 8", 19, None),
    ],
)
def test_forms_of_other_versions_are_found(spelled: str, target: int, message: str | None) -> None:
    """A form that no version reads is a syntax error, and has no second finding."""
    operation = (
        f"%a, %b = transform.structured.{spelled} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)"
    )
    text = script(operation)
    found = [finding.message for finding in findings(text, target) if finding.rule == "not-in-target-llvm"]
    assert len(found) == (message is not None)
    assert message is None or message in found[0]


@pytest.mark.parametrize(
    ("operation", "versions"),
    [
        ("%0, %1 = transform.structured.split %root after 4 {dimension = 0} : !transform.any_op", "19"),
        (f'%0 = transform.apply_registered_pass "c" to %root {{options = "a"}} : ({ANY}) -> {ANY}', "18 to 20"),
    ],
)
def test_a_form_that_the_target_has_with_other_parts_is_that_of_the_others_only(operation: str, versions: str) -> None:
    text, name = script(operation), operation.split()[operation.split().index("=") + 1]
    (found,) = [finding.message for finding in findings(text, 22) if finding.rule == "not-in-target-llvm"]
    assert found == f"`{name}` is written as in LLVM {versions} here, and not as in LLVM 22"
    assert findings(text, 19) == []


def test_operands_that_the_target_does_not_have_are_named() -> None:
    operation = (
        '%0 = transform.apply_registered_pass "cse" with options = { "a" = %p } to %root'
        " : (!transform.any_op, !transform.any_param) -> !transform.any_op"
    )
    text = script(operation).replace("consumed}", "consumed}, %p: !transform.any_param")
    (finding,) = (finding for finding in findings(text, 19) if finding.rule == "not-in-target-llvm")
    assert "which has no `dynamic_options`" in finding.message
    assert "`to` $target" in (finding.help or "")


@pytest.mark.parametrize(
    "operation",
    [
        "transform.structured.pad %root {pad_to_multiple_of = [2], padding_dimensions = [0]}",
        '"transform.structured.pad"(%root) {pad_to_multiple_of = [2], padding_dimensions = [0]}',
    ],
)
@pytest.mark.parametrize("target", [19, 22])
def test_attributes_that_the_target_reads_and_ignores_are_warnings(operation: str, target: int) -> None:
    handle = "!transform.any_op"
    text = script(f"%0:3 = {operation} : ({handle}) -> ({handle}, {handle}, {handle})")
    (finding,) = (finding for finding in findings(text, target) if finding.rule == "not-in-target-llvm")
    assert finding.level is Level.WARNING
    assert "which has no `pad_to_multiple_of`" in finding.message


@pytest.mark.parametrize("target", [22, 23])
def test_a_dialect_that_upstream_gave_up_may_be_one_of_the_project(target: int) -> None:
    """LLVM 19 is the last with `polynomial`, which another project continues."""
    text = "func.func @f(%a: !polynomial.polynomial<ring = #polynomial.ring<coefficientType = i32>>) {\n  return\n}\n"
    assert findings(text, target) == []


@pytest.mark.parametrize(
    ("text", "target", "called"),
    [("shard.grid @grid(shape = 2x2)", 19, "mesh.mesh"), ("mesh.mesh @grid(shape = 2x2)", 22, "shard.grid")],
)
def test_a_dialect_that_got_another_name_is_found(text: str, target: int, called: str) -> None:
    (finding,) = findings(text, target)
    assert finding.message.endswith(f"there it is called `{called}`")


def test_a_removed_operation_is_found_with_its_replacement() -> None:
    (finding,) = findings(patterns("transform.apply_patterns.vector.lower_multi_reduction"), 23)
    assert finding.message.startswith("LLVM 23 has no operation")
    assert "multi_reduction_flattening" in (finding.help or "")
    assert not finding.fixes


UNROLL = """\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    %loop = transform.structured.match ops{{["{name}"]}} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {attributes} : !transform.any_op
    transform.yield
  }}
}}
"""


@pytest.mark.parametrize(
    ("attributes", "target", "is_right"),
    [
        ("factor = 4", MAIN, True),
        ("{factor = 4}", MAIN, False),
        ("factor = 4", 23, False),
        ("{factor = 4}", 23, True),
        ("factor = 4 {my.mark}", MAIN, True),
        ("factor = 4", None, True),
        ("{factor = 4}", None, True),
    ],
)
def test_main_takes_inherent_attributes_outside_of_the_dictionary(
    attributes: str, target: int | None, is_right: bool
) -> None:
    found = findings(UNROLL.format(name="scf.for", attributes=attributes), target)
    assert [finding.rule for finding in found] == ([] if is_right else ["not-in-target-llvm"])


def test_a_removed_payload_operation_is_never_found() -> None:
    text = UNROLL.format(name="linalg.add", attributes="factor = 4")
    (finding,) = (found for found in findings(text, MAIN) if found.rule != "never-succeeds")
    assert finding.level is Level.WARNING
    assert "linalg.elementwise" in (finding.help or "")
    assert [found.level for found in findings(text, None) if found.rule != "never-succeeds"] == [Level.HINT]
    assert "no operation" not in " ".join(found.message for found in findings(text, 23))


@pytest.mark.parametrize(
    ("older", "message", "newer"),
    [
        (
            "memref.alloc() {alignment = 64} : memref<4xf32>",
            "`memref.alloc` is written as in LLVM 18 to 23 here, and not as in LLVM main",
            "memref.alloc() alignment = 64 : memref<4xf32>",
        ),
        (
            "memref.load %m[%i] {nontemporal = true} : memref<4xf32>",
            "`memref.load` is written as in LLVM 18 to 23 here, and not as in LLVM main",
            "memref.load %m[%i] nontemporal(true) : memref<4xf32>",
        ),
        (
            "bufferization.alloc_tensor() {memory_space = 1} : tensor<4xf32>",
            None,
            "bufferization.alloc_tensor() <{memory_space = 1}> : tensor<4xf32>",
        ),
        (
            "arith.addf %a, %a {fastmath = #arith.fastmath<fast>} : f32",
            "LLVM main reads `fastmath` of `arith.addf` outside of its dictionary only",
            "arith.addf %a, %a fastmath<fast> {x = 1} : f32",
        ),
    ],
)
def test_main_reads_inherent_attributes_of_payload_outside_of_dictionaries(
    older: str, message: str | None, newer: str
) -> None:
    function = "func.func @f(%m: memref<4xf32>, %i: index, %a: f32) {{\n  %r = {}\n  return\n}}\n"
    (finding,) = findings(function.format(older), MAIN)
    assert message is None or finding.message == message
    assert findings(function.format(older), 22) == []
    assert findings(function.format(newer), MAIN) == []
    assert finding.fixes[0].safe


@pytest.mark.parametrize(
    ("operation", "first", "message"),
    [
        (
            "async.runtime.add_ref %v count = 1 : !async.value<f32>",
            MAIN,
            "`async.runtime.add_ref` is written as in LLVM main here, and not as in LLVM 22",
        ),
        (
            "%r = gpu.subgroup_reduce add %x cluster(size = 4) : (f32) -> f32",
            22,
            (
                "`gpu.subgroup_reduce` is written as in LLVM 20 to main here, and not as in LLVM 19, which has no "
                "`cluster_size`"
            ),
        ),
        (
            (
                "linalg.matmul indexing_maps = [#m, #m, #m] ins(%m, %m : memref<4x4xf32>, memref<4x4xf32>) "
                "outs(%m : memref<4x4xf32>)"
            ),
            22,
            (
                "`linalg.matmul` is written as in LLVM 20 to main here, and not as in LLVM 19, which has no "
                "`indexing_maps`"
            ),
        ),
    ],
)
def test_a_form_that_only_newer_versions_have_fits_none_before(operation: str, first: int, message: str) -> None:
    text = f"""\
#m = affine_map<(m, n, k) -> (m, n)>
func.func @f(%v: !async.value<f32>, %x: f32, %m: memref<4x4xf32>) {{
  {operation}
  return
}}
"""
    (finding,) = findings(text, 22 if first == MAIN else 19)
    assert finding.message == message
    assert findings(text, first) == []
