"""The rule `dead-arm`."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.handles.matches import names_accepted
from tdls.analysis.meaning.matchers import MATCHER_ATTRIBUTES
from tdls.analysis.rule import Rule
from tdls.semantic.symbols import symbols_in
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation

_MOST_COMPARED: Final = 64
"""Maximum number of earlier matchers to compare a matcher with."""


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report matchers behind one that asks for nothing but their names, or for nothing at all."""
    for operation in operations:
        if not operation.syntax.broken:
            yield from _dead(context, operation)


def _dead(context: Context, operation: Operation) -> Iterator[Finding]:
    before: deque[tuple[str, frozenset[str] | None]] = deque(maxlen=_MOST_COMPARED)
    for use in symbols_in(operation.syntax, MATCHER_ATTRIBUTES):
        matcher = context.symbols.lookup_nearest(use.path, operation)
        if matcher is None or matcher.syntax.broken:
            continue
        names = names_accepted(matcher)
        wider = (name for name, taken in before if taken is None or (names is not None and names <= taken))
        if (other := next(wider, None)) is not None:
            message = f"`@{use.path[-1]}` is never asked: `@{other}` comes before it and accepts all that it accepts"
            help_text = f"move it in front of `@{other}`, or remove it"
            yield Finding(RULE.name, RULE.level, message, Span(use.start, use.end), help=help_text)
        if _asks_for_names_alone(matcher):
            before.append((use.path[-1], names))


def _asks_for_names_alone(matcher: Operation) -> bool:
    block = matcher.body
    return block is not None and all(
        operation is block.terminator
        or (
            operation.operands == list(block.arguments[:1])
            and operation.required_names is not None
            and not (operation.results or operation.syntax.broken)
        )
        for operation in block.operations
    )


RULE: Final = Rule("dead-arm", check=check, is_silent=True)
