"""The places in a project's sources that define and implement the entity at a cursor, and its documentation."""

from __future__ import annotations

from pathlib import Path

import pytest

from ide.with_cursor import URI, parse_cursor
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import (
    AttributeKindDefinition,
    OperationDefinition,
    PassDefinition,
    PassOption,
    SourcePlace,
    TypeDefinition,
)
from tdls.catalogue.source import MemorySource
from tdls.ide.completion.completion import resolve
from tdls.ide.cursor.target import places_of_definition, places_of_implementation
from tdls.ide.hover.hover import hover
from tdls.ide.snapshot import Snapshot

ROOT = Path(__file__).resolve().parent
KINDS = ("operation", "type", "attribute", "pass")
DEFINED = {name: SourcePlace(ROOT / "Ops.td", line, 4) for line, name in enumerate(KINDS)}
IMPLEMENTED = (SourcePlace(ROOT / "Ops.cpp", 7), SourcePlace(ROOT / "Ops.cpp", 20))
TEXT = '%r = transform.mine.cut %x : !mine.stone\n"mine.hew"() {grade = #mine.grade<1>} : () -> ()\n'
TEXT += '%y = transform.apply_registered_pass "my-tile" to %x : (!transform.any_op) -> !transform.any_op\n'
SOURCE = MemorySource(
    "project",
    [
        OperationDefinition(
            "transform.mine.cut",
            format_known=False,
            source="include/Ops.td",
            description="Cuts *along* the seam.",
            defined_at=DEFINED["operation"],
            implemented_at=IMPLEMENTED,
        )
    ],
    [TypeDefinition("mine.stone", description="Heavy.", source="LLVM 22", defined_at=DEFINED["type"])],
    [AttributeKindDefinition("mine.grade", defined_at=DEFINED["attribute"])],
    passes=[
        PassDefinition(
            "my-tile",
            "mlir::func::FuncOp",
            (
                PassOption("size", "int64_t", "32", summary="Size of a tile"),
                PassOption("names", "std::string", is_list=True),
            ),
            "Tile what is large",
            source="include/Passes.td",
            description="Cuts in *tiles*.",
            defined_at=DEFINED["pass"],
        )
    ],
)
CATALOGUE = Catalogue.shipped().with_source(SOURCE)


def at(before: str, after: str) -> tuple[Snapshot, int]:
    text, offset = parse_cursor(TEXT.replace(before + after, f"{before}$0{after}"))
    return Snapshot({URI: SourceFile.of(text, CATALOGUE)}, CATALOGUE), offset


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("transform.mi", "ne.cut", "operation"),
        ("!mine.st", "one", "type"),
        ("#mine.gr", "ade", "attribute"),
        ('"my-t', 'ile"', "pass"),
        ('"mine.', "hew", None),
        ("%", "x", None),
    ],
)
def test_definition(before: str, after: str, kind: str | None) -> None:
    snapshot, offset = at(before, after)
    assert places_of_definition(snapshot, URI, offset) == ((DEFINED[kind],) if kind is not None else ())


@pytest.mark.parametrize(
    ("before", "after", "places"),
    [("transform.mi", "ne.cut", IMPLEMENTED), ('"mine.', "hew", ()), ("!mine.st", "one", ())],
)
def test_implementation(before: str, after: str, places: tuple[SourcePlace, ...]) -> None:
    snapshot, offset = at(before, after)
    assert places_of_implementation(snapshot, URI, offset) == places


def test_hover_has_the_words_of_the_project_and_names_the_source() -> None:
    snapshot, offset = at("transform.mi", "ne.cut")
    found = hover(snapshot, URI, offset)
    assert found is not None
    address = (ROOT / "Ops.td").as_uri()
    assert found.markdown.endswith(f"Cuts *along* the seam.\n\n[include/Ops.td:1]({address}#L1)")


def test_hover_over_a_type() -> None:
    snapshot, offset = at("!mine.st", "one")
    found = hover(snapshot, URI, offset)
    assert found is not None
    assert found.markdown.endswith(f"Heavy.\n\nLLVM 22 · [Ops.td:2]({(ROOT / 'Ops.td').as_uri()}#L2)")


def test_completion_items_are_described_by_the_catalogue_of_their_document() -> None:
    snapshot, _ = at("%", "x")
    assert "Cuts *along* the seam." in resolve(snapshot, ("operation", "transform.mine.cut"))


def test_hover_describes_a_pass_of_the_project() -> None:
    snapshot, offset = at('"my-t', 'ile"')
    found = hover(snapshot, URI, offset)
    assert found is not None
    for said in (
        "Tile what is large.",
        "runs on `mlir::func::FuncOp`",
        "`size`: `int64_t`, default `32` · Size of a tile",
        "`names`: a list of `std::string`",
        "Cuts in *tiles*.",
        f"(file://{(ROOT / 'Passes.td').parent.as_posix()}/Ops.td#L4)",
    ):
        assert said in found.markdown
    assert resolve(snapshot, ("pass", "my-tile")) == found.markdown


def test_hover_says_which_versions_have_a_pass() -> None:
    text, offset = parse_cursor(TEXT.replace("my-tile", "cano$0nicalize"))
    found = hover(Snapshot({URI: SourceFile.of(text, CATALOGUE)}, CATALOGUE), URI, offset)
    assert found is not None
    assert "LLVM 18 to main" in found.markdown
