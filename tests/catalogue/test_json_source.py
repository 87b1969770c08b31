"""Catalogues of projects: read, layered over the shipped one, and refused in words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from tdls.analysis.check import check_text
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.json_source import CatalogueError, load_json_catalogue
from tdls.catalogue.shipped import FACTS_FOLDER

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = FACTS_FOLDER.parent / "catalogue.schema.json"
FUSE = {
    "name": "transform.my.fuse",
    "operands": [
        {"name": "producer", "constraint": "TransformHandleTypeInterface", "effect": "consumes"},
        {"name": "loop", "constraint": "TransformHandleTypeInterface", "effect": "reads"},
    ],
    "results": [{"name": "fused", "constraint": "TransformHandleTypeInterface", "effect": "produces"}],
    "traits": ["TransformOpInterface", "MemoryEffectOpInterface"],
    "assembly_format": "$producer `into` $loop attr-dict `:` functional-type(operands, results)",
}
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @fuse(%p: !transform.any_op {transform.consumed},
                                 %l: !transform.any_op {transform.readonly}) {
    %0 = transform.my.fuse %p into %l : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.print %p : !transform.any_op
    transform.yield
  }
}
"""


def written(folder: Path, document: Any) -> Path:
    path = folder / "my.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def test_a_projects_operation_takes_part_in_the_analysis(tmp_path: Path) -> None:
    source = load_json_catalogue(written(tmp_path, {"format": 1, "operations": [FUSE]}))
    catalogue = Catalogue.shipped().with_source(source)
    found = check_text(SCRIPT, path=None, catalogue=catalogue).diagnostics
    assert [(diagnostic.rule, diagnostic.message) for diagnostic in found] == [
        ("use-after-free", "operand #0 may be used after free")
    ]
    assert not check_text(SCRIPT, path=None, catalogue=Catalogue.shipped()).diagnostics


def test_a_later_source_wins(tmp_path: Path) -> None:
    other = {**FUSE, "name": "transform.print", "summary": "mine"}
    catalogue = Catalogue.shipped().with_source(
        load_json_catalogue(written(tmp_path, {"format": 1, "operations": [other]}))
    )
    definition = catalogue.operation("transform.print")
    assert definition is not None
    assert (definition.summary, definition.source) == ("mine", "my.json")
    assert catalogue.operation("transform.yield") is not None


def test_a_malformed_assembly_format_is_read_structurally(tmp_path: Path) -> None:
    broken = {**FUSE, "assembly_format": "$producer `into"}
    catalogue = Catalogue.shipped().with_source(
        load_json_catalogue(written(tmp_path, {"format": 1, "operations": [broken]}))
    )
    assert not check_text(SCRIPT, path=None, catalogue=catalogue).diagnostics


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("{", "my.json:1:2: not JSON"),
        ("[]", "not a catalogue"),
        ({"operations": []}, '"format": 1'),
        ({"format": 1, "ops": []}, "unknown key `ops`"),
        ({"format": 1, "operations": {}}, "`operations` must be a list"),
        ({"format": 1, "operations": [{"name": "fuse"}]}, "operations[0]"),
        ({"format": 1, "operations": [{**FUSE, "effects": []}]}, "effects"),
        (
            {"format": 1, "operations": [{**FUSE, "operands": [{"name": "a", "effect": "eats"}]}]},
            "'eats' is not one of the values",
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, document: Any, expected: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        load_json_catalogue(written(tmp_path, document))
    assert expected in str(caught.value)
    assert "my.json" in str(caught.value)


def test_the_example_and_the_shipped_facts_follow_the_schema() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    validator.validate({"format": 1, "operations": [FUSE]})
    for path in sorted(FACTS_FOLDER.glob("[!_]*.json")):
        validator.validate(json.loads(path.read_text(encoding="utf-8")))
