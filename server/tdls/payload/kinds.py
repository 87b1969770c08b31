"""Answers from definitions which payload operations can nest in which, by name, interface or trait."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.semantic.transform_dialect import is_transform_name
from tdls.structs import NamedTuple
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperandDefinition, OperationDefinition
    from tdls.semantic.model import Operation

STRUCTURED = "LinalgOp"
"""The trait of structured operations, and the name of their interface."""
LOOP = "LoopLikeOpInterface"
"""The trait of loops."""
TILED = frozenset({STRUCTURED, "TilingInterface"})
"""Interfaces of tiled operations, whose bodies compute single elements."""
_CONTAINER = "IsIsolatedFromAbove"
_FUNCTION = "FunctionOpInterface"
TRAITS = {
    STRUCTURED: (STRUCTURED,),
    "TilingInterface": ("TilingInterface", STRUCTURED),
    "LoopLikeInterface": (LOOP,),
    _CONTAINER: (_CONTAINER,),
    _FUNCTION: (_FUNCTION,),
}
"""Traits of definitions that are enough to implement an interface."""
BY_EXTERNAL_MODELS = frozenset({"TilingInterface"})
"""Keys of `TRAITS` with external models: operations may implement them without any of the traits."""
_DESTINATION_STYLE = "DestinationStyleOpInterface"
_NOT_TILED = frozenset({_FUNCTION, LOOP, _CONTAINER})
_SHAPED = ("Tensor", "MemRef")
"""Parts of constraints that only shaped types meet."""


def implements(definition: OperationDefinition | None, interface: str) -> bool | None:
    """Whether operations of a definition implement an interface, or None if not known."""
    if definition is None:
        return None
    if not definition.traits.isdisjoint(TRAITS.get(interface, (interface,))):
        return True
    may_have_models = interface in BY_EXTERNAL_MODELS and _may_have_models(definition)
    return None if may_have_models or interface not in TRAITS else False


def kinds_taken(operation: Operation, operand: OperandDefinition) -> tuple[str, ...]:
    """Return the kinds of payload operations that an operand of `operation` has to hold; empty for any."""
    any_with = operand.applies_to_any_with
    return () if any_with and operation.has_attribute(any_with) else operand.applies_to


def is_refused(name: str, applies_to: tuple[str, ...], catalogue: Catalogue) -> bool:
    """Whether an operation that `applies_to` some kinds fails on one called `name`, which upstream defines."""
    definition = catalogue.operation(name)
    if definition is None or not definition.versions or not applies_to or name in applies_to:
        return False
    return all(implements(definition, kind) is False for kind in applies_to if "." not in kind)


def listed_kinds(applies_to: tuple[str, ...]) -> str:
    """Return the kinds of payload operations that an operation applies to, for a message."""
    shown = [f"`{kind}`" if "." in kind else f"operations with the interface `{kind}`" for kind in applies_to]
    kinds = ["operations that are isolated from above" if _CONTAINER in kind else kind for kind in shown]
    return enumerated(kinds)


def only_trait_of(interface: str | None) -> str | None:
    """Return the trait shared by all definitions that implement `interface`, or None."""
    traits = TRAITS.get(interface or "", ())
    return traits[0] if traits and interface not in BY_EXTERNAL_MODELS else None


def is_tiled(definition: OperationDefinition | None) -> bool:
    """Whether operations of a definition may be tiled: they write to destinations, or return shaped values."""
    if definition is None or not definition.versions:
        return True
    if not definition.traits.isdisjoint(TILED):
        return True
    return _may_have_models(definition) and (_DESTINATION_STYLE in definition.traits or _is_shaped(definition))


def computes_scalars(definition: OperationDefinition) -> bool:
    """Whether operations of a definition may be in a structured operation's body, judged by their results."""
    return _DESTINATION_STYLE not in definition.traits and not _is_shaped(definition)


def _is_shaped(definition: OperationDefinition) -> bool:
    """Whether all results of operations of a definition are tensors or buffers."""
    return bool(definition.results) and all(
        any(part in result.constraint for part in _SHAPED) for result in definition.results
    )


