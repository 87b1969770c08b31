"""Types that a format leaves out because the definition implies them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.syntax.parser.draft import OPERANDS, RESULTS
from tdls.syntax.tree import TypeUse

if TYPE_CHECKING:
    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.syntax.parser.draft import Draft

_ALL_TYPES_MATCH = "AllTypesMatch<"


def infer_types(draft: Draft, definition: OperationDefinition) -> None:
    """Fill in the types of `draft` that are not spelled but fixed by a constraint or tied to a spelled one.

    A group whose size is not known stays without types.
    """
    counts = _group_sizes(draft, definition)
    groups: tuple[OperandDefinition | ResultDefinition, ...] = (*definition.operands, *definition.results)
    for group in groups:
        _fill_buildable(draft, group, counts.get(group.name))
    for trait in definition.traits:
        if trait.startswith(_ALL_TYPES_MATCH):
            names = [name.strip() for name in trait[len(_ALL_TYPES_MATCH) : -1].split(",")]
            _share_types(draft, names, counts)


def _group_sizes(draft: Draft, definition: OperationDefinition) -> dict[str, int | None]:
    """The number of values of each group, None where the text does not tell."""
    sizes: dict[str, int | None] = {}
    if OPERANDS not in draft.types and OPERANDS not in draft.values:
        sizes.update((operand.name, len(draft.values.get(operand.name, ()))) for operand in definition.operands)
    if RESULTS not in draft.types:
        sizes.update((result.name, 1 if result.arity is Arity.ONE else None) for result in definition.results)
    return sizes


def _fill_buildable(draft: Draft, group: OperandDefinition | ResultDefinition, count: int | None) -> None:
    if group.type is not None and count is not None and group.name not in draft.types:
        draft.types[group.name] = [TypeUse(0, 0, group.type)] * count


def _share_types(draft: Draft, names: list[str], counts: dict[str, int | None]) -> None:
    known = next((draft.types[name] for name in names if draft.types.get(name)), None)
    if known is None:
        return
    for name in names:
        if counts.get(name, len(known)) in (None, len(known)):
            draft.types.setdefault(name, known)
