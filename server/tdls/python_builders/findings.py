"""Findings in the scripts that a program builds, at the calls of Python that make their operations.

Only findings on the behaviour of a script count. Problems that keep MLIR from reading a script are reported by MLIR's
own verifier on the built modules, and the spelling of the text comes from MLIR's printer.
"""

from __future__ import annotations

import contextlib
import io
import re
import tokenize
from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import check_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules import COMMENT_RULES, find_rule, rule_of
from tdls.analysis.suppression.directives import MARK
from tdls.analysis.suppression.suppressions import suppressions_of
from tdls.catalogue.catalogue import Catalogue
from tdls.limits import NOTES
from tdls.python_builders.model import ProblemKind
from tdls.python_builders.registered import not_understood, with_registered
from tdls.python_builders.successors import Successors
from tdls.semantic.model import operation_at
from tdls.structs import NamedTuple, field, replace
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.diagnostic import Diagnostic, Fix, Note, Subject, TextEdit
from tdls.text.level import Level
from tdls.text.positions import LineIndex, Position
from tdls.text.printable import printable
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from tdls.analysis.checking.file_findings import RuleFailure
    from tdls.analysis.file.context import Context
    from tdls.python_builders.locations import CallPlace, Workspace
    from tdls.python_builders.model import BuildProblem, BuildResult, BuiltModule, Stack
    from tdls.python_builders.successors import Named

_COLUMN = 80
"""Width to which lines are padded before a comment."""


def annotated(module: BuiltModule, workspace: Workspace, folder: Path) -> str:
    """Return the text of `module` with a comment at each line that names the calls that made the operation there.

    Paths are relative to `folder` where they are below it. The text stays a valid script.
    """
    lines = module.text.rstrip("\n").split("\n")
    return "".join(f"{_with_comment(line, row, module, workspace, folder)}\n" for row, line in enumerate(lines))


def _with_comment(line: str, row: int, module: BuiltModule, workspace: Workspace, folder: Path) -> str:
    places = workspace.places(module.stack_of_row(row))
    if not places:
        return line
    called = []
    for place in places:
        path = place.path.relative_to(folder) if place.path.is_relative_to(folder) else place.path
        called.append(printable(f"{path}:{workspace.line(place)}"))
    return f"{line.rstrip():{_COLUMN}} // {' < '.join(called)}"


FAILED_BUILD = "failed-build"
"""Rule name of findings on the program itself."""
MLIR = "mlir"
"""Rule name of findings by MLIR itself."""
_VALUE = re.compile(r"%[\w$.-]{1,200}(?:#\d{1,9})?")
CALLED = "called from here"
"""Message of notes at the calls around the call of a finding."""
_AND_CALLED = "which is called from here"
_IN_CALL = "in what is called here"
"""Message of the note at the innermost call of a finding that is at a call around it."""


class FoundInProgram(NamedTuple):
    """The findings in one file of a program, in the order of its text."""

    path: Path
    text: str
    findings: tuple[Diagnostic, ...]


class ProgramFindings(NamedTuple):
    """All findings of a program by file, and problems without a place in a file of the workspace."""

    files: tuple[FoundInProgram, ...]
    unplaced: tuple[BuildProblem, ...] = ()
    scripts: tuple[SourceFile, ...] = ()
    """The built modules, in their order, as source files for analysis."""
    failures: tuple[RuleFailure, ...] = ()
    """The rules that failed in one of them, each once."""
    at_calls: Mapping[Path, Sequence[Diagnostic]] = field(default_factory=dict)
    """The findings in helpers of other files, at the first call in a file that led to them."""


def read_module(module: BuiltModule, catalogue: Catalogue) -> SourceFile:
    """Return a built module as a source file for analysis."""
    return SourceFile.of(module.text, catalogue, split=SplitMode.NEVER)


def stack_at(file: SourceFile, module: BuiltModule, offset: int) -> Stack:
    """Return the calls that made the innermost operation at `offset` of `file`, the text of `module`; () if unknown."""
    context = file.context_at(offset)
    operation = operation_at(context.model, context.to_local(offset))
    start = context.to_file(operation.span).start if operation is not None else offset
    return module.stack_of_row(file.position(start).line)


class ProgramNames:
    """The names of handles in a program that built the script `file`, the text of `module`."""

    def __init__(self, workspace: Workspace, file: SourceFile, module: BuiltModule) -> None:
        self._workspace = workspace
        self._file = file
        self._module = module
        self._sources = Successors()
        self._known: dict[int, dict[str, str]] = {}
        """The names by those in the script, for each of its sections by index."""

    def told(self, message: str, offset: int) -> str:
        """Return `message` about the script at `offset` with the program's names in place of the script's."""
        if _VALUE.search(message) is None:
            return message
        context = self._file.context_at(offset)
        if context.index not in self._known:
            self._known[context.index] = dict(self._names(context))
        return _VALUE.sub(lambda found: self._known[context.index].get(found[0], found[0]), message)

    def _names(self, context: Context) -> Iterator[tuple[str, str]]:
        for operation in context.model.walk() if context.mentions_transform else ():
            start = context.to_file(operation.span).start
            stack = self._module.stack_of_row(self._file.position(start).line) if operation.results else ()
            places = self._workspace.places(stack) if self._workspace.is_direct(stack) else []
            for result in operation.results if places else ():
                name = self._sources.name(result, places, self._workspace.texts)
                if name is not None:
                    yield result.shown, name


