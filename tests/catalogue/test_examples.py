"""Examples of operations whose form only C++ knows, and of transform operations, which MLIR parses and verifies."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from facts.examples import _MORE, collected
from oracle.tools import SPLIT_MARKER
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.shipped import FACTS_FOLDER, printed_example
from tdls.ide.forms.operation_page import example as script_example
from tools_at_hand import require_bindings, require_mlir_opt

CATALOGUE = Catalogue.shipped()
EXAMPLES: dict[str, str] = json.loads((FACTS_FOLDER / "_examples.json").read_text(encoding="utf-8"))
PARTS = Path(__file__).with_name("script_examples.mlir").read_text(encoding="utf-8").split("//----- ")[1:]
TEMPLATES = {name: body for name, _, body in (part.partition("\n") for part in PARTS)}


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


def script(name: str, text: str) -> str:
    """Return a module with the operation `name`, where it may stand, whose values are arguments."""
    prefix = max((prefix for prefix in TEMPLATES if prefix.endswith(".") and name.startswith(prefix)), key=len)
    body = TEMPLATES.get(name, TEMPLATES[prefix]).replace("EXAMPLE", text)
    values: dict[str, str] = {}
    for context in SourceFile.of(body.replace("ARGUMENTS", ""), CATALOGUE).contexts:
        for use in context.model.unresolved:
            types = [each for each in (use.operation.syntax.operand_types or ())[: use.operand + 1] if each]
            values.setdefault(use.name, types[-1].text if types else "!transform.any_op")
    arguments = ", ".join(f"{value}: {type_}" for value, type_ in values.items())
    return f"module attributes {{transform.with_named_sequence}} {{\n{body.replace('ARGUMENTS', arguments)}}}\n"


def scripts(major: int) -> list[str]:
    variants = [each for name in CATALOGUE.operation_names("transform") for each in CATALOGUE.variants(name)]
    texts = {each.name: script_example(each, CATALOGUE) for each in variants if major in each.versions}
    return [script(name, text) for name, text in texts.items() if text]


def test_mlir_22_parses_and_verifies_each_example() -> None:
    text = f"\n{SPLIT_MARKER}\n".join(scripts(22))
    command = [str(require_mlir_opt(22)), "--split-input-file"]
    assert text.count(SPLIT_MARKER) > 200
    assert subprocess.run(command, input=text, capture_output=True, text=True, check=False).stderr == ""


@pytest.mark.parametrize("text", scripts(23))
def test_main_parses_and_verifies_each_example(text: str) -> None:
    """The bindings at hand are those of main before attributes in a dictionary became strict."""
    ir = require_bindings().ir
    with ir.Context():
        ir.Module.parse(text)
