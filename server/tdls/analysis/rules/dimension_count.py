"""The rule `dimension-count`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from tdls.analysis.held_names import HeldNames, listed
from tdls.analysis.integer_lists import integers_in
from tdls.analysis.rule import Rule
from tdls.analysis.structured_loops import LOOPS
from tdls.syntax.tree import Form
from tdls.text.diagnostic import Diagnostic, Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute


class _Sizes(NamedTuple):
    """An attribute with a size for each loop; `exact` if none may be left out, unless all are."""

    attribute: str
    exact: bool = False
    optional: bool = False


_SIZES: Final = {
    "transform.structured.tile_using_for": _Sizes("static_sizes"),
    "transform.structured.pack": _Sizes("static_packed_sizes", exact=True),
    "transform.structured.vectorize": _Sizes("static_vector_sizes", exact=True, optional=True),
}
_DIMENSION: Final = "dimension"
_OF_DIMENSION: Final = frozenset({"transform.structured.split", "transform.structured.multitile_sizes"})


def find(context: Context) -> Iterator[Diagnostic]:
    """Report sizes and dimensions that do not fit the loops of what a handle holds, where its name tells these."""
    held = HeldNames(context)
    for operation in context.model.walk():
        sizes = _SIZES.get(operation.name)
        name = sizes.attribute if sizes is not None else _DIMENSION if operation.name in _OF_DIMENSION else None
        attribute = operation.syntax.attribute(name) if name is not None else None
        if attribute is None or operation.syntax.broken or operation.syntax.form is Form.STRUCTURAL:
            continue
        names = _target_names(held, operation)
        loops = {LOOPS[one] for one in names} if names and names <= LOOPS.keys() else set()
        message = _about_sizes(sizes, attribute, loops) if sizes is not None else _about_dimension(attribute, loops)
        if names and message is not None:
            message = f"{listed(names)} has {_numbers(loops)} loops, but {message}"
            yield Diagnostic(RULE.name, RULE.level, message, operation.place(attribute))


def _target_names(held: HeldNames, operation: Operation) -> frozenset[str] | None:
    target = next(iter(operation.group("target")), None)
    return held.of(target) if target is not None else None


def _about_sizes(sizes: _Sizes, attribute: NamedAttribute, loops: set[int]) -> str | None:
    given = integers_in(attribute.value or "")
    if given is None or not loops or (sizes.optional and not given):
        return None
    count = len(given)
    fits = count in loops if sizes.exact else count <= max(loops)
    return (
        None if fits else f"{count or 'no'} size{'' if count == 1 else 's'} {'is' if count == 1 else 'are'} given here"
    )


def _about_dimension(attribute: NamedAttribute, loops: set[int]) -> str | None:
    number = (attribute.value or "").partition(":")[0].strip()
    if not number.isdecimal() or not loops or int(number) < max(loops):
        return None
    return f"the dimension {number} is asked for, which counts from 0"


def _numbers(loops: set[int]) -> str:
    return " or ".join(map(str, sorted(loops)))


RULE: Final = Rule(
    code="TD211",
    name="dimension-count",
    level=Level.WARNING,
    summary="Sizes or a dimension do not fit the loops of the operation",
    documentation="""\
A structured operation has a loop for each of its dimensions: `linalg.matmul` has three. There can
be no more tile sizes than loops; packing and vectorizing need exactly one size for each; and a
dimension to be split is one of them, counted from 0. Otherwise the operation fails when the script
runs. Only operations whose name tells the number of loops are judged.

**Fix:** give a size for each loop; tiling leaves a dimension as it is where its size is 0.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [0, 0, 0, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [0, 0, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
""",
    find=find,
    shows_when_run=True,
)
