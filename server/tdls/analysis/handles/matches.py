"""What matches look for, as ``transform.structured.match`` does; after `MatchOp::apply` of LinalgTransformOps.cpp."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.payload.names import STRUCTURED
from tdls.analysis.handles.payload.sets import PayloadSet  # noqa: TC001 - type of a field
from tdls.catalogue.model import MatchCriterion
from tdls.semantic.symbols import symbol_name

if TYPE_CHECKING:
    from tdls.analysis.handles.payload.written_payload import WrittenPayload
    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import NamedAttribute

_STRING = re.compile(r'"([^"]*)"')
_TRAITS = {
    STRUCTURED: (STRUCTURED,),
    "TilingInterface": ("TilingInterface", STRUCTURED),
    "LoopLikeInterface": ("LoopLikeOpInterface",),
}
"""Traits of definitions that are enough to implement an interface that matches ask for (`MatchInterfaceEnum`)."""
_BY_EXTERNAL_MODELS = frozenset({"TilingInterface"})
"""Those of these that operations get by external models, too, so that they may have them without any of the traits."""


class Found(NamedTuple):
    """What a match found, at a step of the run, and the last changes of the payload before."""

    match: Match
    payload: PayloadSet
    step: int
    last_change: int
    last_touch: int
    names: frozenset[str] | None = None
    """The names of all that it found, if it was looked for in the payload as it is written; None if not."""
    sure: frozenset[str] = frozenset()
    """Those of these of which it certainly found all operations."""


class Match(NamedTuple):
    """Conditions that all have to hold: one of `names`, an interface, and `others` as they are written."""

    names: frozenset[str] | None
    interface: str | None
    others: frozenset[tuple[str, str]]

    def written_names(self, written: WrittenPayload, catalogue: Catalogue) -> frozenset[str] | None:
        """Return the names of what it finds in all of a payload as it is written; None if they are not certain."""
        if self.others or (self.interface is not None and not self.is_of_structured):
            return None
        is_decided = self.interface is None or all(map(catalogue.operation, self._named(written)))
        return self.sure_names(written, catalogue) if is_decided else None

    def sure_names(self, written: WrittenPayload, catalogue: Catalogue) -> frozenset[str]:
        """Return names of which it certainly finds all operations of a payload as it is written."""
        if self.others:
            return frozenset()
        names = self._named(written)
        if self.interface is None:
            return names
        wanted = frozenset(_TRAITS.get(self.interface, ()))
        definitions = {name: catalogue.operation(name) for name in names}
        return frozenset(
            name
            for name, definition in definitions.items()
            if definition is not None and not wanted.isdisjoint(definition.traits)
        )

    def is_absent_in(self, written: WrittenPayload, scope: frozenset[str] | None, catalogue: Catalogue) -> bool:
        """Tell whether it finds nothing in operations called `scope` of a payload as it is written, if there is one."""
        if not written.several:
            return False
        trait = only_trait_of(self.interface)
        named = written.found_in(scope, self._named(written))
        if self.names is not None and written.may_be_unwritten(self.names):
            return False
        if trait is None or not named:
            return self.names is not None and not named
        definitions = [catalogue.operation(name) for name in named]
        return not any(definition is None or trait in definition.traits for definition in definitions)

    def _named(self, written: WrittenPayload) -> frozenset[str]:
        """Return the names of a payload that are among those it looks for."""
        return frozenset(written.several if self.names is None else written.several.keys() & self.names)

    def finds_all_of(self, narrower: Match, catalogue: Catalogue) -> bool:
        """Tell whether this match certainly finds all that `narrower` finds in the same place."""
        has_names = self.names is None or (narrower.names is not None and narrower.names <= self.names)
        return has_names and self.others <= narrower.others and self._has_interface(narrower, catalogue)

    def finds_all_called(self, names: frozenset[str] | None) -> bool:
        """Tell whether it finds every operation with one of `names`; also what it looks in may be found."""
        if names is None or self.names is None or self.interface is not None or not self.is_by_kind:
            return False
        return names <= self.names

    @property
    def is_of_structured(self) -> bool:
        """True if it finds structured operations only, none of which is nested in another one."""
        return self.interface == STRUCTURED

    @property
    def is_by_kind(self) -> bool:
        """True if nothing but what operations are decides, and no attribute of theirs."""
        return not self.others

    def _has_interface(self, narrower: Match, catalogue: Catalogue) -> bool:
        if self.interface is None or self.interface == narrower.interface:
            return True
        wanted = _TRAITS.get(self.interface, ())
        if narrower.interface in wanted:
            return True
        definitions = [catalogue.operation(name) for name in narrower.names or ()]
        return bool(definitions) and all(
            definition is not None and any(trait in definition.traits for trait in wanted) for definition in definitions
        )


def match_of_pattern(pattern: Operation) -> Match | None:
    """Return what a ``pdl.pattern`` looks for: operations of the name that its root has, and what else it asks for."""
    block = next(pattern.blocks(), None)
    rewrite = block.terminator if block is not None else None
    root = next(iter(rewrite.group("root")), None) if rewrite is not None else None
    name = root.operation.syntax.attribute("opName") if root is not None and root.operation is not None else None
    symbol = symbol_name(pattern)
    if name is None or name.value is None or symbol is None:
        return None
    return Match(names_in(name.value), None, frozenset({("pattern", symbol)}))


def only_trait_of(interface: str | None) -> str | None:
    """Return the trait that all definitions have whose operations implement an interface; None if there is none."""
    traits = _TRAITS.get(interface or "", ())
    return traits[0] if traits and interface not in _BY_EXTERNAL_MODELS else None


def names_in(text: str) -> frozenset[str]:
    """Return the names that an attribute, a string or a list of strings, is made of."""
    return frozenset(_STRING.findall(text))


def match_of(operation: Operation) -> Match:
    """Return what an operation looks for whose attributes say that, as those of ``transform.structured.match`` do."""
    attributes = {attribute.name: attribute.value or "" for attribute in operation.syntax.attributes}
    names = attributes.pop(_asking(operation, MatchCriterion.NAMES), None)
    interface = attributes.pop(_asking(operation, MatchCriterion.INTERFACE), None)
    return Match(names_in(names) if names is not None else None, interface, frozenset(attributes.items()))


def looked_in(operation: Operation) -> Value | None:
    """Return the first operand of the group to which the first result is related."""
    definition = operation.definition
    results = definition.results if definition is not None else ()
    first = next((relation for result in results for relation in result.relations), None)
    return next(iter(operation.group(first.other)), None) if first is not None else None


def asked(operation: Operation, what: MatchCriterion) -> NamedAttribute | None:
    """Return the attribute by which `operation` asks for payload operations, if it has a value."""
    found = operation.syntax.attribute(_asking(operation, what))
    return found if found is not None and found.value is not None else None


def names_asked(operation: Operation) -> frozenset[str] | None:
    """Return the names of the payload operations that `operation` asks for; None if it asks for none."""
    attribute = asked(operation, MatchCriterion.NAMES)
    return names_in(attribute.value) if attribute is not None and attribute.value is not None else None


def looks_for_kinds(operation: Operation) -> bool:
    """Tell whether `operation` finds payload operations of some names, or with some interface, only."""
    match = match_of(operation)
    return match.names is not None or match.interface is not None


def finds_called(operation: Operation, names: frozenset[str], catalogue: Catalogue) -> bool:
    """Tell whether `operation` certainly finds what is called as one of `names` says."""
    match = match_of(operation)
    return any(match.finds_all_of(Match(frozenset({name}), None, frozenset()), catalogue) for name in names)


def _asking(operation: Operation, what: MatchCriterion) -> str:
    """Return the name of the attribute that asks for something; empty if there is none."""
    definition = operation.definition
    attributes = definition.attributes if definition is not None else ()
    return next((attribute.name for attribute in attributes if attribute.asks is what), "")


def matches_by(matcher: Operation) -> list[Match | None]:
    """Return, for each value that a matcher, a named sequence, yields, what it looks for by that.

    None stands for values other than what the matcher is asked about.
    """
    block = next(matcher.blocks(), None)
    terminator = block.terminator if block is not None else None
    symbol = symbol_name(matcher)
    if block is None or terminator is None or not block.arguments or symbol is None:
        return []
    candidate = block.arguments[0]
    asking = (
        names_asked(operation)
        for operation in block.operations
        if candidate in operation.operands and not operation.results
    )
    names = next((found for found in asking if found is not None), None)
    is_all = names is not None and len(block.operations) == 2
    others = frozenset() if is_all else frozenset({("matcher", symbol)})
    return [Match(names, None, others) if value is candidate else None for value in terminator.operands]
