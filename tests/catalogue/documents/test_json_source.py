"""Catalogues of projects: read, layered over the shipped one, and refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.documents import SCHEMA_FILE, CatalogueError, load_json_catalogue, problems
from tdls.catalogue.shipped import FACTS_FOLDER
from tdls.text.level import Level

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
    found = findings_in_file(SourceFile.of(SCRIPT, catalogue))
    assert [(diagnostic.rule, diagnostic.message) for diagnostic in found] == [
        ("use-after-free", "`%p` was consumed by `transform.my.fuse`")
    ]
    without = findings_in_file(SourceFile.of(SCRIPT, Catalogue.shipped()))
    assert "use-after-free" not in {diagnostic.rule for diagnostic in without}


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
    found = findings_in_file(SourceFile.of(SCRIPT, catalogue))
    assert [(finding.rule, finding.level) for finding in found] == [("possibly-invalidated-handle", Level.HINT)]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("{", "my.json:1:2: is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "my.json: is not JSON"),
        ("[]", "my.json: expected an object, found a list"),
        ({"operations": []}, '"format" is missing'),
        ({"format": 2}, "format: expected 1, found 2"),
        ({"format": True}, "format: expected 1, found true"),
        ({"format": 1, "ops": []}, 'unknown key "ops"; known are $schema, attributes, format, operations,'),
        ({"format": 1, "operations": {}}, "operations: expected a list, found an object"),
        ({"format": 1, "operations": [3]}, "operations[0]: expected an object, found 3"),
        (
            {"format": 1, "operations": [{"name": "fuse"}]},
            'operations[0].name (fuse): "fuse" is not a name such as "dialect.operation"',
        ),
        (
            {"format": 1, "operations": [{**FUSE, "indexing": ["+"]}]},
            'indexing[0] (transform.my.fuse): "+" is not what indexes an operand, such as "02", "*" or "-dimensions"',
        ),
        ({"format": 1, "operations": [FUSE, {**FUSE, "effects": []}]}, "operations[1] (transform.my.fuse): unknown"),
        ({"format": 1, "operations": [{**FUSE, "summary": None}]}, "expected a string, found null"),
        (
            {"format": 1, "operations": [{**FUSE, "operands": [{"name": "a", "effect": "eats"}]}]},
            'operations[0].operands[0].effect (transform.my.fuse): expected one of "consumes", "reads",',
        ),
        ({"format": 1, "renames": [{"former": "a.b"}]}, 'renames[0]: "last_version" is missing'),
    ],
)
def test_mistakes_are_reported(tmp_path: Path, document: Any, expected: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        load_json_catalogue(written(tmp_path, document))
    assert expected in str(caught.value)
    assert "my.json" in str(caught.value)


def test_all_problems_are_said_at_once_up_to_a_limit(tmp_path: Path) -> None:
    document = {"format": 1, "operations": [{"name": f"my.op{number}", "x": 1} for number in range(20)]}
    with pytest.raises(CatalogueError) as caught:
        load_json_catalogue(written(tmp_path, document))
    message = str(caught.value)
    assert "\n" not in message
    *mistakes, last = message.split("; also ")
    assert len(mistakes) == 10
    assert last.startswith("there is more")
    assert "docs/catalogue.md" in last


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.json", tmp_path, tmp_path / "nul\0.json"):
        with pytest.raises(CatalogueError, match=r"cannot be read: .*check the path"):
            load_json_catalogue(path)
    (tmp_path / "latin.json").write_bytes(b'{"format": 1, "x": "\xe9"}')
    with pytest.raises(CatalogueError, match="is not UTF-8 at byte 20"):
        load_json_catalogue(tmp_path / "latin.json")


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "my.json"
    path.write_text(json.dumps({"format": 1, "operations": [FUSE]}), encoding="utf-8-sig")
    assert load_json_catalogue(path).operations.variants("transform.my.fuse")


def test_variants_keep_their_order(tmp_path: Path) -> None:
    newer = {**FUSE, "versions": [22], "results": []}
    source = load_json_catalogue(written(tmp_path, {"format": 1, "operations": [newer, {**FUSE, "versions": [19]}]}))
    catalogue = Catalogue.shipped().with_source(source)
    assert [definition.versions for definition in catalogue.variants("transform.my.fuse")] == [(22,), (19,)]


def test_types_attributes_and_renames_are_read(tmp_path: Path) -> None:
    source = load_json_catalogue(
        written(
            tmp_path,
            {
                "format": 1,
                "types": [{"name": "my.tile", "interfaces": ["TransformHandleTypeInterface"]}],
                "attributes": [{"name": "my.kind", "cases": ["a", "b"]}],
                "renames": [{"former": "my.old", "name": "my.new", "last_version": 20}],
            },
        )
    )
    catalogue = Catalogue.shipped().with_source(source)
    tile, kind, rename = (
        catalogue.type_definition("my.tile"),
        catalogue.attribute_kind("my.kind"),
        catalogue.renamed("my.old"),
    )
    assert tile is not None
    assert tile.interfaces == {"TransformHandleTypeInterface"}
    assert kind is not None
    assert kind.cases == ("a", "b")
    assert rename is not None
    assert (rename.name, rename.last_version) == ("my.new", 20)


DOCUMENTED = Path(__file__).resolve().parents[3] / "docs" / "catalogue.md"
SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_documented_examples_are_catalogues(tmp_path: Path) -> None:
    blocks = [part.partition("```")[0] for part in DOCUMENTED.read_text(encoding="utf-8").split("```json\n")[1:]]
    names: list[str] = []
    for example in (block for block in blocks if '"format"' in block):
        VALIDATOR.validate(json.loads(example))
        names += load_json_catalogue(written(tmp_path, example)).operations.names("transform")
    assert names == ["transform.my.tile", "transform.my.fuse"]


@pytest.mark.parametrize("path", sorted(FACTS_FOLDER.glob("[!_]*.json")), ids=lambda path: path.stem)
def test_the_shipped_facts_follow_the_schema(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    assert not list(problems(document, SCHEMA))
    if path.stem in {"transform", "arith", "vector", "gpu"}:
        VALIDATOR.validate(document)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"format": 1, "operations": [{}]},
        {"format": 1, "operations": [{"name": "a.b", "versions": ["22"]}]},
        {"format": 1, "operations": [{"name": "a.b", "regions": [{"name": "", "variadic": 1}]}]},
        {"format": 1, "types": [{"name": "!a.b"}]},
        {"format": 1, "attributes": [{"name": "a.b", "parameters": [{}]}]},
    ],
)
def test_the_loader_refuses_documents_that_the_schema_refuses(document: Any) -> None:
    assert list(problems(document, SCHEMA))
    assert not VALIDATOR.is_valid(document)
