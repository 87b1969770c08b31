"""Which operations implement the interfaces that matches ask for (`MatchInterfaceEnum`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.catalogue.model import OperationDefinition

STRUCTURED = "LinalgOp"
"""The trait of structured operations, and the interface that goes with it."""
LOOP = "LoopLikeOpInterface"
"""The trait of loops."""
TILED = frozenset({STRUCTURED, "TilingInterface"})
"""Interfaces of operations that are tiled: these compute single elements in their bodies."""
TRAITS = {
    STRUCTURED: (STRUCTURED,),
    "TilingInterface": ("TilingInterface", STRUCTURED),
    "LoopLikeInterface": (LOOP,),
}
"""Traits of definitions that are enough to implement an interface."""
BY_EXTERNAL_MODELS = frozenset({"TilingInterface"})
"""Those of these that operations get by external models, too, so that they may have them without any of the traits."""
_DESTINATION_STYLE = "DestinationStyleOpInterface"
_NOT_TILED = frozenset({"FunctionOpInterface", LOOP, "IsIsolatedFromAbove"})
_SHAPED = ("Tensor", "MemRef")
"""Parts of constraints that only shaped types meet."""


def implements(definition: OperationDefinition | None, interface: str) -> bool | None:
    """Tell whether operations of a definition implement an interface; None if that is not known."""
    wanted = TRAITS.get(interface)
    if definition is None or wanted is None:
        return None
    if not definition.traits.isdisjoint(wanted):
        return True
    return None if interface in BY_EXTERNAL_MODELS and _may_have_models(definition) else False


def only_trait_of(interface: str | None) -> str | None:
    """Return the trait that all definitions have whose operations implement an interface; None if there is none."""
    traits = TRAITS.get(interface or "", ())
    return traits[0] if traits and interface not in BY_EXTERNAL_MODELS else None


def is_tiled(definition: OperationDefinition | None) -> bool:
    """Tell whether operations of a definition may be tiled: they write to destinations, or make shaped values."""
    if definition is None or not definition.versions:
        return True
    if not definition.traits.isdisjoint(TILED):
        return True
    return _may_have_models(definition) and (_DESTINATION_STYLE in definition.traits or _is_shaped(definition))


def computes_scalars(definition: OperationDefinition) -> bool:
    """Tell whether operations of a definition may be in the body of a structured one, as far as their results tell."""
    return _DESTINATION_STYLE not in definition.traits and not _is_shaped(definition)


def _is_shaped(definition: OperationDefinition) -> bool:
    """Tell whether all results of operations of a definition are tensors or buffers."""
    return bool(definition.results) and all(
        any(part in result.constraint for part in _SHAPED) for result in definition.results
    )


def _may_have_models(definition: OperationDefinition) -> bool:
    """Tell whether an operation may implement an interface by an external model: none that is as simple as a scalar."""
    if not definition.versions:
        return True
    computes = bool(definition.regions) or _DESTINATION_STYLE in definition.traits
    return computes and definition.traits.isdisjoint(_NOT_TILED)
