"""Renamed operations get the attributes that keep their meaning, or no fix."""

from __future__ import annotations

import subprocess

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.formatting.formatter import applied
from tools_at_hand import require_mlir_opt

CATALOGUE = Catalogue.shipped()
SCRIPT = """module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.consumed}}) {{
    {}
    transform.yield
  }}
}}
"""
PARENT = "transform.get_parent_op"
TO_ONE = "(!transform.any_op) -> !transform.any_op"
TO_TWO = "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"
LOOP = '!transform.op<"scf.forall">'
FORMER_TYPES = f"(!transform.any_op) -> ({LOOP}, !transform.any_op)"
TYPES = f"(!transform.any_op) -> (!transform.any_op, {LOOP})"
FIXED = {
    f"%0 = transform.get_closest_isolated_parent %root : {TO_ONE}": (
        f"Rename to `{PARENT}` with `isolated_from_above, deduplicate`",
        f"%0 = {PARENT} %root {{isolated_from_above, deduplicate}} : {TO_ONE}",
    ),
    f"%0 = transform.loop.get_parent_for %root {{num_loops = 2}} : {TO_ONE}": (
        f'Rename to `{PARENT}` with `op_name = "scf.for", deduplicate`',
        f'%0 = {PARENT} %root {{op_name = "scf.for", deduplicate, nth_parent = 2}} : {TO_ONE}',
    ),
    f"%0 = transform.loop.get_parent_for %root {{}} : {TO_ONE}": (
        f'Rename to `{PARENT}` with `op_name = "scf.for", deduplicate`',
        f'%0 = {PARENT} %root {{op_name = "scf.for", deduplicate}} : {TO_ONE}',
    ),
    f"%0, %1 = transform.structured.tile %root[2] : {TO_TWO}": (
        "Rename to `transform.structured.tile_using_for`",
        f"%0, %1 = transform.structured.tile_using_for %root tile_sizes [2] : {TO_TWO}",
    ),
    f"%0, %1 = transform.structured.tile_to_scf_for %root [2] : {TO_TWO}": (
        "Rename to `transform.structured.tile_using_for`",
        f"%0, %1 = transform.structured.tile_using_for %root tile_sizes [2] : {TO_TWO}",
    ),
    f"%loop, %op = transform.structured.tile_to_forall_op %root tile_sizes [2] : {TO_TWO}": (
        "Rename to `transform.structured.tile_using_forall`, with the first result last",
        f"%op, %loop = transform.structured.tile_using_forall %root tile_sizes [2] : {TO_TWO}",
    ),
    f"%loop, %op = transform.structured.tile_to_forall_op %root num_threads [2] : {FORMER_TYPES}": (
        "Rename to `transform.structured.tile_using_forall`, with the first result last",
        f"%op, %loop = transform.structured.tile_using_forall %root num_threads [2] : {TYPES}",
    ),
}
LEFT = [
    f"%0 = transform.loop.get_parent_for %root {{affine = true}} : {TO_ONE}",
    f'%0 = "transform.loop.get_parent_for"(%root) : {TO_ONE}',
    f"%0:2 = transform.structured.tile_to_forall_op %root tile_sizes [2] : {TO_TWO}",
    f"%0:2 = transform.split_handles %root in [2] : {TO_TWO}",
]


def offered(line: str) -> list[tuple[str, str]]:
    text = SCRIPT.format(line)
    found = findings_in_file(SourceFile.of(text, CATALOGUE))
    (finding,) = [finding for finding in found if finding.rule == "unknown-transform-operation"]
    assert finding.help
    return [(fix.title, applied(text, fix.edits)) for fix in finding.fixes]


@pytest.mark.parametrize(("line", "expected"), FIXED.items())
def test_attributes_that_the_new_name_needs_are_added(line: str, expected: tuple[str, str]) -> None:
    title, text = expected
    assert offered(line) == [(title, SCRIPT.format(text))]
    done = subprocess.run(
        [str(require_mlir_opt(22))], input=SCRIPT.format(text), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("line", LEFT)
def test_where_more_is_to_be_changed_no_fix_is_offered(line: str) -> None:
    assert offered(line) == []


def test_a_name_for_an_older_version_lists_its_lost_meaning() -> None:
    text = SCRIPT.format(
        "transform.apply_patterns to %root {\n"
        "      transform.apply_patterns.vector.interleave_and_deinterleave_to_shuffle\n"
        "    } : !transform.any_op"
    )
    found = findings_in_file(SourceFile.of(text, CATALOGUE.at(22)))
    (finding,) = [finding for finding in found if finding.rule == "not-in-target-llvm"]
    name = "`transform.apply_patterns.vector.interleave_to_shuffle`"
    assert [fix.title for fix in finding.fixes] == [
        f"Rename to {name} (in later versions it rewrites vector.deinterleave, too)"
    ]
