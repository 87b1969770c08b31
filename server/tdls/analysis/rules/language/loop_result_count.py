"""The rule `loop-result-count`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.edits.result_edits import with_result_count
from tdls.analysis.file.finding import Finding, SectionFix
from tdls.analysis.meaning.integer_lists import integers_in
from tdls.analysis.rule import FixKind, Rule
from tdls.catalogue.model import Arity
from tdls.syntax.tree import Form
from tdls.text.diagnostic import Level
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperationDefinition, ResultCount, ResultDefinition
    from tdls.semantic.model import Operation


def find(context: Context) -> Iterator[Finding]:
    """Report tiling with another number of results for loops than the tile sizes make."""
    for operation in context.model.walk():
        definition = operation.definition
        if definition is None or operation.syntax.broken or operation.syntax.form is Form.STRUCTURAL:
            continue
        group = next((result for result in definition.results if result.count is not None and result.count.sizes), None)
        types, others = operation.syntax.result_types, len(definition.results) - 1
        if group is None or group.count is None or not types or not _are_single(definition, group):
            continue
        loops = _loops(operation, group.count)
        if loops is not None and len(types) != others + loops:
            yield _finding(context, operation, others, loops)


def _are_single(definition: OperationDefinition, group: ResultDefinition) -> bool:
    """Tell whether all other results are single ones, which stand before those of `group`."""
    *others, last = definition.results
    return last is group and all(neighbour.arity is Arity.ONE for neighbour in others)


def _finding(context: Context, operation: Operation, others: int, loops: int) -> Finding:
    found = max(len(operation.syntax.result_types or ()) - others, 0)
    edits = with_result_count(context, operation, others + loops)
    right = _results(others + loops)
    title = f"Take {right}: the operation, and {loops or 'no'} for loops"
    names = operation.syntax.results
    place = Span(names[0].start, names[-1].end) if names else operation.location
    return Finding(
        RULE.name,
        RULE.level,
        f"`{operation.name}` has {_results(found)} for loops, but its tile sizes make {loops or 'none'}",
        place,
        help=f"{right} would be right: the tiled operation, and one for each tile size that is not zero",
        fixes=(SectionFix(title, edits),) if edits else (),
    )


def _loops(operation: Operation, count: ResultCount) -> int | None:
    """Return the number of loops; None where that is not known before the script runs."""
    if count.one_with and operation.syntax.attribute(count.one_with) is not None:
        return 1
    if count.unknown_with and any(operation.group(count.unknown_with)):
        return None
    spelled = (operation.syntax.attribute(name) for name in count.sizes)
    sizes = next(
        (attribute.value for attribute in spelled if attribute is not None and attribute.value is not None), "[]"
    )
    integers = integers_in(sizes)
    return None if integers is None else sum(size != 0 for size in integers)


def _results(number: int) -> str:
    return {0: "no results", 1: "1 result"}.get(number, f"{number} results")


RULE: Final = Rule(
    code="TD109",
    name="loop-result-count",
    level=Level.ERROR,
    summary="Tiling has another number of results for loops than its tile sizes make",
    documentation="""\
`transform.structured.tile_using_for` and `transform.structured.fuse` return the tiled operation and
then a handle for each loop. Each tile size that is not zero makes a loop; a zero leaves the
dimension as it is. Sizes that are given by handles or parameters make a loop, too, whatever they
turn out to be. With `use_forall` there is one loop for all of them.

**Fix:** take as many results as there are sizes that are not zero, and one.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:3 = transform.structured.tile_using_for %matmul tile_sizes [8, 0, 8]
        : (!transform.any_op)
        -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [8, 0, 8]
        : (!transform.any_op)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
""",
    find=find,
    fix=FixKind.UNSAFE,
)
