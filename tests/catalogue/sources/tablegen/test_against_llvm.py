"""MLIR's own files and small snippets, as llvm-tblgen reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from catalogue.sources.tablegen.snippets import SNIPPETS
from oracle.tablegen import dump
from oracle.tablegen.comparison import Judgement, compare_records, judge, parsed
from tdls.catalogue.sources.tablegen import read_parsed
from tdls.catalogue.sources.tablegen.modules import Project
from tdls.catalogue.sources.tablegen.parser import parse
from tools_at_hand import give_up, require_tool

if TYPE_CHECKING:
    from pathlib import Path

_MOST_ALONE_WRONG = 0.01


@pytest.fixture(scope="module", autouse=True)
def _tools() -> None:
    require_tool(dump.TOOL, "Debian package llvm-22")
    try:
        dump.include_folder()
    except FileNotFoundError as error:
        give_up(str(error))


@pytest.mark.sample
def test_transform_operations() -> None:
    named = [(file, judge(file, [*file.parent.glob("*.td")], own_records_only=True)) for file in dump.transform_files()]
    judgements = [judgement for _, judgement in named if judgement is not None]
    assert [file for file, judgement in named if judgement is None] == []
    operations = sum(judgement.operations for judgement in judgements)
    alone = [name for judgement in judgements for name in judgement.wrong_alone]
    assert operations > 200
    assert not [problem for judgement in judgements for problem in judgement.problems]
    assert not [name for judgement in judgements for name in judgement.wrong_records]
    assert not [name for judgement in judgements for name in judgement.wrong_operations]
    assert len(alone) <= operations * _MOST_ALONE_WRONG, alone


@pytest.mark.sample
@pytest.mark.parametrize("folder", ["Arith", "EmitC", "GPU", "LLVMIR", "SparseTensor", "Transform"])
def test_types_and_attributes_without_includes(folder: str) -> None:
    """Definitions read without includes equal those read with them, but for how an enumeration is spelled."""
    files = sorted((dump.include_folder() / "mlir/Dialect" / folder).rglob("*.td"))
    texts = {path: parsed(dump.read(path) or "") for path in files}
    with_includes = read_parsed(texts, [dump.include_folder()], dump.read, parsed)
    without = read_parsed(texts, (), lambda _: None, parsed)
    assert (with_includes.dialects, with_includes.types) == (without.dialects, without.types)
    ours, theirs = ([(it.name, it.parameters, it.cases) for it in read.attributes] for read in (with_includes, without))
    assert ours == theirs


@pytest.mark.sample
def test_payload_operations() -> None:
    judgements = [judge(file, own_records_only=True) for file in dump.payload_files()]
    found = [judgement for judgement in judgements if judgement is not None]
    dialects = {judgement.file.parents[1].name for judgement in found if judgement.operations}
    assert len(dialects) >= 10
    assert not [name for judgement in found for name in (*judgement.wrong_records, *judgement.wrong_operations)]


@pytest.mark.parametrize("name", SNIPPETS)
def test_language(name: str, tmp_path: Path) -> None:
    file = tmp_path / "snippet.td"
    file.write_text(SNIPPETS[name], encoding="utf-8")
    records = dump.dump(file)
    assert records is not None, f"{dump.TOOL} rejects the snippet"
    judgement = Judgement(file)
    compare_records(Project({file: parse(SNIPPETS[name])}, [], dump.read), records, judgement)
    assert judgement.records
    assert not judgement.wrong_records


def test_a_difference_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "snippet.td"
    file.write_text("class A<int n> { int value = n; list<string> names = []; }\ndef X : A<1>;", encoding="utf-8")
    records = dump.dump(file)
    assert records is not None
    other = 'class A<int n> { int value = n; list<string> names = ["a"]; }\ndef X : A<2>;\ndef Y : A<1>;'
    judgement = Judgement(file)
    compare_records(Project({file: parse(other)}, [], dump.read), records, judgement)
    assert judgement.wrong_records == ["Y", "X.names", "X.value"]
