"""The rule `handle-across-patterns`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.rule import FixKind, Rule
from tdls.catalogue.model import HandleEffect, PayloadEffect
from tdls.limits import CALL_DEPTH
from tdls.structs import NamedTuple
from tdls.text.level import Level
from tdls.text.span import Span, own_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Block, Operation, Value

_TRACKS: Final = "ReportTrackingListenerFailuresOpTrait"
_FINDS: Final = "NavigationTransformOpTrait"
_MOST_CALLEES: Final = 100


class _Rewriting(NamedTuple):
    """An operation of a block that rewrites the payload: by itself, in its body, or in the sequence that it calls."""

    operation: Operation
    inner: Operation
    """The operation that rewrites."""
    targets: Sequence[Value | None]
    """Handles to the payload that is rewritten, or to operations around it."""

    @property
    def place(self) -> int:
        """The number of the operation in its block."""
        return self.operation.index


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report handles found before a rewrite of the payload, which may lose them, and used only after it."""
    if not any(map(_finds, operations)):
        return
    by_block: dict[Block, list[_Rewriting]] = {}
    callees: dict[int, Operation | None] = {}
    for operation in operations:
        inner = operation if _rewrites(operation) else _rewriting_callee(context, operation, callees)
        if inner is None:
            continue
        targets = operation.operands[:1] if inner is operation else operation.operands
        for outer in (operation, *operation.ancestors()):
            if outer.block is not None:
                by_block.setdefault(outer.block, []).append(_Rewriting(outer, inner, targets))
    for several in by_block.values():
        several.sort(key=lambda rewriting: rewriting.place)
    for operation in operations:
        rewritings = by_block.get(operation.block) if operation.block is not None else None
        if rewritings and _finds(operation):
            yield from _look(context, operation, rewritings)


def _rewriting_callee(
    context: Context, operation: Operation, known: dict[int, Operation | None], depth: int = 0
) -> Operation | None:
    """Return an operation that rewrites in the sequence that `operation` calls, or in one that this calls.

    `known` has the answers by the identity of the callee, None for one that is being looked at.
    """
    callee = context.callee(operation) if operation.has_callee and depth < CALL_DEPTH.most else None
    if callee is None or id(callee) in known or len(known) >= _MOST_CALLEES:
        return known.get(id(callee))
    known[id(callee)] = None
    for nested in callee.walk():
        context.budget.spend()
        inner = nested if _rewrites(nested) else _rewriting_callee(context, nested, known, depth + 1)
        if inner is not None:
            known[id(callee)] = inner
            return inner
    return None


def _look(context: Context, operation: Operation, rewritings: list[_Rewriting]) -> Iterator[Finding]:
    """Report the handle that `operation` finds if one of `rewritings`, those of its block in order, may lose it."""
    around = [each for user in context.users.get(operation.results[0], ()) for each in (user, *user.ancestors())]
    users = (each for each in around if each.block is operation.block)
    first = min(users, key=lambda user: user.index, default=None)
    if first is None:
        return
    begin = bisect_right(rewritings, operation.index, key=lambda candidate: candidate.place)
    end = bisect_left(rewritings, first.index, key=lambda candidate: candidate.place)
    between = (candidate for candidate in rewritings[begin:end] if _may_lose(context, operation, candidate))
    rewriting = next(between, None)
    if rewriting is not None:
        yield _finding(context, operation, rewriting, first)


def _finds(operation: Operation) -> bool:
    """Whether `operation` only searches for payload operations, so that it could do so later."""
    return operation.has_trait(_FINDS) and len(operation.results) == 1 and not operation.syntax.broken


def _may_lose(context: Context, operation: Operation, rewriting: _Rewriting) -> bool:
    """Whether `rewriting` may erase or replace the operations that `operation` found.

    It keeps its target itself, and with it all operations that are isolated from above, such as functions.
    """
    facts, held = handle_findings(context), operation.results[0]
    context.budget.spend(len(rewriting.targets))
    return any(facts.may_be_inside(held, target, context.budget) for target in rewriting.targets if target is not None)


def _rewrites(operation: Operation) -> bool:
    """Whether `operation` rewrites the content of its target and updates handles where it can."""
    definition = operation.definition
    if definition is None or definition.only_moves or _TRACKS not in definition.traits:
        return False
    reads = all(operand.effect is HandleEffect.READS for operand in definition.operands)
    return reads and not definition.results and definition.payload_effect is PayloadEffect.MODIFIES


def _finding(context: Context, operation: Operation, rewriting: _Rewriting, user: Operation) -> Finding:
    value, outer, inner = operation.results[0], rewriting.operation, rewriting.inner
    called = f", which `{outer.name}` executes," if inner is not outer else ""
    return Finding(
        RULE.name,
        RULE.level,
        f"`{value.shown}` may be lost before its first use: "
        f"`{inner.name}`{called} may erase or replace what it stands for",
        operation.location,
        (
            SectionNote(f"`{inner.name}` rewrites the payload here", outer.location),
            SectionNote(f"`{value.shown}` is used only here", user.location),
        ),
        f"move `{operation.name}` behind `{outer.name}`",
        _move(context, operation, outer),
    )


def _move(context: Context, operation: Operation, rewriting: Operation) -> tuple[SectionFix, ...]:
    """Return the fix that moves the operation behind the rewriting; none if an operand is consumed on the way."""
    block = operation.block.operations if operation.block is not None else []
    between = block[operation.index + 1 : rewriting.index + 1]
    if any(
        context.effects.consumes(candidate, operand)
        for candidate in between
        for operand in operation.operands
        if operand
    ):
        return ()
    text = context.section.text
    own, place = (own_lines(text, span, with_comments=True) for span in (operation.span, rewriting.span))
    if own is None or place is None:
        return ()
    edits = (SectionEdit(own, ""), SectionEdit(Span(place.end, place.end), text[own.start : own.end]))
    return (SectionFix(f"Move it behind `{rewriting.name}`", edits),)


RULE: Final = Rule(
    code="TD306",
    name="handle-across-patterns",
    level=Level.HINT,
    check=check,
    looks_at=OperationKind.TRANSFORM,
    is_silent=True,
    fix=FixKind.UNSAFE,
)
