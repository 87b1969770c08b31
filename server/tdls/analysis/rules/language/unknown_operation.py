"""The rule `unknown-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import FixKind, Rule
from tdls.semantic.transform_dialect import is_transform_name
from tdls.syntax.parser.assembly.custom_payload_operations import BODY
from tdls.text.level import Level
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report names in dialects of upstream that no version of LLVM has, where they are a slip of the keyboard."""
    for operation in operations:
        if operation.definition is None and operation.name and not is_transform_name(operation.name):
            yield from _check(context, operation, operation.name, operation.location)
        body = operation.syntax.attribute(BODY)
        if body is not None and body.value is not None:
            yield from _check(context, operation, body.value, body.span)


def _check(context: Context, operation: Operation, name: str, place: Span) -> Iterator[Finding]:
    quotes = context.section.text[place.start : place.start + 1] == '"'
    inner = Span(place.start + quotes, place.end - quotes)
    is_whole = context.section.text[inner.start : inner.end] == name
    from tdls.analysis.meaning.unknown_names import unknown_name

    unknown = context.catalogue.ask(unknown_name, name) if is_whole else None
    if unknown is None:
        return
    rename = context.catalogue.renamed(name)
    if rename is not None and context.catalogue.target is not None and place == operation.location:
        return  # `not-in-target-llvm` reports it
    subject = concerns_of(context).of(operation, is_certain=unknown.is_slip)
    help_text = f"did you mean `{unknown.meant}`?" if unknown.meant else "a newer version of MLIR may have it"
    fix = SectionFix(f"Change to `{unknown.meant}`", (SectionEdit(inner, unknown.meant),))
    fixes = (fix,) if unknown.is_slip else ()
    if rename is not None and rename.name:
        help_text = f"it is now called `{rename.name}`"
    versions = f"LLVM {rename.last_version} was the last version with it" if rename is not None else _IN_NO_VERSION
    message = f"unknown operation `{name}`: {versions}"
    level = RULE.level if unknown.is_slip else Level.HINT
    yield Finding(RULE.name, level, message, place, help=help_text, fixes=fixes, subject=subject)


_IN_NO_VERSION = "no version of LLVM that tdls knows has it"

RULE: Final = Rule("unknown-operation", check=check, fix=FixKind.UNSAFE)
