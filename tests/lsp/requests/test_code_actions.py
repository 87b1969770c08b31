"""Code actions of each kind, lenses and hints in detail, as each editor gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from lsp.editor_client import IN_EDITORS, EditorClient
from lsp.opened import Opened
from lsp.requests.test_editing import edits_of
from lsp.scripts import LIBRARY

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = IN_EDITORS

UNMARKED = LIBRARY.replace("%root: !transform.any_op {transform.readonly}", "%root: !transform.any_op")


async def actions(
    document: Opened, place: types.Range, only: Sequence[str] | None = None, shown: Sequence[types.Diagnostic] = ()
) -> list[types.CodeAction]:
    context = types.CodeActionContext(diagnostics=shown, only=only)
    params = types.CodeActionParams(document.identifier, place, context)
    found = await document.client.text_document_code_action_async(params)
    return [action for action in found or () if isinstance(action, types.CodeAction)]


async def test_kinds_are_those_requested(client: EditorClient) -> None:
    document = Opened(client, UNMARKED)
    place = document.range_of("%root")
    (rewrite,) = await actions(document, place, ["refactor"])
    assert rewrite.kind == "refactor.rewrite"
    assert "%root: !transform.any_op {transform.readonly}" in document.edited(edits_of(rewrite.edit, document.uri))
    assert [action.kind for action in await actions(document, place)] == ["refactor.rewrite"]
    for only in ("quickfix", "refactor.extract", "refactor.rewrite.other", "source"):
        assert await actions(document, place, [only]) == []


async def test_all_safe_fixes(client: EditorClient) -> None:
    text = LIBRARY.replace(" attributes {transform.with_named_sequence}", "").replace("    transform.yield\n", "")
    document = Opened(client, text)
    for only in ("source.fixAll", "source.fixAll.tdls", "source"):
        (action,) = await actions(document, document.range_of("module"), [only])
        assert action.kind == "source.fixAll.tdls"
        assert document.edited(edits_of(action.edit, document.uri)) == LIBRARY
    assert await actions(document, document.range_of("module"), ["source.fixAll.other"]) == []


async def test_actions_name_the_diagnostic_that_the_editor_shows(client: EditorClient) -> None:
    document = Opened(client, LIBRARY.replace("annotate %small", "annotate %smal"))
    (shown,) = await document.diagnostics()
    found = await actions(document, shown.range, shown=[shown])
    assert [action.title for action in found] == [
        "Change to `%small`",
        "Ignore `undefined-value` here",
        "Ignore `undefined-value` in this file",
    ]
    assert [list(action.diagnostics or ()) for action in found] == [[shown]] * 3
    silenced = Opened(client, document.edited(edits_of(found[1].edit, document.uri)))
    assert not await silenced.diagnostics()


async def test_lens_leads_to_the_references(client: EditorClient) -> None:
    text = LIBRARY.replace("@__transform_main", "@mentioned_nowhere_else")  # other tests open files, too
    document = Opened(client, text)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document.identifier)) or ()
    lenses = [lens for lens in lenses if lens.command is None]
    (lens,) = [lens for lens in lenses if document.text_in(lens.range) == "@tile"]
    resolved = await client.code_lens_resolve_async(lens)
    assert resolved.command is not None
    assert resolved.command.title == "1 reference"
    arguments: list[Any] = list(resolved.command.arguments or ())
    uri, position, locations = arguments
    assert uri == document.uri
    assert position["line"] == lens.range.start.line
    assert [place["range"]["start"]["line"] for place in locations] == [11]
    assert [document.text_in(lens.range) for lens in lenses] == ["@tile"]


async def test_lens_of_a_document_that_was_closed_can_be_resolved(client: EditorClient) -> None:
    place = types.Range(types.Position(2, 0), types.Position(2, 5))
    resolved = await client.code_lens_resolve_async(types.CodeLens(place, data=["references", "file:///gone.mlir"]))
    assert resolved.command is not None
    assert resolved.command.title == "0 references"
