"""Places in C++ sources that define the functions of an operation's class."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.caching.plain_data import dumps, loads
from tdls.catalogue.sources.cpp import FileFacts, merge, read_source, read_sources
from tdls.catalogue.sources.cpp.tokens import blanked

FILE = Path("MyOps.cpp")
LIST = "SmallVectorImpl<MemoryEffects::EffectInstance> &effects"
EFFECTS = f"getEffects({LIST}) {{ modifiesPayload(effects); }}"


@pytest.mark.parametrize(
    "text",
    [
        f"void mlir::transform::my::FuseOp::{EFFECTS}",
        f"void ::mlir::transform::my::FuseOp::{EFFECTS}",
        f"using namespace mlir;\nvoid transform::my::FuseOp::{EFFECTS}",
        f"using namespace mlir;\nusing namespace mlir::transform::my;\nvoid FuseOp::{EFFECTS}",
        f"using namespace mlir;\nusing namespace transform;\nvoid my::FuseOp::{EFFECTS}",
        f"namespace mlir {{ namespace transform {{ namespace my {{\nvoid FuseOp::{EFFECTS}\n}} }} }}",
        f"namespace mlir::transform {{\nnamespace my {{\nvoid FuseOp::{EFFECTS}\n}}\n}}",
        f"namespace mlir::transform {{ inline namespace v1 {{}} void my::FuseOp::{EFFECTS} }}",
        f"namespace {{ void mlir::transform::my::FuseOp::{EFFECTS} }}",
        f"void FuseOp::{EFFECTS}",
        f"namespace mlir {{ void my::FuseOp::{EFFECTS} }}",
        f"namespace mlir::transform::my {{ class FuseOp : public Op<FuseOp, Trait> {{ public: void {EFFECTS} }}; }}",
        f"namespace mlir::transform::my {{ struct MY_API FuseOp final {{ void {EFFECTS} }}; }}",
        f"#define X }}}}\n#include <a>\nDECLARE(x)\nvoid mlir::transform::my::FuseOp::{EFFECTS}",
        f"static int table[] = {{1, 2}};\nauto f = [] {{ return 1; }};\nvoid mlir::transform::my::FuseOp::{EFFECTS}",
        f'extern "C" {{ enum class A {{ x }}; void mlir::transform::my::FuseOp::{EFFECTS} }}',
        f"template <class T = void> struct A {{}}; template <> void mlir::transform::my::FuseOp::{EFFECTS}",
        f"A::A(int x) : b{{x}}, c(x) {{}} bool operator<(A, B) {{}} void mlir::transform::my::FuseOp::{EFFECTS}",
        f"char c = '{{'; auto n = 1'000; const char *s = \"\\\"{{\"; void mlir::transform::my::FuseOp::{EFFECTS}",
        f'// {{ \\\n {{ \n/* {{ */ auto r = R"("{{)"; void mlir::transform::my::FuseOp::{EFFECTS}',
        f"#ifdef A\nvoid f() {{\n#else\nvoid g() {{\n#endif\n}}\nvoid mlir::transform::my::FuseOp::{EFFECTS}",
        f"#if 0\n}} }} void FuseOp::{EFFECTS}\n#endif\nvoid mlir::transform::my::FuseOp::{EFFECTS}",
    ],
)
def test_the_class_is_found(text: str) -> None:
    facts = read_sources({FILE: text}).of("mlir::transform::my::FuseOp")
    assert facts is not None
    assert facts.effects is not None
    (place,) = facts.places
    assert text.splitlines()[place.line][place.column :].startswith("getEffects(")


@pytest.mark.parametrize(
    "text",
    [
        f"namespace other {{ void FuseOp::{EFFECTS} }}",
        f"void transform::other::FuseOp::{EFFECTS}",
        f"// void FuseOp::{EFFECTS}",
        f"void FuseOp::getEffects({LIST});",
        f"void g() {{ struct FuseOp {{ void {EFFECTS} }}; }}",
        f"namespace mlir::my::transform {{ void FuseOp::{EFFECTS} }}",
        f"namespace a {{ void my::FuseOp::{EFFECTS} }} namespace b {{ void my::FuseOp::{EFFECTS} }}",
    ],
)
def test_other_classes_are_not_taken_for_it(text: str) -> None:
    assert read_sources({FILE: text}).of("mlir::transform::my::FuseOp") is None


def test_functions_that_matter_come_first() -> None:
    text = """
LogicalResult FuseOp::verify() { return success(); }
Speculation::Speculatability FuseOp::getSpeculatability() { return {}; }
bool FuseOp::allowsRepeatedHandleOperands() { return true; }
DiagnosedSilenceableFailure FuseOp::applyToOne(Operation *target) { return success(); }
void FuseOp::build(OpBuilder &builder) {}
"""
    facts = read_sources({FILE: text}).of("FuseOp")
    assert facts is not None
    assert [place.line for place in facts.places] == [4, 2, 3, 1]
    assert facts.allows_repeated_handles
    assert facts.effects is None


def test_line_ends_of_windows() -> None:
    text = f"// one \\\n two {{\n#define A \\\n {{\nvoid FuseOp::{EFFECTS}\n"
    facts = [read_sources({FILE: source}).of("FuseOp") for source in (text, text.replace("\n", "\r\n"))]
    assert facts[0] is not None
    assert facts[1] is not None
    assert facts[0].places == facts[1].places


@pytest.mark.parametrize(
    ("first", "other"),
    [("modifiesPayload(effects);", ""), ("if (a) f(effects); g(effects);", "if (a) { f(effects); g(effects); }")],
)
def test_two_different_bodies_are_none(first: str, other: str) -> None:
    texts = {Path(body): f"void FuseOp::getEffects({LIST}) {{ {body} }}" for body in (first, other)}
    facts = read_sources(texts).of("FuseOp")
    assert facts is not None
    assert facts.effects is None
    assert len(facts.places) == 2


def test_copies_of_a_body_are_one() -> None:
    text = f"void FuseOp::{EFFECTS}"
    facts = read_sources({Path("a.cpp"): text, Path("build/a.cpp"): f"// A copy.\n{text}"}).of("FuseOp")
    assert facts is not None
    assert facts.effects is not None


def test_files_are_read_one_by_one_and_kept() -> None:
    text = f"void FuseOp::{EFFECTS}"
    kept: FileFacts = loads(dumps(read_source(FILE, text)))
    assert kept == read_source(FILE, text)
    assert merge([kept, read_source(Path("b.cpp"), "int x;")]).of("FuseOp") is not None


PIECES = st.sampled_from(
    ["{", "}", "(", ")", ";", "#if 0\n", "#else\n", "#endif\n", '"', "'", "R\"(", "/*", "*/", "//", "\\\n", "\n", "<",
     ">", "::", "class A", "namespace b", "=", ":", "if (x)", "for (auto [a, b] : c)", "else", "return", "[&]",
     f"void FuseOp::{EFFECTS}", "effects", f"getEffects({LIST}) {{", "1'0", "consumesHandle(getTarget(), effects);"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_any_text_is_read(text: str) -> None:
    code = blanked(text)
    assert len(code) == len(text)
    assert [index for index, letter in enumerate(code) if letter == "\n"] == [
        index for index, letter in enumerate(text) if letter == "\n"
    ]
    read_sources({FILE: text})


def test_a_file_without_operations_is_not_read_in_detail() -> None:
    assert read_source(FILE, "void f() { class A {}; }") == FileFacts(FILE)
