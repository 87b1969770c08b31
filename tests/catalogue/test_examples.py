"""Examples of operations whose form only C++ knows."""

from __future__ import annotations

import json

import pytest

from facts.examples import _MORE, collected
from oracle.tools import SPLIT_MARKER
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.shipped import FACTS_FOLDER, printed_example
from tools_at_hand import require_mlir_opt

CATALOGUE = Catalogue.shipped()
EXAMPLES: dict[str, str] = json.loads((FACTS_FOLDER / "_examples.json").read_text(encoding="utf-8"))


def example(name: str) -> str | None:
    definition = CATALOGUE.operation(name)
    assert definition is not None
    return printed_example(definition)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_an_example_is_of_its_operation(name: str) -> None:
    assert example(name) == EXAMPLES[name]
    text = EXAMPLES[name].replace("{ ... }", "{}")
    operations = [operation for context in SourceFile.of(text, CATALOGUE).contexts for operation in context.tree.walk()]
    assert [operation.name for operation in operations] == [name]


def test_operations_with_a_known_form_need_none() -> None:
    assert example("arith.addi") is None
    assert example("transform.structured.tile_using_for") is None


def test_common_operations_have_an_example() -> None:
    definitions = filter(None, map(CATALOGUE.operation, CATALOGUE.operation_names("linalg")))
    written_in_cpp = [definition for definition in definitions if definition.assembly_format is None]
    assert len(written_in_cpp) > 90
    assert [definition.name for definition in written_in_cpp if printed_example(definition) is None] == [
        "linalg.matmul_unsigned",
        "linalg.scaled_contract",
    ]
    for name in ("scf.for", "scf.if", "scf.forall", "affine.for", "vector.transfer_read", "func.func"):
        assert example(name) is not None, name


def test_examples_are_as_mlir_prints_them() -> None:
    require_mlir_opt(22)
    texts = _MORE.read_text(encoding="utf-8").split(f"{SPLIT_MARKER}\n")
    wanted = frozenset(EXAMPLES)
    found = collected(texts, wanted, [()])
    assert len(found) >= 8
    assert found == {name: EXAMPLES[name] for name in found}
