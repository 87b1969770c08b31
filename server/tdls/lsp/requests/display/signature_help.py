"""``textDocument/signatureHelp``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.display.signature_help import signature_help

if TYPE_CHECKING:
    from tdls.ide.display.signature_help import SignatureHelp, SignatureParameter
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session

_TRIGGERS = (" ", ",", "(", "[", "{", ":")


def register(features: Features, session: Session, editor: Editor) -> None:
    """Show how the operation at the cursor is written."""

    @features.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=_TRIGGERS))
    def text_document_signature_help(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        """Return how the operation at the position is written; None where there is none."""
        cursor = session.cursor(params)
        found = signature_help(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else None
        return _to_help(editor.capabilities, found) if found is not None else None


def _to_help(capabilities: types.ClientCapabilities, found: SignatureHelp) -> types.SignatureHelp:
    claimed = capabilities.text_document.signature_help if capabilities.text_document else None
    knows = claimed.signature_information if claimed is not None else None
    formats = knows.documentation_format or () if knows is not None else ()
    markdown = types.MarkupKind.Markdown in formats
    kind = types.MarkupKind.Markdown if markdown else next(iter(formats), None)
    parameters_known = knows.parameter_information if knows is not None else None
    offsets = bool(parameters_known and parameters_known.label_offset_support)
    parameters = [_to_parameter(found.label, parameter, kind, offsets=offsets) for parameter in found.parameters]
    signature = types.SignatureInformation(found.label, found.documentation or None, parameters, found.active)
    return types.SignatureHelp([signature], active_signature=0, active_parameter=found.active)


def _to_parameter(
    label: str, parameter: SignatureParameter, kind: types.MarkupKind | None, *, offsets: bool
) -> types.ParameterInformation:
    """A label is ASCII, so its offsets are the same in every encoding."""
    start, end = parameter.span.start, parameter.span.end
    text = parameter.documentation
    documentation = types.MarkupContent(kind, text) if kind is not None else text
    return types.ParameterInformation((start, end) if offsets else label[start:end], documentation)
