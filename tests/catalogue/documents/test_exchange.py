"""Catalogue files that tdls writes and puts together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command_line import tdls
from tdls.catalogue.changed_operations import Rename
from tdls.catalogue.documents import CatalogueDocument, catalogue_text, load_json_catalogue, merged
from tdls.catalogue.model import (
    AttributeDefinition,
    AttributeKindDefinition,
    ConditionalEffect,
    OperandDefinition,
    OperationDefinition,
    ParameterDefinition,
    RegionDefinition,
    Relation,
    ResultDefinition,
    SourcePlace,
    SuccessorDefinition,
    TypeDefinition,
)
from tdls.catalogue.shipped import ShippedSource
from tdls.structs import defaults_of, replace

if TYPE_CHECKING:
    import subprocess

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6)
NAMES = st.from_regex(r"[a-z]{1,3}\.[a-z]{1,3}", fullmatch=True)


def built(kind: type[Any], **given_fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Any definition of a kind, without places on one machine."""
    local = {"defined_at": st.none(), "implemented_at": st.just(()), "source": st.just("")}
    known = set(defaults_of(kind))
    return st.builds(kind, **{name: value for name, value in {**local, **given_fields}.items() if name in known})


def tuples(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=2).map(tuple)


st.register_type_strategy(str, TEXT)
CONDITIONS = tuples(st.builds(ConditionalEffect))
MNEMONICS = st.none() | NAMES
PARAMETERS = tuples(st.builds(ParameterDefinition))
OPERATIONS = built(
    OperationDefinition,
    name=NAMES,
    operands=tuples(st.builds(OperandDefinition, effect_when=CONDITIONS)),
    results=tuples(
        st.builds(
            ResultDefinition,
            effect_when=CONDITIONS,
            relations=tuples(st.builds(Relation)),
            stands_for=tuples(NAMES),
        )
    ),
    attributes=tuples(st.builds(AttributeDefinition, mnemonic=MNEMONICS)),
    regions=tuples(st.builds(RegionDefinition)),
    successors=tuples(st.builds(SuccessorDefinition)),
    former_names=tuples(NAMES),
)
DEFINITIONS = st.builds(
    CatalogueDocument,
    tuples(OPERATIONS),
    tuples(built(TypeDefinition, name=NAMES, parameters=PARAMETERS)),
    tuples(built(AttributeKindDefinition, name=NAMES, parameters=PARAMETERS)),
    tuples(st.builds(Rename, former=NAMES, name=st.none() | NAMES)),
)


def read_back(definitions: CatalogueDocument, folder: Path) -> CatalogueDocument:
    """Return the definitions that tdls reads from a file with these."""
    file = folder / "written.tdls.json"
    file.write_text(catalogue_text(definitions), encoding="utf-8")
    source = load_json_catalogue(file)
    found = CatalogueDocument.of(source, source.renames)
    return CatalogueDocument(
        tuple(replace(operation, source="") for operation in found.operations),
        tuple(replace(definition, source="") for definition in found.types),
        tuple(replace(attribute, source="") for attribute in found.attributes),
        found.renames,
    )


@settings(max_examples=30)
@given(definitions=DEFINITIONS)
def test_written_catalogues_are_read_back(definitions: CatalogueDocument, tmp_path: Path) -> None:
    normal = merged([definitions])
    assert read_back(normal, tmp_path) == replace(
        normal, renames=tuple(sorted(normal.renames, key=lambda rename: rename.former))
    )


def test_the_shipped_facts_are_read_back(tmp_path: Path) -> None:
    shipped = CatalogueDocument.of(ShippedSource())
    found = read_back(shipped, tmp_path)
    assert [replace(operation, source="") for operation in shipped.operations] == list(found.operations)
    assert [replace(definition, source="") for definition in shipped.types] == list(found.types)


def test_places_stay_here() -> None:
    place = SourcePlace(Path("/home/me/ops.td"), 3)
    definition = OperationDefinition(
        "my.op", description="What *it* does.", source="/home/me", defined_at=place, implemented_at=(place,)
    )
    text = catalogue_text(CatalogueDocument((definition,)))
    assert json.loads(text) == {"format": 1, "operations": [{"name": "my.op", "description": "What *it* does."}]}


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return tdls("catalogue", *map(str, arguments))


def written(folder: Path, name: str, *operations: dict[str, Any], **tables: Any) -> Path:
    file = folder / name
    file.write_text(json.dumps({"format": 1, "operations": operations, **tables}), encoding="utf-8")
    return file


