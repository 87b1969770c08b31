"""The conditions that a search states in attributes: which operations it accepts, by name and in a known payload.

After `MatchOp::apply` (``transform.structured.match``) of LinalgTransformOps.cpp. A `Match` is compared with others,
and decides by names of operations; a `Condition` tests a payload operation, and describes the property
that it lacks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.catalogue.model import MatchCriterion
from tdls.payload.attributes import entries, has_attribute, split
from tdls.payload.kinds import STRUCTURED, TRAITS, implements, only_trait_of
from tdls.payload.operations import operands_of, result_count, result_type, type_of
from tdls.payload.tree import WITHOUT_STRUCTURED, is_of_scalars
from tdls.semantic.symbols import symbol_name
from tdls.structs import NamedTuple
from tdls.syntax.tree import Form
from tdls.syntax.types import are_same
from tdls.text.scanning import strings_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.payload.operations import PayloadOperation
    from tdls.payload.tree import Introduced
    from tdls.semantic.model import Block, Operation, Value
    from tdls.syntax.tree import NamedAttribute

_CONSTANT = "ConstantLike"
_OF_STRUCTURED = "linalg"
"""The dialect of structured operations."""
_OF_CONTAINERS = frozenset({"FunctionOpInterface", "HasParent<FuncOp>", "IsIsolatedFromAbove"})
"""Traits of operations that are added only with functions."""
_TERMINATOR = "IsTerminator"
_CONTAINER = "IsIsolatedFromAbove"
_RANGE = "PDL_RangeOf"
"""Constraint of pattern values that match any number of operands or types."""
ATTRIBUTES = "op_attrs"
"""The attribute of a match with a dictionary of required attributes."""
_OPERAND_TYPES = "filter_operand_types"
_WORD = re.compile(r"[A-Za-z_][\w.$-]*")


def accepts_parent(operation: Operation, name: str, catalogue: Catalogue) -> bool | None:
    """Whether a ``transform.get_parent_op`` accepts parents called `name`, or None if not known."""
    names, definition = operation.required_names, catalogue.operation(name)
    if names is not None and name not in names:
        return False
    if not operation.has_attribute("isolated_from_above"):
        return True
    return _CONTAINER in definition.traits if definition is not None else None


# By name


class Match(NamedTuple):
    """A conjunction of conditions: one of `names`, an interface, and `others` as attribute text."""

    names: frozenset[str] | None
    interface: str | None
    others: frozenset[tuple[str, str]]

    def finds_all_of(self, narrower: Match, catalogue: Catalogue) -> bool:
        """Whether this match certainly finds all operations that `narrower` finds in the same scope."""
        has_names = self.names is None or (narrower.names is not None and narrower.names <= self.names)
        return has_names and self.others <= narrower.others and self._has_interface(narrower, catalogue)

    def is_apart_from(self, other: Match) -> bool:
        """Whether the required names of both matches are disjoint."""
        return self.names is not None and other.names is not None and self.names.isdisjoint(other.names)

    def finds_all_called(self, names: frozenset[str] | None) -> bool:
        """Whether names alone make it find every operation with one of `names`, including the scope itself."""
        if names is None or self.names is None or self.interface is not None or not self.is_by_kind:
            return False
        return names <= self.names

    def finds_all_of_names(self, names: frozenset[str] | None, catalogue: Catalogue) -> bool:
        """Whether it finds every operation with one of `names` in its scope."""
        if not names or (self.names is not None and not names <= self.names):
            return False
        return all(self.is_wanted(name, catalogue) for name in names)

    @property
    def labels(self) -> frozenset[str]:
        """The words of the other conditions."""
        return frozenset(word for _, value in self.others for word in _WORD.findall(value))

    @property
    def is_flat(self) -> bool:
        """True if found operations do not nest in each other: bodies of tiled operations compute single elements."""
        return self.interface is not None and STRUCTURED in TRAITS.get(self.interface, ())

    @property
    def is_by_kind(self) -> bool:
        """True if only names and interfaces of operations decide, not their attributes."""
        return not self.others

    def is_wanted(self, name: str, catalogue: Catalogue) -> bool | None:
        """Whether operations called `name` are found; None: possibly some of them."""
        if self.names is not None and name not in self.names:
            return False
        if self.interface is not None:
            has = implements(catalogue.operation(name), self.interface)
            if not has:
                return has
        return None if self.others else True

    def is_made_in(self, outer: str, catalogue: Catalogue) -> bool:
        """Whether unwritten operations that MLIR adds to an operation called `outer` may be found."""
        names = self.names
        if names is None:
            return self.interface is None
        dialect = outer.partition(".")[0]
        return any(_is_made(name, catalogue.operation(name), dialect) for name in names)

    def may_come(self, outer: str, introduced: Introduced, catalogue: Catalogue) -> bool:
        """Whether some of the operations `introduced` where one called `outer` was rewritten may be found."""
        has_structured = outer.partition(".")[0] not in WITHOUT_STRUCTURED
        if self.names is None:
            trait = only_trait_of(self.interface)
            return (has_structured or trait != STRUCTURED) and introduced.may_have_trait(trait, catalogue)
        return any(
            introduced.may_have(name) and _may_be_added(catalogue.operation(name), has_structured=has_structured)
            for name in self.names
        )

    def _has_interface(self, narrower: Match, catalogue: Catalogue) -> bool:
        if self.interface is None or self.interface == narrower.interface:
            return True
        if narrower.interface in TRAITS.get(self.interface, ()):
            return True
        names = narrower.names or ()
        return bool(names) and all(implements(catalogue.operation(name), self.interface) for name in names)


def match_of(operation: Operation) -> Match:
    """Return the match by the attributes of an operation such as ``transform.structured.match``."""
    attributes = {attribute.name: attribute.value or "" for attribute in operation.syntax.attributes}
    asked = (operation.criterion(asks) for asks in (MatchCriterion.NAMES, MatchCriterion.INTERFACE))
    names, interface = (attributes.pop(each.name) if each is not None else None for each in asked)
    others = list(attributes.items())
    if operation.syntax.form is Form.STRUCTURAL:  # it may state conditions that are not read
        others.append((f"as written at {operation.location.start}", ""))
    return Match(strings_in(names) if names is not None else None, interface, frozenset(others))


def match_of_pattern(pattern: Operation) -> Match | None:
    """Return the match for a ``pdl.pattern``: the name of its root, and its symbol if it has more conditions."""
    block = pattern.body
    rewrite = block.terminator if block is not None else None
    root = next(iter(rewrite.group("root")), None) if rewrite is not None else None
    name = root.operation.syntax.attribute("opName") if root is not None and root.operation is not None else None
    symbol = symbol_name(pattern)
    if block is None or root is None or name is None or name.value is None or symbol is None:
        return None
    others = frozenset() if _requires_only_name(block, root) else frozenset({("pattern", symbol)})
    return Match(strings_in(name.value), None, others)


def matches_by(matcher: Operation) -> list[Match | None]:
    """Return the match for each yielded value of a matcher, a named sequence, or None for values but its argument."""
    block = matcher.body
    terminator = block.terminator if block is not None else None
    symbol = symbol_name(matcher)
    if block is None or terminator is None or not block.arguments or symbol is None:
        return []
    candidate, names = block.arguments[0], names_accepted(matcher)
    is_all = names is not None and len(block.operations) == 2
    others = frozenset() if is_all else frozenset({("matcher", symbol)})
    return [Match(names, None, others) if value is candidate else None for value in terminator.operands]


def names_accepted(matcher: Operation) -> frozenset[str] | None:
    """Return the names that a matcher accepts, or None if any."""
    block = matcher.body
    if block is None or not block.arguments:
        return None
    accepted: frozenset[str] | None = None
    for operation in block.operations:
        is_about_it = operation.operands[:1] == [block.arguments[0]] and not operation.results
        names = operation.required_names if is_about_it else None
        if names is not None:
            accepted = names if accepted is None else accepted & names
    return accepted


def _requires_only_name(block: Block, root: Value) -> bool:
    """Whether a ``pdl.pattern`` matches all operations of a name, with any operands, attributes and results."""
    inside = [operation for operation in block.operations if operation is not root.operation]
    given = root.operation.operands if root.operation is not None else []
    ranges = [each.definition.results if each.definition and not each.operands else () for each in inside[:-1]]
    asks_for_nothing = all(each and all(result.constraint == _RANGE for result in each) for each in ranges)
    return asks_for_nothing and all(value is not None and value.operation in inside for value in given)


def _may_be_added(definition: OperationDefinition | None, *, has_structured: bool) -> bool:
    """Whether an operation may be added without a function, and where operations may be rewritten to it."""
    if definition is None:
        return True
    is_structured = definition.dialect == _OF_STRUCTURED and _TERMINATOR not in definition.traits
    return definition.traits.isdisjoint(_OF_CONTAINERS) and (has_structured or not is_structured)


def _is_made(name: str, definition: OperationDefinition | None, dialect: str) -> bool:
    """Whether MLIR may add an operation to written ones: in a body, or at the end of a block."""
    if definition is None or (_TERMINATOR in definition.traits and definition.dialect == dialect):
        return True
    return is_of_scalars(name) and _CONSTANT not in definition.traits and _TERMINATOR not in definition.traits


# In a known payload


class Condition(NamedTuple):
    """A condition on payload operations by an attribute of a match."""

    attribute: NamedAttribute
    test: Callable[[PayloadOperation], bool | None]
    """Tests a payload operation; returns None if the answer is not known."""
    asks_for: str
    """Message text for the required property, after "has"."""
    shown: Callable[[PayloadOperation], str | None]
    """Returns message text for the property that an operation has instead, or None."""


def conditions_of(context: Context, match: Operation) -> Iterator[Condition]:
    """Yield the conditions of a match except names: interface, attributes, result type, operand types."""
    interface = match.criterion(MatchCriterion.INTERFACE)
    if interface is not None and interface.value is not None:
        name = interface.value
        yield Condition(
            interface,
            lambda operation: implements(operation.definition(context.catalogue), name),
            f"the interface `{name}`",
            _nothing,
        )
    attributes = match.syntax.attribute(ATTRIBUTES)
    if attributes is not None and attributes.value is not None:
        for name, value in entries(attributes.value):
            yield _has_attribute(attributes, name, value)
    wanted = match.criterion(MatchCriterion.RESULT_TYPE)
    if wanted is not None and wanted.value is not None:
        yield _has_result_type(context, wanted, wanted.value)
    operand_types = match.syntax.attribute(_OPERAND_TYPES)
    if operand_types is not None and operand_types.value is not None:
        yield _has_operand_types(context, operand_types, operand_types.value)


def _nothing(operation: PayloadOperation) -> str | None:
    """Return None: the condition shows no other property of an operation."""
    del operation
    return None


def _has_attribute(place: NamedAttribute, name: str, value: str | None) -> Condition:
    def shown(operation: PayloadOperation) -> str | None:
        """Return message text for the attribute of `operation` with the name, or None if it has none."""
        own = operation.written.syntax.attribute(name) if operation.written is not None else None
        if own is None:
            return None
        return f"`{name} = {own.value}`" if own.value is not None else f"`{name}`"

    words = f"`{name}`" if value is None else f"`{name} = {value}`"
    return Condition(place, lambda operation: has_attribute(operation, name, value), words, shown)


def _has_result_type(context: Context, place: NamedAttribute, spelled: str) -> Condition:
    wanted = context.types.canonical(spelled)

    def test(operation: PayloadOperation) -> bool | None:
        """Whether `operation` meets the condition, or None if not known."""
        count = result_count(operation)
        if count is not None and count != 1:
            return False
        return are_same(result_type(operation), wanted)

    def shown(operation: PayloadOperation) -> str | None:
        own = result_type(operation)
        return f"the result `{own}`" if own is not None else None

    return Condition(place, test, f"exactly one result, of type `{spelled}`", shown)


def _has_operand_types(context: Context, place: NamedAttribute, spelled: str) -> Condition:
    wanted = [context.types.canonical(entry) for entry in split(spelled.strip()[1:-1])]

    def test(operation: PayloadOperation) -> bool | None:
        """Whether `operation` meets the condition, or None if not known."""
        own = operands_of(operation)
        if own is None:
            return None
        asked_types = wanted * len(own) if len(wanted) == 1 else wanted
        if len(asked_types) != len(own):
            return None
        same = [are_same(type_of(value), kind) for value, kind in zip(own, asked_types, strict=True)]
        return False if False in same else None if None in same else True

    return Condition(place, test, f"operands of the types `{spelled}`", _nothing)
