"""One run of a target, as a job of stages: plan, run, mark, explain."""

from __future__ import annotations

import asyncio
from enum import Enum
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import findings_in_section
from tdls.analysis.file.source_file import SourceFile
from tdls.files.reading import text_of
from tdls.ide.run_marks import RunMarks
from tdls.ide.runs.match_report import match_marks
from tdls.ide.runs.reading import findings_about_reading, refuted
from tdls.ide.runs.run_report import findings_of, marks_of, mentioned, summary, unreported, uri_of_name
from tdls.interpreter.errors import BackendError, ConsentError, NoMlirError, PlanError
from tdls.interpreter.matching.explanation import ENDED_BY_ITSELF, explained, is_worth_explaining
from tdls.interpreter.recording.suppressed import may_suppress, suppressed_failures
from tdls.interpreter.runs.model import Status
from tdls.interpreter.runs.pipeline import reproduction
from tdls.interpreter.runs.plan import NO_PAYLOAD, has_payload
from tdls.limits import EDITED_OPERATION
from tdls.lsp.protocol.run_target import RunDocument, TargetOptions, View
from tdls.lsp.runs.outcome import REFUSED, UNAVAILABLE, Run, texts_of
from tdls.lsp.runs.planning import Planner
from tdls.lsp.session.session import Kind
from tdls.settings.selection import with_levels
from tdls.structs import NamedTuple, replace
from tdls.text.level import Level
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from tdls.ide.runs.match_report import MatchMarks
    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.runs.model import RunDiagnostic, RunResult
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.lsp.runs.executor import Executor
    from tdls.lsp.runs.planning import Planned
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.settings.model import Settings

_EXPLAINING_PAUSE = 0.3
"""Seconds after a run before another one explains its matches."""


_EXPLANATIONS = count()


class Cause(Enum):
    """Why a target is run."""

    REQUEST = "request"
    EDIT = "edit"
    """An input file of a requested run has changed: it is repeated, unless a line is half typed."""
    LIVE = "live"
    """Nobody asked: the run serves no views, and marks only what no rule reports."""


class Services(NamedTuple):
    """What a job needs of the server."""

    session: Session
    configuration: Configuration
    executor: Executor


class Matches(NamedTuple):
    """Explained matches of a run; `number` increases with each explanation."""

    number: int
    target: RunTarget
    explanation: Explanation
    files: Mapping[str, SourceFile]
    """The open documents among the input files of the run, by their names in the request."""


