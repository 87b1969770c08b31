"""Scripts built by Python programs: run the programs on request, check the scripts, and map findings to the programs.

After a program is saved, its targets are checked again unless the setting ``run.refresh`` is off.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.ide.programs.built_scripts import BuiltScript, program_marks
from tdls.ide.programs.schedule_functions import schedule_of
from tdls.ide.run_marks import RunMarks
from tdls.interpreter.runs.model import Limits
from tdls.lsp.protocol.conversions import path_of
from tdls.lsp.protocol.run_target import RunTarget, ScheduleDocument
from tdls.lsp.runs.views import kept_file
from tdls.lsp.session.session import Kind
from tdls.project.root import project_python, project_root
from tdls.python_builders.builder import Builder
from tdls.python_builders.findings import program_findings
from tdls.python_builders.locations import Workspace
from tdls.python_builders.model import BuildRequest, BuildResult
from tdls.settings.consent import RUN_PROGRAMS, Consent, ConsentRequest, refusal
from tdls.settings.model import Schedule
from tdls.settings.selection import with_levels
from tdls.structs import NamedTuple, Struct, field, replace
from tdls.syntax.sections.boundaries import SplitMode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.documents.diagnostics import RuleFailures
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.consent import Consents
    from tdls.lsp.workspace.projects import Projects
    from tdls.python_builders.findings import ProgramFindings
    from tdls.python_builders.model import BuildProblem
    from tdls.settings.model import Settings

_REACH = "runs programs of this folder to see which scripts they build"


def consent_to_run(editor: Editor, program: Path, line: int | None) -> ConsentRequest:
    """Return the consent required to run a program; it covers its whole workspace folder.

    `line` is the 0-based line of the function to run, None if not known.
    """
    folder = folder_of(editor, program)
    return ConsentRequest(Consent.of(folder, RUN_PROGRAMS, value=True), program, line, folder, _REACH)


def folder_of(editor: Editor, program: Path) -> Path:
    """Return the workspace folder around a program, or its own folder if there is none."""
    folders = (path_of(folder.uri) for folder in editor.folders)
    around = (folder for folder in folders if folder is not None and program.is_relative_to(folder))
    return next(around, program.parent)


_PYTHON = "run.python"
_PAYLOAD = "payload.mlir"
_BUILT_PART = -1
"""Part number of marks in a program that come from its built scripts; no script has this part."""


class ScheduleTarget(NamedTuple):
    """A function of the program with the URI `program`, or all of the program if `function` is ""."""

    program: str
    function: str

    @property
    def marks(self) -> RunTarget:
        """The key of this target's marks in `MarkStore`."""
        return RunTarget(self.program, self.function, _BUILT_PART)


CANCELLED = "cancelled"
"""Detail of a check that was cancelled by the user or replaced by a newer one of the same target."""


class Check(Struct, frozen=True):
    """Outcome of a target; without a `result` it was not run, for the reason in `detail`."""

    target: ScheduleTarget
    detail: str = ""
    result: BuildResult | None = None
    scripts: tuple[BuiltScript, ...] = ()
    marks: Mapping[str, RunMarks] = field(default_factory=dict)
    """Findings by the URIs of programs, with positions in the text at the time of the run."""
    programs: Mapping[str, SourceFile] = field(default_factory=dict)
    """Programs with calls that built operations, with their text at the time of the run, by URI."""
    unplaced: tuple[BuildProblem, ...] = ()
    """Problems without a position in a program."""
    consent_requests: tuple[ConsentRequest, ...] = ()
    """Missing consents, if they are the reason why nothing was run."""


class _TargetState(Struct):
    check: Check | None = None
    builder: Builder | None = None
    """Runs the program; new for each run, as the previous one may not have ended yet."""
    task: asyncio.Task[Check] | None = None


