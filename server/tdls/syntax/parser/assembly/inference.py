"""Types that a format leaves out because the definition implies them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.syntax.parser.draft import OPERANDS, RESULTS
from tdls.syntax.tree import TypeUse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.syntax.parser.draft import Draft

_ALL_TYPES_MATCH = "AllTypesMatch<"


class ImpliedTypes:
    """What one definition says of types that are not spelled."""

    __slots__ = ("built_operands", "built_results", "operands", "single_results", "tied")

    def __init__(self, definition: OperationDefinition) -> None:
        self.operands = frozenset(operand.name for operand in definition.operands)
        self.single_results = frozenset(result.name for result in definition.results if result.arity is Arity.ONE)
        """The results of which there is always one."""
        self.built_operands = _built(definition.operands)
        self.built_results = _built(result for result in definition.results if result.name in self.single_results)
        """The only type that the constraint of a group allows, by the name of the group."""
        self.tied = tuple(
            tuple(name.strip() for name in trait[len(_ALL_TYPES_MATCH) : -1].split(","))
            for trait in definition.traits
            if trait.startswith(_ALL_TYPES_MATCH)
        )
        """Names of groups that have the same types."""


def _built(groups: Iterable[OperandDefinition | ResultDefinition]) -> tuple[tuple[str, str], ...]:
    return tuple((group.name, group.type) for group in groups if group.type is not None)


def infer_types(draft: Draft, implied: ImpliedTypes) -> None:
    """Fill in the types of `draft` that are not spelled but fixed by a constraint or tied to a spelled one.

    A group whose size is not known stays without types.
    """
    types = draft.types
    for name, built in implied.built_operands:
        if name not in types and _operands_are_grouped(draft):
            types[name] = [TypeUse(0, 0, built) for _ in draft.values.get(name, ())]
    for name, built in implied.built_results:
        if name not in types and RESULTS not in types:
            types[name] = [TypeUse(0, 0, built)]
    for names in implied.tied:
        _share_types(draft, implied, names)


def _operands_are_grouped(draft: Draft) -> bool:
    """Tell whether the text says which operands are of which group."""
    return OPERANDS not in draft.types and OPERANDS not in draft.values


def _size(draft: Draft, implied: ImpliedTypes, name: str) -> int | None:
    """Return the number of values of a group, None where the text does not tell."""
    if name in implied.operands:
        return len(draft.values.get(name, ())) if _operands_are_grouped(draft) else None
    return 1 if name in implied.single_results and RESULTS not in draft.types else None


def _share_types(draft: Draft, implied: ImpliedTypes, names: tuple[str, ...]) -> None:
    known = next((draft.types[name] for name in names if draft.types.get(name)), None)
    if known is None:
        return
    for name in names:
        if name not in draft.types and _size(draft, implied, name) in (None, len(known)):
            draft.types[name] = known
