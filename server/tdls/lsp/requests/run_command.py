"""``workspace/executeCommand`` for runs: ``tdls.run``, ``diff``, ``beforeFailure``, ``trySteps`` and ``setPayload``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from tdls.interpreter.errors import BackendError, ConsentError, NoMlirError, PlanError, RecordingError
from tdls.interpreter.runs.entry_points import entry_points
from tdls.interpreter.runs.model import Status
from tdls.lsp.protocol.conversions import path_of, to_offset, to_position
from tdls.lsp.protocol.run_target import OF_SUCCESS, RunDocument, RunTarget, TargetOptions, View
from tdls.lsp.runs.outcome import Run
from tdls.lsp.runs.planning import place_of_entry
from tdls.lsp.runs.tries import place_at
from tdls.lsp.session.requests import named_document
from tdls.semantic.transform_dialect import ENTRY_POINT
from tdls.structs import NamedTuple, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.runs.entry_points import EntryPoint
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.session.session import Session
    from tdls.lsp.state import State
    from tdls.text.positions import PositionEncoding

RUN = "tdls.run"
DIFF = "tdls.diff"
BEFORE_FAILURE = "tdls.beforeFailure"
SET_PAYLOAD = "tdls.setPayload"
TRY, TRY_TITLE = "tdls.trySteps", "Steps that work here"
SHOW_STATE, SHOW_STATE_TITLE = "tdls.showStatePage", "Show the state here in a browser"


class _CommandArguments(NamedTuple):
    """The parsed argument of a command, which is an object."""

    target: RunTarget
    options: TargetOptions
    shows: bool


def register(host: Host, state: State) -> None:
    """Register the commands that run entry points of scripts, show payloads, and set payloads."""

    @host.command(RUN)
    async def run(*arguments: Any) -> dict[str, Any]:
        """Run the target in the arguments, and show the transformed payload."""
        return await _run(state, only_argument(arguments), View.AFTER)

    @host.command(DIFF)
    async def diff(*arguments: Any) -> dict[str, Any]:
        """Run the target in the arguments, and show the changes of the payload."""
        return await _run(state, only_argument(arguments), View.DIFF)

    @host.command(BEFORE_FAILURE)
    async def before_failure(*arguments: Any) -> dict[str, Any]:
        """Show the payload right before the failed step of the target in the arguments."""
        return await _show_before_failure(state, only_argument(arguments))

    @host.command(TRY)
    async def try_steps(*arguments: Any) -> dict[str, Any]:
        """Try steps at the position `until` of the arguments; those that work are code actions then."""
        return await _try_steps(state, only_argument(arguments))

    @host.command(SET_PAYLOAD)
    async def set_payload(*arguments: Any) -> None:
        """Set the payload with which a document is checked until it is closed or run on another one."""
        given = only_argument(arguments)
        uri, payload = given.get("uri"), given.get("payload")
        path = path_of(payload) if isinstance(payload, str) else None
        if not isinstance(uri, str) or (payload is not None and path is None):
            raise _invalid("`uri` is that of a script, and `payload` that of a file, or null")
        state.libraries.choose_payload(uri, path)


def command_for(
    command: str, uri: str, entry: EntryPoint, title: str, choices: Mapping[str, str] | None = None
) -> types.Command:
    """Return `RUN` or `DIFF` for an entry point of a script, called `title`; `choices` join those of the last run."""
    arguments = {"uri": uri, "entryPoint": entry.name, "part": entry.part}
    return types.Command(title, command, arguments=[{**arguments, **({"choices": choices} if choices else {})}])


async def _run(state: State, arguments: Mapping[str, Any], view: View) -> dict[str, Any]:
    """Return the answer to a command that shows `view`. Raises JsonRpcInvalidParams."""
    command = await _parsed(state, arguments)
    if command.options.values:
        values = {**dict(state.runs.options(command.target).values), **dict(command.options.values)}
        command = command._replace(options=replace(command.options, values=tuple(values.items())))
    views = [view] if command.shows or state.run_views.are_virtual else OF_SUCCESS
    chosen = ", ".join(f"{name} = {value}" for name, value in command.options.values)
    title = f"Running @{command.target.entry_point}{chosen and f' with {chosen}'}"
    work = state.runs.run(command.target, command.options, views)
    run = await state.editor.with_progress(title, work) or Run(command.target, Status.CANCELLED.value, "cancelled")
    uris = state.run_views.prepare(run, [view] if command.shows else OF_SUCCESS)
    _report(state, run, command.shows, lambda: _run(state, arguments, view))
    if command.shows and view in uris:
        state.run_views.show(uris[view])
    return run.to_json(uris)


async def _show_before_failure(state: State, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a command that shows the payload before a failure. Raises JsonRpcInvalidParams."""
    command = await _parsed(state, arguments)
    document = RunDocument(command.target, View.FAILURE)
    if not state.run_views.are_virtual:
        state.run_views.write(document, await state.recordings.text_before_failure(command.target))
    uri = state.run_views.uri(document)
    if command.shows:
        state.run_views.show(uri)
    return {"failureUri": uri}


