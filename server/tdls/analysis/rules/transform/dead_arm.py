"""The rule `dead-arm`."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.finding import Finding
from tdls.analysis.handles.findings import HeldNames, listed
from tdls.analysis.handles.operations.accepted import Terms, accepted_by
from tdls.analysis.meaning.matchers import MATCHER_ATTRIBUTES
from tdls.analysis.rule import Rule
from tdls.semantic.symbols import symbols_in
from tdls.text.level import Level
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.operations.accepted import Accepted
    from tdls.semantic.model import Operation


_ROOT: Final = "root"
_WITH_ROOT: Final = "restrict_root"
"""The attribute with which an operation looks at the payload of its root, too."""
_MOST_COMPARED: Final = 64
"""Maximum number of earlier matchers to compare a matcher with."""


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report matchers that accept nothing, or nothing that an earlier one does not accept."""
    for operation in operations:
        if not operation.syntax.broken:
            yield from _dead(context, operation)


def _dead(context: Context, operation: Operation) -> Iterator[Finding]:
    terms, held = Terms(), HeldNames(context)
    before: deque[tuple[str, Accepted]] = deque(maxlen=_MOST_COMPARED)
    for use in symbols_in(operation.syntax, MATCHER_ATTRIBUTES):
        matcher = context.symbols.lookup_nearest(use.path, operation)
        accepted = accepted_by(matcher, terms) if matcher is not None else None
        if accepted is None:
            continue
        message = _message(context, use.path[-1], accepted, before) or _out_of_reach(held, operation, accepted)
        if message is not None:
            yield Finding(RULE.name, RULE.level, message, Span(use.start, use.end))
        before.append((use.path[-1], accepted))


def _message(context: Context, name: str, accepted: Accepted, before: Iterable[tuple[str, Accepted]]) -> str | None:
    contradiction = accepted.contradiction(context.catalogue)
    if contradiction is not None:
        return f"`@{name}` accepts nothing: it asks for {contradiction}"
    for other, taken in before:
        if taken.has_all_of(accepted, context.catalogue):
            return f"`@{name}` is never asked: `@{other}` comes before it and accepts all that it accepts"
    return None


def _out_of_reach(held: HeldNames, operation: Operation, accepted: Accepted) -> str | None:
    """Return why no operation nested in the root has one of the names that a matcher asks for; None if one may."""
    definition, roots = operation.definition, operation.group(_ROOT)
    has_choice = definition is not None and any(each.name == _WITH_ROOT for each in definition.attributes)
    names = held.of(roots[0]) if has_choice and roots and roots[0] is not None else None
    if not names or not accepted.names or operation.syntax.attribute(_WITH_ROOT) is not None or roots[0] is None:
        return None
    if any(held.can_contain(name, accepted.names) for name in names):
        return None
    root, wanted = roots[0].shown, listed(accepted.names)
    return f"nothing ever matches: `{root}` itself is not looked at, and no {wanted} is nested in {listed(names)}"


RULE: Final = Rule(
    code="TD223",
    name="dead-arm",
    level=Level.WARNING,
    summary="An action is never run, since its matcher accepts nothing that is left for it",
    documentation="""\
`transform.foreach_match` asks its matchers in their order, and runs the action of the first one that
accepts an operation. A matcher is never reached if one before it accepts all that it accepts: if each
condition of that one is among its own, or follows from them, as `linalg.matmul` is one of
`linalg.matmul, linalg.generic`, a value that is at least 16 is at least 8, and `linalg.matmul` is a
structured operation. A matcher whose conditions contradict each other accepts nothing at all, and neither
does one that only the root could satisfy: without `restrict_root`, `transform.foreach_match` looks at what
is nested in the operations of its handle, not at them. MLIR says none of this: the script runs, and the
action does not.

**Fix:** put the matcher that asks for more before the one that asks for less; look in a handle to something
around the operation, such as the module, or write `restrict_root` to look at the root, too.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @structured(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%structured: !transform.any_op):
      transform.match.structured.yield
    }
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @note(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "seen" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %_same = transform.foreach_match in %root @structured -> @note, @matmul -> @note
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @structured(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%structured: !transform.any_op):
      transform.match.structured.yield
    }
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @note(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "seen" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %_same = transform.foreach_match in %root @matmul -> @note, @structured -> @note
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
""",
    check=check,
    looks_at=OperationKind.TRANSFORM,
    is_silent=True,
)