def program_findings(result: BuildResult, catalogue: Catalogue, workspace: Workspace) -> ProgramFindings:
    """Return the findings on a program and in the scripts that it built, at its calls in the workspace."""
    placer = _Placer(result, workspace)
    for problem in result.problems:
        placer.place_problem(problem)
    catalogue = with_registered(catalogue, result.operations)
    scripts = tuple(read_module(module, catalogue) for module in result.modules)
    failures: dict[str, RuleFailure] = {}
    for module, file in zip(result.modules, scripts, strict=True):
        findings, names = check_file(file), ProgramNames(workspace, file, module)
        failures |= {failure.rule: failure for failure in findings.failures}
        for finding in findings.reported:
            if not _is_left_out(finding.rule) and finding.tag is None and finding.subject is Subject.SCRIPT:
                placer.place_finding(finding, file, module, names)
        for unknown in not_understood(file, result.operations):
            message = f"nothing is said about the handles of `{unknown.name}`: {unknown.reason}"
            span = FileSpan(unknown.offset, unknown.offset)
            hint = Diagnostic("unknown-extension-operation", Level.HINT, message, span)
            placer.place_finding(hint, file, module, names)
    return placer.all()._replace(scripts=scripts, failures=tuple(failures.values()))


def _is_left_out(name: str) -> bool:
    """Whether a rule says nothing of programs."""
    rule = rule_of(name)
    is_left_out = rule.fails_on_reading or name in COMMENT_RULES
    return is_left_out or name == "library-not-named"


class _Placer:
    """Collects findings at their places; equal findings at the same calls are kept once."""

    def __init__(self, result: BuildResult, workspace: Workspace) -> None:
        self._first = (result.first,) if result.first is not None else ()
        self._workspace = workspace
        self._found: dict[Path, dict[object, Diagnostic]] = {}
        self._at_calls: dict[Path, dict[object, Diagnostic]] = {}
        self._unplaced: list[BuildProblem] = []
        self._successors = Successors()
        self._comments: dict[Path, SourceFile] = {}
        """The comments of programs, as those of scripts."""

    def all(self) -> ProgramFindings:
        files: list[FoundInProgram] = []
        for path, findings in sorted(self._found.items()):
            once = _without_repeated_failures(findings.values())
            ordered = sorted(once, key=lambda finding: (finding.span, finding.rule, finding.message))
            files.append(FoundInProgram(path, self._workspace.text(path), tuple(ordered)))
        at_calls = {path: [*_without_repeated_failures(findings.values())] for path, findings in self._at_calls.items()}
        return ProgramFindings(tuple(files), tuple(self._unplaced), at_calls=at_calls)

    def place_finding(self, finding: Diagnostic, file: SourceFile, module: BuiltModule, names: ProgramNames) -> None:
        """Place a finding in the script `module`; without a call in the workspace, at the first line of the program."""
        stack = stack_at(file, module, finding.span.start)
        places = self._workspace.places(stack) or self._workspace.places(self._first)
        if not places:
            return
        notes = [
            (names.told(note.message, note.span.start), stack_at(file, module, note.span.start))
            for note in finding.notes
            if note.path is None and note.span != finding.span
        ]
        named, start = self._named(finding, file, module, places), finding.span.start
        help_line = named[0] if named is not None else names.told(finding.help or "", start) or None
        message = names.told(finding.message, start)
        self._add(replace(finding, message=message, fixes=(), help=help_line), places, notes, named)

    def _named(
        self, finding: Diagnostic, file: SourceFile, module: BuiltModule, places: list[CallPlace]
    ) -> tuple[str, Named] | None:
        """Return how the program names the handle that the best fix uses in place of a consumed one, if it is known."""
        edits = finding.fixes[0].edits if finding.fixes else ()
        if len(edits) != 1 or edits[0].span != finding.span:
            return None
        noted = {note.span for note in finding.notes}
        context = file.context_at(finding.span.start)
        for operation in context.model.walk():
            successor = next((result for result in operation.results if result.shown == edits[0].new_text), None)
            if successor is None or context.to_file(operation.location) not in noted:
                continue
            stack = stack_at(file, module, context.to_file(operation.location).start)
            consumer = self._workspace.places(stack)
            if not consumer or not self._workspace.is_direct(stack):
                return None
            named = self._successors.named(successor, consumer, places, self._workspace.text(consumer[0].path))
            if named is None:
                return None
            use = named.use
            line = self._workspace.line(use)
            where = "" if use == places[0] else f"in the call at {printable(use.path.name)}:{line}, "
            returned = f"the handle that `{operation.name}` returned at line {named.line}"
            return f"{where}use `{named.expression}`, {returned}, or match again", named
        return None

    def place_problem(self, problem: BuildProblem) -> None:
        """Place a problem of the program or of MLIR's verifier."""
        places = self._workspace.places(problem.stack) or self._workspace.places(self._first)
        if not places:
            self._unplaced += [problem] if not problem.is_later else []
            return
        rule = MLIR if problem.kind is ProblemKind.VERIFIER else FAILED_BUILD
        level = Level.HINT if problem.is_later else Level.ERROR
        finding = Diagnostic(rule, level, problem.message, places[0].span, help=problem.help)
        self._add(finding, places, [(note.message, note.stack) for note in problem.notes])

    def _add(
        self,
        finding: Diagnostic,
        places: list[CallPlace],
        notes: Sequence[tuple[str, Stack]],
        named: tuple[str, Named] | None = None,
    ) -> None:
        """Add a finding at the first of `places`, and for each other file at the first place there."""
        if any(self._is_silenced(finding, place) for place in places):
            return
        first: dict[Path, CallPlace] = {}
        for place in places:
            first.setdefault(place.path, place)
        for place in first.values():
            others = [other for other in places if other != place]
            related = [_note(_IN_CALL, places[0], place.path)] if place != places[0] else []
            related += (note for message, stack in notes for note in self._notes(message, stack, [place, *others]))
            related += (_note(CALLED, caller, place.path) for caller in others if caller != places[0])
            fixes = _fixes(named[1]) if named is not None and named[1].use.path == place.path else ()
            placed = replace(finding, span=place.span, notes=tuple(related[: NOTES.most]), fixes=fixes)
            findings = (self._found if place == places[0] else self._at_calls).setdefault(place.path, {})
            findings.setdefault(_identity(placed), placed)

    def _is_silenced(self, finding: Diagnostic, place: CallPlace) -> bool:
        """Return whether a comment of the program silences a finding at one of its calls: ``# tdls: ignore[rule]``."""
        text = self._workspace.text(place.path)
        if MARK not in text:
            return False
        script = self._comments.get(place.path)
        if script is None:
            lines = "\n".join(_as_script(text))
            script = self._comments[place.path] = SourceFile.of(lines, Catalogue(()), split=SplitMode.NEVER)
        start = script.offset(Position(self._workspace.line(place) - 1, 0))
        moved = replace(finding, span=FileSpan(start, start))
        return suppressions_of(script).silencing(script, moved) is not None

    def _notes(self, message: str, stack: Stack, places: list[CallPlace]) -> Iterator[Note]:
        """Yield a note at its place, and notes at the calls around that, without those around the finding itself."""
        own = self._workspace.places(stack)
        if not own:
            yield _note(message, places[0], places[0].path)
            return
        yield _note(message, own[0], places[0].path)
        yield from (_note(_AND_CALLED, caller, places[0].path) for caller in own[1:] if caller not in places)


