"""Renaming, code actions and formatting, as each editor gets them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp.editor_client import IN_EDITORS, EditorClient
from lsp.opened import Opened
from lsp.scripts import LIBRARY, with_cursor

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = IN_EDITORS

OPTIONS = types.FormattingOptions(tab_size=2, insert_spaces=True)


def edits_of(edit: types.WorkspaceEdit | None, uri: str) -> list[types.TextEdit]:
    """The changes of one document, however they are put."""
    assert edit is not None
    if edit.changes is not None:
        return list(edit.changes[uri])
    changes = [it for it in edit.document_changes or () if isinstance(it, types.TextDocumentEdit)]
    found = [text_edit for change in changes if change.text_document.uri == uri for text_edit in change.edits]
    return [it for it in found if isinstance(it, types.TextEdit)]


@pytest.mark.parametrize(
    ("cursor", "old", "new"),
    [
        (("%sma", "ll = "), "%small", "%tiny"),
        (("include @ti", "le"), "@tile", "@cut"),
        (("%on", "e:"), "%one", "%each"),
    ],
)
async def test_renaming(client: EditorClient, cursor: tuple[str, str], old: str, new: str) -> None:
    document = Opened(client, with_cursor(*cursor))
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**document.at_cursor()))
    assert prepared is not None
    params = types.RenameParams(new_name=new, **document.at_cursor())
    edit = await client.text_document_rename_async(params)
    assert document.edited(edits_of(edit, document.uri)) == re.sub(rf"{old}\b", new, LIBRARY)


async def test_renaming_to_a_name_that_cannot_be_is_refused(client: EditorClient) -> None:
    document = Opened(client, with_cursor("%sma", "ll = "))
    with pytest.raises(JsonRpcException):
        await client.text_document_rename_async(types.RenameParams(new_name="%a b", **document.at_cursor()))


async def test_missing_yield_is_inserted(client: EditorClient) -> None:
    document = Opened(client, LIBRARY.replace("    transform.yield\n  }\n}", "  }\n}"))
    action = await action_for(document, "missing-terminator")
    assert document.edited(edits_of(action.edit, document.uri)).count("transform.yield") == 2


async def action_for(document: Opened, code: str) -> types.CodeAction:
    """The preferred fix of the finding with this code, resolved where it has to be."""
    finding = next(it for it in await document.diagnostics() if it.code == code)
    context = types.CodeActionContext(diagnostics=[finding], only=[types.CodeActionKind.QuickFix])
    params = types.CodeActionParams(document.identifier, finding.range, context)
    offered = await document.client.text_document_code_action_async(params)
    actions = [it for it in offered or () if isinstance(it, types.CodeAction) and it.diagnostics]
    assert actions, offered
    chosen = next((it for it in actions if it.is_preferred), actions[0])
    return chosen if chosen.edit else await document.client.code_action_resolve_async(chosen)


async def test_formatting(client: EditorClient) -> None:
    document = Opened(client, LIBRARY.replace("    transform.foreach", "  transform.foreach"))
    params = types.DocumentFormattingParams(document.identifier, OPTIONS)
    edits: Sequence[types.TextEdit] = await client.text_document_formatting_async(params) or ()
    assert document.edited(edits) == LIBRARY
    clean = Opened(client, LIBRARY)
    params = types.DocumentFormattingParams(clean.identifier, OPTIONS)
    assert not await client.text_document_formatting_async(params)


async def test_formatting_of_a_range(client: EditorClient) -> None:
    document = Opened(client, LIBRARY.replace("    transform.", "   transform."))
    place = document.range_of("   transform.annotate %small")
    params = types.DocumentRangeFormattingParams(document.identifier, place, OPTIONS)
    edits: Sequence[types.TextEdit] = await client.text_document_range_formatting_async(params) or ()
    assert {edit.range.start.line for edit in edits} == {place.start.line}
