"""``tdls check --run``: runs scripts with MLIR's interpreter, and turns its diagnostics into findings.

MLIR only reads a file with nothing to run, such as one without a script.
"""

from __future__ import annotations

import atexit
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules import failing_on_reading
from tdls.analysis.rules.checking.reported_elsewhere import FAILED_RUN
from tdls.analysis.suppression.silencing import not_silenced
from tdls.cli.rendering.checked import shown_file
from tdls.cli.rendering.trace.text import trace_place
from tdls.ide.runs.reading import joined, read_anyway, refuted, rejected
from tdls.ide.runs.run_report import findings_of, marks_of, mentioned, summary, unreported
from tdls.interpreter.backend import Backend, open_backend
from tdls.interpreter.errors import BackendError, PlanError
from tdls.interpreter.matching.explanation import ENDED_BY_ITSELF, explained
from tdls.interpreter.observing.likely_reasons import without_likely_reasons
from tdls.interpreter.reading import Reader
from tdls.interpreter.recording.suppressed import suppressed_failures
from tdls.interpreter.runs.entry_points import entry_points
from tdls.interpreter.runs.model import Limits, RunLevel, Status
from tdls.interpreter.runs.pipeline import reproduction
from tdls.interpreter.runs.plan import EntryPointError, RunOptions, has_payload, plan
from tdls.interpreter.runs.script import Script
from tdls.settings.paths import named_libraries, named_payload
from tdls.structs import replace
from tdls.text.diagnostic import Diagnostic
from tdls.text.level import Level
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.cli.checking.configurations import Configured
    from tdls.cli.checking.targets import CheckTarget
    from tdls.interpreter.runs.entry_points import EntryPoint
    from tdls.interpreter.runs.model import RunDiagnostic, RunRequest, RunResult
    from tdls.settings.model import BackendChoice, Settings

_RULE = FAILED_RUN
_BINDING = "debug-bind-trailing-args"
"""The option of a `RUN:` line that binds the further arguments of the entry point."""
_REPORTED_LEVELS = (Level.ERROR, Level.WARNING)


class RunFindings(NamedTuple):
    """The findings of the runs of a file's parts; no part was run where `is_run` is false.

    `refuted` are findings of rules by which MLIR cannot read a part, though it did; `confirmed` have notes with its
    words.
    """

    findings: list[Diagnostic]
    is_run: bool
    refuted: tuple[Diagnostic, ...] = ()
    confirmed: tuple[Diagnostic, ...] = ()
    read_by: str = ""
    """The version of MLIR that read a file without running any of it, "" if none did."""


class ScriptRuns:
    """Runs the scripts of an invocation one by one. Each backend is opened once, and ends with the process."""

    def __init__(self, *, as_mlir: bool = False, requires_matches: bool = False) -> None:
        """With `as_mlir`, failures are reported where MLIR reports them, not where the script failed.

        With `requires_matches`, an operation that looks for payload and finds none is an error.
        """
        self._as_mlir = as_mlir
        self._requires_matches = requires_matches
        self._backends: dict[BackendChoice, Backend | BackendError] = {}
        self._readers: dict[BackendChoice, Reader] = {}

    def look(
        self, target: CheckTarget, file: SourceFile, configured: Configured, reported: Sequence[Diagnostic]
    ) -> RunFindings:
        """Run the parts of a file that have a payload and an entry point.

        Leaves out diagnostics of MLIR that comments silence, or that repeat findings of `reported`, which have places
        in `file`. Raises BackendError if no backend can run scripts.
        """
        path = target.path.absolute() if target.path is not None else None
        script = Script.of(str(path or target.name), file)
        try:
            requests = [request for request in plan(script, path, _options(configured)) if _has_all(file, request)]
        except EntryPointError:
            return RunFindings([], is_run=False)
        except PlanError as error:
            problem = Diagnostic(_RULE.name, _RULE.level, str(error), FileSpan(0, 0))
            return RunFindings(not_silenced(file, [problem]), is_run=False)
        choice = configured.settings.run.backend_choice
        if not requests:
            return self._read(file, script.name, choice, _options(configured).limits, reported)
        results = [(self._run(choice, request), request) for request in requests]
        findings = [
            finding for result, request in results for finding in _findings_of_run(result, request, file, reported)
        ]
        for result, request in results:
            findings += self._suppressed(choice, result, request, file)
        findings = [_traceable(finding, file, target) for finding in findings]
        wrong = [finding for result, request in results for finding in refuted(reported, file, result, request.part)]
        return RunFindings(not_silenced(file, findings), True, tuple(wrong))

    def _read(
        self, file: SourceFile, name: str, choice: BackendChoice, limits: Limits, reported: Sequence[Diagnostic]
    ) -> RunFindings:
        """Let MLIR read a file with nothing to run; where there is no MLIR, only tdls has read it."""
        reader = self._readers.setdefault(choice, Reader(is_own=choice.backend is not None))
        try:
            reading = reader.read(file, name, self._opened(choice), limits)
        except BackendError:
            return RunFindings([], is_run=False)
        left, both = joined(rejected(reading, file, name), file, reported)
        findings = [replace(finding, rule=_RULE.name) for finding in left if finding.level in _REPORTED_LEVELS]
        wrong = tuple(read_anyway(file, reading))
        return RunFindings(not_silenced(file, findings), False, wrong, tuple(both), reading.mlir)

    def _opened(self, choice: BackendChoice) -> Backend:
        """Return the backend of `choice`. Raises BackendError, and the same one again."""
        known = self._backends.get(choice)
        if isinstance(known, BackendError):
            raise known
        if known is None:
            try:
                known = self._backends[choice] = open_backend(choice)
            except BackendError as error:
                self._backends[choice] = error
                raise
            atexit.register(known.close)
        return known

    def _run(self, choice: BackendChoice, request: RunRequest) -> RunResult:
        """Run one request. Raises BackendError, and the same one again for later requests to this backend."""
        known = self._opened(choice)
        try:
            result = known.run(request)
            result = replace(result, diagnostics=(*result.diagnostics, *self._unmet(result, request, known)))
            if not self._as_mlir:
                return result
            return replace(result, executing=(), diagnostics=without_likely_reasons(result.diagnostics))
        except BackendError as error:
            self._backends[choice] = error
            raise

    def _suppressed(
        self, choice: BackendChoice, result: RunResult, request: RunRequest, file: SourceFile
    ) -> Iterator[Diagnostic]:
        """Yield a remark at each operation of `file` whose failure the run suppressed."""
        backend = self._backends.get(choice)
        if self._as_mlir or result.status not in ENDED_BY_ITSELF or not isinstance(backend, Backend):
            return
        name = request.script.name
        findings = findings_of(suppressed_failures(request, backend), {name: file}, name, FileSpan(0, 0))
        for finding in findings.get(name, ()):
            yield replace(finding, rule=_RULE.name)

    def _unmet(self, result: RunResult, request: RunRequest, backend: Backend) -> list[RunDiagnostic]:
        """Return an error for each search that found no payload; runs again where matches are required."""
        if not self._requires_matches or result.status not in ENDED_BY_ITSELF:
            return []
        searches = (search for search in explained(request, backend).nothing if search.looks_for_payload)
        return [replace(search.remark, level=RunLevel.ERROR) for search in searches]