def _fixes(named: Named) -> tuple[Fix, ...]:
    if named.argument is None:
        return ()
    return (Fix(f"Use `{named.expression}`", (TextEdit(named.argument, named.expression),)),)


def _without_repeated_failures(findings: Collection[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield one of MLIR's error at a call and of what a rule says of it: the rule's if that is certain."""
    failures = {finding.span for finding in findings if finding.rule == MLIR}
    rules = {finding.rule: find_rule(finding.rule) for finding in findings}
    failing = [each for each in findings if (rule := rules[each.rule]) is not None and not rule.is_silent]
    known = {finding.span for finding in failing if finding.level is not Level.HINT}
    possible = {id(each) for each in failing if each.level is Level.HINT and each.span in failures - known}
    return (each for each in findings if id(each) not in possible and (each.rule != MLIR or each.span not in known))


def _as_script(text: str) -> list[str]:
    """Return the lines of a program with its comments as those of a script, and one letter for code before them."""
    lines = LineIndex(text)
    lines_of_script = ["x" if lines.line_text(number).strip() else "" for number in range(lines.line_count)]
    with contextlib.suppress(tokenize.TokenError, SyntaxError):  # of a file that changed since the program ran
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start[0] - 1, token.start[1]
                code = "x " if token.line[:column].strip() else ""
                lines_of_script[row] = f"{code}//{token.string[1:]}"
    return lines_of_script


def _note(message: str, place: CallPlace, path: Path) -> Note:
    return Note(message, place.span, place.path if place.path != path else None)


def _identity(finding: Diagnostic) -> object:
    """Return a key that findings with the same place and text share, ignoring the names of values in the script.

    An error of MLIR is one, however many scripts have it, and whether or not the program saw it, too.
    """
    notes = tuple((note.path, note.span, _VALUE.sub("%", note.message)) for note in finding.notes)
    notes = () if finding.rule == MLIR else notes
    return finding.rule, finding.span, _VALUE.sub("%", finding.message), notes
