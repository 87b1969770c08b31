"""Definition, references, highlights, calls, links and symbols of the workspace, as each editor gets them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls import uris

from lsp.editor_client import IN_EDITORS, EditorClient
from lsp.opened import Opened
from lsp.scripts import LIBRARY, with_cursor

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = IN_EDITORS

ELSEWHERE = LIBRARY.replace("@tile", "@elsewhere")
DECLARING = f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence private @elsewhere(!transform.any_op {{transform.consumed}}) -> !transform.any_op
{ELSEWHERE[ELSEWHERE.index("  transform.named_sequence @__") :]}"""


def locations(answer: types.Location | Sequence[types.Location | types.LocationLink] | None) -> list[types.Location]:
    """The places of an answer; of links, the names that they lead to."""
    if isinstance(answer, types.Location):
        return [answer]
    return [
        types.Location(uri=it.target_uri, range=it.target_selection_range) if isinstance(it, types.LocationLink) else it
        for it in answer or ()
    ]


def is_linking(client: EditorClient) -> bool:
    assert client.capabilities is not None
    assert client.capabilities.text_document is not None
    claimed = client.capabilities.text_document.definition
    return bool(claimed and claimed.link_support)


async def test_definition_of_a_value(client: EditorClient) -> None:
    document = Opened(client, with_cursor("annotate %sma", 'll "'))
    answer = await client.text_document_definition_async(types.DefinitionParams(**document.at_cursor()))
    assert locations(answer) == [types.Location(document.uri, document.range_of("%small"))]
    linked = isinstance(answer, (list, tuple)) and all(isinstance(it, types.LocationLink) for it in answer)
    assert linked == is_linking(client)


async def test_definition_of_an_operation_of_upstream_is_its_page(client: EditorClient) -> None:
    document = Opened(client, with_cursor("transform.structured.tile_us", "ing_for"))
    answer = await client.text_document_definition_async(types.DefinitionParams(**document.at_cursor()))
    (page,) = locations(answer)
    path = Path(uris.to_fs_path(page.uri) or "")
    assert path.name == "transform.structured.tile_using_for.operation.md"
    assert "consumes" in path.read_text(encoding="utf-8")
    assert not path.stat().st_mode & 0o222


async def test_definition_of_the_type_is_its_alias(client: EditorClient) -> None:
    text = "!handle = !transform.any_op\n" + LIBRARY.replace("%root: !transform.any_op", "%root: !handle")
    document = Opened(client, with_cursor("in %ro", "ot", text=text))
    answer = await client.text_document_type_definition_async(types.TypeDefinitionParams(**document.at_cursor()))
    assert locations(answer) == [types.Location(document.uri, document.range_of("!handle"))]


async def test_declared_sequences_lead_to_the_body(client: EditorClient, workspace: Path) -> None:
    library = Opened.from_file(
        client, workspace / "bodies.mlir", ELSEWHERE.split("  transform.named_sequence @__")[0] + "}\n"
    )
    preload = "transform-preload-library{transform-library-paths=%S/bodies.mlir}"
    run = f"// RUN: mlir-opt %s --pass-pipeline='builtin.module({preload})'\n"
    text = run + with_cursor("include @else", "where", text=DECLARING)
    document = Opened.from_file(client, workspace / "declaring.mlir", text)
    body = types.Location(library.uri, library.range_of("@elsewhere"))
    at = document.at_cursor()
    assert locations(await client.text_document_implementation_async(types.ImplementationParams(**at))) == [body]
    assert locations(await client.text_document_definition_async(types.DefinitionParams(**at))) == [body]
    declared = types.Location(document.uri, document.range_of("@elsewhere"))
    assert locations(await client.text_document_declaration_async(types.DeclarationParams(**at))) == [declared]


async def test_references(client: EditorClient) -> None:
    document = Opened(client, with_cursor("%sma", "ll = "))
    for declared in (True, False):
        context = types.ReferenceContext(include_declaration=declared)
        params = types.ReferenceParams(context=context, **document.at_cursor())
        found = await client.text_document_references_async(params)
        expected = ["11:%small"] * declared + ["12:%small", "13:%small"]
        assert document.texts_in([it.range for it in found or ()]) == expected


async def test_highlights_tell_definitions_from_uses(client: EditorClient) -> None:
    document = Opened(client, with_cursor("%fou", "nd = "))
    found = await client.text_document_document_highlight_async(types.DocumentHighlightParams(**document.at_cursor()))
    kinds = {document.text_in(it.range) + str(it.range.start.line): it.kind for it in found or ()}
    assert set(kinds) == {"%found9", "%found11"}


async def test_symbols_of_the_workspace(client: EditorClient) -> None:
    document = Opened(client, LIBRARY.replace("@tile", "@a_very_special_name"))
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query="veryspecial"))
    places = {(it.name, getattr(it.location, "uri", "")) for it in found or ()}
    assert ("@a_very_special_name", document.uri) in places


async def test_links(client: EditorClient, workspace: Path) -> None:
    (workspace / "library.mlir").write_text(LIBRARY, encoding="utf-8")
    run = "// RUN: mlir-opt %s --transform-preload-library='transform-library-paths=%S/library.mlir'\n"
    document = Opened.from_file(client, workspace / "linking.mlir", run + LIBRARY)
    found = await client.text_document_document_link_async(types.DocumentLinkParams(document.identifier))
    assert (workspace / "library.mlir").as_uri() in [link.target for link in found or ()]
