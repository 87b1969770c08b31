"""What a migration says of the parts that it leaves as they are."""

from __future__ import annotations

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.changes.migration import migrate

SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @nothing failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.include @nothing failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
"""


def test_former_mappings_are_those_of_today() -> None:
    tile = "%a, %b = transform.structured.tile_using_forall %root num_threads [32, 4]"
    types = "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"
    former = f"    {tile} (mapping = [#gpu.linear<y>, #gpu.linear<x>]) : {types}\n"
    lines = SCRIPT.splitlines(keepends=True)
    text = "".join([*lines[:2], former, *lines[4:]]).replace("readonly", "consumed")
    migration = migrate(SourceFile.of(text, Catalogue.shipped()), 22)
    assert migration is not None
    assert migration.applied
    assert "(mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>])" in migration.after.text


def test_what_is_wrong_in_every_version_is_told_once_for_a_part() -> None:
    migration = migrate(SourceFile.of(f"{SCRIPT}// -----\n{SCRIPT}", Catalogue.shipped()), 22)
    assert migration is not None
    lines = [(migration.before.position(each.span.start).line, each.message) for each in migration.findings]
    message = "left as it is for LLVM 22: has errors in every version; see `tdls --check`"
    assert lines == [(2, message), (10, message)]
