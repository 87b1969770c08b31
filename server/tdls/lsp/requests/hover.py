"""``textDocument/hover`` and ``textDocument/signatureHelp``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.lsp.answers.source_files import source_files
from tdls.lsp.protocol.conversions import to_offset, to_range
from tdls.lsp.protocol.errors import NotYetError
from tdls.lsp.protocol.run_target import View
from tdls.structs import replace
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.completion.signature_help import SignatureHelp, SignatureParameter
    from tdls.ide.hover.hover import Hover
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.session.session import Cursor
    from tdls.lsp.state import State


def register(host: Host, state: State) -> None:
    """Answer with descriptions of the entity, and with the syntax of the operation, at the cursor."""
    _register_hover(host, state)
    _register_signature_help(host, state)


def _register_hover(host: Host, state: State) -> None:
    @host.feature(types.TEXT_DOCUMENT_HOVER)
    def text_document_hover(params: types.HoverParams) -> types.Hover | None:
        """Return the description of the entity at the position, or None."""
        cursor = state.cursor(params, in_window=True)
        if cursor is not None:
            answer = _with_source(_with_origin(_answer(cursor, state), cursor, state), cursor, state)
            return item(answer, cursor.file)
        uri = params.text_document.uri
        file = state.file(uri)
        if file is None:
            return None
        offset = to_offset(file, params.position, state.encoding)
        from tdls.ide.hover.hover import program_hover

        return item(program_hover(state.snapshot(), state.built, uri, offset), file)

    def item(answer: Hover | None, file: SourceFile) -> types.Hover | None:
        if answer is None:
            return None
        document = state.editor.capabilities.text_document
        claimed = document.hover.content_format if document is not None and document.hover is not None else None
        # Markdown without a capability, too: it is readable as text.
        kind = types.MarkupKind.Markdown if not claimed or types.MarkupKind.Markdown in claimed else claimed[0]
        return types.Hover(types.MarkupContent(kind, answer.markdown), to_range(file, answer.span, state.encoding))


def _answer(cursor: Cursor, state: State) -> Hover | None:
    """Return the hover at the cursor. Raises NotYetError if the project's first scan may soon improve it."""
    from tdls.ide.hover.hover import hover

    reading = state.projects.reading(cursor.uri)
    if reading is None:
        return hover(cursor.snapshot, cursor.uri, cursor.offset)
    answer = hover(replace(cursor.snapshot, reading=reading.shown), cursor.uri, cursor.offset)
    if answer is not None and answer.is_provisional and reading.patience > 0:
        raise NotYetError(reading.task, reading.patience)
    return answer


def _with_origin(answer: Hover | None, cursor: Cursor, state: State) -> Hover | None:
    """Return `answer` with the origin of the line, if the document shows the payload after a run."""
    document = state.run_views.document(cursor.uri)
    shows_payload = document is not None and document.view is View.AFTER
    run = state.runs.last(document.target, document.line) if document is not None and shows_payload else None
    line = cursor.file.position(cursor.offset).line
    origins = run.result.origins if run is not None and run.result is not None else ()
    place = origins[line] if line < len(origins) else None
    if place is None:
        return answer
    from tdls.ide.hover.hover import Hover
    from tdls.ide.markdown import paragraphs
    from tdls.ide.runs.correspondence import origin_text

    origin = origin_text(place)
    if answer is not None:
        return replace(answer, markdown=paragraphs(origin, answer.markdown))
    text, start = cursor.file.line_text(line), cursor.file.offset(Position(line, 0))
    return Hover(FileSpan(start + len(text) - len(text.lstrip()), start + len(text.rstrip())), origin)


def _with_source(answer: Hover | None, cursor: Cursor, state: State) -> Hover | None:
    """Return `answer` with the position in the source program that the location of the entity names."""
    from tdls.ide.cursor.source_locations import source_trace, trace_text
    from tdls.ide.hover.hover import Hover
    from tdls.ide.markdown import paragraphs

    trace = source_trace(cursor.snapshot, cursor.uri, cursor.offset)
    if trace is None:
        return answer
    text = trace_text(trace, source_files(cursor.uri, state.configuration.settings(cursor.uri)))
    return Hover(trace.span, text) if answer is None else replace(answer, markdown=paragraphs(answer.markdown, text))


_TRIGGERS = (" ", ",", "(", "[", "{", ":")


def _register_signature_help(host: Host, state: State) -> None:
    @host.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=_TRIGGERS))
    def text_document_signature_help(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        """Return the syntax of the operation at the position, or None."""
        cursor = state.cursor(params, in_window=True)
        from tdls.ide.completion.signature_help import signature_help

        answer = signature_help(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else None
        return _to_help(state.editor.capabilities, answer) if answer is not None else None


def _to_help(capabilities: types.ClientCapabilities, answer: SignatureHelp) -> types.SignatureHelp:
    claimed = capabilities.text_document.signature_help if capabilities.text_document else None
    knows = claimed.signature_information if claimed is not None else None
    formats = knows.documentation_format or () if knows is not None else ()
    markdown = types.MarkupKind.Markdown in formats
    kind = types.MarkupKind.Markdown if markdown else next(iter(formats), None)
    parameters_known = knows.parameter_information if knows is not None else None
    offsets = bool(parameters_known and parameters_known.label_offset_support)
    parameters = [_to_parameter(answer.label, parameter, kind, offsets=offsets) for parameter in answer.parameters]
    signature = types.SignatureInformation(answer.label, answer.documentation or None, parameters, answer.active)
    return types.SignatureHelp([signature], active_signature=0, active_parameter=answer.active)


def _to_parameter(
    label: str, parameter: SignatureParameter, kind: types.MarkupKind | None, *, offsets: bool
) -> types.ParameterInformation:
    """Return the LSP parameter; labels are ASCII, so their offsets are the same in every encoding."""
    start, end = parameter.span.start, parameter.span.end
    text = parameter.documentation
    documentation = types.MarkupContent(kind, text) if kind is not None else text
    return types.ParameterInformation((start, end) if offsets else label[start:end], documentation)
