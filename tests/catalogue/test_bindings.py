"""Descriptions out of generated binding modules, which are read and not imported."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tdls.catalogue.bindings import BindingDescriptions

if TYPE_CHECKING:
    from pathlib import Path

MODULE = '''
raise RuntimeError("this module must not be imported")

@_ods_cext.register_operation(_Dialect)
class RollOp(_ods_ir.OpView):
  r"""
  Rolls the [target](../LangRef.md#operations), as [people](https://example.org) do.

    - a point

  #### Return modes
  """

  OPERATION_NAME = "transform.toy.roll"

class SilentOp(_ods_ir.OpView):
  OPERATION_NAME = "transform.toy.silent"

@_ods_cext.register_operation(_Dialect)
class LastOp(_ods_ir.OpView):
  r"""Says it in a line."""

  OPERATION_NAME = "transform.toy.last"
'''


def test_descriptions_are_found_by_name(tmp_path: Path) -> None:
    (tmp_path / "_toy_transform_ops_gen.py").write_text(MODULE, encoding="utf-8")
    descriptions = BindingDescriptions([tmp_path, tmp_path / "missing"])
    assert (
        descriptions("transform.toy.roll")
        == "Rolls the target, as [people](https://example.org) do.\n\n  - a point\n\n#### Return modes"
    )
    assert descriptions("transform.toy.last") == "Says it in a line."
    assert descriptions("transform.toy.silent") == ""
    assert descriptions("other.thing") == ""


def test_the_installed_bindings_describe_upstream_operations() -> None:
    loaded = set(sys.modules)
    assert "#### Return modes" in BindingDescriptions.installed()("transform.structured.match")
    assert not {name for name in set(sys.modules) - loaded if name.startswith(("mlir", "torch_mlir", "iree"))}
