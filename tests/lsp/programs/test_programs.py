"""Scripts in strings of Python programs, as each editor gets them; the rest of the program belongs to other servers."""

from __future__ import annotations

import pytest
from lsprotocol import types

from lsp.editor_client import IN_EDITORS, EditorClient
from lsp.opened import Opened
from lsp.requests.test_code_actions import actions
from lsp.requests.test_editing import edits_of

pytestmark = IN_EDITORS

PROGRAM = '''\
from mlir.ir import Module

NAME = "𝄞"; SCRIPT = f"""
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @unroll(%loop: !transform.any_op {{transform.consumed}}) {{
    transform.loop.unroll %loop {{factor = {FACTOR}}} : !transform.any_op
    transform.yield
  }}
}}
"""


def build(text):
    """Return transform.named_sequence @unroll."""
    return Module.parse("transform.named_sequence @a(%𝄞x: !transform.any_op {transform.readonly}) { transform.yeld }")
'''
STALE = (
    PROGRAM.replace(
        "    transform.yield\n",
        "    transform.loop.unroll %loop {{factor = 2}} : !transform.any_op\n    transform.yield\n",
    )
    .replace("yeld", "yield")
    .replace("%𝄞x", "%x")
)


def in_program(client: EditorClient, before: str, after: str, text: str = PROGRAM) -> Opened:
    """Open the program with the cursor between two pieces of it."""
    assert text.count(before + after) == 1
    return Opened(client, text.replace(before + after, f"{before}$0{after}"), language="python")


async def hover_at(document: Opened) -> types.Hover | None:
    return await document.client.text_document_hover_async(types.HoverParams(**document.at_cursor()))


async def completed(document: Opened) -> list[types.CompletionItem]:
    found = await document.client.text_document_completion_async(types.CompletionParams(**document.at_cursor()))
    return list(found.items if isinstance(found, types.CompletionList) else found or ())


async def test_findings_stand_in_the_string(client: EditorClient) -> None:
    document = Opened(client, STALE, language="python")
    (finding,) = await document.diagnostics()
    assert finding.message.startswith("`%loop` was consumed by `transform.loop.unroll`")
    assert finding.range == document.range_of("%loop", 2)


async def test_findings_follow_edits(client: EditorClient) -> None:
    document = Opened(client, STALE, language="python")
    assert len(await document.diagnostics()) == 1
    document.change("    transform.loop.unroll %loop {{factor = 2}} : !transform.any_op\n", "")
    if not client.pulls_diagnostics:
        await document.wait_until(lambda: not client.diagnostics[document.uri])
    assert not await document.diagnostics()


async def test_hover_in_a_script(client: EditorClient) -> None:
    hover = await hover_at(in_program(client, "transform.loop.unr", "oll %loop"))
    assert hover is not None
    assert "unroll" in str(hover.contents).lower()


@pytest.mark.parametrize("place", [("mlir.", "ir"), ("SCR", "IPT"), ("{FAC", "TOR}"), ("Return transform.nam", "ed")])
async def test_python_is_left_to_others(client: EditorClient, place: tuple[str, str]) -> None:
    document = in_program(client, *place)
    assert await hover_at(document) is None
    assert await completed(document) == []
    assert not await client.text_document_definition_async(types.DefinitionParams(**document.at_cursor()))
    assert not await client.text_document_document_highlight_async(
        types.DocumentHighlightParams(**document.at_cursor())
    )


async def test_completion_in_a_script(client: EditorClient) -> None:
    document = in_program(client, "    transform.yi", "eld\n")
    items = {item.label: item for item in await completed(document)}
    (item,) = [item for label, item in items.items() if label == "transform.yield"]
    assert isinstance(item.text_edit, types.TextEdit)
    assert document.edited([item.text_edit]).replace("$0", "") == document.text


async def test_inserted_text_is_escaped_as_in_the_string(client: EditorClient) -> None:
    match = "%0 = transform.structured.match ops{[$0]} in %x : (!transform.any_op) -> !transform.any_op"
    text = f's = "transform.named_sequence @a(%x: !transform.any_op) {{ {match} }}"\n'
    items = await completed(Opened(client, text, language="python"))
    assert {item.text_edit.new_text for item in items if isinstance(item.text_edit, types.TextEdit)} >= {r"\"affine."}


async def test_fix_of_a_finding(client: EditorClient) -> None:
    document = Opened(client, PROGRAM.replace("%𝄞x", "%x"), language="python")
    (finding,) = await document.diagnostics()
    (action,) = await actions(document, finding.range, ["quickfix"], [finding])
    assert document.edited(edits_of(action.edit, document.uri)) == document.text.replace("yeld", "yield")


async def test_renaming(client: EditorClient) -> None:
    document = in_program(client, "@unroll(%lo", "op")
    edit = await client.text_document_rename_async(types.RenameParams(new_name="%all", **document.at_cursor()))
    assert document.edited(edits_of(edit, document.uri)) == document.text.replace("%loop", "%all")


async def test_programs_are_not_formatted(client: EditorClient) -> None:
    document = Opened(client, PROGRAM.replace("    transform.yield", "      transform.yield"), language="python")
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    assert not await client.text_document_formatting_async(
        types.DocumentFormattingParams(text_document=document.identifier, options=options)
    )


async def test_program_without_scripts(client: EditorClient) -> None:
    document = Opened(client, "import os\n\nprint('transform.yield', os)\n", language="python")
    assert not await document.diagnostics()
    symbols = types.DocumentSymbolParams(text_document=document.identifier)
    assert not await client.text_document_document_symbol_async(symbols)
    tokens = types.SemanticTokensParams(text_document=document.identifier)
    found = await client.text_document_semantic_tokens_full_async(tokens)
    assert found is None or list(found.data) == []
