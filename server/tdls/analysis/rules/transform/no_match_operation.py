"""The rule `no-match-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.file.source_file import matcher_uses
from tdls.analysis.rule import Rule
from tdls.semantic.symbols import symbol_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.sections.sections import Section

_INTERFACE = "MatchOpInterface"
_EXECUTED = "TransformOpInterface"


def check(context: Context, sequences: Sequence[Operation]) -> Iterator[Finding]:
    """Report operations that no matcher can execute; `malformed-body` reports those that no script can."""
    for sequence in sequences:
        name = symbol_name(sequence)
        if name is None or sequence.syntax.broken:
            continue
        bodies = [block for block in sequence.blocks() if block.operations]
        wrong = [child for block in bodies[:1] for child in block.operations if _cannot_match(context, child)]
        user = context.section_using_matcher(name) if wrong else None
        for operation in wrong if user is not None else ():
            yield Finding(
                RULE.name,
                RULE.level,
                f"`{operation.name}` cannot be executed in the matcher `@{name}`: it does not implement `{_INTERFACE}`",
                operation.location,
                tuple(_uses(user, name, context.section)),
                "do it in the action, or in a sequence that the matcher calls with `transform.include`",
            )


def _cannot_match(context: Context, operation: Operation) -> bool:
    """Whether `operation` is an upstream operation that no version of MLIR executes in a matcher."""
    if operation.syntax.broken or operation.has_trait("IsTerminator") or not operation.has_trait(_EXECUTED):
        return False
    variants = context.catalogue.counting(operation.name)
    return bool(variants) and all(each.versions and _INTERFACE not in each.traits for each in variants)


def _uses(user: Section | None, name: str, own: Section) -> Iterator[SectionNote]:
    """Yield a note at the first use of the sequence `name` as a matcher, in the section `user`."""
    for operation in user.tree.walk() if user is not None else ():
        for use in matcher_uses(operation):
            if use.path == (name,):
                section = user if user is not own else None
                yield SectionNote(f"`{operation.name}` uses `@{name}` as a matcher here", use.span, section=section)
                return


RULE: Final = Rule("no-match-operation", check=check, shows_when_run=True)
