"""Reading of sources beyond the limits ends, and includes the sound definitions in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdls.catalogue.sources.cpp import read_source
from tdls.catalogue.sources.cpp.reading import expansions
from tdls.catalogue.sources.python_modules import linked, read_module
from tdls.limits import EXPANDED_TEXT, MACRO_USES

FILE = Path("/p/file")
EFFECTS = "void XOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {}\n"


@pytest.mark.parametrize("text", ["namespace a {\n", "class A {\n"])
def test_scopes_in_scopes(text: str) -> None:
    found = read_source(FILE, EFFECTS + text * 20_000 + EFFECTS)
    assert len(found.functions) == 1


def test_many_imported_namespaces() -> None:
    found = read_source(FILE, "".join(f"using namespace a{number};\n" for number in range(20_000)) + EFFECTS)
    assert len(found.functions) == 1


def test_macros_that_stand_for_much() -> None:
    body = "a " * 1000
    text = f"#define M(a) void {body} EffectInstance\n" + f"M({'x' * 1000})\n" * 1000
    found = expansions(text, text)
    assert sum(len(expanded) for _, expanded in found.texts) <= EXPANDED_TEXT.most
    assert found.given_up is not None
    assert found.given_up[1].limit is EXPANDED_TEXT


def test_uses_of_macros_that_are_left_out_are_reported() -> None:
    macro = "#define M(a) void a::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {}\n"
    assert read_source(FILE, macro + "M(A)\n" * MACRO_USES.most).problems == ()
    found = read_source(FILE, macro + "M(A)\n" * (MACRO_USES.most + 2))
    assert len(found.functions) == MACRO_USES.most
    (problem,) = found.problems
    assert problem.line == MACRO_USES.most + 1
    assert problem.message == f"the uses of macros from here on ask for more than {MACRO_USES}; they are left out"


def test_chains_of_python_classes() -> None:
    chain = "".join(f"class A{i + 1}(A{i}, name='b{i}'): pass\n" for i in range(600))
    text = f"class D(Dialect, name='x'): pass\nclass A0(D.Operation, name='a'): pass\n{chain}"
    (found,) = linked([read_module(FILE, text)])
    assert found.operations[0].name == "x.a"
