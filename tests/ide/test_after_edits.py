"""Values kept with sections stay right: after any edits the answers are those for the same text read anew."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ide.with_cursor import CATALOGUE, URI
from samples import some
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.changes.code_actions import ActionKind, code_actions
from tdls.ide.document.code_lens import code_lenses, lens_references
from tdls.ide.document.inlay_hint import inlay_hints
from tdls.ide.document.semantic_tokens import semantic_tokens
from tdls.ide.document.symbols import document_symbols, workspace_symbols
from tdls.ide.snapshot import Snapshot
from tdls.text.span import FileSpan

EXAMPLES = Path(__file__).parents[2] / "examples"
PIECES = (
    "",
    "\n",
    " ",
    "x",
    "%root",
    "@use_contraction",
    "transform.consumed",
    "transform.readonly",
    "{",
    "}",
    '"',
    "// tdls: ignore[use-after-free, undefined-value]\n",
    "// -----\n",
    "!alias = !transform.any_op\n",
    "  transform.named_sequence @new(%a: !transform.any_op) {\n",
    "    transform.structured.vectorize %root : !transform.any_op\n",
)


def answers(file: SourceFile, place: FileSpan) -> list[object]:
    snapshot = Snapshot({URI: file}, CATALOGUE)
    everything = FileSpan(0, file.length)
    lenses = code_lenses(snapshot, URI)
    return [
        list(semantic_tokens(snapshot, URI)),
        list(semantic_tokens(snapshot, URI, place)),
        document_symbols(snapshot, URI),
        workspace_symbols(snapshot, "m"),
        inlay_hints(snapshot, URI, everything),
        [(lens, lens_references(snapshot, URI, lens.span.start)) for lens in lenses],
        code_actions(snapshot, URI, place, tuple(ActionKind)),
    ]


@pytest.mark.parametrize("name", ["matcher_library", "stale_handle", "tile_and_vectorize"])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.sample)])
def test_answers_are_those_of_the_text(name: str, seed: int) -> None:
    chance = random.Random(seed)
    file = SourceFile.of((EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8"), CATALOGUE)
    for step in range(some(40)):
        start = chance.randrange(file.length + 1)
        end = min(file.length, start + chance.choice((0, 0, 0, 1, 4, 30)))
        file = file.edited(FileSpan(start, end), chance.choice(PIECES))
        place = FileSpan(start, min(file.length, start + 40))
        found = answers(file, place)
        if step % 3 == 0:
            assert found == answers(SourceFile.of(file.text, CATALOGUE), place)
