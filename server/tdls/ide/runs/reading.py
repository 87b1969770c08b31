"""Whether MLIR reads a script: findings of rules about that, and the result of the MLIR at hand.

A rule knows the forms of operations of some versions of LLVM. The MLIR that runs a script may have others: a script
that it read has no error on reading, unless the user chose a version to check for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import findings_in_section
from tdls.analysis.rules import FAILING_ON_READING, RULES
from tdls.interpreter.matching.explanation import ENDED_BY_ITSELF
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.model import RunResult
    from tdls.text.diagnostic import Diagnostic

_FAILING_IN_ALL_VERSIONS = frozenset(
    rule.name for rule in RULES if rule.fails_on_reading and rule.holds_for_any_definition
)


def no_mlir_reads(context: Context) -> bool:
    """Return whether a section has an error that does not depend on the forms of operations."""
    if any(problem.is_certain for problem in context.tree.problems()):
        return True
    found = findings_in_section(context) if context.mentions_transform else ()
    return any(finding.level is Level.ERROR and finding.rule in _FAILING_IN_ALL_VERSIONS for finding in found)


def findings_about_reading(file: SourceFile, part: int | None) -> list[Diagnostic]:
    """Return the findings by which MLIR does not read a part of `file`, or any part."""
    contexts = (context for context in file.contexts if part in (None, context.part))
    read = (context for context in contexts if context.mentions_transform or any(context.tree.problems()))
    found = (finding for context in read for finding in findings_in_section(context))
    return [finding for finding in found if finding.rule in FAILING_ON_READING]


def refuted(found: Iterable[Diagnostic], file: SourceFile, result: RunResult, part: int | None) -> list[Diagnostic]:
    """Return those of `found` by which MLIR does not read a part of `file`, or any, though it read that for `result`.

    None is refuted in a file that is checked for a version of LLVM.
    """
    if result.status not in ENDED_BY_ITSELF or file.catalogue.target is not None:
        return []
    on_reading = (finding for finding in found if finding.rule in FAILING_ON_READING)
    return [finding for finding in on_reading if part in (None, file.context_at(finding.span.start).part)]