class _EndedError(Exception):
    """A stage ends the job with a `run` that did not take place."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.detail)
        self.run = run


class RunJob:
    """A run of `target`. Its task gives the outcome; the explanation of matches follows in a task of its own."""

    def __init__(
        self,
        services: Services,
        target: RunTarget,
        options: TargetOptions,
        cause: Cause,
        take: Callable[[Run], None],
        *,
        before: RunJob | None = None,
        views: Collection[View] = (),
        seconds: float | None = None,
    ) -> None:
        """Start the job, after the job `before` of the same target, which is cancelled.

        `take` gets the outcome of a run before its marks are published. `seconds` limits the run, at most to the limit
        in the settings.
        """
        if before is not None:
            before.cancel()
        self.target = target
        self.cause = cause
        self.depends_on: frozenset[str] = before.depends_on if before is not None else frozenset()
        """URIs of the input files, once planned; until then those of the job before."""
        self.matches: Matches | None = before.matches if before is not None else None
        """What was matched, once explained; until the run ends that of the job before."""
        self._take = take
        self._services = services
        self._options = options if cause is not Cause.LIVE else replace(options, until=None)
        self._views = frozenset(views)
        self._seconds = seconds
        self.explaining: asyncio.Task[None] | None = None
        self.task = asyncio.get_running_loop().create_task(self._carry_out())

    @property
    def is_running(self) -> bool:
        """True until the outcome is known."""
        return not self.task.done()

    def cancel(self) -> None:
        """End all stages."""
        self.task.cancel()
        if self.explaining is not None:
            self.explaining.cancel()

    async def _carry_out(self) -> Run:
        try:
            settings, planned = await self._plan()
            result = await self._services.executor.run(planned.request, settings.run.backend_choice)
        except _EndedError as error:
            return error.run
        except PlanError as error:
            return Run(self.target, Status.INVALID.value, str(error))
        except ConsentError as error:
            return Run(self.target, REFUSED, str(error), consent_requests=error.consent_requests)
        except NoMlirError as error:
            return Run(self.target, UNAVAILABLE, error.for_editors, tool=error.tool)
        except BackendError as error:
            return Run(self.target, UNAVAILABLE, str(error))
        run, marked = await self._mark(planned, result)
        self.matches = None
        if settings.run.explain_matches and self._options.until is None and _is_worth_explaining(planned, result):
            explaining = self._explain(planned, marked, settings)
            self.explaining = asyncio.get_running_loop().create_task(explaining)
        return run

    async def _plan(self) -> tuple[Settings, Planned]:
        """Return the settings and the request. Raises _EndedError, PlanError and ConsentError."""
        session, configuration, _ = self._services
        settings = await configuration.for_run(self.target.script)
        planner = Planner(session, self.target, settings)
        planned = await asyncio.to_thread(planner.request, self._options, self._views)
        self.depends_on = frozenset(map(uri_of_name, planned.texts))
        limits = planned.request.limits
        if self._seconds is not None:
            limits = replace(limits, seconds=min(self._seconds, limits.seconds))
        is_shown = self.cause is not Cause.LIVE
        request = replace(planned.request, limits=limits, ends_at_unknown=is_shown, keeps_names=is_shown)
        planned = planned._replace(request=request)
        if self.cause is Cause.LIVE and not await asyncio.to_thread(has_payload, planned.request):
            raise _EndedError(Run(self.target, Status.CANCELLED.value, NO_PAYLOAD))
        if self.cause is Cause.EDIT and await asyncio.to_thread(self._is_half_typed, planned):
            reason = "not repeated, since MLIR does not read the script"
            raise _EndedError(Run(self.target, Status.CANCELLED.value, reason))
        return settings, planned

    def _is_half_typed(self, planned: Planned) -> bool:
        """Return whether rules say that MLIR does not read the script, and no run has refuted that."""
        script = planned.request.script.name
        findings = findings_about_reading(planned.script, planned.request.part)
        left = self._services.session.marks.of(uri_of_name(script)).unrefuted(findings, planned.script)
        return any(finding.level is Level.ERROR for finding in left)

    async def _mark(self, planned: Planned, result: RunResult) -> tuple[Run, _MarkedFiles]:
        """Publish the marks of files whose text is unchanged since the run; return them with the outcome."""
        session, configuration, _ = self._services
        until = self._options.until
        run, marked = await asyncio.to_thread(_finished, self.target, planned, result, self._views, until, session)
        read = await asyncio.to_thread(_read_anew, session, planned)
        if read:
            session.files.update(read)
            session.changed(self.target.script, Kind.INPUTS)
        self._take(run)
        if until is None:
            marked = await asyncio.to_thread(_with_refuted, marked, planned, result, session)
        if self.cause is Cause.LIVE:
            marked = await asyncio.to_thread(_unreported, marked, planned, result, configuration)
        marks = {}
        for name, mark in marked.marks.items():
            uri, version = uri_of_name(name), marked.files[name]
            if session.file(uri) is None:
                session.files[uri] = version
            if is_present(session, uri, version):
                marks[uri] = mark
        for uri in session.marks.put(self.target, marks):
            session.changed(uri, Kind.MARKS)
        return run, marked

    async def _explain(self, planned: Planned, marked: _MarkedFiles, settings: Settings) -> None:
        """Explain the matches of a run after a pause without another run, and publish the marks.

        Failures that the run suppressed are looked for, too.
        """
        session, _, executor = self._services
        await asyncio.sleep(_EXPLAINING_PAUSE)
        choice = settings.run.backend_choice
        try:
            explanation = await executor.do(lambda backend: explained(planned.request, backend), choice)
            suppressed = await executor.do(lambda backend: suppressed_failures(planned.request, backend), choice)
        except BackendError:
            return
        self.matches = Matches(next(_EXPLANATIONS), self.target, explanation, planned.opened)
        marks = await asyncio.to_thread(_match_marks, planned, explanation, suppressed, marked.files)
        present = {
            uri: mark
            for name, mark in marks.items()
            if is_present(session, uri := uri_of_name(name), marked.files[name])
        }
        for uri in session.marks.explained(self.target, present):
            session.changed(uri, Kind.MARKS)


def is_present(session: Session, uri: str, version: SourceFile) -> bool:
    """Whether the text of a file is still that of `version`."""
    present = session.file(uri)
    return present is not None and (present.sections is version.sections or present.text == version.text)


def _is_worth_explaining(planned: Planned, result: RunResult) -> bool:
    request = planned.request
    if result.is_partial:
        return False
    is_asked = result.status in ENDED_BY_ITSELF and may_suppress(request)
    return is_asked or is_worth_explaining(request, result)


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
    is_unread = result.is_partial or result.status not in ENDED_BY_ITSELF
    for name in marks.keys() & parts:
        file, known = marked.files[name], session.marks.of(uri_of_name(name)).refuted
        findings = refuted(findings_about_reading(file, parts[name]), file, result, parts[name])
        marks[name] = replace(marks[name], refuted=known if is_unread else tuple(findings))
    return _MarkedFiles(marks, marked.files)


def _unreported(
    marked: _MarkedFiles, planned: Planned, result: RunResult, configuration: Configuration
) -> _MarkedFiles:
    """Return the marks of a run without a request, without findings that repeat those of a rule that is on.

    Drops the findings of a run that took too long, and of a script that MLIR does not read, as rules report.
    """
    script, part = planned.request.script.name, planned.request.part
    file = marked.files[script]
    findings = marked.marks[script].unrefuted(findings_about_reading(file, part), file)
    errors = with_levels(findings, configuration.levels(uri_of_name(script)))
    is_unread = result.status not in ENDED_BY_ITSELF and any(error.level is Level.ERROR for error in errors)
    if is_unread or result.status is Status.TIMEOUT:
        left = {name: RunMarks(refuted=mark.refuted) for name, mark in marked.marks.items()}
        return _MarkedFiles(left, marked.files)
    marks = {}
    for name, mark in marked.marks.items():
        contexts = [context for context in marked.files[name].contexts if mark.findings and context.mentions_transform]
        findings = mark.unrefuted(
            (each for context in contexts for each in findings_in_section(context)), marked.files[name]
        )
        reported = with_levels(findings, configuration.levels(uri_of_name(name)))
        marks[name] = replace(mark, findings=tuple(unreported(mark.findings, marked.files[name], reported)))
    return _MarkedFiles(marks, marked.files)


def _finished(
    target: RunTarget, planned: Planned, result: RunResult, views: Collection[View], until: int | None, session: Session
) -> tuple[Run, _MarkedFiles]:
    """Return a run with its texts and marks; `until` is the offset at which it stopped, None for the end."""
    request, files = planned.request, planned.files(mentioned(result))
    marks = marks_of(result, files, request.script.name, planned.entry, reproduction(request))
    marks = {name: mark.with_document_of_failure(RunDocument(target, View.FAILURE).uri) for name, mark in marks.items()}
    texts = texts_of(result, views, target.stem)
    detail = summary(result, session.built.shown_place)
    is_lacking = result.status in ENDED_BY_ITSELF and not has_payload(request)
    if is_lacking:
        detail = f"{NO_PAYLOAD}{detail and f'; {detail}'}"
    elif texts.get(View.DIFF) == "":
        detail = detail or "nothing changed in the payload"
    run = Run(target, result.status.value, detail, result, texts, has_payload=not is_lacking)
    if until is not None and run.succeeded:
        stop, line = _stop(planned.script, until)
        run = replace(run, stop=stop, line=line)
        marks[request.script.name] = replace(marks[request.script.name], stop=run.stop)
    return run, _MarkedFiles(marks, files)


def _match_marks(
    planned: Planned, explanation: Explanation, suppressed: Sequence[RunDiagnostic], files: Mapping[str, SourceFile]
) -> dict[str, MatchMarks]:
    """Return marks for the matches of an explained run, and suppressed failures, by the names of `files`."""
    wrong = findings_of(suppressed, files, planned.request.script.name, planned.entry)
    return match_marks(explanation, files, wrong)


def _read_anew(session: Session, planned: Planned) -> dict[str, SourceFile]:
    """Return the closed input files of a run, by URI, that changed on disk: not every editor sends such changes."""
    files: dict[str, SourceFile] = {}
    for name, text in planned.texts.items():
        uri = uri_of_name(name)
        known = session.closed_files().get(uri) if name not in planned.opened else None
        if known is not None and known.text != text and text_of(Path(name)) == text:
            files[uri] = SourceFile.of(text, planned.script.catalogue, most=EDITED_OPERATION)
    return files


def _stop(script: SourceFile, until: int) -> tuple[FileSpan, int]:
    """Return the span of the line at an offset, without surrounding white space, and its 1-based number."""
    line = script.position(until).line
    text, start = script.line_text(line), script.offset(Position(line, 0))
    indent = len(text) - len(text.lstrip())
    return FileSpan(start + indent, start + len(text.rstrip())), line + 1
