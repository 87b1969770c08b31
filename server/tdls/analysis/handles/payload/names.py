"""What names of payload operations tell about nesting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.handles.payload.certainties import Certainty
from tdls.semantic.transform_dialect import is_transform_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition

STRUCTURED = "LinalgOp"
"""The trait of structured operations."""
_TERMINATOR = "IsTerminator"
_FUNCTION = "FunctionOpInterface"
_IN_FUNCTION = "HasParent<FuncOp>"
_SCALAR_DIALECTS = frozenset({"arith", "complex", "index", "math"})
"""Dialects of operations that MLIR makes bodies of structured ones of."""
_SYMBOLS = "SymbolTable"
_CONTAINER = "IsIsolatedFromAbove"
_KINDS = (STRUCTURED, "LoopLikeOpInterface", "FunctionOpInterface")
"""Traits of operations that the same is done with."""


_OF_ONE_NAME = re.compile(r'!transform\.op<"([^"]+)">')


def names_of_type(handle_type: str | None) -> frozenset[str] | None:
    """Return the name that a canonical handle type asks for; None where it asks for none."""
    match = _OF_ONE_NAME.fullmatch(handle_type or "")
    return frozenset({match[1]}) if match is not None else None


class PayloadNames:
    """Answers from the definitions of payload operations; what is not known may be anything."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[tuple[str, frozenset[str] | None], bool] = {}
        """Answers of `may_contain`."""
        self._covers: dict[tuple[frozenset[str], frozenset[str]], bool] = {}
        """Answers of `may_cover`."""
        self._definitions: dict[str, OperationDefinition | None] = {}

    def are_containers(self, names: frozenset[str] | None) -> bool:
        """Tell whether nothing is moved out of such operations: they are isolated from above."""
        return bool(names) and all(self._has_trait(name, _CONTAINER) for name in names or ())

    def include_containers(self, names: Iterable[str]) -> bool:
        """Tell whether one of `names` is that of such an operation."""
        return any(self._has_trait(name, _CONTAINER) for name in names)

    def are_flat(self, names: frozenset[str] | None) -> bool:
        """Tell whether none of such operations can be nested in another one of these."""
        return bool(names) and not any(self.may_contain(outer, names) for outer in names or ())

    def are_structured(self, names: frozenset[str] | None) -> bool:
        """Tell whether all such operations are structured."""
        return bool(names) and all(self._has_trait(name, STRUCTURED) for name in names or ())

    def are_akin(self, names: frozenset[str] | None, others: frozenset[str] | None) -> bool:
        """Tell whether what is done with operations of `names` can be done with `others`, as far as is known."""
        if names is None or others is None or not names.isdisjoint(others):
            return True
        return any(all(self._has_trait(name, kind) for name in names | others) for kind in _KINDS)

    def nesting(self, names: frozenset[str] | None) -> Certainty:
        """Tell whether such operations can be nested in each other."""
        return Certainty.NEVER if self.are_flat(names) else Certainty.POSSIBLY

    def may_cover(self, outer: frozenset[str] | None, inner: frozenset[str] | None) -> bool:
        """Tell whether an `inner` operation can be an `outer` one or nested in one."""
        if outer is None or inner is None:
            return True
        question = (outer, inner)
        known = self._covers.get(question)
        if known is None:
            known = not outer.isdisjoint(inner) or any(self.may_contain(name, inner) for name in outer)
            self._covers[question] = known
        return known

    def may_nest(self, outer: frozenset[str] | None, inner: frozenset[str] | None) -> bool:
        """Tell whether an `inner` operation can be nested in an `outer` one."""
        return outer is None or any(self.may_contain(name, inner) for name in outer)

    def may_contain(self, outer: str, inner: frozenset[str] | None) -> bool:
        """Tell whether an operation called `outer` can have one of `inner` nested in it."""
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
        if inner is not None and _SYMBOLS not in definition.traits and self._are_of_functions(inner, definition):
            return False
        if "FunctionOpInterface" in definition.traits:
            return inner is None or not self.are_functions(inner)
        return True

    def are_functions(self, names: frozenset[str] | None) -> bool:
        """Tell whether all such operations are functions, none of which is in another one."""
        return bool(names) and all(self._has_trait(name, "FunctionOpInterface") for name in names or ())

    def _are_of_functions(self, names: frozenset[str], outer: OperationDefinition) -> bool:
        """Tell whether operations stand in modules, or directly in functions, and so not in such as `outer`."""
        of_functions = frozenset((_FUNCTION, _IN_FUNCTION))
        return _FUNCTION not in outer.traits and all(self.have_one_of(name, of_functions) for name in names)

    def _fits_into_structured(self, name: str, outer: OperationDefinition) -> bool:
        """Bodies of structured operations compute scalars: no loops, no functions, no other structured operations."""
        definition = self._definition(name)
        if definition is None:
            return True
        if definition.regions or is_transform_name(name):
            return False
        if outer.versions and not outer.written_body:
            return definition.dialect in _SCALAR_DIALECTS or definition.dialect == outer.dialect
        return definition.dialect == outer.dialect or _TERMINATOR not in definition.traits

    def have_one_of(self, name: str, traits: frozenset[str]) -> bool:
        """Tell whether operations called `name` are known to have one of `traits`."""
        definition = self._definition(name)
        return definition is not None and not definition.traits.isdisjoint(traits)

    def _has_trait(self, name: str, trait: str) -> bool:
        definition = self._definition(name)
        return definition is not None and trait in definition.traits

    def _definition(self, name: str) -> OperationDefinition | None:
        if name not in self._definitions:
            self._definitions[name] = self._catalogue.operation(name)
        return self._definitions[name]
