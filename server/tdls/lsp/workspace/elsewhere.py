"""Named sequences in other files of the workspace: findings at uses of them name these, with code actions.

The code actions add the defining file to ``libraries`` in the settings file, and declare the sequences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.analysis.checking.file_findings import findings_in_section
from tdls.analysis.file.finding import placed_edit
from tdls.analysis.meaning.sequences import declare, used_sequences
from tdls.files.boundary import OWN_FILE
from tdls.lsp.answers.locations import to_workspace_edit, version_of, workspace_edit
from tdls.lsp.protocol.conversions import path_of, to_text_edit
from tdls.lsp.session.session import Kind
from tdls.project.sequences import (
    LIBRARY_NOT_NAMED,
    OF_SEQUENCES,
    SIGN,
    called_name,
    defined_in,
    libraries_for,
    with_file_that_defines,
)
from tdls.settings.paths import find_configuration, table_of, text_or_problem
from tdls.settings.toml import with_libraries
from tdls.text.difference import single_edit
from tdls.text.positions import LineIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.projects import Projects
    from tdls.project.sequences import NamedSequence
    from tdls.text.diagnostic import Diagnostic, TextEdit
    from tdls.text.span import FileSpan

    _Call = tuple[Diagnostic, NamedSequence]


class OtherDocuments:
    """Looks up named sequences in files of the workspace that are not libraries of the calling file."""

    def __init__(self, session: Session, projects: Projects) -> None:
        self._session = session
        self._projects = projects
        self._closed: dict[tuple[Path, str], NamedSequence | None] = {}
        """Sequences found in files that are not open, by project folder and symbol name."""
        session.follow(Kind.FILES, lambda _: self._closed.clear())

    def settled(self, uri: str, file: SourceFile, findings: list[Diagnostic]) -> list[Diagnostic]:
        """Return `findings`; findings about sequences that other files define name these files."""
        if OF_SEQUENCES.isdisjoint(finding.rule for finding in findings):
            return findings
        root = self._projects.folder_of(uri)
        find = self._finder(root) if root is not None else lambda _: None
        named = (with_file_that_defines(each, called_name(file.slice(each.span)), find, root) for each in findings)
        return [finding for finding in named if finding is not None]

    def actions(
        self, uri: str, file: SourceFile, span: FileSpan, shown: Sequence[types.Diagnostic]
    ) -> list[types.CodeAction]:
        """Return actions for the sequence used at `span`: name its file as a library, and declare it.

        They mend those of the `shown` diagnostics that are about sequences; the first is preferred.
        """
        root = self._projects.folder_of(uri)
        if root is None:
            return []
        calls = [
            (finding, sequence)
            for finding, sequence in self._calls(file, file.context_at(span.start), root)
            if finding.span.start <= span.start <= span.end <= finding.span.end
        ]
        actions = [action for call in calls if (action := self._naming(uri, file, root, call)) is not None]
        for call in calls:
            edits = _declarations(file, [call])
            if edits:
                edit = to_workspace_edit(self._session, {uri: file}, {uri: edits})
                title = f"Declare `@{call[1].name}` here"
                actions.append(types.CodeAction(title, types.CodeActionKind.QuickFix, edit=edit))
        for number, action in enumerate(actions):
            action.diagnostics = [item for item in shown if item.code in OF_SEQUENCES] or None
            action.is_preferred = number == 0 or None
        return actions

    def _calls(self, file: SourceFile, context: Context, root: Path) -> Iterator[_Call]:
        """Yield the findings in a section about sequences that other files define, with these."""
        for finding in findings_in_section(context):
            if finding.rule in OF_SEQUENCES:
                sequence = self._finder(root)(called_name(file.slice(finding.span)))
                if sequence is not None and sequence.declaration is not None:
                    yield finding, sequence

    def _naming(self, uri: str, file: SourceFile, root: Path, call: _Call) -> types.CodeAction | None:
        """Return the action that names the file of a called sequence as a library, and declares what is used of it."""
        path, sequence = path_of(uri), call[1]
        known = find_configuration(path.parent) if path is not None else None
        settings = known or root / OWN_FILE
        before = (text_or_problem(settings)[0] if known is not None else "") or ""
        entries = libraries_for([sequence], settings.parent)
        after = with_libraries(before, table_of(settings), entries)
        if after is None:
            return None
        contexts = (context for context in file.contexts if not context.section.is_large)
        calls = [each for context in contexts for each in self._calls(file, context, root)]
        edits = _declarations(file, [each for each in calls if each[1].path == sequence.path] or [call])
        title = f"Name `{entries[0]}` as a library in `{settings.name}`{', and declare what is used' if edits else ''}"
        changes = {settings.as_uri(): [_change(before, after, self._session.encoding.units)]}
        if edits:
            changes[uri] = [to_text_edit(file, edit, self._session.encoding) for edit in edits]
        versions = {uri: version_of(self._session, uri, file)}
        edit = workspace_edit(self._session, changes, versions, settings.as_uri() if known is None else None)
        return types.CodeAction(title, types.CodeActionKind.QuickFix, edit=edit)

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
        if path is None or not path.is_relative_to(root) or not file.mentions(name) or not file.mentions(SIGN):
            continue
        sequence = defined_in(file, path, name)
        if sequence is not None:
            return sequence
    return None


def _declarations(file: SourceFile, calls: Sequence[_Call]) -> list[TextEdit]:
    """Return the edits that declare the called sequences, each once; none in a program, whose strings they may end."""
    edits: dict[TextEdit, None] = {}
    for finding, sequence in calls if file.program is None else ():
        if finding.rule == LIBRARY_NOT_NAMED:
            continue  # it is declared
        context = file.context_at(finding.span.start)
        users = (
            operation
            for operation in context.model.walk()
            if any(context.to_file(use.span) == finding.span for use in used_sequences(operation))
        )
        user = next(users, None)
        if user is not None and sequence.declaration is not None:
            edits[placed_edit(context, declare(context, user, sequence.declaration))] = None
    return list(edits)


def _change(before: str, after: str, units: Callable[[str, int], int]) -> types.TextEdit:
    span, new_text = single_edit(before, after)
    lines = LineIndex(before)

    def position(offset: int) -> types.Position:
        line, column = lines.position(offset)
        return types.Position(line, units(lines.line_text(line), column))

    return types.TextEdit(types.Range(position(span.start), position(span.end)), new_text)