def _may_have_models(definition: OperationDefinition) -> bool:
    """Whether a project may implement an interface for an operation: one that computes tensors or buffers."""
    if not definition.versions:
        return True
    takes_shaped = any(part in operand.constraint for operand in definition.operands for part in _SHAPED)
    computes = (
        bool(definition.regions) or _DESTINATION_STYLE in definition.traits or (takes_shaped and _is_shaped(definition))
    )
    return computes and definition.traits.isdisjoint(_NOT_TILED)


_TERMINATOR = "IsTerminator"
_IN_FUNCTION = "HasParent<FuncOp>"
SCALARS = frozenset({"arith", "complex", "index", "math", "ub"})
"""Dialects whose operations compute scalars, and have no regions: those in bodies of structured operations."""
_SYMBOLS = "SymbolTable"
_KINDS = (STRUCTURED, "LoopLikeOpInterface", "FunctionOpInterface")
"""Traits of operations that the same transformations apply to."""


_OF_ONE_NAME = re.compile(r'!transform\.op<"([^"]+)">')


def names_of_type(handle_type: str | None) -> frozenset[str] | None:
    """Return the operation name that a canonical handle type requires, as a set, or None if it requires none."""
    match = _OF_ONE_NAME.fullmatch(handle_type or "")
    return frozenset({match[1]}) if match is not None else None


class Kinds(NamedTuple):
    """Kinds of payload operations by their possible names, or by the interface of the search that found them."""

    names: frozenset[str] | None
    interface: str | None
    """The interface that they implement, or None if unknown."""

    @property
    def are_tiled(self) -> bool:
        """True if the names are unknown, but the interface is one of tiled operations."""
        return self.names is None and self.interface in TILED


