"""``tdls check-python``: runs programs, checks the scripts that they build, and reports findings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from tdls.cli.checking import reports
from tdls.cli.checking.configurations import Configurations
from tdls.cli.checking.file import CheckSettings
from tdls.cli.checking.invocation import exit_status
from tdls.cli.checking.options import output_options
from tdls.cli.console import console, progress
from tdls.cli.console.options import (
    catalogue_option,
    configuration_options,
    files,
    process_options,
    selection_options,
    target_option,
    trust_option,
)
from tdls.cli.console.streams import wants_colour
from tdls.cli.rendering.checked import (
    CheckedFile,
    FingerprintedFinding,
    RenderOptions,
    Tally,
    shown_file,
    warning_as_error,
)
from tdls.files.boundary import real_path
from tdls.files.selection import NOTEBOOK_SUFFIX
from tdls.interpreter.runs.model import Limits
from tdls.project.root import project_python, project_root
from tdls.python_builders.builder import build
from tdls.python_builders.findings import annotated, program_findings
from tdls.python_builders.locations import Workspace
from tdls.python_builders.model import BuildRequest, is_function
from tdls.settings.consent import refusal
from tdls.settings.model import Schedule
from tdls.settings.selection import levels, with_levels
from tdls.structs import replace
from tdls.system import find_program
from tdls.text.diagnostic import Fingerprint
from tdls.text.positions import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.cli.checking.reports import OutputPlan
    from tdls.python_builders.findings import FoundInProgram
    from tdls.python_builders.model import BuildProblem, BuildResult
    from tdls.settings.consent import Trust
    from tdls.settings.model import RuleSelection
    from tdls.settings.sources import Overrides


@click.command("check-python")
@click.argument("entry", required=False, metavar="[ENTRY]", shell_complete=files)
@click.argument("arguments", nargs=-1, metavar="[-- ARGS...]")
@output_options
@click.option("--error-on-warning", is_flag=True, help="Report warnings as errors.")
@selection_options
@click.option("--possible", is_flag=True, help="Also report what is only possible, which editors show as hints.")
@click.option(
    "--print-script",
    "prints",
    is_flag=True,
    help="Print the scripts that are built, with the lines that made each operation, in place of findings.",
)
@process_options
@configuration_options
@trust_option
@target_option
@catalogue_option
def command(
    entry: str | None,
    arguments: tuple[str, ...],
    output: OutputPlan,
    error_on_warning: bool,
    selection: RuleSelection,
    possible: bool,
    prints: bool,
    python: str | None,
    timeout: float | None,
    memory: int | None,
    overrides: Overrides,
    trust: Trust,
    catalogues: tuple[Path, ...],
) -> int:
    """Run ENTRY with MLIR's Python bindings, and check the scripts that it builds.

    ENTRY is a function, as PACKAGE.MODULE:FUNCTION, or a program, as plan.py; by default those of python.schedules
    in the settings. It is executed, confined as docs/security.md says. A program gets ARGS as its command
    line; a function gets each as a Python literal where it is one, else as text, and NAME=VALUE by its name.

    Findings are at the calls of Python that made the operations in question. All modules with transform operations
    count that are made, whether or not they are printed or returned.

    Exit status: 0 nothing found, 1 errors or warnings found, 2 wrong usage, or nothing could be run, 70 a mistake in
    tdls, 130 interrupted.
    """
    settings = CheckSettings(
        catalogues=catalogues,
        overrides=replace(overrides, trust=trust),
        selection=selection,
        possible=possible,
        errors_on_warning=error_on_warning,
    )
    options = ProgramOptions(entry, arguments, python, timeout, memory)
    check = ProgramCheck(options, settings, output)
    return check.print_scripts() if prints else check.run()


_PART_MARKER = "// -----\n"
_PYTHON = "run.python"


class ProgramOptions(NamedTuple):
    """Options for running a program, or None where the command line does not give one."""

    entry: str | None
    arguments: tuple[str, ...]
    python: str | None
    timeout: float | None
    memory: int | None


class _Built(NamedTuple):
    """The build result of one schedule, and the files that its calls may be in."""

    schedule: Schedule
    result: BuildResult
    workspace: Workspace


class ProgramCheck:
    """Runs the programs that the command line or the settings name, and reports the findings in their scripts."""

    def __init__(self, options: ProgramOptions, settings: CheckSettings, output: OutputPlan) -> None:
        """Read the settings. Raises InputError and UsageError."""
        self._options = options
        self._settings = settings
        self._output = output
        self._configurations = Configurations(settings.catalogues, settings.overrides)
        entry = options.entry
        is_file = entry is not None and not is_function(entry)
        if entry is not None and entry.endswith(NOTEBOOK_SUFFIX):
            advice = "`tdls check` checks its strings, `jupyter nbconvert --to script` makes a program of it"
            raise console.InputError(f"{entry}: a notebook is not run here; {advice}")
        self._configured = self._configurations.of(real_path(entry) if is_file and entry is not None else None)
        named = [Schedule(Path.cwd(), entry, options.arguments)] if entry is not None else None
        self._schedules = named or self._of_settings()
        self._python = self._interpreter()

    def run(self) -> int:
        """Check, and return the exit status."""
        output = self._output
        inputs = [schedule.base / schedule.entry for schedule in self._schedules if not is_function(schedule.entry)]
        outputs = reports.reports_of(output.format, output.files, inputs)
        tally = Tally()
        try:
            checked = self._checked(tally)
        finally:
            progress.end()
        options = RenderOptions(wants_colour(output.colour, sys.stdout), output.quiet)
        console.write(reports.rendered(checked, outputs, options, tally))
        return exit_status(tally, output)

    def print_scripts(self) -> int:
        """Print the built scripts, and return the exit status."""
        status = console.EXIT_CLEAN
        texts: list[str] = []
        try:
            for schedule, result, workspace in self._built():
                texts += [annotated(module, workspace, schedule.base) for module in result.modules]
                for problem in result.problems:
                    console.complain(f"{schedule.entry}: {_sentence(problem)}")
                    status = status if problem.is_later else console.EXIT_FINDINGS
        finally:
            progress.end()
        console.write([_PART_MARKER.join(texts)])
        return console.EXIT_USAGE if not texts and status else status

    def _of_settings(self) -> list[Schedule]:
        python = self._configured.settings.python
        if python.refused:
            raise console.InputError(refusal(python.refused))
        if not python.schedules:
            raise click.UsageError("name a program or function, or set python.schedules in tdls.toml")
        return list(python.schedules)

    def _interpreter(self) -> str:
        """Return the Python of the command line, else of the settings, else of the project. Raises InputError."""
        choice = self._configured.settings.run.backend_choice
        if self._options.python is not None:
            program = find_program(self._options.python)
            if program is None:
                raise console.InputError(f"{self._options.python}: no such program; a Python interpreter is needed")
            return str(Path(program).absolute())
        refused = [request for request in choice.refused if request.consent.key == _PYTHON]
        if refused:
            raise console.InputError(refusal(refused))
        return choice.python or project_python(project_root(self._schedules[0].base))

    def _built(self) -> Iterator[_Built]:
        run = self._configured.settings.run
        limits = Limits.of(run, self._options.timeout, self._options.memory)
        if not self._output.quiet:
            progress.begin("running programs")
        for schedule in self._schedules:
            progress.say(f"running {schedule.entry}")
            result = build(BuildRequest(schedule.entry, str(schedule.base), self._python, schedule.arguments, limits))
            if result.note and not self._output.quiet:
                console.complain(f"{schedule.entry}: {result.note}", level="note")
            base = real_path(schedule.base)
            program = [] if is_function(schedule.entry) else [real_path(base / schedule.entry).parent]
            roots = [project_root(folder) or folder for folder in (base, *program)]
            yield _Built(schedule, result, Workspace(roots, result.bindings))

    def _checked(self, tally: Tally) -> list[CheckedFile]:
        """Return a result for each file with calls that built scripts, then one for each schedule that failed.

        Counts failed rules in `tally`.
        """
        by_path: dict[Path, list[FoundInProgram]] = {}
        unplaced: list[CheckedFile] = []
        for schedule, result, workspace in self._built():
            findings = program_findings(result, self._configured.catalogue, workspace)
            for file in findings.files:
                by_path.setdefault(file.path, []).append(file)
            for path in workspace.files(result):
                by_path.setdefault(path, [])
            if findings.unplaced:
                reason = "; ".join(map(_sentence, findings.unplaced))
                unplaced.append(CheckedFile(schedule.entry, unreadable=reason))
            tally.add_failures(schedule.entry, findings.failures)
        return [*(self._of_file(path, files) for path, files in sorted(by_path.items())), *unplaced]

    def _of_file(self, path: Path, files: Sequence[FoundInProgram]) -> CheckedFile:
        """Return the findings of all schedules in one file."""
        configured = self._configurations.of(path)
        text = files[0].text if files else ""
        findings = dict.fromkeys(finding for file in files for finding in file.findings)
        selection, possible = self._settings.selection, self._settings.possible
        known = levels(configured.settings, path, command_line=selection, possible=possible)
        selected = with_levels(sorted(findings, key=lambda finding: finding.span), known)
        if self._settings.errors_on_warning:
            selected = list(map(warning_as_error, selected))
        lines = LineIndex(text)
        at = [lines.line_text(lines.position(each.span.start).line).strip() for each in selected]
        known_lines = zip(selected, at, strict=True)
        identified = tuple(FingerprintedFinding(each, Fingerprint(each.rule, "", line)) for each, line in known_lines)
        return CheckedFile(shown_file(path), text if identified else "", identified, configured.complaints)


def _sentence(problem: BuildProblem) -> str:
    return problem.message if problem.help is None else f"{problem.message}; {problem.help}"
