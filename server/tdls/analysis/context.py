"""What every rule works on: one file (or one split of it) with everything that is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tdls.analysis.effects import EffectAnalysis
from tdls.semantic.control_flow import Dominance, Reachability
from tdls.semantic.resolver import resolve
from tdls.semantic.symbols import SymbolTables, collect_symbols

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Model
    from tdls.syntax.tree import Tree


@dataclass(frozen=True)
class Context:
    """A tree and the catalogue; what follows from them is computed once, when a rule first asks."""

    tree: Tree
    catalogue: Catalogue

    @cached_property
    def model(self) -> Model:
        """Resolved operations and values."""
        return resolve(self.tree)

    @cached_property
    def symbols(self) -> SymbolTables:
        """Symbol tables of the model."""
        return collect_symbols(self.model)

    @cached_property
    def dominance(self) -> Dominance:
        """Dominance between the blocks of the model."""
        return Dominance()

    @cached_property
    def reachability(self) -> Reachability:
        """Reachability between the blocks of the model."""
        return Reachability()

    @cached_property
    def effects(self) -> EffectAnalysis:
        """Effects of the model's operations on handles."""
        return EffectAnalysis(self.symbols)
