"""Named sequences in other files of the workspace: a hint at calls of them, and code actions to add libraries.

The code action adds the defining file to ``libraries`` in the settings file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.analysis.checking.file_findings import findings_in_section
from tdls.analysis.rules.language import unknown_symbol
from tdls.files.reading import text_of
from tdls.lsp.protocol.conversions import path_of
from tdls.lsp.session.session import Kind
from tdls.project.root import project_root
from tdls.project.sequences import SIGN, called_name, defined_in, libraries_for, with_sequences_of_other_files
from tdls.settings.paths import OWN_FILE, find_configuration, table_of
from tdls.settings.toml import with_libraries
from tdls.text.difference import single_edit
from tdls.text.positions import LineIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from tdls.analysis.file.source_file import SourceFile
    from tdls.lsp.session.session import Session
    from tdls.project.sequences import NamedSequence
    from tdls.text.diagnostic import Diagnostic
    from tdls.text.span import FileSpan


class OtherDocuments:
    """Looks up named sequences in files of the workspace that are no libraries of the calling file."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._closed: dict[tuple[Path, str], NamedSequence | None] = {}
        """Sequences found in files that are not open, by project folder and symbol name."""
        session.follow(Kind.FILES, lambda _: self._closed.clear())

    def settled(self, uri: str, file: SourceFile, found: list[Diagnostic]) -> list[Diagnostic]:
        """Return `found`, with one hint in place of findings for calls of sequences that other files define."""
        root = self._root(uri)
        if root is None or all(finding.rule != unknown_symbol.RULE.name for finding in found):
            return found
        return with_sequences_of_other_files(found, file.slice, self._finder(root), root)

    def actions(self, uri: str, file: SourceFile, span: FileSpan) -> list[types.CodeAction]:
        """Return actions that add the file with the sequence called at `span` to the libraries in settings."""
        root = self._root(uri)
        if root is None or not creates_files(self._session.editor.capabilities):
            return []
        found = findings_in_section(file.context_at(span.start))
        calls = [
            finding
            for finding in found
            if finding.rule == unknown_symbol.RULE.name
            and finding.span.start <= span.start <= span.end <= finding.span.end
        ]
        sequences = [sequence for call in calls if (sequence := self._finder(root)(called_name(file.slice(call.span))))]
        return [action for action in (self._action(uri, root, sequence) for sequence in sequences) if action]

    def _action(self, uri: str, root: Path, sequence: NamedSequence) -> types.CodeAction | None:
        path = path_of(uri)
        known = find_configuration(path.parent) if path is not None else None
        settings = known or root / OWN_FILE
        before = (text_of(settings) if known is not None else "") or ""
        entries = libraries_for([sequence], settings.parent)
        after = with_libraries(before, table_of(settings), entries)
        if after is None:
            return None
        title = f"Name `{entries[0]}` as a library in `{settings.name}`"
        edit = _edit(settings, before, after, creates=known is None, units=self._session.encoding.units)
        return types.CodeAction(title, types.CodeActionKind.QuickFix, edit=edit)

    def _root(self, uri: str) -> Path | None:
        path = path_of(uri)
        return project_root(path.parent) if path is not None else None

    def _finder(self, root: Path) -> Callable[[str], NamedSequence | None]:
        def find(name: str) -> NamedSequence | None:
            return _first(self._session.open_files(), root, name) or self._on_disk(root, name)

        return find

    def _on_disk(self, root: Path, name: str) -> NamedSequence | None:
        key = (root, name)
        if key not in self._closed:
            known = self._closed[key] = _first(self._session.closed_files(), root, name)
            return known
        return self._closed.get(key)


def _first(files: Mapping[str, SourceFile], root: Path, name: str) -> NamedSequence | None:
    for uri in sorted(files):
        path, file = path_of(uri), files[uri]
        if path is None or not path.is_relative_to(root) or name not in file.text or SIGN not in file.text:
            continue
        sequence = defined_in(file, path, name)
        if sequence is not None:
            return sequence
    return None


def _edit(
    path: Path, before: str, after: str, *, creates: bool, units: Callable[[str, int], int]
) -> types.WorkspaceEdit:
    span, new_text = single_edit(before, after)
    lines = LineIndex(before)

    def position(offset: int) -> types.Position:
        line, column = lines.position(offset)
        return types.Position(line, units(lines.line_text(line), column))

    identifier = types.OptionalVersionedTextDocumentIdentifier(path.as_uri())
    change = types.TextEdit(types.Range(position(span.start), position(span.end)), new_text)
    created = [types.CreateFile(path.as_uri(), options=types.CreateFileOptions(ignore_if_exists=True))]
    changes: Iterable[types.CreateFile | types.TextDocumentEdit] = (
        *(created if creates else ()),
        types.TextDocumentEdit(identifier, [change]),
    )
    return types.WorkspaceEdit(document_changes=list(changes))


def creates_files(capabilities: types.ClientCapabilities) -> bool:
    """Return whether the editor supports edits that create files."""
    workspace = capabilities.workspace
    claimed = workspace.workspace_edit if workspace is not None else None
    if claimed is None or not claimed.document_changes:
        return False
    return types.ResourceOperationKind.Create in (claimed.resource_operations or ())
