"""Convert findings to LSP diagnostics, as far as the client's capabilities allow."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from lsprotocol import types

import tdls
from tdls.analysis.rules import find_rule
from tdls.caching.user_cache import private_folder
from tdls.files.writing import NotWrittenError, write_private
from tdls.ide.runs.run_report import RULE
from tdls.lsp.protocol.conversions import to_range
from tdls.structs import NamedTuple
from tdls.text.diagnostic import Tag
from tdls.text.level import Level
from tdls.text.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.file.source_file import SourceFile
    from tdls.analysis.rule import Rule
    from tdls.lsp.session.session import Session
    from tdls.text.diagnostic import Diagnostic, Note


@cache
def rule_page(rule: Rule) -> str | None:
    """Return the URI of the rule's page in the cache folder, or None if it cannot be written."""
    try:
        page = private_folder(f"rules-{tdls.__version__}") / f"{rule.name}.md"
        write_private(page, rule.markdown().encode("utf-8"), is_lasting=False)
    except (OSError, NotWrittenError):
        return None
    return page.as_uri()


_SEVERITIES = {
    Level.ERROR: types.DiagnosticSeverity.Error,
    Level.WARNING: types.DiagnosticSeverity.Warning,
    Level.REMARK: types.DiagnosticSeverity.Information,
    Level.HINT: types.DiagnosticSeverity.Hint,
}
_TAGS = {Tag.DEPRECATED: types.DiagnosticTag.Deprecated, Tag.UNNECESSARY: types.DiagnosticTag.Unnecessary}


_BEFORE = "the payload right before this step"
_MOST_NOTE_LINES, _LONGEST_SNIPPET = 3, 160
"""Maximum numbers of notes, and of characters of a line, in the message of a finding."""
_SOURCE, _RUN_SOURCE = "tdls", "tdls run"


class _Shown(NamedTuple):
    """Optional parts of a diagnostic that the editor can show."""

    links: bool
    notes: bool
    tags: frozenset[types.DiagnosticTag]
    documents: bool = False
    """True if it can show documents whose text the server provides."""

    @classmethod
    def by(cls, capabilities: types.ClientCapabilities) -> _Shown:
        """Return the capabilities for pushed or pulled diagnostics: older editors have them for pushed ones only."""
        documents, workspace = capabilities.text_document, capabilities.workspace
        claims = (documents.diagnostic, documents.publish_diagnostics) if documents is not None else ()
        known = [claim for claim in claims if claim is not None]
        return cls(
            links=any(claim.code_description_support for claim in known),
            notes=any(claim.related_information for claim in known),
            tags=frozenset(tag for claim in known if claim.tag_support for tag in claim.tag_support.value_set),
            documents=workspace is not None and workspace.text_document_content is not None,
        )


def diagnostic_items(
    file: SourceFile, findings: Iterable[Diagnostic], uri: str, session: Session
) -> list[types.Diagnostic]:
    """Return `findings` in `file`, which has the URI `uri`, as far as the editor can show them."""
    shown = _Shown.by(session.editor.capabilities)
    return [_item(file, finding, uri, session, shown) for finding in findings]


def _item(file: SourceFile, finding: Diagnostic, uri: str, session: Session, shown: _Shown) -> types.Diagnostic:
    rule = find_rule(finding.rule)
    page = rule_page(rule) if rule is not None and shown.links else None
    notes = [_note(file, note, uri, session) for note in finding.notes] if shown.notes else []
    if shown.notes and shown.documents:
        notes += _state_before(finding)
    tag = _TAGS[finding.tag] if finding.tag is not None else None
    message = [finding.message, *([f"help: {finding.help}"] if finding.help is not None else [])]
    if not shown.notes:
        line = file.position(finding.span.start).line
        message.insert(1, f"line {line + 1}: {printable(file.line_text(line).strip()[:_LONGEST_SNIPPET])}")
        message += (_note_line(file, note, session) for note in finding.notes[:_MOST_NOTE_LINES])
    return types.Diagnostic(
        to_range(file, finding.span, session.encoding),
        "\n".join(message),
        severity=_SEVERITIES[finding.level],
        code=finding.rule if finding.rule != RULE else None,
        code_description=types.CodeDescription(page) if page is not None else None,
        source=_SOURCE if finding.rule != RULE else _RUN_SOURCE,
        related_information=notes or None,
        tags=[tag] if tag in shown.tags else None,
    )


def _state_before(finding: Diagnostic) -> list[types.DiagnosticRelatedInformation]:
    """Return a link to the payload before the failed step, if the finding is a failure of a run."""
    if finding.failed_step is None or not finding.failed_step.document:
        return []
    start = types.Position(0, 0)
    place = types.Location(finding.failed_step.document, types.Range(start, start))
    return [types.DiagnosticRelatedInformation(place, _BEFORE)]


def _note_line(file: SourceFile, note: Note, session: Session) -> str:
    """Return a note for a client without related information, as coding assistants are: the message has its place."""
    home = file if note.path is None else session.file(note.path.as_uri())
    line = f"line {home.position(note.span.start).line + 1}" if home is not None else ""
    place = ", ".join(filter(None, [note.path.name if note.path is not None else "", line]))
    return f"note: {note.message} ({place})"


def _note(file: SourceFile, note: Note, uri: str, session: Session) -> types.DiagnosticRelatedInformation:
    place = note.path.as_uri() if note.path is not None else uri
    other = session.file(place) if note.path is not None else file
    range_ = to_range(other or file, note.span, session.encoding)
    return types.DiagnosticRelatedInformation(types.Location(place, range_), note.message)
