"""Run targets on request, and again when one of their input files changes."""

from __future__ import annotations

import asyncio
import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import findings_in_section
from tdls.analysis.file.source_file import SourceFile
from tdls.files.reading import text_of
from tdls.ide.run_marks import RunMarks
from tdls.ide.runs.match_report import match_marks
from tdls.ide.runs.reading import findings_about_reading, refuted
from tdls.ide.runs.run_report import findings_of, marks_of, mentioned, summary, unreported, uri_of_name
from tdls.interpreter.errors import BackendError, ConsentError, NoMlirError
from tdls.interpreter.matching.expectations import expects_matches, unmet
from tdls.interpreter.matching.explanation import ENDED_BY_ITSELF, explained, is_worth_explaining
from tdls.interpreter.model import Status
from tdls.interpreter.pipeline import reproduction
from tdls.interpreter.plan import NO_PAYLOAD, PlanError, has_payload
from tdls.interpreter.recording.suppressed import may_suppress, suppressed_failures
from tdls.limits import EDITED_OPERATION
from tdls.lsp.protocol.run_target import RunDocument, TargetOptions, View
from tdls.lsp.runs.executor import Executor
from tdls.lsp.runs.outcome import REFUSED, UNAVAILABLE, Run, texts_of
from tdls.lsp.runs.planning import Planner
from tdls.lsp.session.session import Kind
from tdls.settings.selection import with_levels
from tdls.structs import NamedTuple, Struct, field, replace
from tdls.text.level import Level
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tdls.ide.runs.match_report import MatchMarks
    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.model import RunDiagnostic, RunResult
    from tdls.lsp.documents.libraries import Libraries
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.lsp.runs.planning import Planned
    from tdls.lsp.runs.views import RunViews
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.consent import Consents
    from tdls.settings.model import BackendChoice

_EXPLAINING_PAUSE = 0.3
"""Seconds after a run before another one explains its matches."""
_SHORTEST_PAUSE = 0.15
"""Seconds without an edit before a target is run again while the user types; at least the duration of the last run."""


