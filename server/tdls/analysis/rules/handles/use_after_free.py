"""The rule `use-after-free`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.handles.explanation import remedies
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.meaning.use_after_free import use_after_free_of
from tdls.analysis.rule import FixKind, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.meaning.use_after_free import UseAfterFree


_MOST_CONSUMERS = 3
"""Maximum number of consumers to name in a message."""


def find(context: Context) -> Iterator[Finding]:
    """Report uses of a handle after an operation may have freed it."""
    for use in use_after_free_of(context).findings():
        yield _finding(context, use)


def _finding(context: Context, use: UseAfterFree) -> Finding:
    operation, value = use.operation, use.value
    place = operation.syntax.operands[use.operand].span
    # MLIR locates results at the operation's name, arguments at themselves.
    definition = value.operation.location if value.operation is not None else value.span
    in_words_of_mlir = SectionNote(f"operand #{use.operand} may be used after free", place)
    freed = (SectionNote("freed here", deleter.location) for deleter in use.deleters)
    invalid = handle_findings(context).stale.uses.get((id(operation), use.operand))
    return Finding(
        RULE.name,
        RULE.level,
        _message(use),
        place,
        (in_words_of_mlir, SectionNote("allocated here", definition), *freed),
        f"`{value.shown}` no longer stands for anything here; use a handle that the consuming operation returns, "
        "or match again",
        remedies(context, invalid) if invalid is not None else (),
    )


def _message(use: UseAfterFree) -> str:
    """Name the handle and its consumers; the use itself, in an earlier iteration, only if it is the only one."""
    others = dict.fromkeys(f"`{deleter.name}`" for deleter in use.deleters if deleter is not use.operation)
    if not others:
        return f"`{use.value.shown}` may have been consumed here before"
    names = [*others]
    consumers = " or ".join(names if len(names) <= _MOST_CONSUMERS else [*names[: _MOST_CONSUMERS - 1], "others"])
    return f"`{use.value.shown}` was consumed by {consumers}"


RULE: Final = Rule("use-after-free", find=find, ranks_fixes=True, fix=FixKind.UNSAFE, holds_for_any_definition=True)
