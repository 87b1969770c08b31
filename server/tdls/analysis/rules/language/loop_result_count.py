"""The rule `loop-result-count`."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.rule import FixKind, Rule
from tdls.analysis.rules.language.result_count import counted_results
from tdls.catalogue.model import Arity
from tdls.syntax.tree import Form
from tdls.text.scanning import integers_in
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import ResultCount
    from tdls.semantic.model import Operation

_NEW_NAME = "%loops"


def with_result_count(context: Context, operation: Operation, wanted: int) -> tuple[SectionEdit, ...]:
    """Return the edits that give `operation` `wanted` results, at least one, by changes after its first ones.

    There are none where a removed result is used, or where types are not spelled. New results have the type of the last
    one.
    """
    types = operation.syntax.result_types
    if not types or not types[-1].is_spelled or wanted < 1:
        return ()
    if any(value in context.users for value in operation.results[wanted:]):
        return ()
    return (*_names(context, operation, wanted), *_types(context, operation, wanted))


def _types(context: Context, operation: Operation, wanted: int) -> Iterator[SectionEdit]:
    types = operation.syntax.result_types or ()
    last = types[-1].span
    if wanted < len(types):
        yield SectionEdit(Span(types[wanted - 1].end, last.end), "")
        return
    more = f", {types[-1].text}" * (wanted - len(types))
    if context.section.text[: types[0].start].rstrip().endswith("("):
        yield SectionEdit(Span(last.end, last.end), more)
    else:
        yield SectionEdit(last, f"({types[-1].text}{more})")


def _names(context: Context, operation: Operation, wanted: int) -> Iterator[SectionEdit]:
    groups = operation.syntax.results
    first = 0
    for group in groups:
        is_last = group is groups[-1]
        if first + group.count >= wanted or (is_last and len(groups) > 1):
            yield SectionEdit(group.span, _spelled(group.name, wanted - first))
            if not is_last:
                yield SectionEdit(Span(group.end, groups[-1].end), "")
            return
        first += group.count
    if groups:
        end = groups[-1].end
        names = (_NEW_NAME if number == 0 else f"{_NEW_NAME}_{number}" for number in count())
        free = next(name for name in names if name not in context.section.text)
        yield SectionEdit(Span(end, end), f", {_spelled(free, wanted - first)}")


def _spelled(name: str, number: int) -> str:
    return name if number == 1 else f"{name}:{number}"


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report tiling operations with more or fewer results for loops than their tile sizes make."""
    for operation in operations:
        definition = operation.definition
        if definition is None or operation.syntax.broken or operation.syntax.form is Form.STRUCTURAL:
            continue
        group = next((result for result in definition.results if result.count is not None and result.count.sizes), None)
        types, others = operation.syntax.result_types, len(definition.results) - 1
        if group is None or group.count is None or not types or group is not definition.results[-1]:
            continue
        if any(neighbour.arity is not Arity.ONE for neighbour in definition.results[:-1]):
            continue
        loops = _loops(context, operation, group.count)
        if loops is not None and len(types) != others + loops:
            absent = _absent_sizes(context, operation, group.count)
            ignored = next((name for name in group.count.sizes if name in absent and operation.spelled(name)), None)
            yield _finding(context, operation, others, loops, ignored)


def _finding(context: Context, operation: Operation, others: int, loops: int, ignored: str | None) -> Finding:
    """`ignored` is the attribute with sizes that only other versions read; its sizes are meant, so nothing is fixed."""
    actual = max(len(operation.syntax.result_types or ()) - others, 0)
    edits = with_result_count(context, operation, others + loops)
    right = counted_results(others + loops)
    title = f"Take {right}: the operation, and {loops or 'no'} for loops"
    names = operation.syntax.results
    place = Span(names[0].start, names[-1].end) if names else operation.location
    return Finding(
        RULE.name,
        RULE.level,
        f"`{operation.name}` has {counted_results(actual)} for loops, but its tile sizes make {loops or 'none'}",
        place,
        help=f"`{ignored}` in the dictionary counts in other versions only"
        if ignored is not None
        else f"{right} would be right: the tiled operation, and one for each tile size that is not zero",
        fixes=(SectionFix(title, edits),) if edits and ignored is None else (),
    )


def _absent_sizes(context: Context, operation: Operation, count: ResultCount) -> frozenset[str]:
    """Return the attributes with sizes that the operation has in other versions only: MLIR ignores them."""
    variants = context.catalogue.counting(operation.name)
    if not any(variant.versions for variant in variants):
        return frozenset()
    return frozenset(count.sizes).difference(attribute.name for each in variants for attribute in each.attributes)


def _loops(context: Context, operation: Operation, count: ResultCount) -> int | None:
    """Return the number of loops, or None if unknown before the script runs."""
    absent = _absent_sizes(context, operation, count)
    if count.one_with and operation.syntax.attribute(count.one_with) is not None:
        return 1
    if count.unknown_with and any(operation.group(count.unknown_with)):
        return None
    spelled = (operation.syntax.attribute(name) for name in count.sizes if name not in absent)
    sizes = next(
        (attribute.value for attribute in spelled if attribute is not None and attribute.value is not None), "[]"
    )
    integers = integers_in(sizes)
    return None if integers is None else sum(size != 0 for size in integers)


RULE: Final = Rule("loop-result-count", check=check, fix=FixKind.UNSAFE)
