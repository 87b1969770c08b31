"""Documents of commands, each as its schema in ``docs/documents.schema.json`` says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest
from referencing import Registry, Resource

from command_line import tdls
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Sequence

DOCUMENTATION = Path(__file__).parents[2] / "docs"
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %fill tile_sizes [2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %loop "seen" : !transform.any_op
    transform.yield
  }
  func.func @payload(%c: f32, %a: tensor<4xf32>) -> tensor<4xf32> {
    %x = linalg.fill ins(%c : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %x : tensor<4xf32>
  }
}
"""
COMMANDS = {
    "migrate": ["migrate", "--diff", "script.mlir"],
    "versions": ["versions", "script.mlir", "older.mlir", "broken.mlir"],
    "trace": ["trace", "script.mlir"],
    "state": ["trace", "--at", "4", "script.mlir"],
    "try": ["try", "script.mlir:3"],
    "compare": ["compare", "script.mlir", "other.mlir"],
    "reduce": ["reduce", "failing.mlir", "--report", "--limit", "5"],
    "parse": ["parse", "script.mlir"],
    "doctor": ["doctor"],
    "config_show": ["config", "show"],
    "config_check": ["config", "check"],
    "allow": ["allow", "--list"],
    "explain": ["explain", "use-after-free"],
    "catalogue_show": ["catalogue", "show", "transform.structured.tile_using_for"],
    "catalogue_search": ["catalogue", "search", "tile"],
    "catalogue_list": ["catalogue", "list", "--dialect", "transform"],
    "catalogue_sources": ["catalogue", "sources"],
}
ERRORS = "run no.mlir|trace no.mlir|compare a b|trace empty.mlir|explain no|catalogue show a.b|parse no|check --no|no"
MORE = ["reduce script.mlir", "trace --at 4 broken.mlir", "check-python a.ipynb"]
CASES = [*COMMANDS.items(), *(("error", each.split()) for each in [*ERRORS.split("|"), *MORE])]


@pytest.mark.parametrize(("name", "arguments"), CASES)
def test_a_document_is_as_its_schema_says(
    name: str, arguments: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in {"trace", "state", "try", "compare", "reduce", "error"}:
        require_bindings()
    monkeypatch.chdir(tmp_path)
    Path("script.mlir").write_text(SCRIPT, encoding="utf-8")
    Path("other.mlir").write_text(SCRIPT.replace("seen", "other"), encoding="utf-8")
    Path("older.mlir").write_text(SCRIPT.replace("tile_sizes [2]", "[2]"), encoding="utf-8")
    Path("empty.mlir").write_text(SCRIPT.partition("  func.func")[0] + "}\n", encoding="utf-8")
    Path("broken.mlir").write_text(SCRIPT.replace("annotate", "annotat"), encoding="utf-8")
    Path("failing.mlir").write_text(SCRIPT.replace("annotate %loop", "annotate %fill"), encoding="utf-8")
    Path("tdls.toml").write_text("no-such-key = 1\n", encoding="utf-8")
    done = tdls(*arguments, "--format", "json", folder=tmp_path)
    files = [DOCUMENTATION / file for file in ("documents.schema.json", "json-output.schema.json")]
    schemas = [Resource.from_contents(json.loads(file.read_text(encoding="utf-8"))) for file in files]
    registry = Registry().with_resources(zip((file.name for file in files), schemas, strict=True))
    validator = jsonschema.Draft202012Validator({"$ref": f"documents.schema.json#/$defs/{name}"}, registry=registry)
    validator.validate(json.loads(done.stdout))