class _TargetState(Struct):
    """State of a target that was run."""

    options: TargetOptions
    views: set[View] = field(default_factory=set)
    """Views to keep up to date."""
    requested: frozenset[View] = frozenset()
    """Views requested with the newest run."""
    file: SourceFile | None = None
    """The version of the script that the last requested run to the end was started with."""
    run: Run | None = None
    """The last run that was not cancelled."""
    shown: Run | None = None
    """The last successful run to the end: after a failure the views still show this one."""
    stopped: Run | None = None
    """The last successful run to a line."""
    task: asyncio.Task[Run] | None = None
    timer: asyncio.TimerHandle | None = None
    explaining: asyncio.Task[None] | None = None
    """Another run after the last one, which explains matches."""
    matches: Matches | None = None
    """The result of that task."""
    outdated: set[RunDocument] = field(default_factory=set)
    """Documents that show the payload of a run of older texts."""
    depends_on: frozenset[str] = frozenset()
    """URIs of the input files of the last run."""

    def stop_waiting(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Matches(NamedTuple):
    """Explained matches of a run; `number` increases with each explanation."""

    number: int
    target: RunTarget
    explanation: Explanation
    files: Mapping[str, SourceFile]
    """The open documents among the input files of the run, by their names in the request."""


class _How(NamedTuple):
    """Whether a user requested a run, and how many seconds it may take, at most those of the settings.

    A requested run is repeated after edits, unless a line is half typed.
    """

    is_requested: bool
    seconds: float
    is_repeated: bool = False


_REQUESTED = _How(is_requested=True, seconds=math.inf)


class Runs:
    """All targets that were run since the server started."""

    def __init__(
        self, session: Session, configuration: Configuration, consents: Consents, libraries: Libraries, views: RunViews
    ) -> None:
        self._session = session
        self._configuration = configuration
        self._consents = consents
        self._libraries = libraries
        self._views = views
        self.executor = Executor()
        self._states: dict[RunTarget, _TargetState] = {}
        self._explained = 0
        session.follow(Kind.EDITED, partial(self._renew_all, ("type",), wait=True))
        for kind in (Kind.SAVED, Kind.BUILT):
            session.follow(kind, partial(self._renew_all, ("save", "type"), wait=False))
        session.follow(Kind.CLOSED, self._closed)

    async def run(self, target: RunTarget, options: TargetOptions, views: Iterable[View]) -> Run:
        """Run `target` with the texts of `views`; a run of the same target in progress is cancelled.

        Never raises: the result contains all problems. Cancelling this ends the run.
        """
        state = self._states.setdefault(target, _TargetState(options))
        state.options = options
        state.requested = frozenset(views)
        if target.is_usual:
            self._libraries.choose_payload(target.script, options.payload)
        if options.until is None:
            state.views |= state.requested
        return await self._renewed(target, state)

    async def run_unasked(self, target: RunTarget, seconds: float) -> Run | None:
        """Run `target`, which has payload, for at most `seconds`, and publish its marks only. Never raises.

        None without payload, if a run of this target is in progress or is about to be repeated, and if this version of
        the script was run on request, whose marks have more.
        """
        state = self._states.setdefault(target, _TargetState(TargetOptions()))
        is_running = state.timer is not None or (state.task is not None and not state.task.done())
        file = self._session.file(target.script)
        if is_running or any(other.file is file for other in self._states.values() if other.file is not None):
            return None
        return await self._renewed(target, state, _How(is_requested=False, seconds=seconds))

    def last(self, target: RunTarget, line: int | None = None) -> Run | None:
        """Return the last successful run of `target` to the end, or to `line` if that was the last line; else None."""
        state = self._states.get(target)
        run = (state.shown if line is None else state.stopped) if state is not None else None
        return run if run is not None and run.line == line else None

    def options(self, target: RunTarget) -> TargetOptions:
        """Return the options of the last run of `target`, without `until`."""
        state = self._states.get(target)
        known = state.options if state is not None else TargetOptions()
        return TargetOptions(known.payload, known.libraries)

    def last_runs(self) -> list[Run]:
        """Return the last successful runs of all targets, to the end and to a line."""
        runs = (run for state in self._states.values() for run in (state.shown, state.stopped))
        return [run for run in runs if run is not None]

    async def matches(self, uri: str) -> Matches | None:
        """Return the matches of the newest run with this input file, after waiting for their explanation.

        None if no run of the file was explained.
        """
        states = [state for target, state in self._states.items() if uri in (target.script, *state.depends_on)]
        explaining = [state.explaining for state in states if state.explaining is not None]
        if explaining:
            await asyncio.wait(explaining)
        known = [state for state in states if state.matches is not None]
        newest = max(known, key=lambda state: state.matches.number if state.matches is not None else 0, default=None)
        return newest.matches if newest is not None else None

    def why_no_matches(self, uri: str) -> str:
        """Return why no run with this input file says what was matched."""
        tasks = (state.task for target, state in self._states.items() if uri in (target.script, *state.depends_on))
        ended = [task.result() for task in tasks if task is not None and task.done() and not task.cancelled()]
        if not ended:
            return "this file was not run yet"
        if ended[-1].detail:
            return f"the last run of this file does not say what was matched: {ended[-1].detail}"
        if not self._configuration.settings(uri).run.explain_matches:
            return "the setting tdls.run.explainMatches is off"
        return "the last run of this file asked no matcher, and found all that it looked for"

    def is_current(self, matches: Matches) -> bool:
        """Return whether no open document among the input files has changed since the run."""
        return all(self._is_present(uri_of_name(name), file) for name, file in matches.files.items())

    def backend(self, uri: str) -> tuple[str, str]:
        """Return the display name of the backend for a script, and its MLIR version, "" before the first run.

        Raises BackendError if there is none.
        """
        choice = self._configuration.settings(uri).run.backend_choice
        return self.executor.name_of(choice), self.executor.mlir

    async def text(self, document: RunDocument) -> str:
        """Return the text of a virtual document; run its target first if it was not run, as after a restart."""
        self._views.opened(document)
        run = self.last(document.target, document.line)
        if run is None and document.line is not None:
            return f"// Run to line {document.line} again to see its payload here.\n"
        if run is None or document.view not in run.texts:
            state = self._states.get(document.target)
            options = state.options if state is not None else TargetOptions()
            run = await self.run(document.target, options, {document.view})
        return run.texts.get(document.view, f"// {run.detail}\n")

    def _closed(self, uri: str) -> None:
        """Stop updating a view that the editor has closed, and the target if none of its views is shown any more."""
        document = self._views.document(uri)
        if document is None:
            return
        self._views.closed(document)
        state = self._states.get(document.target) if document.line is None else None
        if state is not None:
            state.views.discard(document.view)
            if not state.views:
                state.stop_waiting()

    def close(self) -> None:
        """Cancel all runs, and end all processes."""
        for state in self._states.values():
            state.stop_waiting()
            for task in (state.task, state.explaining):
                if task is not None:
                    task.cancel()
        self.executor.close()

    # Scheduling

    def _renew_all(self, modes: Collection[str], uri: str, *, wait: bool) -> None:
        """Run shown targets with this input file again if the setting ``run.refresh`` is one of `modes`."""
        for target, state in self._states.items():
            is_changed = wait or uri not in self._session.documents
            if is_changed and uri in (target.script, *state.depends_on):
                runs = (run for run in (state.shown, state.stopped) if run is not None)
                fresh = {run.document(View.AFTER) for run in runs} - state.outdated
                if fresh:
                    state.outdated |= fresh
                    self._views.tell_age(fresh, is_outdated=True)
            if (
                state.views
                and uri in (target.script, *state.depends_on)
                and self._configuration.settings(target.script).run.refresh in modes
            ):
                self._renew_soon(target, state, wait=wait)

    def _renew_soon(self, target: RunTarget, state: _TargetState, *, wait: bool) -> None:
        state.stop_waiting()
        if wait and state.task is not None and not state.task.done():
            state.task.cancel()
        took = state.run.result.seconds if state.run is not None and state.run.result is not None else 0.0
        pause = max(_SHORTEST_PAUSE, took) if wait else 0.0
        state.timer = asyncio.get_running_loop().call_later(pause, self._renew, target, state)

    def _renew(self, target: RunTarget, state: _TargetState) -> None:
        state.timer = None
        state.options = TargetOptions(state.options.payload, state.options.libraries)
        task = self._start(target, state, _REQUESTED._replace(is_repeated=True))
        task.add_done_callback(lambda task: self._renewed_by_itself(target, task))

    def _renewed_by_itself(self, target: RunTarget, task: asyncio.Task[Run]) -> None:
        self._views.refresh(target, self.last(target))
        if not task.cancelled() and task.exception() is None and task.result().consent_requests:
            self._consents.ask(task.result().consent_requests)

    async def _renewed(self, target: RunTarget, state: _TargetState, how: _How = _REQUESTED) -> Run:
        state.stop_waiting()
        task = self._start(target, state, how)
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            raise
        return Run(target, Status.CANCELLED.value, "cancelled") if task.cancelled() else task.result()

    def _start(self, target: RunTarget, state: _TargetState, how: _How = _REQUESTED) -> asyncio.Task[Run]:
        for task in (state.task, state.explaining):
            if task is not None:
                task.cancel()
        if how.is_requested and state.options.until is None:
            state.file = self._session.file(target.script)
        state.task = asyncio.get_running_loop().create_task(self._run(target, state, how))
        return state.task

    # Running

    async def _run(self, target: RunTarget, state: _TargetState, how: _How) -> Run:
        """Run `target`; a run without a request serves no views."""
        views = state.requested | state.views if how.is_requested else frozenset[View]()
        options = state.options if how.is_requested else replace(state.options, until=None)
        try:
            settings = await self._configuration.for_run(target.script)
            planner = Planner(self._session, target, settings)
            planned = await asyncio.to_thread(planner.request, options, views)
            state.depends_on = frozenset(map(uri_of_name, planned.texts))
            until = options.until
            limits = planned.request.limits
            limits = replace(limits, seconds=min(how.seconds, limits.seconds))
            planned = planned._replace(request=replace(planned.request, limits=limits))
            if not how.is_requested and not await asyncio.to_thread(has_payload, planned.request):
                return Run(target, Status.CANCELLED.value, NO_PAYLOAD)
            if how.is_repeated and await asyncio.to_thread(self._is_half_typed, planned):
                return Run(target, Status.CANCELLED.value, "not repeated, since MLIR does not read the script")
            result = await self.executor.run(planned.request, settings.run.backend_choice)
        except PlanError as error:
            return Run(target, Status.INVALID.value, str(error))
        except ConsentError as error:
            return Run(target, REFUSED, str(error), consent_requests=error.consent_requests)
        except NoMlirError as error:
            return Run(target, UNAVAILABLE, error.for_editors, tool=error.tool)
        except BackendError as error:
            return Run(target, UNAVAILABLE, str(error))
        run, marked = await asyncio.to_thread(_finished, target, planned, result, views, until, self._session)
        read = await asyncio.to_thread(_read_anew, self._session, planned)
        if read:
            self._session.files.update(read)
            self._session.changed(target.script, Kind.INPUTS)
        if how.is_requested:
            self._take(state, run)
        if until is None:
            marked = await asyncio.to_thread(_with_refuted, marked, planned, result, self._session)
        if not how.is_requested:
            marked = await asyncio.to_thread(_unreported, marked, planned, result, self._configuration)
        self._mark(target, marked)
        state.matches = None
        is_worth_it = is_worth_explaining(planned.request, result) or (
            result.status in ENDED_BY_ITSELF and (expects_matches(planned.request) or may_suppress(planned.request))
        )
        if settings.run.explain_matches and until is None and is_worth_it:
            choice = settings.run.backend_choice
            explaining = self._explain(target, state, planned, marked.files, choice)
            state.explaining = asyncio.get_running_loop().create_task(explaining)
        return run

    def _is_half_typed(self, planned: Planned) -> bool:
        """Return whether rules say that MLIR does not read the script, and no run has refuted that."""
        script = planned.request.script.name
        found = findings_about_reading(planned.script, planned.request.part)
        left = self._session.marks.of(uri_of_name(script)).unrefuted(found, planned.script)
        return any(finding.level is Level.ERROR for finding in left)

    async def _explain(
        self,
        target: RunTarget,
        state: _TargetState,
        planned: Planned,
        files: Mapping[str, SourceFile],
        choice: BackendChoice,
    ) -> None:
        """Explain the matches of a run after a pause without another run, and publish the marks.

        Failures that the run suppressed are looked for, too.
        """
        await asyncio.sleep(_EXPLAINING_PAUSE)
        try:
            found = await self.executor.do(lambda backend: explained(planned.request, backend), choice)
            suppressed = await self.executor.do(lambda backend: suppressed_failures(planned.request, backend), choice)
        except BackendError:
            return
        self._explained += 1
        state.matches = Matches(self._explained, target, found, planned.opened)
        found_marks = await asyncio.to_thread(_match_marks, planned, found, suppressed, files)
        uris = {name: uri_of_name(name) for name in found_marks}
        present = (name for name in found_marks if self._is_present(uris[name], files[name]))
        for uri in self._session.marks.explained(target, {uris[name]: found_marks[name] for name in present}):
            self._session.changed(uri, Kind.MARKS)

    def _is_present(self, uri: str, version: SourceFile) -> bool:
        """Return whether the text of a file is still that of `version`."""
        present = self._session.file(uri)
        return present is not None and (present.sections is version.sections or present.text == version.text)

    def _take(self, state: _TargetState, run: Run) -> None:
        state.run = run
        document = run.document(View.AFTER)
        if run.succeeded and document in state.outdated:
            state.outdated.discard(document)
            self._views.tell_age([document], is_outdated=False)
        if run.succeeded and run.line is not None:
            state.stopped = run
        elif run.succeeded:
            state.shown = run

    def _mark(self, target: RunTarget, marked: _MarkedFiles) -> None:
        """Publish the marks of files whose text is unchanged since the run."""
        session = self._session
        marks = {}
        for name, mark in marked.marks.items():
            uri, version = uri_of_name(name), marked.files[name]
            present = session.file(uri)
            if present is None:
                session.files[uri] = version
            elif present.sections is not version.sections and present.text != version.text:
                continue
            marks[uri] = mark
        for uri in session.marks.put(target, marks):
            session.changed(uri, Kind.MARKS)


class _MarkedFiles(NamedTuple):
    """Marks of a run and the marked versions of files, both by file name."""

    marks: Mapping[str, RunMarks]
    files: Mapping[str, SourceFile]


def _with_refuted(marked: _MarkedFiles, planned: Planned, result: RunResult, session: Session) -> _MarkedFiles:
    """Return marks with the findings that MLIR refuted: it read the script and its libraries.

    Findings that earlier runs refuted stay refuted if MLIR did not read them this time, as another line was wrong.
    """
    request = planned.request
    parts = {**{library.name: None for library in request.libraries}, request.script.name: request.part}
    marks = dict(marked.marks)
    for name in marks.keys() & parts:
        file, known = marked.files[name], session.marks.of(uri_of_name(name)).refuted
        found = refuted(findings_about_reading(file, parts[name]), file, result, parts[name])
        marks[name] = replace(marks[name], refuted=tuple(found) if result.status in ENDED_BY_ITSELF else known)
    return _MarkedFiles(marks, marked.files)


def _unreported(
    marked: _MarkedFiles, planned: Planned, result: RunResult, configuration: Configuration
) -> _MarkedFiles:
    """Return the marks of a run without a request, without findings that repeat those of a rule that is on.

    No findings are left of a run that took too long, or of a script of which rules report that MLIR does not read it.
    """
    script, part = planned.request.script.name, planned.request.part
    file = marked.files[script]
    found = marked.marks[script].unrefuted(findings_about_reading(file, part), file)
    errors = with_levels(found, configuration.levels(uri_of_name(script)))
    is_unread = result.status not in ENDED_BY_ITSELF and any(error.level is Level.ERROR for error in errors)
    if is_unread or result.status is Status.TIMEOUT:
        left = {name: RunMarks(refuted=mark.refuted) for name, mark in marked.marks.items()}
        return _MarkedFiles(left, marked.files)
    marks = {}
    for name, mark in marked.marks.items():
        contexts = [context for context in marked.files[name].contexts if mark.findings and context.mentions_transform]
        found = mark.unrefuted(
            (each for context in contexts for each in findings_in_section(context)), marked.files[name]
        )
        reported = with_levels(found, configuration.levels(uri_of_name(name)))
        marks[name] = replace(mark, findings=tuple(unreported(mark.findings, marked.files[name], reported)))
    return _MarkedFiles(marks, marked.files)


def _finished(
    target: RunTarget, planned: Planned, result: RunResult, views: Collection[View], until: int | None, session: Session
) -> tuple[Run, _MarkedFiles]:
    """Return a run with its texts and marks; `until` is the offset at which it stopped, None for the end."""
    files = planned.files(mentioned(result))
    request = planned.request
    marks = marks_of(result, files, request.script.name, planned.entry, reproduction(request))
    document = RunDocument(target, View.FAILURE).uri
    marks = {name: mark.with_document_of_failure(document) for name, mark in marks.items()}
    texts = texts_of(result, views, target.stem)
    detail = summary(result, session.built.shown_place)
    is_lacking = result.status in ENDED_BY_ITSELF and not has_payload(request)
    if is_lacking:
        detail = f"{NO_PAYLOAD}{detail and f'; {detail}'}"
    run = Run(target, result.status.value, detail, result, texts, has_payload=not is_lacking)
    if until is not None and run.succeeded:
        stop, line = _stop(planned.script, until)
        run = replace(run, stop=stop, line=line)
        marks[request.script.name] = replace(marks[request.script.name], stop=run.stop)
    return run, _MarkedFiles(marks, files)


def _match_marks(
    planned: Planned, explanation: Explanation, suppressed: Sequence[RunDiagnostic], files: Mapping[str, SourceFile]
) -> dict[str, MatchMarks]:
    """Return marks for the matches of an explained run, unmet expectations in comments, and suppressed failures.

    The keys are the names of `files`.
    """
    request = planned.request
    messages = (*unmet(request, explanation), *suppressed)
    wrong = findings_of(messages, files, request.script.name, planned.entry)
    return match_marks(explanation, files, wrong)


def _read_anew(session: Session, planned: Planned) -> dict[str, SourceFile]:
    """Return the closed input files of a run, by URI, that changed on disk: not every editor sends such changes."""
    found: dict[str, SourceFile] = {}
    for name, text in planned.texts.items():
        uri = uri_of_name(name)
        known = session.closed_files().get(uri) if name not in planned.opened else None
        if known is not None and known.text != text and text_of(Path(name)) == text:
            found[uri] = SourceFile.of(text, planned.script.catalogue, most=EDITED_OPERATION)
    return found


def _stop(script: SourceFile, until: int) -> tuple[FileSpan, int]:
    """Return the span of the line at an offset, without surrounding white space, and its 1-based number."""
    line = script.position(until).line
    text, start = script.line_text(line), script.offset(Position(line, 0))
    indent = len(text) - len(text.lstrip())
    return FileSpan(start + indent, start + len(text.rstrip())), line + 1
