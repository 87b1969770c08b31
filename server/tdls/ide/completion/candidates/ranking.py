"""How likely an operation is what somebody begins to write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.meaning.matchers import matcher_names
from tdls.catalogue.model import Arity
from tdls.ide.completion.candidates.symbols import defines_symbol
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import is_transform_definition
from tdls.system import cached_property

if TYPE_CHECKING:
    from tdls.catalogue.model import OperandDefinition, OperationDefinition
    from tdls.ide.completion.candidates.scope import CompletionScope

_MATCHES = frozenset({"MatchOpInterface", "IsTerminator"})
"""Traits one of which whatever stands in a matcher has."""
_OF_FILE = 5
"""How many other scripts an operation in this one stands for."""
_MOST = 999


class Ranking:
    """Orders operations at one cursor."""

    def __init__(self, scope: CompletionScope) -> None:
        self._scope = scope

    def key(self, definition: OperationDefinition) -> str:
        """Return what sorts by how likely `definition` is: first what fits here, then what is used more often."""
        fits = self._fits_place(definition) and self._has_operands(definition)
        return f"{int(not fits)}{self._rarity(definition.name)}"

    def key_of_unknown(self, name: str) -> str:
        """Return the same for an operation of the file that no catalogue has."""
        return f"0{self._rarity(name)}"

    def _fits_place(self, definition: OperationDefinition) -> bool:
        """Tell whether `definition` may stand in the matcher around the cursor; symbols stand in symbol tables."""
        parent = self._scope.site.parent
        if defines_symbol(definition) and parent is not None and not parent.has_trait("SymbolTable"):
            return False
        return not self._is_in_matcher or not _MATCHES.isdisjoint(definition.traits)

    def _has_operands(self, definition: OperationDefinition) -> bool:
        """Tell whether there are live values for all operands that have to be there."""
        if not is_transform_definition(definition):
            return True
        return all(self._scope.fitting(operand) for operand in definition.operands if _is_required(operand))

    def _rarity(self, name: str) -> str:
        uses = self._scope.catalogue.uses(name) + _OF_FILE * self._in_file.get(name, 0)
        return f"{_MOST - min(uses, _MOST):03}"

    @cached_property
    def _in_file(self) -> dict[str, int]:
        return {used.name: count for used, count in self._scope.names_in_file.items()}

    @cached_property
    def _is_in_matcher(self) -> bool:
        enclosing = self._scope.site.enclosing
        around = (enclosing, *enclosing.ancestors()) if enclosing is not None else ()
        names = {name for operation in around if (name := symbol_name(operation)) is not None}
        return bool(names) and not names.isdisjoint(matcher_names(self._scope.site.file))


def _is_required(operand: OperandDefinition) -> bool:
    return operand.arity is Arity.ONE
