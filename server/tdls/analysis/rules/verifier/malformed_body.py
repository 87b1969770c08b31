"""The rule `malformed-body`."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import Rule
from tdls.analysis.verifying.bodies import arguments_of_signature, symbol_in_table
from tdls.analysis.verifying.complaint import Complaint
from tdls.analysis.verifying.verifiers import BY_TRAIT, verifier_of
from tdls.semantic.transform_dialect import is_transform_definition, is_transform_operation
from tdls.structs import replace
from tdls.syntax.tree import Form
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report regions, blocks, their arguments and their children that an operation cannot have."""
    mentions_dialect = context.mentions_transform
    for operation in operations:
        definition = operation.definition
        if definition is None or operation.syntax.broken:
            continue
        if definition.versions and operation.regions:
            checks = () if is_transform_definition(definition) else verifier_of(operation).body
            for wrong in chain(arguments_of_signature(operation), *(check(context, operation) for check in checks)):
                subject = concerns_of(context).of(operation, is_certain=True)
                yield replace(wrong.finding(RULE.name, RULE.level), subject=subject)
        if is_transform_definition(definition):
            complaints = _complaints(context, operation, definition)
        elif mentions_dialect and any(map(is_transform_operation, operation.ancestors())):
            complaints = chain(symbol_in_table(operation), _region_count(context, operation))
        else:
            for wrong in _region_count(context, operation):
                variants = context.catalogue.counting(operation.name)
                never = all(variant.versions and not variant.regions for variant in variants)
                subject = concerns_of(context).of(operation, is_certain=never)
                yield replace(wrong.finding(RULE.name, RULE.level), subject=subject)
            continue
        for wrong in complaints:
            yield wrong.finding(RULE.name, RULE.level)


def _complaints(context: Context, operation: Operation, definition: OperationDefinition) -> Iterator[Complaint]:
    yield from symbol_in_table(operation)
    yield from _region_count(context, operation)
    yield from _blocks(operation, definition)
    for trait, check in BY_TRAIT.items():
        if operation.has_trait(trait):
            yield from check(context, operation)
    for check in verifier_of(operation).body:
        yield from check(context, operation)


def _region_count(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Only the generic form can spell a number of regions that no version of the definition allows."""
    if operation.syntax.form is not Form.GENERIC:
        return
    count = len(operation.regions)
    bounds: list[tuple[int, int | None]] = []
    for definition in context.catalogue.counting(operation.name):
        fixed = sum(not region.variadic for region in definition.regions)
        bounds.append((fixed, fixed if fixed == len(definition.regions) else None))
    if not bounds or any(least <= count and (most is None or count <= most) for least, most in bounds):
        return
    least, most = bounds[0]
    exactly = counted(least, "region") if least else "no region"
    wanted = exactly if least == most else f"at least {counted(least, 'region')}"
    yield Complaint(f"`{operation.name}` has {wanted}, found {count}", operation.location)


def _blocks(operation: Operation, definition: OperationDefinition) -> Iterator[Complaint]:
    for region in operation.regions:
        regions = definition.regions
        is_described = region.index < len(regions) or (bool(regions) and regions[-1].variadic)
        described = regions[min(region.index, len(regions) - 1)] if is_described else None
        has_one = "SingleBlock" in definition.traits or (described is not None and described.constraint in _ONE_BLOCK)
        if (
            not region.blocks
            and operation.syntax.form is Form.GENERIC
            and (described is not None and described.constraint == "SizedRegion<1>")
        ):
            yield Complaint(f"region #{region.index} of `{operation.name}` has to have a block", operation.location)
        if len(region.blocks) > 1 and has_one:
            message = f"a region of `{operation.name}` has at most one block, found {len(region.blocks)}"
            yield Complaint(message, region.blocks[1].syntax.label_span)
        if "NoRegionArguments" in definition.traits and any(block.arguments for block in region.blocks):
            yield Complaint(f"a region of `{operation.name}` takes no arguments", operation.location)


_ONE_BLOCK = frozenset({"SizedRegion<1>", "MaxSizedRegion<1>"})


RULE: Final = Rule("malformed-body", check=check)
