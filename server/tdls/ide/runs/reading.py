"""Whether MLIR reads a script: findings of rules about that, and the result of the MLIR at hand.

A rule knows the forms of operations of some versions of LLVM. The MLIR that runs a script may have others: a script
that it read has no error on reading, unless the user chose a version to check for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import findings_in_section
from tdls.analysis.rules import failing_on_reading, rule_of
from tdls.ide.runs.run_report import findings_of
from tdls.interpreter.matching.explanation import ENDED_BY_ITSELF
from tdls.structs import replace
from tdls.text.diagnostic import Note
from tdls.text.level import Level
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.reading import Reading
    from tdls.interpreter.runs.model import RunResult
    from tdls.text.diagnostic import Diagnostic


def no_mlir_reads(context: Context) -> bool:
    """Return whether a section has an error that does not depend on the forms of operations."""
    if any(problem.is_certain for problem in context.tree.problems()):
        return True
    findings = findings_in_section(context) if context.mentions_transform else ()
    broken = (rule_of(finding.rule) for finding in findings if finding.level is Level.ERROR)
    return any(rule.fails_on_reading and rule.holds_for_any_definition for rule in broken)


def findings_about_reading(file: SourceFile, part: int | None) -> list[Diagnostic]:
    """Return the findings by which MLIR does not read a part of `file`, or any part."""
    contexts = (context for context in file.contexts if part in (None, context.part))
    read = (context for context in contexts if context.mentions_transform or any(context.tree.problems()))
    findings = (finding for context in read for finding in findings_in_section(context))
    return [finding for finding in findings if finding.rule in failing_on_reading()]


def refuted(findings: Iterable[Diagnostic], file: SourceFile, result: RunResult, part: int | None) -> list[Diagnostic]:
    """Return those of `findings` by which MLIR does not read a part of `file`, or any, though it did for `result`.

    None is refuted in a file that is checked for a version of LLVM.
    """
    if result.status not in ENDED_BY_ITSELF or result.is_partial or file.catalogue.target is not None:
        return []
    on_reading = (finding for finding in findings if finding.rule in failing_on_reading())
    return [finding for finding in on_reading if part in (None, file.context_at(finding.span.start).part)]


def read_anyway(file: SourceFile, reading: Reading) -> list[Diagnostic]:
    """Return the findings by which MLIR does not read a part of `file`, though it did; see `refuted`."""
    if file.catalogue.target is not None or not reading.accepted:
        return []
    findings = findings_about_reading(file, None)
    return [finding for finding in findings if file.context_at(finding.span.start).part in reading.accepted]


def rejected(reading: Reading, file: SourceFile, name: str) -> list[Diagnostic]:
    """Return what MLIR rejects in `file`, which it knows as `name`; doubtful errors are hints with the reason."""
    findings = []
    for rejection in reading.rejections:
        (finding,) = findings_of([rejection.diagnostic], {name: file}, name, FileSpan(0, 0))[name]
        if rejection.doubt:
            message = f"{reading.mlir} says: {finding.message}; {rejection.doubt}"
            finding = replace(finding, level=Level.HINT, message=message)
        findings.append(finding)
    return findings


def joined(
    findings: Iterable[Diagnostic], file: SourceFile, reported: Sequence[Diagnostic]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Divide `findings`, which MLIR rejects in `file`, by the errors of rules in `reported`.

    Return what only MLIR says, and the errors that both say, with MLIR's words in a note. MLIR reads a text in its
    order: what it rejects after an error of syntax, in the same section, is the same mistake.
    """
    left: list[Diagnostic] = []
    both: dict[int, Diagnostic] = {}
    errors = [error for error in reported if error.level is Level.ERROR]
    for finding in findings:
        alike = (error for error in errors if _is_same(file, error, finding))
        same = min(alike, key=lambda error: abs(error.span.start - finding.span.start), default=None)
        if same is None:
            left.append(finding)
        else:
            known = both.get(id(same), same)
            both[id(same)] = replace(known, notes=(*known.notes, Note(f"MLIR says: {finding.message}", finding.span)))
    return left, list(both.values())


def _is_same(file: SourceFile, error: Diagnostic, finding: Diagnostic) -> bool:
    if file.position(error.span.start).line == file.position(finding.span.start).line:
        return True
    is_in_section = file.context_at(error.span.start) is file.context_at(finding.span.start)
    return error.rule == "syntax-error" and is_in_section and error.span.start <= finding.span.start
