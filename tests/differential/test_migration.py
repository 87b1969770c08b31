"""What one version of MLIR prints is read by another one after a migration."""

from __future__ import annotations

from oracle.migration import compare
from tools_at_hand import require_mlir_opt

NAMES = [
    "transform.structured.fuse",
    "transform.structured.generalize",
    "transform.structured.tile_using_for",
]


def test_llvm_22_reads_what_llvm_19_prints_once_it_is_migrated() -> None:
    found = compare(str(require_mlir_opt(19)), str(require_mlir_opt(22)), 19, 22, NAMES)
    assert found.accepted
    assert not found.unread


def test_a_script_for_the_version_stays() -> None:
    found = compare(str(require_mlir_opt(22)), str(require_mlir_opt(22)), 22, 22, NAMES)
    assert found.printed
    assert all(before == after for before, after in found.unread)