def _options(configured: Configured) -> RunOptions:
    settings: Settings = configured.settings
    return RunOptions(
        project_libraries=tuple(Path(shown_file(path)) for path in named_libraries(settings.libraries)[0]),
        project_payload=named_payload(settings.payload),
        emits=frozenset(),
        limits=Limits.of(settings.run),
    )


def _has_all(file: SourceFile, request: RunRequest) -> bool:
    """Return whether the request has an entry point and a payload."""
    in_others = any(f"@{request.entry_point}" in other.text for other in request.others)
    is_bound = any(name == _BINDING for name, _ in request.options) and f"@{request.entry_point}" in file.text
    has_entry = in_others or is_bound or _entry(file, request) is not None
    return has_entry and has_payload(request)


def _entry(file: SourceFile, request: RunRequest) -> EntryPoint | None:
    points = (point for point in entry_points(file) if point.part == request.part)
    return next((point for point in points if point.name == request.entry_point), None)


def _mentioned_files(result: RunResult, request: RunRequest) -> dict[str, SourceFile]:
    """Return the other files that `result` mentions."""
    names = mentioned(result)
    catalogue = request.script.catalogue
    return {other.name: SourceFile.of(other.text, catalogue) for other in request.others if other.name in names}


def _findings_of_run(
    result: RunResult, request: RunRequest, file: SourceFile, reported: Sequence[Diagnostic]
) -> Iterator[Diagnostic]:
    """Yield the findings of `result` that do not repeat those of `reported`."""
    entry = _entry(file, request)
    begin = entry.span if entry is not None else FileSpan(0, 0)
    name = request.script.name
    marks = marks_of(result, {name: file}, name, begin, reproduction(request), _mentioned_files(result, request))[name]
    findings = [finding for finding in marks.findings if finding.level in _REPORTED_LEVELS]
    if not findings and result.status is not Status.SUCCESS:
        findings = [Diagnostic(_RULE.name, Level.ERROR, summary(result), begin)]
    in_part = [finding for finding in reported if file.context_at(finding.span.start).part == request.part]
    if result.status is Status.INVALID and any(finding.rule in failing_on_reading() for finding in in_part):
        return
    placed = [
        finding for finding in findings if result.status in (*ENDED_BY_ITSELF, Status.INVALID) and finding.span != begin
    ]
    others = [finding for finding in findings if finding not in placed]
    for finding in (*others, *unreported(placed, file, in_part)):
        yield replace(finding, rule=_RULE.name)


def _traceable(finding: Diagnostic, file: SourceFile, target: CheckTarget) -> Diagnostic:
    """Return a finding with the command that shows the payload before the step that failed."""
    if finding.failed_step is None:
        return finding
    if target.path is None:
        return replace(finding, failed_step=None)
    line, column = file.position(finding.span.start)
    at = trace_place(line + 1, column + 1, finding.failed_step.execution)
    command = f"'tdls trace {target.name} --at {at}' shows the payload right before that"
    return replace(finding, help=command if finding.help is None else f"{finding.help}\n{command}")
