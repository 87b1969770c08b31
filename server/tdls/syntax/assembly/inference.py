"""Types that a format leaves out because the definition implies them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.syntax.draft import OPERANDS, RESULTS
from tdls.syntax.tree import TypeUse

if TYPE_CHECKING:
    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.syntax.draft import Draft


def infer_types(draft: Draft, definition: OperationDefinition) -> None:
    """Fill in the types of `draft` that are not spelled but fixed by a constraint or tied to a spelled one."""
    if OPERANDS not in draft.types:
        for operand in definition.operands:
            _fill_buildable(draft, operand, len(draft.values.get(operand.name, ())))
    if RESULTS not in draft.types:
        for result in definition.results:
            _fill_buildable(draft, result, 1 if result.arity is Arity.ONE else 0)
    for trait in definition.traits:
        if trait.startswith("AllTypesMatch<"):
            _share_type(draft, trait[len("AllTypesMatch<") : -1].split(","))


def _fill_buildable(draft: Draft, definition: OperandDefinition | ResultDefinition, count: int) -> None:
    if definition.type is None or definition.name in draft.types:
        return
    draft.types[definition.name] = [TypeUse(0, 0, definition.type)] * count


def _share_type(draft: Draft, names: list[str]) -> None:
    known = next((draft.types[name] for name in map(str.strip, names) if draft.types.get(name)), None)
    if known is None:
        return
    for name in map(str.strip, names):
        draft.types.setdefault(name, known[:1])
