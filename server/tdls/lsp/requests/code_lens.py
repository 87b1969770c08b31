"""``textDocument/codeLens`` and ``codeLens/resolve``."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.document.code_lens import LensKind, code_lenses, lens_references, read_lenses
from tdls.ide.document.semantic_tokens import pieces_in
from tdls.ide.programs.schedule_functions import functions_in
from tdls.interpreter.runs.entry_points import entry_points
from tdls.lsp.protocol.conversions import path_of, to_offset, to_range
from tdls.lsp.protocol.run_target import ScheduleDocument, home_of
from tdls.lsp.requests.check_command import CHECK
from tdls.lsp.requests.run_command import DIFF, RUN, command_for
from tdls.lsp.runs.shown import to_location
from tdls.lsp.session.document_queue import Turn, in_steps
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.document.code_lens import CodeLens
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.session.document import OpenDocument
    from tdls.lsp.session.document_queue import DocumentQueues
    from tdls.lsp.session.session import Session
    from tdls.lsp.state import State

_SHOW_REFERENCES = "tdls.showReferences"
"""A command of the editor's extension; editors without it show the title only."""
_SHOW_MATCHES = "tdls.showMatches"
"""A command of editors with the experimental capability `tdlsMatches`, which show the answer to `tdls/matches`."""

_CHECK_SCHEDULE, _CHECK_PROGRAM = "Check schedule", "Check program"
_LARGE = 200_000
"""Size in code points from which lenses of the visible part are answered before all others are computed."""
_AT_ONCE = 40
"""Number of sections of such a text in the first answer, and in each later step."""

_COMMANDS = {LensKind.RUN: ("\N{BLACK RIGHT-POINTING TRIANGLE} Run", RUN), LensKind.DIFF: ("Diff", DIFF)}


def register(host: Host, state: State) -> None:
    """Answer with lenses to run entry points, and with reference counts, computed when the editor shows a lens."""
    following = _Following(state.queues, state.editor)

    @host.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def text_document_code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        """Return the lenses of a document; reference counts have no command before they are resolved."""
        uri = params.text_document.uri
        file = state.file(uri)
        if file is None:
            return []
        opened, among = state.open_documents.get(uri), None
        if opened is not None and not opened.are_lenses_known and following.is_worth_it(file):
            first = pieces_in(file, opened.shown).start if opened.shown is not None else 0
            pieces = file.sections.pieces[first:]
            begun = (piece.section for piece in pieces if piece.begins_section and not piece.section.is_left_out)
            among = [file.context_of(section) for section in islice(begun, _AT_ONCE)]
            state.queues.on_loop(following.begin, opened, file)
        else:
            in_steps(read_lenses(file))
        settings, path = state.configuration.settings(uri), path_of(uri)
        named = functions_in(settings, path) if path is not None else ()
        lenses = code_lenses(state.snapshot(), uri, settings.code_lens, among, named)
        if home_of(uri) != uri:  # a cell of a notebook, which does not run by itself
            lenses = [lens for lens in lenses if lens.kind is not LensKind.SCHEDULE]
        return in_steps(_items(lenses, uri, file, state))

    @host.feature(types.CODE_LENS_RESOLVE)
    def code_lens_resolve(lens: types.CodeLens) -> types.CodeLens:
        """Return a reference lens with its count and command."""
        if lens.command is not None:
            return lens
        uri = str(lens.data[1]) if isinstance(lens.data, (list, tuple)) and len(lens.data) == 2 else ""
        file = state.file(uri)
        offset = to_offset(file, lens.range.start, state.encoding) if file is not None else 0
        references = lens_references(state.snapshot(), uri, offset)
        locations = [state.location(location) for location in references]
        title = counted(len(references), "reference")
        lens.command = types.Command(title, _SHOW_REFERENCES, arguments=[uri, lens.range.start, locations])
        return lens


