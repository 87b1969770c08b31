"""The shipped facts themselves: complete, unambiguous, laid out for look-ups, and known to MLIR."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tdls.catalogue import shipped
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.documents import decode, encode
from tdls.catalogue.model import EffectSource, HandleEffect, OperationDefinition, PayloadEffect
from tdls.catalogue.shipped import FACTS_FOLDER, ShippedSource, _FactFiles, _ShippedTable
from tdls.settings.llvm_versions import newest_version
from tdls.structs import replace
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from pathlib import Path

MAIN = newest_version()

CATALOGUE = Catalogue.shipped()
VERSIONS = (18, 19, 20, 21, 22, 23, MAIN)
FROM_TABLEGEN = (19, 22)
TRANSFORM = [definition for name in CATALOGUE.operation_names("transform") for definition in CATALOGUE.variants(name)]


def names_at(version: int) -> list[str]:
    return [
        name
        for name in CATALOGUE.operation_names()
        if any(version in variant.versions for variant in CATALOGUE.variants(name))
    ]


def test_the_versions_are_those_promised() -> None:
    assert ShippedSource().llvm_versions == VERSIONS


@pytest.mark.parametrize(
    ("version", "transform", "every"), [(19, 184, 1936), (22, 224, 2635), (23, 235, 2950), (MAIN, 239, 2921)]
)
def test_every_upstream_operation_is_counted(version: int, transform: int, every: int) -> None:
    names = names_at(version)
    assert sum(name.startswith("transform.") for name in names) == transform
    assert len(names) == every


FATAL = frozenset({"affine.dma_start", "affine.dma_wait"})
"""MLIR's verifier does not survive these without operands."""


@pytest.mark.sample
@pytest.mark.parametrize("version", [19, 22])
def test_mlir_knows_every_operation(version: int) -> None:
    names = [name for name in names_at(version) if name not in FATAL]
    text = "\n// -----\n".join(f'"{name}"() : () -> ()' for name in names)
    command = [str(require_mlir_opt(version)), "--split-input-file", "-"]
    process = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=False)
    assert process.returncode in (0, 1), process.stderr[-500:]
    assert "unregistered operation" not in process.stderr
    assert not re.search(r"Dialect `\w*' not found", process.stderr)
    unknown = '"transform.no_such_operation"() : () -> ()'
    process = subprocess.run(command, input=unknown, capture_output=True, text=True, encoding="utf-8", check=False)
    assert "unregistered operation" in process.stderr


@pytest.mark.parametrize("path", sorted(FACTS_FOLDER.glob("[!_]*.json")), ids=lambda path: path.stem)
def test_each_definition_stands_in_a_line_of_its_own(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    document = json.loads(text)
    for section in ("operations", "types", "attributes"):
        items = document.get(section, [])
        lines = [line.rstrip(",") for line in text.splitlines() if line.startswith('{"name":')]
        assert all(json.dumps(item, ensure_ascii=False, separators=(",", ":")) in lines for item in items)
        names = [item["name"] for item in items]
        assert names == sorted(names), "variants stand together"


def test_a_version_has_a_second_definition_only_where_a_wheel_does_not_tell_which_it_has() -> None:
    for name in CATALOGUE.operation_names():
        variants = CATALOGUE.variants(name)
        versions = [version for variant in variants for version in variant.versions]
        assert max(Counter(versions).values()) <= 2, name
        assert not any(Counter(versions)[version] > 1 for version in FROM_TABLEGEN), name
        newest = [max(variant.versions) for variant in variants]
        assert newest == sorted(newest, reverse=True), name
        assert len({replace(variant, versions=(), source="") for variant in variants}) == len(variants), name


def test_definitions_survive_encoding() -> None:
    for definition in TRANSFORM:
        assert decode(OperationDefinition, encode(definition)) == definition


@pytest.mark.parametrize(
    "definition", TRANSFORM, ids=lambda definition: f"{definition.name}@{max(definition.versions)}"
)
def test_each_transform_operation_is_described(definition: OperationDefinition) -> None:
    assert 0 < len(definition.summary) < 100
    assert not definition.summary.endswith(".")
    assert definition.format_known
    assert definition.assembly_format is not None or definition.custom_assembly
    depends = definition.effect_source is not EffectSource.FIXED
    for operand in definition.operands:
        assert operand.constraint
        assert operand.effect in (HandleEffect.CONSUMES, HandleEffect.READS) or depends, operand.name
    for result in definition.results:
        assert result.effect is HandleEffect.PRODUCES, result.name
    assert definition.payload_effect is not PayloadEffect.UNKNOWN or depends


def test_summaries_are_not_shared_without_reason() -> None:
    newest = {definition.name: definition.summary for definition in reversed(TRANSFORM)}
    shared = {summary: count for summary, count in Counter(newest.values()).items() if count > 1}
    renamed = [name for name in newest if ".x86vector." in name]
    assert len(shared) == len(renamed)


def test_renames_lead_to_operations_that_exist() -> None:
    index = json.loads((FACTS_FOLDER / "_index.json").read_text(encoding="utf-8"))
    assert len({rename["former"] for rename in index["renames"]}) == len(index["renames"])
    for rename in index["renames"]:
        name = rename.get("name")
        known = CATALOGUE.operation(name or "") or CATALOGUE.pass_definition(name or "")
        assert name is None or known, rename["former"]
        former = CATALOGUE.operation(rename["former"])
        newest = max((version for rename in (former,) if rename for version in rename.versions), default=0)
        assert newest <= rename["last_version"], rename["former"]


def test_traits_that_stand_for_effects_agree_with_them() -> None:
    own_effects = {"transform.split_handle", "transform.structured.pad", "transform.structured.pad_tiling_interface"}
    functional = [
        definition
        for definition in TRANSFORM
        if "FunctionalStyleTransformOpTrait" in definition.traits and definition.name not in own_effects
    ]
    assert len(functional) > 50
    for definition in functional:
        assert {operand.effect for operand in definition.operands} == {HandleEffect.CONSUMES}, definition.name
        assert definition.payload_effect is PayloadEffect.MODIFIES
    for definition in TRANSFORM:
        if "NavigationTransformOpTrait" in definition.traits:
            assert {operand.effect for operand in definition.operands} == {HandleEffect.READS}, definition.name


MATCH = "transform.structured.match"


def test_concurrent_readers_get_the_same_definitions(monkeypatch: pytest.MonkeyPatch) -> None:
    """As another thread does that asks for the same at the same time."""
    met: list[tuple[OperationDefinition, ...]] = []

    def meeting(kind: type[OperationDefinition], item: dict[str, Any], **more: Any) -> OperationDefinition:
        if not met:
            met.append(())
            met.append(table.variants(MATCH))
        return decode(kind, item, **more)

    monkeypatch.setattr(shipped, "decode", meeting)
    table = _ShippedTable(_FactFiles(FACTS_FOLDER), "operations", OperationDefinition)
    found = table.variants(MATCH)
    assert found
    assert all(first is second for first, second in zip(met[1], found, strict=True))
    assert table.variants(MATCH) is found
