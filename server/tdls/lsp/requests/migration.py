"""``workspace/executeCommand``: ``tdls.migrate`` brings one script or all of the workspace to a version of LLVM."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from tdls.ide.run_marks import RunMarks
from tdls.lsp.answers.locations import to_workspace_edit
from tdls.lsp.protocol.conversions import path_of
from tdls.lsp.protocol.run_target import RunTarget
from tdls.lsp.requests.run_command import only_argument
from tdls.lsp.session.document_queue import DocumentQueue
from tdls.lsp.session.session import Kind
from tdls.settings.llvm_versions import newest_version, version_name, version_named
from tdls.text.diagnostic import Diagnostic
from tdls.text.difference import changed_lines
from tdls.text.level import Level
from tdls.text.span import FileSpan
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.changes.migration import Migration
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.connection.editor import Answer, Editor
    from tdls.lsp.state import State

MIGRATE = "tdls.migrate"
_NO_PART = -2
"""Part number of the marks of a migration; no script has this part."""
_LABEL = "Migrate to another LLVM"
_APPLY, _SHOW = "Apply", "Show in Problems"
_SHOW_PROBLEMS = "tdls/showProblems"
_TOO_LARGE = "it is too large for an editor; run 'tdls migrate'"


def register(host: Host, state: State) -> None:
    """Register the command that migrates scripts; the editor applies the edits."""

    @host.command(MIGRATE)
    async def migrate_scripts(*arguments: Any) -> dict[str, Any]:
        """Migrate the script `uri`, by default all scripts of the workspace, to the version `to`, by default main."""
        given = only_argument(arguments)
        uri, to = given.get("uri"), version_named(given.get("to", version_name(newest_version())))
        if to is None or not (uri is None or isinstance(uri, str)):
            raise JsonRpcInvalidParams("`uri` is that of a script, and `to` a version of LLVM such as 22 or main")
        await state.open_documents.edited()
        uris = _in_workspace(state) if uri is None else [uri]
        title = f"Migrating scripts to LLVM {version_name(to)}"
        migrations = await state.editor.with_progress(title, _migrated(uris, to))
        if migrations is None:
            return {"status": "cancelled", "files": 0, "lines": 0, "left": []}
        left = [place for uri, migration in migrations.items() for place in _left(uri, migration)]
        changed = {uri: migration for uri, migration in migrations.items() if migration and migration.edits}
        lines = sum(changed_lines(each.before.text, each.after.text) for each in changed.values())
        summary = _summary(lines, len(changed), len(left), to) if migrations else "There is no script to migrate."
        _mark(state, migrations, to)
        tell = partial(_tell, state.editor, summary, has_left=bool(left))
        status = "unchanged"
        if changed:
            status = await _propose(state, changed, tell, summary if uri is None else None)
        else:
            tell()
        return {"status": status, "files": len(changed), "lines": lines, "left": left}

    async def _migrated(uris: Sequence[str], to: int) -> dict[str, Migration | None]:
        aside = DocumentQueue(apart=True)
        migrations = {}
        for uri in uris:
            await state.projects.read(uri)
            file = state.file(uri)
            if file is not None and file.program is None:
                migrations[uri] = await state.queues.submit(aside, partial(_migrate, uri, file, to))
        return migrations

    def _migrate(uri: str, file: SourceFile, to: int) -> Migration | None:
        from tdls.ide.changes.migration import migrate

        is_open = state.documents.get(uri) is not None
        return migrate(file if is_open else state.libraries.of_closed(uri, file).added_to(file), to)


def _in_workspace(state: State) -> list[str]:
    """Return the URIs of the files in the folders that the editor has open, sorted."""
    folders = [path for folder in state.editor.folders if (path := path_of(folder.uri)) is not None]
    known = sorted({*state.files, *state.documents})
    paths = {uri: path for uri in known if (path := path_of(uri)) is not None}
    return [uri for uri, path in paths.items() if any(path.is_relative_to(folder) for folder in folders)]


def _left(uri: str, migration: Migration | None) -> list[dict[str, Any]]:
    """Return the places of a file that are left as they are, with 1-based lines of the migrated text."""
    if migration is None:
        places = [(1, _TOO_LARGE)]
    else:
        from tdls.analysis.respelling import reasons_to_leave

        position = migration.after.position
        reasons = (place for finding in migration.left for place in reasons_to_leave(finding))
        places = [(position(span.start).line + 1, reason) for span, reason in reasons]
    return [{"uri": uri, "path": str(path_of(uri) or uri), "line": line, "reason": reason} for line, reason in places]


def _mark(state: State, migrations: dict[str, Migration | None], to: int) -> None:
    """Make findings of the places that are left, unless files are checked for this version anyway."""
    from tdls.analysis.respelling import MIGRATING

    for uri, migration in migrations.items():
        if migration is None:
            findings: tuple[Diagnostic, ...] = (
                Diagnostic(MIGRATING[0], Level.WARNING, f"left as it is: {_TOO_LARGE}", FileSpan(0, 0)),
            )
        else:
            findings = () if migration.before.catalogue.target == to else migration.findings
        for marked in state.marks.put(RunTarget(uri, MIGRATE, _NO_PART), {uri: RunMarks(findings)}):
            state.changed(marked, Kind.MARKS)


def _summary(lines: int, files: int, left: int, to: int) -> str:
    version = f"LLVM {version_name(to)}"
    rewritten = f"{counted(lines, 'changed line')} in {counted(files, 'file')} for {version}."
    done = rewritten if files else f"Nothing can be migrated to {version}." if left else f"All fits {version}."
    kept = f" {counted(left, 'place')} {'is' if left == 1 else 'are'} left as before, with the reasons as findings."
    return done + kept if left else done


def _tell(editor: Editor, summary: str, *, has_left: bool) -> None:
    """Show `summary`; if places are left, with a button to their findings in an editor that has a list of these."""
    if not has_left or not editor.claims("tdlsProblems"):
        editor.say(types.MessageType.Info, summary)
        return

    def chosen(answer: Answer | None) -> None:
        if answer is not None and answer.result is not None:
            editor.notify(_SHOW_PROBLEMS, {})

    params = types.ShowMessageRequestParams(types.MessageType.Info, summary, [types.MessageActionItem(_SHOW)])
    editor.request(types.WINDOW_SHOW_MESSAGE_REQUEST, params, chosen)


async def _propose(state: State, changed: dict[str, Migration], tell: Callable[[], None], question: str | None) -> str:
    """Have the editor apply the edits of files, if there is a `question` after it, and then `tell`; return the status.

    The status says nothing about an editor that refuses the edits later.
    """
    editor = state.editor
    workspace = editor.capabilities.workspace
    if workspace is None or not workspace.apply_edit:
        message = "This editor does not apply edits of a server. Run 'tdls migrate' instead."
        editor.say(types.MessageType.Error, message)
        return "unsupported"
    chosen = await editor.ask(types.MessageType.Info, question, (_APPLY,)) if question is not None else _APPLY
    if chosen == "":
        return "cancelled"
    files = {uri: migration.before for uri, migration in changed.items()}
    edits = {uri: migration.edits for uri, migration in changed.items()}
    edit = to_workspace_edit(state, files, edits)

    def applied(answer: Answer | None) -> None:
        if answer is None or not answer.result.applied:
            editor.say(types.MessageType.Info, "Nothing is migrated: the editor did not apply the changes.")
        else:
            tell()

    params = types.ApplyWorkspaceEditParams(edit, _LABEL)
    editor.request(types.WORKSPACE_APPLY_EDIT, params, applied)
    return "proposed"
