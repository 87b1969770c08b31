"""Definition, hover and links of ``loc("kernel.py":12:8)``, as each editor gets them, and the files that count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

from lsp.editor_client import IN_EDITORS, EditorClient
from lsp.opened import Opened
from lsp.requests.test_navigation import locations

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = IN_EDITORS

DUMP = """\
#loc = loc("kernel.py":3:5)
#far = loc("OUTSIDE":2:5)
module {
  func.func @f(%x: i32 loc("src/kernel.py":1:12)) -> i32 {
    %y = arith.addi %x, %x : i32 loc("add"(#loc))
    %z = arith.addi %x, %y : i32 loc("lib/kernel.py":2:5)
    return %y : i32 loc(#far)
  } loc("../OUT/kernel.py":2:5)
} loc("generated.py":900:900)
#link = loc("linked.py":2:5)
"""


@pytest.fixture(scope="module")  # written once: Neovim's server sees only within a second that settings changed
def dump(workspace: Path) -> str:
    """The text of a payload; sources are beside it, in the folder around it, in one of the settings, and outside."""
    outside = workspace.parent / f"{workspace.name}-outside"
    for folder in (workspace / "dumps", workspace / "src", workspace / "made" / "lib", outside):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "kernel.py").write_text("def kernel(x):\n    y = x + 1\n    return y\n", encoding="utf-8")
    (workspace / "dumps" / "generated.py").write_text("x", encoding="utf-8")
    (workspace / "dumps" / "tdls.toml").write_text('locations = ["../made"]\n', encoding="utf-8")
    (workspace / "tdls.toml").touch()
    (workspace / "dumps" / "linked.py").symlink_to(outside / "kernel.py")
    return DUMP.replace("OUTSIDE", str(outside / "kernel.py")).replace("OUT", f"../{outside.name}")


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("arith.$0addi %x, %x", ["dumps/kernel.py:2:4"]),
        ('"a$0dd"(#loc', ["dumps/kernel.py:2:4"]),
        ("%$0x: i32", ["src/kernel.py:0:11"]),
        ('"lib/$0kernel.py"', ["made/lib/kernel.py:1:4"]),
        ('"gener$0ated.py"', ["dumps/generated.py:0:1"]),
        ("(#lo$0c)", ["dumps/model.mlir:0:0", "dumps/kernel.py:2:4"]),
        ("#f$0ar)", ["dumps/model.mlir:1:0"]),  # what is outside is shown, but is no target
        ("} lo$0c(", []),
        ('"link$0ed.py"', []),
    ],
)
async def test_definition_and_hover(
    client: EditorClient, workspace: Path, dump: str, at: str, expected: list[str]
) -> None:
    document = Opened.from_file(client, workspace / "dumps" / "model.mlir", dump.replace(at.replace("$0", ""), at, 1))
    answer = locations(await client.text_document_definition_async(types.DefinitionParams(**document.at_cursor())))
    places = [f"{it.uri}:{it.range.start.line}:{it.range.start.character}" for it in answer]
    assert places == [f"{workspace.as_uri()}/{place}" for place in expected]
    hover = await client.text_document_hover_async(types.HoverParams(**document.at_cursor()))
    assert isinstance(hover, types.Hover)
    assert isinstance(hover.contents, types.MarkupContent)
    assert ("([open](file:" in hover.contents.value) is any(".py" in place for place in expected)
    assert ".py:" in hover.contents.value


async def test_links(client: EditorClient, workspace: Path, dump: str) -> None:
    document = Opened.from_file(client, workspace / "dumps" / "model.mlir", dump)
    links = await client.text_document_document_link_async(types.DocumentLinkParams(document.identifier))
    base = workspace.as_uri()
    targets = {(document.text_in(link.range), (link.target or "").removeprefix(base)) for link in links or ()}
    assert targets == {
        ('"kernel.py"', "/dumps/kernel.py#L3,5"),
        ('"src/kernel.py"', "/src/kernel.py#L1,12"),
        ('"lib/kernel.py"', "/made/lib/kernel.py#L2,5"),
        ('"generated.py"', "/dumps/generated.py#L900,900"),
    }