class Schedules:
    """All targets that were checked since the server began."""

    def __init__(
        self,
        session: Session,
        configuration: Configuration,
        consents: Consents,
        projects: Projects,
        rule_failures: RuleFailures,
    ) -> None:
        self._session = session
        self._configuration = configuration
        self._consents = consents
        self._projects = projects
        self._rule_failures = rule_failures
        self._states: dict[ScheduleTarget, _TargetState] = {}
        session.follow(Kind.SAVED, self._file_saved)
        session.follow(Kind.MARKS, self._marks_changed)

    async def check(self, target: ScheduleTarget, line: int | None = None) -> Check:
        """Run a target and check the scripts that it builds; a running check of the same target is cancelled.

        `line` is the 0-based line shown when asking for consent. Never raises; cancelling this ends the run.
        """
        state = self._states.setdefault(target, _TargetState())
        task = self._start(target, state, line)
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            raise
        return Check(target, CANCELLED) if task.cancelled() else task.result()

    def text(self, document: ScheduleDocument) -> str:
        """Return the text of a built script; a comment with instructions if it is no longer known."""
        script = self._session.built.by_uri.get(document.uri)
        return script.file.text if script is not None else "// Check the schedule again to see its script here.\n"

    def _marks_changed(self, uri: str) -> None:
        """Show the marks of a built script at the calls that built the marked operations."""
        for state in self._states.values() if uri in self._session.built.by_uri else ():
            if state.check is not None and any(script.uri == uri for script in state.check.scripts):
                self._mark(state.check)

    def _file_saved(self, uri: str) -> None:
        """Check the targets again that use the program with this URI, unless the setting ``run.refresh`` is off."""
        for target, state in self._states.items():
            known = state.check
            if known is None or known.result is None or not (uri == target.program or uri in known.programs):
                continue
            if self._configuration.settings(target.program).run.refresh != "off":
                self._start(target, state, None)

    def close(self) -> None:
        """Cancel all checks and running programs."""
        for state in self._states.values():
            if state.task is not None:
                state.task.cancel()
            if state.builder is not None:
                state.builder.cancel()

    def _start(self, target: ScheduleTarget, state: _TargetState, line: int | None) -> asyncio.Task[Check]:
        if state.task is not None:
            state.task.cancel()
        state.task = asyncio.get_running_loop().create_task(self._check(target, state, line))
        return state.task

    async def _check(self, target: ScheduleTarget, state: _TargetState, line: int | None) -> Check:
        program = path_of(target.program)
        if program is None:
            return Check(target, "the program is in no file yet: save it first")
        settings = await self._configuration.for_run(target.program)
        of_python = [request for request in settings.run.backend_choice.refused if request.consent.key == _PYTHON]
        questions = [consent_to_run(self._session.editor, program, line), *settings.python.refused, *of_python]
        refused = self._consents.trust.refused(questions)
        if refused:
            return Check(target, refusal(refused), consent_requests=tuple(refused))
        folder = folder_of(self._session.editor, program)
        request = build_request(target, program, settings)
        result = await self._built(state, request)
        check = await asyncio.to_thread(self._read, target, result, folder)
        if settings.python.payload is not None and check.scripts:
            check = await self._with_payload(check, state, settings.python.payload, request)
        self._take(state, check)
        return check

    async def _with_payload(self, check: Check, state: _TargetState, payload: Schedule, request: BuildRequest) -> Check:
        """Return `check` with the payload that the function ``python.payload`` of the settings returns."""
        payload_request = replace(
            request, entry=payload.entry, folder=str(payload.base), arguments=payload.arguments, returns_payload=True
        )
        result = await self._built(state, payload_request)
        if result.payload is None:
            problem = next(iter(result.problems), None)
            reason = problem.message.partition("\n")[0] if problem is not None else "nothing came of it"
            return replace(check, detail=check.detail or f"python.payload: {payload.entry}: {reason}")
        file = await asyncio.to_thread(kept_file, payload.entry, _PAYLOAD, result.payload)
        return replace(check, scripts=tuple(replace(script, payload=file) for script in check.scripts))

    async def _built(self, state: _TargetState, request: BuildRequest) -> BuildResult:
        builder = state.builder = Builder()
        running = asyncio.get_running_loop().run_in_executor(None, builder.build, request)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            builder.cancel()
            raise

    def _read(self, target: ScheduleTarget, result: BuildResult, folder: Path) -> Check:
        """Return the scripts that a program of `folder` built, and the findings in them."""
        catalogue = self._projects.catalogue(target.program)
        workspace = Workspace([folder], result.bindings)
        checked = program_findings(result, catalogue, workspace)
        self._rule_failures.report(target.program, checked.failures)
        workspace.files(result)  # afterwards it knows all programs of the result
        programs = {
            path.as_uri(): SourceFile.of(text, catalogue, split=SplitMode.PYTHON)
            for path, text in workspace.texts.items()
        }
        scripts = tuple(
            BuiltScript(
                ScheduleDocument(target.program, target.function, number).uri, script, module, workspace, programs
            )
            for number, (module, script) in enumerate(zip(result.modules, checked.scripts, strict=True))
        )
        marks = self._marks(checked, path_of(target.program))
        return Check(target, _detail(result, checked), result, scripts, marks, programs, unplaced=checked.unplaced)

    def _marks(self, checked: ProgramFindings, program: Path | None) -> dict[str, RunMarks]:
        """Return the findings of each file, at the rule levels of its settings; those in helpers in `program`, too."""
        findings = {file.path: list(file.findings) for file in checked.files}
        if program is not None and program in checked.at_calls:
            findings[program] = [*findings.get(program, ()), *checked.at_calls[program]]
        levels = {path: self._configuration.levels(path.as_uri()) for path in findings}
        return {path.as_uri(): RunMarks(tuple(with_levels(own, levels[path]))) for path, own in findings.items()}

    def _take(self, state: _TargetState, check: Check) -> None:
        """Replace the previous check of a target, its scripts and its marks."""
        session = self._session
        former = [script.uri for script in state.check.scripts] if state.check is not None else []
        state.check = check
        session.built = session.built.replaced(former, check.scripts)
        for uri in former:
            session.files.pop(uri, None)
        session.files.update(check.programs)
        session.files.update((script.uri, script.file) for script in check.scripts)
        self._mark(check)
        for uri in {*former, *(script.uri for script in check.scripts)}:
            session.changed(uri, Kind.BUILT)

    def _mark(self, check: Check) -> None:
        """Publish the marks of programs whose text is unchanged since the run."""
        session, marks = self._session, dict(check.marks)
        for script in check.scripts:
            for uri, of_run in program_marks(script, session.marks.of(script.uri)).items():
                marks[uri] = marks.get(uri, RunMarks()).with_those_of(of_run)
        present = {}
        for uri, mark in marks.items():
            program = session.file(uri)
            if program is not None and program.text == check.programs[uri].text:
                present[uri] = mark
        for uri in session.marks.put(check.target.marks, present):
            session.changed(uri, Kind.MARKS)


def build_request(target: ScheduleTarget, program: Path, settings: Settings) -> BuildRequest:
    """Return the request to run a target with the arguments of the settings; `program` is its file."""
    run = settings.run
    schedule = schedule_of(settings, program, target.function) or _without_arguments(program, target.function)
    python = run.backend_choice.python or project_python(project_root(schedule.base))
    limits = Limits.of(run)
    return BuildRequest(schedule.entry, str(schedule.base), python, schedule.arguments, limits)


def _without_arguments(program: Path, function: str) -> Schedule:
    """Return the entry for a function, or the whole program, without arguments; packages are imported by name."""
    if not function:
        return Schedule(program.parent, str(program))
    folder = program.parent
    while os.path.isfile(folder / "__init__.py") and folder != folder.parent:
        folder = folder.parent
    module = ".".join(program.relative_to(folder).with_suffix("").parts)
    return Schedule(folder, f"{module}:{function}")


def _detail(result: BuildResult, checked: ProgramFindings) -> str:
    """Return the first problem that kept a program from building its scripts, in one line, or ""."""
    problem = next((each for each in (*checked.unplaced, *result.problems) if not each.is_later), None)
    return problem.message.partition("\n")[0] if problem is not None else ""
