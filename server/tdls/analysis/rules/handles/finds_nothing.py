"""The rule `finds-nothing`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.handles.findings import evaluated
from tdls.analysis.handles.shortfalls import ShortfallKind
from tdls.analysis.rule import Rule
from tdls.analysis.rules.transform import handle_count, never_succeeds, unknown_payload_operation
from tdls.limits import OverBudget
from tdls.semantic.symbols import symbol_name
from tdls.structs import replace
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.shortfalls import Shortfall
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import SymbolUse
    from tdls.text.span import Span

_MOST_NOTED = 4
"""Maximum number of shortfalls in a called sequence to add notes for."""


def find(context: Context) -> Iterator[Finding]:
    """Report searches without a result in the payload of the script."""
    return about_shortfalls(context, RULE, frozenset({ShortfallKind.EMPTY, ShortfallKind.UNMET}))


def about_shortfalls(context: Context, rule: Rule, kinds: frozenset[ShortfallKind]) -> Iterator[Finding]:
    """Yield the findings of `rule` for shortfalls of `kinds`, unless another rule reports them for every payload.

    One is a hint where the operation specifies that it may find nothing.

    Raises OverBudget if the evaluation was given up.
    """
    known = evaluated(context)
    if known.given_up is not None:
        raise OverBudget(known.given_up)
    findings = _about(context, rule, [shortfall for shortfall in known.shortfalls if shortfall.kind in kinds])
    is_printed = "transform.yield \n" in context.section.text  # by MLIR: the payload may be the result of its run
    yield from map(_possible, findings) if known.is_possible or is_printed else findings


def _about(context: Context, rule: Rule, shortfalls: list[Shortfall]) -> Iterator[Finding]:
    others = (unknown_payload_operation.RULE, handle_count.RULE, never_succeeds.RULE)
    for_every_payload = (finding for other in others for finding in other.findings(context)) if shortfalls else ()
    reported = {(each.span, each.message) for each in for_every_payload if each.level is not Level.HINT}
    of_calls: dict[int, list[Shortfall]] = {}
    for shortfall in shortfalls:
        span = shortfall.operation.span
        if shortfall.calls:
            of_calls.setdefault(id(shortfall.calls[0]), []).append(shortfall)
        elif not any(span.start <= other.start < span.end for other, _ in reported):
            notes = tuple(_of_cause(context, shortfall))
            level = _level(rule, shortfall)
            yield Finding(rule.name, level, shortfall.message, _place(shortfall), notes, shortfall.help)
    for of_call in of_calls.values():
        finding, name = _of_call(context, rule, of_call), of_call[0].operation.name
        if not any(other == finding.span and f", `{name}` " in message for other, message in reported):
            yield finding


def _possible(finding: Finding) -> Finding:
    """Return a finding as a hint, for a payload that may be another one when the script meets it."""
    doubt = "the payload may change before, by its project's tool, or have changed, as the result of a run"
    help_text = f"{finding.help}; {doubt}" if finding.help is not None else doubt
    return replace(finding, level=Level.HINT, help=help_text)


def _of_call(context: Context, rule: Rule, shortfalls: list[Shortfall]) -> Finding:
    """Return the finding at a call of a sequence, for all shortfalls that the call's operands cause."""
    first = shortfalls[0]
    call = first.calls[0]
    inner = _called(first.calls[-1], first.operation)
    message = f"in `{_shown(inner)}`, {first.message}" if inner is not None else first.message
    notes = (note for shortfall in shortfalls[:_MOST_NOTED] for note in _notes(context, shortfall, first))
    outer = _called(call, first.calls[1] if len(first.calls) > 1 else first.operation)
    place = outer.span if outer is not None else call.location
    level = _level(rule, first)
    return Finding(rule.name, level, message, place, tuple(dict.fromkeys(notes)), first.help)


def _level(rule: Rule, shortfall: Shortfall) -> Level:
    return Level.HINT if shortfall.kind is ShortfallKind.UNMET else rule.level


def _called(call: Operation, inner: Operation) -> SymbolUse | None:
    """Return the symbol by which `call` refers to the sequence with the operation `inner`; its first one if unknown."""
    names = {symbol_name(around) for around in (inner, *inner.ancestors())}
    uses = call.syntax.symbols
    return next((use for use in uses if use.path[-1] in names), uses[0] if uses else None)


def _shown(use: SymbolUse) -> str:
    return f"@{'::@'.join(use.path)}"


def _notes(context: Context, shortfall: Shortfall, first: Shortfall) -> Iterator[SectionNote]:
    """Yield notes at a shortfall in a sequence and at the calls that lead to it."""
    for call, inner in zip(shortfall.calls[1:], (*shortfall.calls, shortfall.operation)[2:], strict=True):
        use = _called(call, inner)
        if use is not None:
            yield from _note(context, call, call.location, f"`{_shown(use)}` is called here")
    message = f"`{shortfall.operation.name}` is here" if shortfall is first else shortfall.message
    yield from _note(context, shortfall.operation, _place(shortfall), message)
    yield from _of_cause(context, shortfall)


def _of_cause(context: Context, shortfall: Shortfall) -> Iterator[SectionNote]:
    if shortfall.cause is not None:
        message = f"`{shortfall.cause.name}` is here"
        yield from _note(context, shortfall.cause, shortfall.cause.location, message)


def _note(context: Context, operation: Operation, span: Span, message: str) -> Iterator[SectionNote]:
    """Yield a note at `span`, which belongs to `operation`, unless that is in another file."""
    home = context.definition_of(operation).context
    if home.file is context.file:
        yield SectionNote(message, span, home.section if home is not context else None)


def _place(shortfall: Shortfall) -> Span:
    return shortfall.attribute.span if shortfall.attribute is not None else shortfall.operation.location


RULE: Final = Rule("finds-nothing", find=find, is_silent=True)