OLD_FUSE: dict[str, Any] = {
    "name": "my.fuse",
    "operands": [{"name": "target", "effect": "reads"}, {"name": "depth"}],
    "attributes": [{"name": "keep"}, {"name": "level", "optional": True}],
    "traits": ["Pure", "TransformOpInterface"],
    "summary": "Fuse",
}
NEW_FUSE: dict[str, Any] = {
    "name": "my.fuse",
    "operands": [{"name": "target", "effect": "consumes"}, {"name": "loop"}],
    "attributes": [{"name": "level"}, {"name": "keep"}],
    "traits": ["TransformOpInterface", "MemoryEffectOpInterface"],
    "assembly_format": "$target `into` $loop attr-dict `:` functional-type(operands, results) and more than fits in",
    "summary": "Fuse it",
}


def test_import_puts_files_into_one(tmp_path: Path) -> None:
    first = written(tmp_path, "one.json", OLD_FUSE, {"name": "your.op"})
    second = written(tmp_path, "two.json", NEW_FUSE, {"name": "another.op"})
    output = tmp_path / "all.tdls.json"
    assert run("import", first, second, "-o", output).returncode == 0
    assert [operation.name for operation in CatalogueDocument.of(load_json_catalogue(output)).operations] == [
        "another.op",
        "my.fuse",
        "your.op",
    ]
    assert output.read_text(encoding="utf-8") == catalogue_text(merged([of(first), of(second)]))
    assert run("import", output).stdout == output.read_text(encoding="utf-8")


def of(file: Path) -> CatalogueDocument:
    return CatalogueDocument.of(load_json_catalogue(file))


def test_a_file_is_not_overwritten_by_accident(tmp_path: Path) -> None:
    mine, output = written(tmp_path, "mine.json", OLD_FUSE), tmp_path / "out.json"
    output.write_text("notes", encoding="utf-8")
    result = run("import", mine, "--output", output)
    assert (result.returncode, output.read_text(encoding="utf-8")) == (2, "notes")
    assert "give --force to replace it" in result.stderr
    assert run("import", mine, "--output", output, "--force").returncode == 0
    assert run("import", mine, "--output", output).returncode == 0
    assert [operation.name for operation in of(output).operations] == ["my.fuse"]


PROJECT = {
    "ops/Ops.td": """
include "mlir/Dialect/Transform/IR/TransformDialect.td"
def FuseOp : Op<Transform_Dialect, "my.fuse",
    [TransformOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Fuse";
  let description = [{ Fuses things. }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}
def OldOp : Op<Transform_Dialect, "my.old", [FunctionalStyleTransformOpTrait, TransformOpInterface]>;
""",
    "ops/Ops.cpp": """
void mlir::transform::FuseOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}
""",
    "tdls.toml": "[project]\nbindings = false\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "project"
    for name, text in PROJECT.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def test_export_of_a_project(project: Path, tmp_path: Path) -> None:
    output = tmp_path / "my.tdls.json"
    assert run("export", project, "-o", output).returncode == 0
    fuse, _ = of(output).operations
    assert (fuse.name, fuse.description.strip()) == ("transform.my.fuse", "Fuses things.")
    assert [operand.effect.value for operand in fuse.operands] == ["consumes"]
    assert "Ops.td" not in output.read_text(encoding="utf-8")
    assert run("export", project, "-o", output).returncode == 0


def test_an_exported_catalogue_in_the_project_does_not_keep_removed_operations(project: Path) -> None:
    output = project / "my.tdls.json"
    assert run("export", project, "-o", output).returncode == 0
    sources = project / "ops" / "Ops.td"
    sources.write_text(sources.read_text(encoding="utf-8").partition("def OldOp")[0], encoding="utf-8")
    assert run("export", project, "-o", output).returncode == 2
    assert run("export", project, "-o", output, "--force").returncode == 0
    assert [operation.name for operation in of(output).operations] == ["transform.my.fuse"]


def test_export_leaves_out_upstream_definitions(project: Path) -> None:
    assert "transform.structured.match" not in run("export", project).stdout
    only_scf = run("export", project, "--all", "--dialect", "scf").stdout
    assert {item["name"].partition(".")[0] for item in json.loads(only_scf)["operations"]} == {"scf"}


def test_a_changed_operation_of_upstream_is_exported_with_the_other_variants(project: Path, tmp_path: Path) -> None:
    shipped = run("export", project, "--all", "--dialect", "scf").stdout
    shipped_yield = next(item for item in json.loads(shipped)["operations"] if item["name"] == "scf.yield")
    mine = written(tmp_path, "mine.json", {**shipped_yield, "attributes": [{"name": "mine"}]}, shipped_yield)
    found = json.loads(run("export", project, "--catalogue", mine, "--dialect", "scf").stdout)["operations"]
    assert [item.get("attributes") for item in found] == [[{"name": "mine"}], shipped_yield.get("attributes")]


def test_export_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "tdls.toml").touch()
    result = run("export", tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert "no definition to write was found; 'tdls catalogue sources' says where tdls looked" in result.stderr


def test_import_of_a_file_that_cannot_be_read() -> None:
    result = run("import", "missing.json")
    assert (result.returncode, result.stdout) == (2, "")
    assert "missing.json: cannot be read" in result.stderr
