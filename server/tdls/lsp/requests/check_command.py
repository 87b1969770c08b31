"""``workspace/executeCommand``: ``tdls.checkSchedule`` runs a Python program and checks the scripts that it builds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from tdls.ide.programs.schedule_functions import schedule_functions
from tdls.lsp.programs.schedules import CANCELLED, Check, ScheduleTarget
from tdls.lsp.protocol.run_target import ScheduleDocument, named_path
from tdls.lsp.requests.run_command import only_argument
from tdls.lsp.runs.outcome import refused_item
from tdls.lsp.session.requests import named_document

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.session.session import Session
    from tdls.lsp.state import State

CHECK = "tdls.checkSchedule"
REFUSED = "refused"


def register(host: Host, state: State) -> None:
    """Register the command that runs programs and shows the scripts that they build."""

    @host.command(CHECK)
    async def check_schedule(*arguments: Any) -> dict[str, Any]:
        """Run the function or program that the arguments name, and check the scripts that it builds."""
        return await _check(state, only_argument(arguments))


async def _check(state: State, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to the command. Raises JsonRpcInvalidParams."""
    queue = state.queue_of(named_document(arguments))
    target, line = await state.queues.submit(queue, lambda: _parsed(state, arguments))
    shows = arguments.get("show") is not False
    work = state.schedules.check(target, line)
    check = await state.editor.with_progress(f"Building {target.function or 'the schedule'}", work)
    check = check or Check(target, CANCELLED)
    printed = (check.result.note, check.result.printed + check.result.console) if check.result is not None else ()
    for text in filter(None, printed):
        state.editor.log(text)
    if check.consent_requests:
        state.consents.ask(check.consent_requests, (lambda: _check(state, arguments)) if shows else None)
    elif shows and check.detail not in ("", CANCELLED):
        name = check.target.function or named_path(check.target.program).name
        state.editor.say(types.MessageType.Error, f"{name}: {check.detail}")
    uris = [
        state.run_views.uri_of_schedule(ScheduleDocument(*target, number), script.file.text)
        for number, script in enumerate(check.scripts)
    ]
    if shows and uris:
        state.run_views.show(uris[-1])
    ended = CANCELLED if check.detail == CANCELLED else "failed" if check.detail else "checked"
    return {
        "status": REFUSED if check.consent_requests else ended,
        "detail": check.detail,
        "scripts": uris,
        "printed": check.result.printed if check.result is not None else "",
        "seconds": check.result.seconds if check.result is not None else 0.0,
        "refused": [refused_item(question) for question in check.consent_requests],
    }


def _parsed(session: Session, arguments: Mapping[str, Any]) -> tuple[ScheduleTarget, int | None]:
    """Return the target, and the 0-based line of its function, None if not known. Raises JsonRpcInvalidParams."""
    uri, function = arguments.get("uri"), arguments.get("function", "")
    file = session.file(uri) if isinstance(uri, str) else None
    if not isinstance(uri, str) or not isinstance(function, str) or file is None:
        raise JsonRpcInvalidParams("`uri` is that of an open document, and `function` the name of a function in it")
    named = next((schedule for schedule in schedule_functions(file) if schedule.name == function), None)
    return ScheduleTarget(uri, function), file.position(named.span.start).line if named is not None else None
