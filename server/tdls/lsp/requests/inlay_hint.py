"""``textDocument/inlayHint``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.document.inlay_hint import STOPPED, HintKind, inlay_hints, program_hints
from tdls.ide.document.semantic_tokens import pieces_in
from tdls.lsp.protocol.conversions import to_position, to_span
from tdls.lsp.runs.shown import to_location
from tdls.lsp.runs.views import marks_runs_itself
from tdls.lsp.session.document_queue import in_steps
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Generator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.document.inlay_hint import InlayHint
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.session.session import Session
    from tdls.lsp.state import State
    from tdls.settings.model import InlayHints

_KINDS = {
    HintKind.TYPE: types.InlayHintKind.Type,
    HintKind.ATTRIBUTE: types.InlayHintKind.Parameter,
    HintKind.EFFECT: None,
    HintKind.CONTENTS: None,
}


def register(host: Host, state: State) -> None:
    """Answer with inlay hints: types, attribute names and effects that a script does not spell out."""

    @host.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def text_document_inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint]:
        """Return the hints in the visible range that settings enable."""
        uri = params.text_document.uri
        file = state.file(uri)
        if file is None:
            return []
        span = to_span(file, params.range, state.encoding)
        opened = state.open_documents.get(uri)
        if opened is not None:
            opened.shown = span
        options = state.configuration.settings(uri).inlay_hints
        hints = in_steps(_in_pieces(state, uri, file, span, options))
        if file.program is not None:
            hints = sorted((*hints, *program_hints(state.built, uri, file, span, options)), key=lambda it: it.offset)
        if marks_runs_itself(state.editor):
            hints = [hint for hint in hints if hint.label != STOPPED]
        return [_item(hint, to_position(file, hint.offset, state.encoding), state) for hint in hints]


def _in_pieces(
    session: Session, uri: str, file: SourceFile, span: FileSpan, options: InlayHints
) -> Generator[None, None, list[InlayHint]]:
    """Return the hints inside `span`, in the order of the text; yields after each piece of the file."""
    snapshot = session.snapshot()
    hints: dict[InlayHint, None] = {}
    for index in pieces_in(file, span):
        if file.sections.pieces[index].section.is_left_out:
            continue
        start, end = file.piece_span(index)
        part = FileSpan(max(span.start, start), min(span.end, end))
        hints.update(dict.fromkeys(inlay_hints(snapshot, uri, part, options)))
        yield
    return list(hints)


def _item(hint: InlayHint, position: types.Position, session: Session) -> types.InlayHint:
    link = to_location(session, hint.link) if hint.link is not None else None
    return types.InlayHint(
        position,
        hint.label if link is None else [types.InlayHintLabelPart(hint.label, location=link)],
        _KINDS[hint.kind],
        tooltip=types.MarkupContent(types.MarkupKind.Markdown, hint.tooltip),
        padding_left=hint.kind in (HintKind.EFFECT, HintKind.CONTENTS),
        padding_right=hint.kind is HintKind.ATTRIBUTE,
    )
