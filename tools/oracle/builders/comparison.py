"""Compares the lines at which tdls places operations of programs with Python's lines as it makes them."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections import Counter
from functools import wraps
from operator import eq
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.runs.model import Limits
from tdls.python_builders.builder import build
from tdls.python_builders.findings import MLIR, program_findings, read_module, stack_at
from tdls.python_builders.locations import Workspace
from tdls.python_builders.model import BuildRequest
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from oracle.builders.programs import GeneratedProgram
    from tdls.python_builders.model import BuildResult, BuiltModule

NO_MISTAKE = "no mistake"
_ALL = "all_plans"
_SECONDS = 120.0
_CERTAIN = (Level.ERROR, Level.WARNING)


class Line(NamedTuple):
    """A line of a file."""

    file: str
    line: int


class Compared(NamedTuple):
    """Counts of compared operations and findings of programs; `differences` are messages for people."""

    operations: Counter[str]
    """By style."""
    same: Counter[str]
    programs: Counter[str]
    """By kind of mistake, `NO_MISTAKE` for those that are right."""
    found: Counter[str]
    """Programs with findings at the lines of their mistake and no others."""
    reported_differently: int
    """Findings that are not those of the printed script at the lines that Python says."""
    differences: tuple[str, ...]


def compared(programs: Sequence[GeneratedProgram], folder: Path, package: str) -> Compared:
    """Write `programs` to the empty `folder`, run all of them by tdls and here, and compare."""
    _write(programs, folder)
    result = build(BuildRequest(f"{_ALL}:build", str(folder), sys.executable, limits=Limits(seconds=_SECONDS)))
    if not result.is_complete or len(result.modules) != len(programs):
        raise RuntimeError(f"the programs did not run: {result.problems}")
    made = _by_python([program.name for program in programs], folder, package)
    workspace = Workspace([folder], result.bindings)
    operations, same, kinds, found_right = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    differences: list[str] = []
    expected_findings: set[tuple[Line, str]] = set()
    for program, module in zip(programs, result.modules, strict=True):
        found, expected = list(_by_tdls(module, workspace)), made[program.name]
        operations[program.style] += len(expected)
        same[program.style] += sum(map(eq, found, expected))
        if found != expected:
            differences.append(f"{program.name} ({program.style}): {found} instead of {expected}")
        expected_findings |= set(_expected_findings(module, expected))
    reported = _reported(result, workspace)
    for program in programs:
        lines = {tuple(line) for line, _rule in reported if line.file in program.files}
        kind = program.mistake or NO_MISTAKE
        kinds[kind] += 1
        found_right[kind] += lines == program.wrong_lines
        if lines != program.wrong_lines:
            wrong = f"{kind} in {program.wrong_lines}" if program.mistake else kind
            differences.append(f"{program.name} ({program.style}): {wrong}, findings in {lines}")
    others = {each for each in reported if each[1] != MLIR} ^ expected_findings
    differences += [f"reported differently: {each}" for each in others]
    return Compared(operations, same, kinds, found_right, len(others), tuple(differences))


def _write(programs: Sequence[GeneratedProgram], folder: Path) -> None:
    for program in programs:
        for name, text in program.files.items():
            (folder / name).write_text(text, encoding="utf-8")
    imports = "".join(f"import {program.name}\n" for program in programs)
    builds = ", ".join(f"{program.name}.build()" for program in programs)
    (folder / f"{_ALL}.py").write_text(f"{imports}\n\ndef build():\n    return [{builds}]\n", encoding="utf-8")


def _reported(result: BuildResult, workspace: Workspace) -> set[tuple[Line, str]]:
    """Return the rules of tdls's errors and warnings in the programs, with their lines."""
    return {
        (Line(file.path.name, file.text.count("\n", 0, finding.span.start) + 1), finding.rule)
        for file in program_findings(result, Catalogue.shipped(), workspace).files
        for finding in file.findings
        if finding.level in _CERTAIN
    }


def _by_tdls(module: BuiltModule, workspace: Workspace) -> Iterator[tuple[str, Line]]:
    """Yield the operations of a module in the order of its text, with the innermost line that tdls has for each."""
    file = read_module(module, Catalogue.shipped())
    for context in file.contexts:
        for operation in context.model.walk():
            offset = context.to_file(operation.span).start
            place = workspace.places(stack_at(file, module, offset))[0]
            yield operation.name or "", Line(place.path.name, workspace.line(place))


def _expected_findings(module: BuiltModule, made: Sequence[tuple[str, Line]]) -> Iterator[tuple[Line, str]]:
    """Yield the warnings in the printed script, at the lines of Python that made the operations."""
    file = read_module(module, Catalogue.shipped())
    starts = {
        context.to_file(operation.span).start: number
        for number, (context, operation) in enumerate(
            (context, operation) for context in file.contexts for operation in context.model.walk()
        )
    }
    for finding in findings_in_file(file):
        if finding.level is Level.WARNING:
            start = max(start for start in starts if start <= finding.span.start)
            yield made[starts[start]][1], finding.rule


def _by_python(names: Iterable[str], folder: Path, package: str) -> dict[str, list[tuple[str, Line]]]:
    """Build each script here, and return its operations with the innermost line of `folder` in Python's own stack."""
    ir: Any = importlib.import_module(f"{package}.ir")
    made: list[tuple[Any, Line]] = []
    initialize, create, create_operation = ir.OpView.__init__, ir.Module.create, ir.Operation.create

    operations: dict[str, list[tuple[str, Line]]] = {}

    def note(operation: Any) -> None:
        """Record the line of a program that made an operation; for a view of an older one the stack has no program."""
        frames = [frame for frame in traceback.extract_stack() if Path(frame.filename).parent == folder]
        if frames:
            made.append((operation, Line(Path(frames[-1].filename).name, frames[-1].lineno or 0)))

    @wraps(initialize)
    def initialized(view: Any, *arguments: Any, **others: Any) -> None:
        initialize(view, *arguments, **others)
        note(view.operation)

    def created(*arguments: Any, **others: Any) -> Any:
        module = create(*arguments, **others)
        note(module.operation)
        return module

    def created_operation(*arguments: Any, **others: Any) -> Any:
        operation = create_operation(*arguments, **others)
        note(operation.operation)
        return operation

    ir.OpView.__init__, ir.Module.create = initialized, staticmethod(created)
    ir.Operation.create = staticmethod(created_operation)
    sys.path.insert(0, str(folder))
    try:
        for name in names:
            made.clear()
            built = importlib.import_module(name).build().operation
            lines = list(made)
            operations[name] = [
                (operation.name, next(line for other, line in lines if other == operation))
                for operation in _walked(built)
            ]
    finally:
        ir.OpView.__init__, ir.Module.create, ir.Operation.create = initialize, create, create_operation
        sys.path.remove(str(folder))
        for name in [*names, *(f"{name}_steps" for name in names)]:
            sys.modules.pop(name, None)
    return operations


def _walked(operation: Any) -> Iterator[Any]:
    yield operation
    for region in operation.regions:
        for block in region:
            for inner in block.operations:
                yield from _walked(inner.operation)
