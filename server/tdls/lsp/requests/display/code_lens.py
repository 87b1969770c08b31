"""``textDocument/codeLens`` and ``codeLens/resolve``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tdls.ide.display.code_lens import LensKind, code_lenses, lens_references
from tdls.interpreter.entry_points import read_entry_points
from tdls.lsp.protocol.positions import to_offset, to_range
from tdls.lsp.runs.run_command import DIFF, RUN, command_for
from tdls.lsp.session.lanes import in_steps

if TYPE_CHECKING:
    from tdls.ide.display.code_lens import CodeLens
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration

_SHOW_REFERENCES = "tdls.showReferences"
"""A command of the editor's extension; editors without it show the title alone."""

_COMMANDS = {LensKind.RUN: ("\N{BLACK RIGHT-POINTING TRIANGLE} Run", RUN), LensKind.DIFF: ("Diff", DIFF)}


def register(features: Features, session: Session, configuration: Configuration) -> None:
    """Answer what can be run, and how often named sequences are referred to; counted when the editor shows a lens."""

    @features.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def text_document_code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        """Return the lenses of a document; those that count references have no command yet."""
        uri = params.text_document.uri
        file = session.file(uri)
        if file is None:
            return []
        in_steps(read_entry_points(file))
        found = code_lenses(session.snapshot(), uri, configuration.settings(uri).code_lens)
        return [_item(lens, uri, to_range(file, lens.span, session.encoding)) for lens in found]

    @features.feature(types.CODE_LENS_RESOLVE)
    def code_lens_resolve(lens: types.CodeLens) -> types.CodeLens:
        """Return the lens with its command, for which references are counted."""
        if lens.command is not None:
            return lens
        uri = _uri(lens.data)
        file = session.file(uri)
        offset = to_offset(file, lens.range.start, session.encoding) if file is not None else 0
        found = lens_references(session.snapshot(), uri, offset)
        locations = [session.location(location) for location in found]
        title = f"{len(found)} reference{'' if len(found) == 1 else 's'}"
        lens.command = types.Command(title, _SHOW_REFERENCES, arguments=[uri, lens.range.start, locations])
        return lens


def _item(lens: CodeLens, uri: str, range_: types.Range) -> types.CodeLens:
    """Return a lens that can be clicked on at once, or one that the editor resolves when it shows it."""
    if lens.entry is None:
        return types.CodeLens(range_, data=[lens.kind.value, uri])
    title, command = _COMMANDS[lens.kind]
    return types.CodeLens(range_, command_for(command, uri, lens.entry, title))


def _uri(data: Any) -> str:
    return str(data[1]) if isinstance(data, (list, tuple)) and len(data) == 2 else ""