class PayloadNames:
    """Answers from the definitions of payload operations; an unknown operation may be of any kind."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[tuple[str, frozenset[str] | None], bool] = {}
        """Answers of `may_contain`."""
        self._covers: dict[tuple[frozenset[str], frozenset[str]], bool] = {}
        """Answers of `may_cover`."""
        self._tiled: dict[tuple[frozenset[str] | None, bool], bool] = {}
        """Answers of `_may_have_tiled` (True as second part of the key) and `_may_be_in_tiled` (False)."""
        self._definitions: dict[str, OperationDefinition | None] = {}

    def are_containers(self, names: frozenset[str] | None) -> bool:
        """Whether all such operations are isolated from above, so that no operation is moved out of them."""
        return bool(names) and all(self._has_trait(name, _CONTAINER) for name in names or ())

    def is_symbol_table(self, name: str) -> bool:
        """Whether operations called `name` hold symbols, as modules do."""
        return self._has_trait(name, _SYMBOLS)

    def include_containers(self, names: Iterable[str]) -> bool:
        """Whether one of `names` is that of an operation isolated from above."""
        return any(self._has_trait(name, _CONTAINER) for name in names)

    def are_flat(self, names: frozenset[str] | None) -> bool:
        """Whether no operation with one of `names` can be nested in another one."""
        return bool(names) and not any(self.may_contain(outer, names) for outer in names or ())

    def are_structured(self, names: frozenset[str] | None) -> bool:
        """Whether all such operations are structured."""
        return bool(names) and all(self._has_trait(name, STRUCTURED) for name in names or ())

    def are_akin(self, names: frozenset[str] | None, others: frozenset[str] | None) -> bool:
        """Whether operations of `names` can replace `others` as operands: they share a name or a kind."""
        if names is None or others is None or not names.isdisjoint(others):
            return True
        return any(all(self._has_trait(name, kind) for name in names | others) for kind in _KINDS)

    def may_cover(self, outer: frozenset[str] | None, inner: frozenset[str] | None) -> bool:
        """Whether an `inner` operation can be an `outer` one or nested in one."""
        if outer is None or inner is None:
            return True
        question = (outer, inner)
        known = self._covers.get(question)
        if known is None:
            known = not outer.isdisjoint(inner) or any(self.may_contain(name, inner) for name in outer)
            self._covers[question] = known
        return known

    def may_cover_kinds(self, outer: Kinds, inner: Kinds) -> bool:
        """Whether an `inner` operation can be an `outer` one or nested in one, by upstream operations.

        Tiled operations of projects may contain other operations than upstream ones do.
        """
        if outer.are_tiled:
            return inner.are_tiled or self._nests_with_tiled(inner.names, is_outer=False)
        if inner.are_tiled:
            return self._nests_with_tiled(outer.names, is_outer=True)
        return self.may_cover(outer.names, inner.names)

    def _nests_with_tiled(self, names: frozenset[str] | None, *, is_outer: bool) -> bool:
        question = (names, is_outer)
        known = self._tiled.get(question)
        if known is None:
            test = self._may_have_tiled if is_outer else self._may_be_in_tiled
            known = self._tiled[question] = names is None or any(map(test, names))
        return known

    def _may_be_in_tiled(self, name: str) -> bool:
        """Whether an operation called `name` can be tiled, or be in the body of a tiled one."""
        definition = self._definition(name)
        return is_tiled(definition) or (
            definition is not None and not definition.regions and computes_scalars(definition)
        )

    def _may_have_tiled(self, name: str) -> bool:
        """Whether an operation called `name` can be tiled, or contain a tiled one."""
        definition = self._definition(name)
        return definition is None or is_tiled(definition) or bool(definition.regions)

    def may_nest(self, outer: frozenset[str] | None, inner: frozenset[str] | None) -> bool:
        """Whether an `inner` operation can be nested in an `outer` one."""
        return outer is None or any(self.may_contain(name, inner) for name in outer)

    def may_contain(self, outer: str, inner: frozenset[str] | None) -> bool:
        """Whether an operation called `outer` can have one of `inner` nested in it."""
        question = (outer, inner)
        if question not in self._known:
            self._known[question] = self._may_contain(outer, inner)
        return self._known[question]

    def _may_contain(self, outer: str, inner: frozenset[str] | None) -> bool:
        definition = self._definition(outer)
        if definition is None:
            return True
        if not definition.regions:
            return False
        if STRUCTURED in definition.traits:
            return inner is None or any(self._fits_into_structured(name, definition) for name in inner)
        if inner is not None and definition.traits.isdisjoint((_SYMBOLS, _FUNCTION)):
            of_functions = frozenset((_FUNCTION, _IN_FUNCTION))
            if all(self.have_one_of(name, of_functions) for name in inner):
                return False
        if "FunctionOpInterface" in definition.traits:
            return inner is None or not self.are_functions(inner)
        return True

    def are_functions(self, names: frozenset[str] | None) -> bool:
        """Whether all such operations are functions, which do not nest in each other."""
        return bool(names) and all(self._has_trait(name, "FunctionOpInterface") for name in names or ())

    def _fits_into_structured(self, name: str, outer: OperationDefinition) -> bool:
        """Whether an operation can be in a structured body: no loop, function or structured operation can.

        Such bodies compute scalars.
        """
        definition = self._definition(name)
        if definition is None:
            return True
        if definition.regions or is_transform_name(name) or not computes_scalars(definition):
            return False
        if outer.versions and not outer.written_body:
            return definition.dialect in SCALARS or definition.dialect == outer.dialect
        return definition.dialect == outer.dialect or _TERMINATOR not in definition.traits

    def have_one_of(self, name: str, traits: frozenset[str]) -> bool:
        """Whether operations called `name` are known to have one of `traits`."""
        definition = self._definition(name)
        return definition is not None and not definition.traits.isdisjoint(traits)

    def _has_trait(self, name: str, trait: str) -> bool:
        definition = self._definition(name)
        return definition is not None and trait in definition.traits

    def _definition(self, name: str) -> OperationDefinition | None:
        if name not in self._definitions:
            self._definitions[name] = self._catalogue.operation(name)
        return self._definitions[name]
