"""Effects on handles: the catalogue against MLIR, operation by operation and operand by operand."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from facts.compare_effects import Comparison, compare
from facts.oracles import OptTool
from oracle.tools import cache_directory, mlir_version
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.documents import load_json_catalogue
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Sequence

TEST_OPERATIONS = Path(__file__).with_name("test_operations.json")


class KeptTool(OptTool):
    """A tool whose answers are kept where those of the other comparisons with MLIR are."""

    def _run(self, options: Sequence[str], texts: Sequence[str]) -> tuple[int, str, str]:
        key = json.dumps([self.command, mlir_version(22), list(options), list(texts)])
        path = cache_directory() / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(f".{os.getpid()}")
            partial.write_text(json.dumps(super()._run(options, texts)), encoding="utf-8")
            partial.replace(path)
        code, output, errors = json.loads(path.read_text(encoding="utf-8"))
        return code, output, errors


def compared(catalogue: Catalogue, names: tuple[str, ...], version: int) -> Comparison:
    oracle = KeptTool(str(require_mlir_opt(version)))
    comparison = compare(catalogue, version, oracle, names, attributes=False)
    print(comparison)
    return comparison


@pytest.mark.sample
@pytest.mark.parametrize(("version", "operations", "operands"), [(22, 224, 181)])
def test_upstreams_effects_are_those_of_mlir(version: int, operations: int, operands: int) -> None:
    catalogue = Catalogue.shipped()
    comparison = compared(catalogue, catalogue.operation_names("transform"), version)
    assert comparison.differences == []
    assert comparison.untried == []
    assert (comparison.operations, comparison.operands) == (operations, operands)


def test_effects_of_test_operations_are_those_of_mlir() -> None:
    source = load_json_catalogue(TEST_OPERATIONS)
    names = source.operations.names("transform")
    comparison = compared(Catalogue.shipped().with_source(source), names, 22)
    assert comparison.differences == []
    assert comparison.untried == []
    assert comparison.operations == len(names) > 40


def test_a_wrong_effect_is_found() -> None:
    catalogue = Catalogue.shipped()
    name = "transform.apply_cse"
    definition = catalogue.operation(name)
    assert definition is not None
    wrong = load_json_catalogue(Path(__file__).with_name("wrong_effects.json"))
    comparison = compared(catalogue.with_source(wrong), (name,), 22)
    assert len(comparison.differences) == comparison.instances > 0
    assert "'target' is consumes in the catalogue, reads in" in comparison.differences[0]
