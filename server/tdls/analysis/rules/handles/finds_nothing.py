"""The rule `finds-nothing`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.handles.findings import evaluated
from tdls.analysis.handles.shortfalls import ShortfallKind
from tdls.analysis.rule import Rule
from tdls.analysis.rules.transform import handle_count, impossible_match, never_succeeds, unknown_payload_operation
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
    found = _about(context, rule, [shortfall for shortfall in known.shortfalls if shortfall.kind in kinds])
    yield from map(_possible, found) if known.is_possible else found


def _about(context: Context, rule: Rule, shortfalls: list[Shortfall]) -> Iterator[Finding]:
    others = (impossible_match.RULE, unknown_payload_operation.RULE, handle_count.RULE, never_succeeds.RULE)
    for_every_payload = (finding for other in others for finding in other.findings(context)) if shortfalls else ()
    reported = frozenset(finding.span for finding in for_every_payload if finding.level is not Level.HINT)
    of_calls: dict[int, list[Shortfall]] = {}
    for shortfall in shortfalls:
        span = shortfall.operation.span
        if shortfall.calls:
            of_calls.setdefault(id(shortfall.calls[0]), []).append(shortfall)
        elif not any(span.start <= other.start < span.end for other in reported):
            notes = tuple(_of_cause(context, shortfall))
            level = _level(rule, shortfall)
            yield Finding(rule.name, level, shortfall.message, _place(shortfall), notes, shortfall.help)
    for of_call in of_calls.values():
        yield _of_call(context, rule, of_call)


def _possible(found: Finding) -> Finding:
    """Return a finding as a hint, for a payload that only the project's own tool reads."""
    doubt = "the payload has operations in forms that only its project's tool reads, which may change it before"
    help_text = f"{found.help}; {doubt}" if found.help is not None else doubt
    return replace(found, level=Level.HINT, help=help_text)


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


RULE: Final = Rule(
    code="TD308",
    name="finds-nothing",
    level=Level.WARNING,
    summary="A search finds nothing in the payload of the script",
    documentation="""\
The payload stands in the same part of the file as the script, or in the one file that a comment
`// tdls: payload=FILE` a `RUN:` line or the setting `payload` names, or that an editor has the script
run on. It is followed through the script as far as the effect of each operation on it is known. A match,
a selection or a matcher finds nothing there: no operation has the required name, interface, attribute or
type, or none in the searched handle, or none any more after earlier operations. Then the handle is
empty, and the rest of the script succeeds and does nothing.

A called sequence is followed with the operands of the call. Its searches that find nothing are reported
at the call, since another one may pass other handles; notes show the places in the sequence.

Where the payload has operations in forms that no source knows, names that their text does not have are
reported as a hint: the tool that reads them may change the payload before the script.

It is a hint where an operation specifies that it may find nothing: no matcher of a
`transform.foreach_match` accepts anything, so that no action is run, or a `transform.get_parent_op` that
allows empty results finds no parent. That may well be meant.

Nothing is reported after operations that may introduce matching ones, nor where `RUN:` lines change the
payload before the script runs. Searches that find nothing in any payload are reported as
`impossible-match`.

**Fix:** search for operations that the payload has. After an operation that replaces the payload of a
handle, take its result, or search for its new operations.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  func.func @payload(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  func.func @payload(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    is_silent=True,
)
