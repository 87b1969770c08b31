"""Traits and interfaces as readable names with arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.bounds.budget import OverBudget
from tdls.bounds.limits import NESTED_VALUES
from tdls.catalogue.sources.ods.definitions import is_a

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.catalogue.sources.ods.definitions import RecordFields, RecordIndex


def trait_names(definitions: RecordIndex, operation: RecordFields) -> frozenset[str]:
    """C++ class names without namespaces, e.g. ``IsTerminator``, ``AllTypesMatch<source,target>``.

    Type constraints between named values keep their arguments: ``TypesMatchWith<lhs,rhs,transformer>`` says
    that the type of `rhs` is the C++ expression `transformer` of the type of `lhs`. Other predicates have no
    name and are left out.
    """
    named = (_name(definitions, trait) for trait in flattened(definitions, operation["traits"]))
    return frozenset(name for name in named if name)


def flattened(definitions: RecordIndex, traits: Iterable[object] | None) -> Iterator[RecordFields]:
    """The traits of a list, and those of the lists in it."""
    open_lists = [iter(traits or ())]
    while open_lists:
        if len(open_lists) > NESTED_VALUES.most:
            raise OverBudget(NESTED_VALUES)
        for trait in filter(None, map(definitions.follow, open_lists[-1])):
            if is_a(trait, "TraitList"):
                open_lists.append(iter(trait["traits"] or ()))
                break
            yield trait
        else:
            open_lists.pop()


def _name(definitions: RecordIndex, trait: RecordFields) -> str | None:
    if is_a(trait, "TypesMatchWith"):
        class_name = next(name for name in reversed(trait["!superclasses"]) if name.endswith("TypesMatchWith"))
        transformer = " ".join((trait["transformer"] or "").split())
        return f"{class_name}<{trait['lhs']},{trait['rhs']},{transformer}>"
    if is_a(trait, "AllMatchSameOperatorTrait") or is_a(trait, "AllMatchSameOperatorPred"):
        return f"{trait['!superclasses'][-1]}<{','.join(trait['values'] or ())}>"
    if is_a(trait, "PredTrait"):
        return None if trait["!anonymous"] else str(trait["!name"])
    if trait.get("cppInterfaceName"):
        return str(trait["cppInterfaceName"])
    if trait.get("trait"):
        return _class_name(trait["trait"])
    return _name_of_unknown(definitions.follow(trait.get("declared")) or trait)


def _name_of_unknown(trait: RecordFields) -> str | None:
    """Traits and interfaces are mostly named as their C++ classes."""
    return None if trait["!anonymous"] else str(trait["!name"])


def _class_name(cpp_name: str) -> str:
    """``::mlir::OpTrait::HasParent<FuncOp>::Impl`` becomes ``HasParent<FuncOp>``."""
    head, bracket, arguments = cpp_name.removesuffix("::Impl").removesuffix("::Trait").partition("<")
    if not bracket:
        return head.rpartition("::")[2]
    names = [argument.strip().rpartition("::")[2] for argument in arguments.rstrip(">").split(",")]
    return f"{head.rpartition('::')[2]}<{','.join(names)}>".replace(
        "SingleBlockImplicitTerminatorImpl", "SingleBlockImplicitTerminator"
    )
