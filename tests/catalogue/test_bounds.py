"""Reading of sources beyond the limits ends, and includes the sound definitions in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdls.catalogue.sources.cpp import read_source
from tdls.catalogue.sources.python_modules import linked, read_module

FILE = Path("/p/file")
EFFECTS = "void XOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {}\n"


@pytest.mark.parametrize("text", ["namespace a {\n", "class A {\n"])
def test_scopes_in_scopes(text: str) -> None:
    found = read_source(FILE, EFFECTS + text * 20_000 + EFFECTS)
    assert len(found.functions) == 1


def test_many_imported_namespaces() -> None:
    found = read_source(FILE, "".join(f"using namespace a{number};\n" for number in range(20_000)) + EFFECTS)
    assert len(found.functions) == 1


def test_chains_of_python_classes() -> None:
    chain = "".join(f"class A{i + 1}(A{i}, name='b{i}'): pass\n" for i in range(600))
    text = f"class D(Dialect, name='x'): pass\nclass A0(D.Operation, name='a'): pass\n{chain}"
    (found,) = linked([read_module(FILE, text)])
    assert found.operations[0].name == "x.a"