class _Following:
    """Computes the lenses of the rest of large documents after those of the visible part are answered."""

    def __init__(self, queues: DocumentQueues, editor: Editor) -> None:
        self._queues = queues
        self._editor = editor
        self._tasks: dict[OpenDocument, asyncio.Task[None]] = {}

    def is_worth_it(self, file: SourceFile) -> bool:
        """Return whether a file is large, and the editor supports refresh requests for lenses."""
        workspace = self._editor.capabilities.workspace
        claimed = workspace.code_lens if workspace is not None else None
        return file.length >= _LARGE and claimed is not None and bool(claimed.refresh_support)

    def begin(self, opened: OpenDocument, file: SourceFile) -> None:
        """Compute all lenses of a document, then send a refresh request; call this in the event loop's thread."""
        if opened not in self._tasks:
            task = self._tasks[opened] = asyncio.get_running_loop().create_task(self._look(opened, read_lenses(file)))
            task.add_done_callback(lambda _: self._tasks.pop(opened))

    async def _look(self, opened: OpenDocument, work: Generator[None, None, None]) -> None:
        while opened.document is not None:
            steps = await self._queues.submit(opened.queue, lambda: sum(1 for _ in islice(work, _AT_ONCE)), Turn.LATER)
            if steps < _AT_ONCE:
                opened.are_lenses_known = True
                self._editor.refresh(types.WORKSPACE_CODE_LENS_REFRESH)
                return


def _items(
    lenses: Iterable[CodeLens], uri: str, file: SourceFile, session: Session
) -> Generator[None, None, list[types.CodeLens]]:
    """Return `lenses` for the editor; yields after each one."""
    shows_matches = session.editor.claims("tdlsMatches")
    items: list[types.CodeLens] = []
    for lens in lenses:
        range_ = to_range(file, lens.span, session.encoding)
        if lens.kind is LensKind.SCHEDULE:
            items += _of_schedule(session, uri, lens.function, range_)
        else:
            items.append(_item(lens, uri, range_, session, shows_matches=shows_matches))
        yield
    return items


def _of_schedule(session: Session, uri: str, function: str, range_: types.Range) -> list[types.CodeLens]:
    """Return a lens to check the schedules of a function, and lenses to run the scripts of its last check."""
    arguments = {"uri": uri, "function": function}
    title = _CHECK_SCHEDULE if function else _CHECK_PROGRAM
    lenses = [types.CodeLens(range_, types.Command(title, CHECK, arguments=[arguments]))]
    for script in session.built.by_uri.values():
        built = ScheduleDocument.from_uri(script.uri)
        if built is not None and (built.program, built.function) == (uri, function):
            commands = _COMMANDS.values()
            entries = entry_points(script.file)
            lenses += [
                types.CodeLens(range_, command_for(command, script.uri, entry, title))
                for entry in entries
                for title, command in commands
            ]
    return lenses


def _item(lens: CodeLens, uri: str, range_: types.Range, session: Session, *, shows_matches: bool) -> types.CodeLens:
    """Return a lens with its command, or a reference lens, which the editor resolves when it shows it."""
    if lens.matcher is not None and shows_matches:
        return types.CodeLens(range_, types.Command(lens.matcher.summary, _SHOW_MATCHES, arguments=[uri]))
    if lens.matcher is not None:
        places = [to_location(session, place) for place in lens.matcher.misses]
        arguments = [uri, range_.start, [place for place in places if place is not None]]
        return types.CodeLens(range_, types.Command(lens.matcher.summary, _SHOW_REFERENCES, arguments=arguments))
    if lens.entry is None:
        return types.CodeLens(range_, data=[lens.kind.value, uri])
    if lens.choice is not None:
        name, option = lens.choice
        title = f"{_COMMANDS[LensKind.RUN][0]} with {option}"
        return types.CodeLens(range_, command_for(RUN, uri, lens.entry, title, {name: option}))
    title, command = _COMMANDS[lens.kind]
    return types.CodeLens(range_, command_for(command, uri, lens.entry, title))
