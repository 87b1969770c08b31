"""Hover texts of values: type and liveness at the cursor, contents in the last run, origin, and consumers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.explanation import reason_of
from tdls.analysis.handles.findings import stale_handles
from tdls.analysis.meaning.use_after_free import use_after_free_of
from tdls.catalogue.model import EffectSource, HandleEffect
from tdls.ide.cursor.navigation import spelled_type
from tdls.ide.cursor.occurrences import uses_of
from tdls.ide.cursor.target import value_target
from tdls.ide.markdown import code, code_block, codes, paragraphs, section
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.semantic.symbols import symbol_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.ide.cursor.entity import UsedValue
    from tdls.semantic.model import Operation, Value
    from tdls.text.span import Span

_MOST_VALUES = 8
"""Maximum number of results of one group to show with their types."""
_LONGEST_CHAIN = 6
"""Maximum number of definitions to list, from a handle back to its origin."""
_KINDS = {
    HandleKind.OPERATIONS: "handle to operations",
    HandleKind.VALUES: "handle to values",
    HandleKind.PARAMETERS: "parameter",
}
_HANDLES = (HandleKind.OPERATIONS, HandleKind.VALUES)
"""The kinds of values that can be consumed."""


def value_text(context: Context, value: Value, use: UsedValue | None, contents: str = "") -> str:
    """Return Markdown for `value`; `use` is the operand at the cursor, None on the definition.

    `contents` describes the payload of the handle in the last run, "" if that is not known.
    """
    kind = kind_of(context.file.catalogue, value.type)
    is_handle = kind in _HANDLES
    liveness = _liveness(context, value, use) if is_handle else ""
    return paragraphs(
        code_block(_with_type(value)),
        " ".join(filter(None, (_kind(context, value, kind), liveness))),
        contents,
        section("Comes from", _chain(context, value)),
        _fate(context, [value]) if is_handle else "",
    )


def group_text(context: Context, values: Sequence[Value], contents: str = "") -> str:
    """Return Markdown for the results of one group, where they are defined; `contents` as in `value_text`."""
    if len(values) == 1:
        return value_text(context, values[0], None, contents)
    shown = values[:_MOST_VALUES]
    more = len(values) - len(shown)
    kinds = {kind_of(context.file.catalogue, value.type) for value in values}
    return paragraphs(
        code_block("\n".join((*map(_with_type, shown), *([f"// {more} more"] if more else [])))),
        _kind(context, values[0], kinds.pop()) if len({value.type for value in values}) == 1 else "",
        contents,
        section("Comes from", _chain(context, values[0], len(values))),
        _fate(context, values) if kinds.intersection(_HANDLES) or not kinds else "",
    )


def _with_type(value: Value) -> str:
    spelled = spelled_type(value) or value.type
    return f"{value.shown}: {spelled}" if spelled is not None else value.shown


def _kind(context: Context, value: Value, kind: HandleKind | None) -> str:
    words = _KINDS[kind] if kind is not None else ""
    spelled = spelled_type(value)
    expanded = ""
    if value.type is not None and spelled is not None and context.model.types.aliases.get(spelled) == value.type:
        expanded = f"{code(spelled)} is {code(value.type)}"
    text = "; ".join(part for part in (words, expanded) if part)
    return text[:1].upper() + text[1:] + "." if text else ""


# Origin


def _chain(context: Context, value: Value, count: int = 1) -> Iterator[str]:
    """Yield one line for `value`, the first of `count` results, and for each handle it derives from."""
    context, value = context.where_defined(value)
    yield f"{_origin(context, value, count)} ({_line(context, value.span)})"
    current = _made_from(context, value)
    for _ in range(_LONGEST_CHAIN - 1):
        if current is None:
            return
        yield f"{code(current.shown)}: {_origin(context, current)} ({_line(context, current.span)})"
        current = _made_from(context, current)


def _origin(context: Context, value: Value, count: int = 1) -> str:
    if value.operation is not None:
        result = _result_name(value, value.operation, count)
        return f"{result} of {code(_written(context, value.operation))}"
    if value.block is None:
        return "a value"
    parent = value.block.region.parent
    name = symbol_name(parent)
    owner = f"{code('@' + name)}" if name is not None else code(parent.name)
    if value.block.index:
        return f"argument #{value.index} of block {code(value.block.syntax.label or '')} of {owner}"
    operand = _operand_behind(value, parent)
    stands_for = f", which stands for {code(operand.shown)}" if operand is not None else ""
    attributes = value.block.syntax.arguments[value.index].attributes
    marked = f", marked {codes(attribute.name for attribute in attributes)}" if attributes else ""
    return f"argument #{value.index} of {owner}{stands_for}{marked}"


def _result_name(value: Value, operation: Operation, count: int) -> str:
    groups = operation.syntax.result_groups or {}
    name = next((name for name, (begin, end) in groups.items() if begin <= value.index < end), None)
    if count > 1:
        is_whole = name is not None and groups[name] == (value.index, value.index + count)
        return f"results {code(name)}" if is_whole and name else f"results #{value.index} to #{value.index + count - 1}"
    if name is None:
        return "result" if len(operation.results) == 1 else f"result #{value.index}"
    begin, end = groups[name]
    return f"result {code(name)}" if end - begin == 1 else f"result #{value.index - begin} of {code(name)}, a result"


def _written(context: Context, operation: Operation) -> str:
    """Return the source of the operation without results, types and regions."""
    node = operation.syntax
    ends = [t.start for t in (*(node.operand_types or ()), *(node.result_types or ())) if t is not None]
    ends += [region.start for region in node.regions]
    end = min((place for place in ends if place > node.name_span.end), default=node.end)
    text = context.section.text[operation.location.start : end]
    if end == node.end:
        return text.strip()
    text = text.rstrip().rstrip("(").rstrip()  # the punctuation that introduces types
    return text.removesuffix(":").removesuffix("->").rstrip()


def _made_from(context: Context, value: Value) -> Value | None:
    """Return the handle that `value` derives from: the first handle among the operands of its definition."""
    if value.operation is not None:
        operands = [operand for operand in value.operation.operands if operand is not None]
        handles = [operand for operand in operands if kind_of(context.file.catalogue, operand.type) in _HANDLES]
        return next(iter(handles), None)
    return _operand_behind(value, value.block.region.parent) if value.block is not None else None


def _operand_behind(argument: Value, parent: Operation) -> Value | None:
    """Return the operand bound to an argument of the body, if the definition binds operands to body arguments."""
    definition = parent.definition
    is_body = argument.block is not None and argument.block.index == 0 and argument.block.region.index == 0
    if definition is None or definition.effect_source is not EffectSource.REGION or not is_body:
        return None
    return parent.operands[argument.index] if argument.index < len(parent.operands) else None


# Consumers and liveness


def _fate(context: Context, values: Sequence[Value]) -> str:
    """Return the consumers of `values`, each with the name of its value if there are several."""
    consuming, ending, unknown = [], [], []
    for value in values:
        name = f"{code(value.shown)} by " if len(values) > 1 else ""
        consuming += [f"{name}{_step(context, operation)}" for operation in consumers(context, value)]
        ending += [f"{name}{_step(context, operation)}" for operation in through_another(context, value)]
        unknown += [
            f"{name}{_step(context, operation)}"
            for operation in _users(context, value)
            if not _is_effect_known(context, operation, value)
        ]
    them = "it" if len(values) == 1 else "them"
    nothing = f"No{' known' if unknown else ''} operation consumes {them}."
    return paragraphs(
        section("Consumed by" if len(values) == 1 else "Consumed", consuming) or ("" if ending else nothing),
        section("Stale through another handle since" if len(values) == 1 else "Stale through another handle", ending),
        section("Used with an unknown effect by" if len(values) == 1 else "Used with an unknown effect", unknown),
    )


def consumers(context: Context, value: Value) -> list[Operation]:
    """Return the operations that consume `value`, in textual order."""
    return [operation for operation in _users(context, value) if context.effects.consumes(operation, value)]


def through_another(context: Context, value: Value) -> list[Operation]:
    """Return the operations known to make `value` stale by consuming another handle, in textual order."""
    made_by = stale_handles(context).made_by if stale_handles.holds(context) else {}
    steps = (operation for operation in context.model.walk() if value in made_by.get(operation, ()))
    return [step for step in steps if not context.effects.consumes(step, value)]


def _users(context: Context, value: Value) -> list[Operation]:
    target = value_target(context, value)
    return list(dict.fromkeys(operation for operation, _, _ in uses_of(target))) if target is not None else []


def _is_effect_known(context: Context, operation: Operation, value: Value) -> bool:
    """Return whether the effect of `operation` on its operand `value` is known.

    If the body decides, the effects of all uses of the bound argument in the body must be known.
    """
    body = operation.body
    arguments = body.arguments if body is not None else ()
    bound = [argument for argument in arguments if _operand_behind(argument, operation) is value]
    if bound:
        return all(
            _is_effect_known(context, user, argument) for argument in bound for user in _users(context, argument)
        )
    effects = context.effects.effects(operation)
    return any(other is value and effect is not HandleEffect.UNKNOWN for effect, other in effects)


def _liveness(context: Context, value: Value, use: UsedValue | None) -> str:
    """Return whether a used handle is live, if the rules have run the scripts already: a hover waits for no run."""
    if use is None:
        return ""
    deleters = use_after_free_of(context).freed_before(value, use.operation)
    if deleters:
        steps = ", ".join(_step(context, operation) for operation in deleters)
        return f"**Not live here**: it may be consumed before, by {steps}."
    if not stale_handles.holds(context):
        return "Consumed by this operation." if context.effects.consumes(use.operation, value) else ""
    invalid = stale_handles(context).uses.get((id(use.operation), use.operand if use.operand is not None else -1))
    if invalid is not None:
        verdict = "Not live here" if invalid.is_certain else "Perhaps not live here"
        return f"**{verdict}**: {reason_of(invalid)} ({_line(context, invalid.cause.consumer.location)})."
    if context.effects.consumes(use.operation, value):
        return "Live here, and consumed by this operation."
    return "Live here: no known operation consumes it before."


def _step(context: Context, operation: Operation) -> str:
    return f"{code(operation.name)} ({_line(context, operation.location)})"


def _line(context: Context, span: Span) -> str:
    file = context.file
    return f"line {file.position(context.to_file(span).start).line + 1}"
