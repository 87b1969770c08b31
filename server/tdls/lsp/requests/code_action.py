"""``textDocument/codeAction``: fixes, refactorings, libraries for unknown sequences, and commands to run scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.analysis.checking.file_findings import findings_of
from tdls.ide.changes.code_actions import ActionKind, code_actions
from tdls.interpreter.runs.entry_points import entry_points
from tdls.lsp.answers.diagnostic_items import diagnostic_items
from tdls.lsp.answers.locations import claims_of, to_workspace_edit
from tdls.lsp.protocol.conversions import OF_CUT, to_span
from tdls.lsp.protocol.run_target import RunDocument
from tdls.lsp.requests.run_command import (
    BEFORE_FAILURE,
    DIFF,
    RUN,
    SHOW_STATE,
    SHOW_STATE_TITLE,
    TRY,
    TRY_TITLE,
    command_for,
)
from tdls.lsp.runs.tries import place_at
from tdls.lsp.runs.views import marks_runs_itself
from tdls.lsp.session.document_queue import in_steps
from tdls.project.sequences import LIBRARY_NOT_NAMED

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.changes.code_actions import CodeAction
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.lsp.session.session import Session
    from tdls.lsp.state import State
    from tdls.text.span import FileSpan

_FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.tdls"
_MIGRATE = f"{types.CodeActionKind.Source.value}.migrate.tdls"
_KINDS = {
    ActionKind.QUICK_FIX: types.CodeActionKind.QuickFix.value,
    ActionKind.REWRITE: types.CodeActionKind.RefactorRewrite.value,
    ActionKind.EXTRACT: types.CodeActionKind.RefactorExtract.value,
    ActionKind.INLINE: types.CodeActionKind.RefactorInline.value,
    ActionKind.RESTRUCTURE: types.CodeActionKind.RefactorRewrite.value,
    ActionKind.STEP: f"{types.CodeActionKind.RefactorRewrite.value}.step",
    ActionKind.FIX_ALL: _FIX_ALL,
    ActionKind.MIGRATE: _MIGRATE,
}
_SHOW_BEFORE = "Show the payload before this step"
_UNASKED = (ActionKind.QUICK_FIX, ActionKind.REWRITE)
_REFACTORINGS = frozenset({ActionKind.EXTRACT, ActionKind.INLINE, ActionKind.RESTRUCTURE, ActionKind.STEP})


def register(host: Host, state: State) -> None:
    """Answer with code actions."""
    options = types.CodeActionOptions(code_action_kinds=list(dict.fromkeys(_KINDS.values())))

    @host.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    def text_document_code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        """Return the actions for the range, of the requested kinds."""
        uri, documents = params.text_document.uri, claims_of(state.editor.capabilities)
        file, claimed = state.file(uri), documents.code_action
        if file is None or claimed is None or claimed.code_action_literal_support is None:
            return []  # editors without literals know actions as commands only
        wanted = _wanted(params.context)
        if ActionKind.FIX_ALL in wanted:
            in_steps(_check(file))
        span = to_span(file, params.range, state.encoding)
        context = file.context_at(span.start).reading(span.start)
        if context.section.is_left_out or (context.section.is_large and not findings_of.holds(context)):
            return []
        if context.window is not None:
            wanted = tuple(kind for kind in wanted if kind is ActionKind.QUICK_FIX)
        levels = state.configuration.levels(uri)
        asks = bool(params.context.only) and ActionKind.QUICK_FIX not in wanted
        snapshot = state.snapshot()
        actions = code_actions(snapshot, uri, span, wanted, levels)
        if not _REFACTORINGS.isdisjoint(wanted):
            from tdls.ide.changes.trying import refactorings

            actions += refactorings(snapshot, uri, span, wanted, is_asked=asks)
        runs = _runs(uri, file, span) if not params.context.only and documents.code_lens is None else []
        if ActionKind.STEP in wanted and (place := place_at(uri, file, span.start)) is not None:
            steps = state.tries.known(*place)
            actions += place[1].actions(steps) if steps is not None else ()
            has_page = not (params.context.only or marks_runs_itself(state.editor))
            runs += _here(file, place[0], params.range.start, has_page=has_page)
        shown = params.context.diagnostics
        naming = state.elsewhere.actions(uri, file, span, shown) if ActionKind.QUICK_FIX in wanted else []
        hidden = {LIBRARY_NOT_NAMED} - {item.code for item in shown}  # no file defines the sequence
        actions = [action for action in actions if action.finding is None or action.finding.rule not in hidden]
        items = [_item(state, uri, file, action, shown) for action in actions]
        failures = _failures(state, uri, file, span) if ActionKind.QUICK_FIX in wanted else []
        return [
            *naming,
            *(item for item in items if item.disabled is None or (asks and claimed.disabled_support)),
            *failures,
            *runs,
        ]


def _here(file: SourceFile, target: RunTarget, until: types.Position, *, has_page: bool) -> list[types.CodeAction]:
    """Return the actions that try steps at `until`, and that show the state there in a browser.

    There are none if there are only scripts in the file, and it names no payload.
    """
    if file.payload is None and all(context.mentions_transform for context in file.contexts):
        return []
    argument = {"uri": target.script, "entryPoint": target.entry_point, "part": target.part, "until": until}
    command = types.Command(TRY_TITLE, TRY, arguments=[argument])
    tries = types.CodeAction(TRY_TITLE, types.CodeActionKind.RefactorRewrite, command=command)
    place = {"textDocument": {"uri": target.script}, "position": until}
    shows = types.Command(SHOW_STATE_TITLE, SHOW_STATE, arguments=[place])
    return [tries, types.CodeAction(SHOW_STATE_TITLE, command=shows)] if has_page else [tries]


def _runs(uri: str, file: SourceFile, span: FileSpan) -> list[types.CodeAction]:
    """Return actions to run the entry point in the line of the cursor, for editors without code lenses."""
    line = file.position(span.start).line
    entries = [entry for entry in entry_points(file) if file.position(entry.span.start).line == line]
    titles = {RUN: "Run {}", DIFF: "Show what {} changes"}
    commands = (
        command_for(name, uri, entry, title.format(entry.shown)) for entry in entries for name, title in titles.items()
    )
    return [types.CodeAction(command.title, command=command) for command in commands]


def _failures(session: Session, uri: str, file: SourceFile, span: FileSpan) -> list[types.CodeAction]:
    """Return actions to show the payload before a failed step in the lines of `span`."""
    lines = range(file.position(span.start).line, file.position(span.end).line + 1)
    failures: list[types.CodeAction] = []
    for finding in session.marks.of(uri).all_findings:
        if finding.failed_step is None or file.position(finding.span.start).line not in lines:
            continue
        if (document := RunDocument.from_uri(finding.failed_step.document)) is not None:
            target = document.target
            argument = {"uri": target.script, "entryPoint": target.entry_point, "part": target.part}
            command = types.Command(_SHOW_BEFORE, BEFORE_FAILURE, arguments=[argument])
            solved = diagnostic_items(file, [finding], uri, session)
            failures.append(types.CodeAction(_SHOW_BEFORE, types.CodeActionKind.QuickFix, solved, command=command))
    return failures


def _check(file: SourceFile) -> Generator[None, None, None]:
    """Check all sections except large ones, whose findings are then cached; yields after each one."""
    for context in file.contexts:
        if not context.section.is_large:
            findings_of(context)
        yield


def _item(
    session: Session, uri: str, file: SourceFile, action: CodeAction, shown: Sequence[types.Diagnostic]
) -> types.CodeAction:
    """Return an action for the editor, a disabled one if it is refused."""
    reason = OF_CUT if file.cuts.are_copied(action.edits) else action.refusal
    if reason is not None:
        return types.CodeAction(action.title, _KINDS[action.kind], disabled=types.CodeActionDisabled(reason))
    return types.CodeAction(
        action.title,
        _KINDS[action.kind],
        diagnostics=_solved(session, uri, file, action, shown) or None,
        is_preferred=action.is_preferred or None,
        edit=to_workspace_edit(session, {uri: file}, {uri: action.edits}),
    )


def _solved(
    session: Session, uri: str, file: SourceFile, action: CodeAction, shown: Sequence[types.Diagnostic]
) -> list[types.Diagnostic]:
    """Return the diagnostic that the action fixes, as in the request if the editor sent it."""
    if action.finding is None:
        return []
    (own,) = diagnostic_items(file, [action.finding], uri, session)
    identity = (own.range, own.code, own.message)
    return [item for item in shown if (item.range, item.code, item.message) == identity] or [own]


def _wanted(context: types.CodeActionContext) -> tuple[ActionKind, ...]:
    """Return the requested kinds with their subkinds; without a request, the default ones.

    No refactoring is offered where the editor only wants to know whether to show a light bulb.
    """
    if not context.only:
        return (
            _UNASKED if context.trigger_kind is types.CodeActionTriggerKind.Automatic else (*_UNASKED, *_REFACTORINGS)
        )
    prefixes = [str(getattr(kind, "value", kind)) for kind in context.only]
    return tuple(
        kind for kind, name in _KINDS.items() if any(f"{name}.".startswith(f"{prefix}.") for prefix in prefixes)
    )
