"""The rule `handle-count`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.effects import leaves_payload_alone
from tdls.analysis.file.finding import Finding
from tdls.analysis.handles.contents import Certainty
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.handles.held_names import HeldNames
from tdls.analysis.handles.operations.executing import meaning_of
from tdls.analysis.handles.operations.navigation import MERGE
from tdls.analysis.handles.operations.structured_matchers import CONSTANT
from tdls.analysis.meaning.payload_names import have_one_output
from tdls.analysis.rule import Rule
from tdls.catalogue.model import Arity
from tdls.syntax.tree import Form
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultCount, ResultDefinition
    from tdls.semantic.model import Operation, Value

_SHORTEST: Final = "with_zip_shortest"


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report operations that fail since the number of their results, or of operations in their handles, is wrong."""
    held = HeldNames(context)
    for operation in operations:
        definition = operation.definition
        if definition is None or operation.syntax.broken or operation.syntax.form is Form.STRUCTURAL:
            continue
        message = (
            _about_operands(context, operation, definition)
            or _about_results(held, operation, definition)
            or _about_loop(context, operation)
        )
        if message is not None:
            yield Finding(RULE.name, RULE.level, message, operation.location)


def _about_operands(context: Context, operation: Operation, definition: OperationDefinition) -> str | None:
    """Check operands that have to hold exactly one operation."""
    single = (next(iter(operation.group(group.name)), None) for group in definition.operands if group.takes_one)
    messages = [_about_single(context, operation, handle) for handle in single if handle is not None]
    messages += [_about_values(context, operation, group) for group in definition.operands if group.one_or_each]
    return next((message for message in messages if message is not None), None)


def _about_values(context: Context, operation: Operation, group: OperandDefinition) -> str | None:
    """Check that a parameter for one target does not hold several values."""
    parameter, target = (next(iter(operation.group(name)), None) for name in (group.name, group.one_or_each))
    count = _value_count(parameter) if parameter is not None else None
    if parameter is None or target is None or count is None or count < 2 or not _is_one(context, target):
        return None
    return f"`{parameter.shown}` holds {count} values, but `{target.shown}` one payload operation"


def _value_count(parameter: Value) -> int | None:
    """Return the number of values of a parameter that a constant, or a merge of constants, defines; None if unknown."""
    maker = parameter.operation
    if maker is None or meaning_of(maker) is CONSTANT:
        return 1 if maker is not None else None
    if meaning_of(maker) is not MERGE or maker.deduplicates:
        return None
    makers = [value.operation if value is not None else None for value in maker.operands]
    are_constants = all(each is not None and meaning_of(each) is CONSTANT for each in makers)
    return len(makers) if are_constants else None


def _about_results(held: HeldNames, operation: Operation, definition: OperationDefinition) -> str | None:
    """Check operations with a result for each payload operation, or for each of its initial values."""
    for result in definition.results:
        if result.count is not None and result.count.operations_of:
            return _about_split(held.context, operation, definition, result)
        if result.count is not None and result.count.outputs_of:
            return _about_outputs(held, operation, definition, result.count)
    return None


def _about_split(
    context: Context, operation: Operation, definition: OperationDefinition, result: ResultDefinition
) -> str | None:
    count, handles = result.count, len(operation.result_group(result.name))
    handle = next(iter(operation.group(count.operations_of)), None) if count is not None else None
    if count is None or handle is None or handles == 1:
        return None
    if _is_free(operation, definition, count) or not _is_one(context, handle):
        return None
    into = counted(handles, "handle") if handles else "no handles"
    return f"`{handle.shown}` holds one payload operation, which cannot be split into {into}"


def _is_free(operation: Operation, definition: OperationDefinition, count: ResultCount) -> bool:
    """Whether an attribute with another value than its default allows other numbers of results, too."""
    defaults = {attribute.name: attribute.default for attribute in definition.attributes}
    spelled = (operation.syntax.attribute(name) for name in count.free_with)
    return any(
        attribute is not None and (attribute.value is None or attribute.value != defaults.get(attribute.name))
        for attribute in spelled
    )


def _is_one(context: Context, handle: Value) -> bool:
    """Whether `handle` holds exactly one payload operation, if it holds any."""
    owner = handle.owner
    if owner is None:
        return False
    is_element = handle.operation is None and meaning_of(owner).repeats_body
    return is_element or handle_findings(context).holds_one(handle)


def _about_single(context: Context, operation: Operation, handle: Value) -> str | None:
    if not _is_certainly_several(context, operation, handle):
        return None
    attributes = operation.definition.attributes if operation.definition is not None else ()
    is_search = any(attribute.asks is not None for attribute in attributes)
    takes = "a match looks into" if is_search else f"`{operation.name}` takes"
    return f"`{handle.shown}` holds several payload operations, but {takes} exactly one"


def _is_certainly_several(context: Context, operation: Operation, handle: Value) -> bool:
    """Whether a handle holds several operations, which is known only of a payload that is not changed yet."""
    block, maker = operation.block, handle.operation
    if maker is None or block is None or maker.block is not block:
        return False
    contents = handle_findings(context).contents(handle)
    if contents is None or contents.several is not Certainty.CERTAINLY:
        return False
    return all(leaves_payload_alone(between) for between in block.operations[maker.index : operation.index])


def _about_loop(context: Context, operation: Operation) -> str | None:
    """Check the handles of a loop, which takes one operation of each at a time."""
    if not meaning_of(operation).repeats_body or operation.has_attribute(_SHORTEST):
        return None
    handles = [handle for handle in operation.operands if handle is not None]
    larger = next((handle for handle in handles if _is_certainly_several(context, operation, handle)), None)
    single = next((handle for handle in handles if _is_one(context, handle)), None) if larger is not None else None
    if larger is None or single is None:
        return None
    return f"`{larger.shown}` holds several payload operations, but `{single.shown}` one: a loop needs as many of each"


def _about_outputs(
    held: HeldNames, operation: Operation, definition: OperationDefinition, count: ResultCount
) -> str | None:
    """Check operations with a result for each initial value of their target, which has at least one."""
    others = [result for result in definition.results if result.count is None]
    results = len(operation.results)
    if not results or results < len(others) or any(group.arity is not Arity.ONE for group in others):
        return None
    target = next(iter(operation.group(count.outputs_of)), None)
    has_one_output = have_one_output(held.context.catalogue, held.of(target) if target is not None else None)
    expected = len(others) + 1
    if results == expected or (results > expected and not has_one_output):
        return None
    least = "" if has_one_output else "at least "
    parts = f"one for the initial value, and {', '.join(f'`{group.name}`' for group in others)}"
    return f"tiling this reduction returns {least}{expected} handles: {parts}; here are {results}"


RULE: Final = Rule("handle-count", check=check, shows_when_run=True)
