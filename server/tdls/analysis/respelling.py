"""The fix that writes an operation as the target version of LLVM does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.settings.keys import version_name
from tdls.syntax.parser.respelling import NotRespelledError, respelled
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation
    from tdls.text.diagnostic import Diagnostic


MIGRATING: Final = ("not-in-target-llvm", "older-form", "unknown-transform-operation")
"""The rules whose safe fixes bring a script to its target version."""


def respelling(
    context: Context, operation: Operation, written: OperationDefinition, meant: OperationDefinition
) -> SectionFix | str:
    """Return the fix that gives `operation`, as `written` defines it, the form of `meant`, or the reason against it."""
    target = context.catalogue.target
    if target is None:
        return "tdls does not know its definition"
    start, end = operation.syntax.span
    text, dialect = context.section.text[start:end], default_dialect(context, operation)
    types = [value.type if value is not None else None for value in operation.operands]
    try:
        replacements = respelled(text, dialect, written, meant, context.catalogue, types, context.section.text)
    except NotRespelledError as reason:
        return str(reason)
    edits = tuple(SectionEdit(Span(start + span.start, start + span.end), new) for span, new in replacements)
    return SectionFix(f"Write as in LLVM {version_name(target)}", edits, safe=True)


def is_migrated(finding: Diagnostic) -> bool:
    """Tell whether a migration applies a fix of `finding`."""
    return finding.rule in MIGRATING and any(fix.safe for fix in finding.fixes)


def reason_to_leave(finding: Diagnostic) -> str:
    """Return why a migration leaves the place of `finding` as it is, with the advice, in one line."""
    reasons = [note.message for note in finding.notes if note.message.startswith("it is not rewritten")]
    return "; ".join([finding.message, *reasons, *([finding.help] if finding.help is not None else [])])


def default_dialect(context: Context, operation: Operation) -> str:
    """Return the dialect whose prefix operations in the block of `operation` may omit."""
    for around in operation.ancestors():
        if (dialect := context.catalogue.default_dialect(around.name)) is not None:
            return dialect
    return "builtin"
