"""Answers questions about the names of the operations that a handle may hold, also in called sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.handles.findings import evaluated, handle_findings
from tdls.analysis.handles.matches import names_accepted
from tdls.payload.kinds import names_of_type
from tdls.semantic.symbols import symbols_in
from tdls.semantic.transform_dialect import suppresses_failures
from tdls.structs import NamedTuple, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import SymbolUse


class HeldNames:
    """The possible names of operations held by handles of one section, or None for a handle that may hold any."""

    def __init__(self, context: Context, given: Mapping[Value, frozenset[str]] | None = None) -> None:
        """`given` are the names in the arguments of a call, without which nothing is known."""
        self.context = context
        self._given = given

    def of(self, value: Value) -> frozenset[str] | None:
        """Return the possible names of the operations in `value`, by its type or else by its definition."""
        if self._given is not None:
            return self._given.get(value)
        by_type = self.by_type(value)
        if by_type is not None:
            return frozenset({by_type})
        contents = handle_findings(self.context).contents(value)
        return contents.names or None if contents is not None else None

    def by_type(self, value: Value) -> str | None:
        """Return the operation name that the type of `value` requires."""
        return next(iter(names_of_type(value.type) or ()), None)


def listed(names: frozenset[str]) -> str:
    """Return `names` joined for a message; of more than three only the first two."""
    shown = [f"`{name}`" for name in sorted(names)]
    return " or ".join(shown if len(shown) <= 3 else [*shown[:2], "others"])


class Passed(NamedTuple):
    """A sequence that a call executes."""

    use: SymbolUse
    operations: Sequence[Operation]
    """Those of its body."""
    held: HeldNames
    """The names that its arguments hold in this call."""


def in_called(
    held: HeldNames, operations: Iterable[Operation], find: Callable[[HeldNames, Operation], Iterator[Finding]]
) -> Iterator[Finding]:
    """Yield what `find` reports about operations on arguments of called sequences, at the calls."""
    for call in operations:
        if call.syntax.broken or suppresses_failures(call):
            continue
        for use, body, passed in _passed(held, call):
            for operation in body:
                for finding in find(passed, operation):
                    yield _at_call(held, use, passed, operation, finding)


def _passed(held: HeldNames, call: Operation) -> Iterator[Passed]:
    context = held.context
    if call.has_callee and call.syntax.symbols:
        empty = evaluated(context).empty
        names = [held.of(value) if value is not None and value not in empty else None for value in call.operands]
        yield from _to_arguments(held, call.syntax.symbols[0], context.callee(call), names)
    known = evaluated(context)
    if known.contents or known.empty or known.shortfalls:
        return  # a matcher may accept nothing in the payload, which was followed
    matchers, actions = (list(symbols_in(call.syntax, (name,))) for name in ("matchers", "actions"))
    for of_matcher, use in zip(matchers, actions, strict=False):
        matcher = context.symbols.lookup_nearest(of_matcher.path, call)
        block = matcher.body if matcher is not None else None
        terminator = block.terminator if block is not None else None
        if matcher is None or block is None or terminator is None or not block.arguments or len(call.operands) != 1:
            continue
        accepted = names_accepted(matcher)
        names = [accepted if value is block.arguments[0] else None for value in terminator.operands]
        yield from _to_arguments(held, use, context.symbols.lookup_nearest(use.path, call), names)


def _to_arguments(
    held: HeldNames, use: SymbolUse, callee: Operation | None, names: Sequence[frozenset[str] | None]
) -> Iterator[Passed]:
    block = callee.body if callee is not None and not callee.syntax.broken else None
    if callee is None or block is None:
        return
    passed = zip(block.arguments, names, strict=False)
    given = {argument: own for argument, own in passed if own and held.by_type(argument) is None}
    if given:
        home = held.context.definition_of(callee).context
        yield Passed(use, block.operations, HeldNames(home, given))


def _at_call(held: HeldNames, use: SymbolUse, passed: HeldNames, operation: Operation, finding: Finding) -> Finding:
    home = passed.context
    section = home.section if home.section is not held.context.section else None
    notes = (SectionNote(f"`{operation.name}` is here", finding.span, section=section),)
    message = f"in `@{'::@'.join(use.path)}`, {finding.message}"
    is_here = home.file is held.context.file
    return replace(finding, message=message, span=use.span, notes=notes if is_here else (), fixes=())