async def _try_steps(state: State, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the number of steps that work, and what to say of them. Raises JsonRpcInvalidParams."""
    command, count = await _parsed(state, arguments), 0
    uri, until = command.target.script, command.options.until or 0
    queue, file = state.queue_of(uri), state.file(uri)
    try:
        place = await state.queues.submit(queue, lambda: place_at(uri, file, until) if file is not None else None)
        if place is None:
            raise PlanError("no step can be inserted here")
        work = state.tries.steps(command.target, place[1], replace(command.options, until=None))
        steps = await state.editor.with_progress("Trying steps", work)
        count = len(steps.steps) if steps is not None else 0
        detail = f"{count} of {steps.tried} tried" if steps is not None else "ended by a change, or cancelled"
    except ConsentError as error:
        state.consents.ask(error.consent_requests, (lambda: _try_steps(state, arguments)) if command.shows else None)
        return {"steps": 0, "detail": str(error)}
    except (BackendError, PlanError, RecordingError) as error:
        detail = error.for_editors if isinstance(error, NoMlirError) else str(error)
    if command.shows:
        state.editor.say(types.MessageType.Info, f"{TRY_TITLE}: {detail}{', see the code actions' if count else ''}")
    return {"steps": count, "detail": detail}


def _report(state: State, run: Run, shows: bool, again: Callable[[], Coroutine[Any, Any, dict[str, Any]]]) -> None:
    """Log the output of the script, and show how it ended, unless it succeeded or the editor shows that itself.

    If a consent is missing, ask for it; if it is given and this server shows the result, `again` repeats the run.
    """
    editor, printed = state.editor, run.result.printed if run.result is not None else ""
    if printed:
        editor.log(printed)
    if run.consent_requests and state.consents.ask(run.consent_requests, again if shows else None):
        return
    if shows and run.detail and run.status != Status.CANCELLED.value:
        kind = types.MessageType.Warning if run.succeeded else types.MessageType.Error
        editor.say(kind, f"@{run.target.entry_point}: {run.detail}")
    elif shows and run.result is not None and run.result.unobserved:
        words = f"what its handles hold is not known: {run.result.unobserved}"
        editor.say(types.MessageType.Warning, f"@{run.target.entry_point}: {words}")


# Arguments


def only_argument(arguments: Sequence[Any]) -> Mapping[str, Any]:
    """Return the argument of a command. Raises JsonRpcInvalidParams unless it is one object."""
    if len(arguments) != 1 or not isinstance(arguments[0], dict):
        raise _invalid("the command has one argument, which is an object")
    return arguments[0]


async def _parsed(state: State, arguments: Mapping[str, Any]) -> _CommandArguments:
    """Parse `arguments` after pending edits are done. Raises JsonRpcInvalidParams if they are invalid."""
    queue = state.queue_of(named_document(arguments))
    await state.open_documents.edited()
    return await state.queues.submit(queue, lambda: _command(state, arguments))


def _command(session: Session, arguments: Mapping[str, Any]) -> _CommandArguments:
    uri = _string(arguments, "uri")
    file = session.file(uri) if uri is not None else None
    if uri is not None and file is not None and session.built.script_of(uri) is not None and not entry_points(file):
        return _command(session, _of_built(session, uri, arguments))
    if uri is None or file is None:
        raise _invalid(f"no document with the `uri` {uri!r} is open")
    libraries = arguments.get("libraries") or ()
    if not isinstance(libraries, list | tuple):
        raise _invalid("`libraries` is a list of paths")
    payload, values = _string(arguments, "payload"), arguments.get("choices") or {}
    if not isinstance(values, dict):
        raise _invalid("`choices` is an object with values by name")
    options = TargetOptions(
        _path(payload) if payload is not None else None,
        tuple(_path(str(library)) for library in libraries),
        _until(file, arguments, session.encoding),
        tuple((str(name), str(value)) for name, value in values.items()),
    )
    return _CommandArguments(_target(uri, file, arguments), options, arguments.get("show") is not False)


def _of_built(session: Session, program: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Translate `arguments` for a program to the newest script that it built.

    Raises JsonRpcInvalidParams if they name a position at which nothing was built.
    """
    script, position = session.built.script_of(program), arguments.get("until")
    if position is None:
        return {**arguments, "uri": script}
    document = types.TextDocumentIdentifier(program)
    try:
        cursor = session.built_cursor(types.TextDocumentPositionParams(document, types.Position(**position)))
    except (TypeError, ValueError) as error:
        raise _invalid("`until` is a position: {line, character}") from error
    if cursor is None:
        raise _invalid("nothing of the script was built here: go to a call that makes an operation")
    place = to_position(cursor.file, cursor.offset, session.encoding)
    return {**arguments, "uri": cursor.uri, "until": {"line": place.line, "character": place.character}}


def _target(uri: str, file: SourceFile, arguments: Mapping[str, Any]) -> RunTarget:
    """Return the entry point in `arguments`; without a name, MLIR's default entry point, or the only one there is."""
    name, part = _string(arguments, "entryPoint"), arguments.get("part")
    wanted = name.removeprefix("@") if name is not None else ENTRY_POINT
    place = place_of_entry(file, wanted, part)
    if place is not None:
        return RunTarget(uri, wanted, place.part)
    points = [point for point in entry_points(file) if part is None or point.part == part]
    if name is None and len(points) == 1:
        return RunTarget(uri, points[0].name, points[0].part)
    known = ", ".join(dict.fromkeys(point.name for point in points)) or "none"
    raise _invalid(f"there is no entry point {wanted}; the entry points are: {known}")


def _until(file: SourceFile, arguments: Mapping[str, Any], encoding: PositionEncoding) -> int | None:
    position = arguments.get("until")
    if position is None:
        return None
    try:
        return to_offset(file, types.Position(**position), encoding)
    except (TypeError, ValueError) as error:
        raise _invalid("`until` is a position: {line, character}") from error


def _path(named: str) -> Path:
    return path_of(named) or Path(named)


def _string(arguments: Mapping[str, Any], name: str) -> str | None:
    value = arguments.get(name)
    if value is not None and not isinstance(value, str):
        raise _invalid(f"`{name}` is a string")
    return value


def _invalid(message: str) -> JsonRpcInvalidParams:
    return JsonRpcInvalidParams(message)
