"""Decides C++ conditions for an operation with given attributes and operands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity, AttributeDefinition, OperandDefinition, ResultDefinition
from tdls.catalogue.sources.cpp.expressions import is_own_operation
from tdls.catalogue.sources.cpp.statements import call_of
from tdls.catalogue.sources.cpp.tokens import closing, top_level
from tdls.structs import Struct, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.catalogue.sources.cpp.expressions import OperationShape
    from tdls.catalogue.sources.cpp.statements import Call, Words

_VALUES = frozenset(("value", "getValue", "value_or"))
_COUNTS = frozenset(("empty", "size"))
_QUERIES = _VALUES | _COUNTS | {"has_value", "hasValue"}


class Atom(Struct, frozen=True):
    """An atomic condition: that an operand group is not empty, or that an attribute is present or has a value."""

    name: str
    is_operand: bool = False
    value: str | None = None


def atom_of(words: Words, shape: OperationShape) -> tuple[Atom, bool] | None:
    """Return the atom of a condition without variables, ``!``, ``&&`` and ``||``, and whether it has to be true.

    None if the condition is not understood.
    """
    words = without_parentheses(words)
    is_dereferenced = words[:1] == ("*",)
    call = call_of(without_parentheses(words[1:] if is_dereferenced else words))
    query = ""
    if call is not None and call.name in _QUERIES and call.arguments in ((), (("false",),)):
        query, call = call.name, call_of(without_parentheses(call.receiver))
    if call is None or call.arguments or not is_own_operation(call.receiver, shape):
        return None
    member = shape.accessed(call.name)
    if isinstance(member, AttributeDefinition):
        atom = None if query in _COUNTS else _attribute(member, call, of_value=is_dereferenced or query in _VALUES)
        return None if atom is None else (atom, True)
    if isinstance(member, OperandDefinition | ResultDefinition) and not is_dereferenced:
        if member.arity is Arity.ONE or (member.arity is not Arity.OPTIONAL and query not in _COUNTS):
            return None
        return Atom(member.name, is_operand=True), query != "empty"
    return None


def _attribute(attribute: AttributeDefinition, accessor: Call, *, of_value: bool) -> Atom | None:
    """Return the atom of an accessor: the presence of an optional attribute, else the value of a boolean."""
    is_optional = attribute.optional and attribute.default is None
    if is_optional and not of_value:
        return Atom(attribute.name)
    is_boolean = "BoolAttr" in attribute.constraint and (of_value or not accessor.name.endswith("Attr"))
    return Atom(attribute.name, value="true") if is_boolean else None


def without_parentheses(words: Words) -> Words:
    """Return `words` without parentheses around all of them."""
    while words[:1] == ("(",) and closing(words, 0) == len(words) - 1:
        words = words[1:-1]
    return words


class Conditions(Struct):
    """Decides conditions by the values of atoms in `answers`; `atoms` collects all atoms of these conditions."""

    shape: OperationShape
    answers: Mapping[Atom, bool]
    atoms: set[Atom] = field(default_factory=set)

    def holds(self, words: Words) -> bool | None:
        """Return whether a condition without variables holds, or None if unknown."""
        words = without_parentheses(words)
        for operator, deciding in (("||", True), ("&&", False)):
            parts = _split(words, operator)
            if len(parts) > 1:
                answers = [self.holds(part) for part in parts]
                return deciding if deciding in answers else None if None in answers else not deciding
        if words[:1] == ("!",):
            inner = self.holds(words[1:])
            return None if inner is None else not inner
        if words in (("true",), ("false",)):
            return words == ("true",)
        found = atom_of(words, self.shape)
        if found is None:
            return None
        atom, expected = found
        self.atoms.add(atom)
        answer = self.answers.get(atom)
        return None if answer is None else answer == expected


def _split(words: Words, operator: str) -> list[Words]:
    cuts = [index for index, word in top_level(words) if word == operator]
    starts = [0, *(cut + 1 for cut in cuts)]
    return [words[start:end] for start, end in zip(starts, [*cuts, len(words)], strict=True)]
