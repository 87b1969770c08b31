"""The types that the text of an operation does not spell: a constraint fixes them, or another type or attribute."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from tdls.catalogue.model import Arity
from tdls.syntax.parser.assembly.written_formats import SETTLED_DIALECTS, WIDENED
from tdls.syntax.parser.operation_state import OPERANDS, RESULTS
from tdls.syntax.tree import TypeUse
from tdls.syntax.types import FUNCTION, UNKNOWN, Type, type_tree
from tdls.text.scanning import integers_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.syntax.parser.operation_state import OperationState

    Function: TypeAlias = Callable[[Type], tuple[str, ...] | None]
    """Makes the types of a group of the type of another one, or None where they are not certain."""

_ALL_TYPES_MATCH = "AllTypesMatch<"
_DERIVED = re.compile(r"TypesMatchWith<(\w+),(\w+),(.*)>", re.DOTALL)


class ImpliedTypes:
    """The types that one definition implies if they are not spelled."""

    __slots__ = ("built_operands", "built_results", "computed", "derived", "operands", "single_results", "tied")

    def __init__(self, definition: OperationDefinition) -> None:
        self.operands = frozenset(operand.name for operand in definition.operands)
        self.single_results = frozenset(result.name for result in definition.results if result.arity is Arity.ONE)
        """The results that always have one value."""
        self.built_operands = _built(definition.operands)
        self.built_results = _built(result for result in definition.results if result.name in self.single_results)
        """Names of groups, each with the only type that its constraint allows."""
        tied = [
            tuple(name.strip() for name in trait[len(_ALL_TYPES_MATCH) : -1].split(","))
            for trait in definition.traits
            if trait.startswith(_ALL_TYPES_MATCH)
        ]
        if {"SameOperandsAndResultType", "SameTypeOperands"} & definition.traits and is_settled(definition):
            names = [group.name for group in definition.operands if group.arity is Arity.ONE]
            if "SameOperandsAndResultType" in definition.traits:
                names += self.single_results
            tied.append(tuple(names))
        self.tied = tuple(tied)
        """Names of groups, and of attributes, that have the same types."""
        self.derived = tuple(_derived(definition))
        """Pairs of groups, with the function that makes the types of the second of the type of the first."""
        self.computed = _COMPUTED.get(definition.name) if definition.versions else None


def is_settled(definition: OperationDefinition) -> bool:
    """Whether every form that the operation has in any version of MLIR, and in the project, is known."""
    if not definition.versions or definition.is_patched or definition.name in WIDENED:
        return False
    return definition.dialect in SETTLED_DIALECTS


def _built(groups: Iterable[OperandDefinition | ResultDefinition]) -> tuple[tuple[str, str], ...]:
    return tuple((group.name, group.type) for group in groups if group.type is not None)


# Types that are made of one other


def _derived(definition: OperationDefinition) -> Iterator[tuple[str, str, Function]]:
    if definition.versions:
        yield from _BY_NAME.get(definition.name, ())
    for trait in definition.traits:
        match = _DERIVED.fullmatch(trait)
        if match is None:
            continue
        if match[3] == "$_self":
            yield match[1], match[2], _itself
        elif "getNumElements()" in match[3]:
            yield match[1], match[2], _elements
        yield from ((match[1], match[2], each) for end, each in _ENDS.items() if match[3].endswith(end))


def _itself(type_: Type) -> tuple[str, ...] | None:
    """Return the same type, but none for buffers, which are written in place and not returned."""
    return None if type_.kind in ("memref", UNKNOWN) else (type_.text,)


def _element(type_: Type) -> tuple[str, ...] | None:
    return (type_.parts[0].text,) if type_.is_shaped or type_.kind == "complex" else None


def _elements(type_: Type) -> tuple[str, ...] | None:
    count = type_.count
    return (type_.element.text,) * count if count is not None and count <= _MOST_ELEMENTS else None


def _truths(type_: Type) -> tuple[str, ...] | None:
    if type_.is_shaped and not type_.parameters:
        return (f"{type_.text[: -len(type_.element.text) - 1]}i1>",)
    return ("i1",) if type_.is_scalar else None


def _inputs(type_: Type) -> tuple[str, ...] | None:
    return tuple(each.text for each in type_.parts[0].parts) if type_.kind == FUNCTION else None


def _results(type_: Type) -> tuple[str, ...] | None:
    return tuple(each.text for each in type_.parts[1:]) if type_.kind == FUNCTION else None


_MOST_ELEMENTS = 1_000
_ENDS: dict[str, Function] = {
    ".getElementType()": _element,
    ".getInputs()": _inputs,
    ".getResults()": _results,
    "getI1SameShape($_self)": _truths,
}
"""By the end of the C++ expression of `TypesMatchWith`."""
_BY_NAME: dict[str, tuple[tuple[str, str, Function], ...]] = {
    "affine.load": (("memref", "result", _element),),
    "affine.store": (("memref", "value", _element),),
    "vector.contract": (("acc", "", _itself),),
    "vector.to_elements": (("source", "elements", _elements),),
    "vector.transfer_write": (("base", "result", _itself), ("source", "result", _itself)),
}
"""Pairs of groups where C++ says so, and no trait."""


# Types that are made of several others


def _outer_product(state: OperationState) -> tuple[str, ...] | None:
    types = [type_tree(each.text) for name in ("lhs", "rhs") for each in state.types.get(name, ())]
    if len(types) != 2 or types[0].kind != _VECTOR or types[0].dimensions is None:
        return None
    sizes = (*types[0].dimensions, *(types[1].dimensions or ()))
    return (_vector(sizes, types[0]),)


def _shuffled(state: OperationState) -> tuple[str, ...] | None:
    types = [type_tree(each.text) for each in state.types.get(OPERANDS, ())]
    mask = next((integers_in(each.value or "") for each in state.attributes if each.name == "mask"), None)
    if mask is None or len(types) != 2 or types[0].kind != _VECTOR or types[0].dimensions is None:
        return None
    return (_vector((str(len(mask)), *types[0].dimensions[1:]), types[0]),)


def _vector(sizes: tuple[str, ...], of: Type) -> str:
    return f"vector<{''.join(f'{size}x' for size in sizes)}{of.element.text}>"


_VECTOR = "vector"
_COMPUTED: dict[str, tuple[str, Callable[[OperationState], tuple[str, ...] | None]]] = {
    "memref.distinct_objects": ("results", lambda state: tuple(each.text for each in state.types.get("operands", ()))),
    "vector.outerproduct": ("", _outer_product),
    "vector.shuffle": ("vector", _shuffled),
}
"""The group of results whose types are computed, and the function, by the name of the operation."""


def infer_types(state: OperationState, implied: ImpliedTypes) -> None:
    """Add the types of `state` that are not spelled but fixed by a constraint or tied to a spelled one.

    A group of unknown size stays without types.
    """
    types = state.types
    for name, built in implied.built_operands:
        if name not in types and _operands_are_grouped(state):
            types[name] = [TypeUse(0, 0, built) for _ in state.values.get(name, ())]
    for name, built in implied.built_results:
        if name not in types and RESULTS not in types:
            types[name] = [TypeUse(0, 0, built)]
    for names in implied.tied:
        _share_types(state, implied, names)
    for source, target, function in implied.derived:
        spelled = types.get(source)
        if spelled is not None and len(spelled) == 1 and target not in types:
            _add(state, implied, target, function(type_tree(spelled[0].text)))
    if implied.computed is not None and implied.computed[0] not in types:
        _add(state, implied, implied.computed[0], implied.computed[1](state))


def _add(state: OperationState, implied: ImpliedTypes, name: str, texts: tuple[str, ...] | None) -> None:
    if texts is not None and _size(state, implied, name) in (None, len(texts)):
        state.types[name] = [TypeUse(0, 0, text) for text in texts]


def _operands_are_grouped(state: OperationState) -> bool:
    """Whether the text assigns operands to groups."""
    return OPERANDS not in state.types and OPERANDS not in state.values


def _size(state: OperationState, implied: ImpliedTypes, name: str) -> int | None:
    """Return the number of values of a group, None if the text does not determine it."""
    if name in implied.operands:
        return len(state.values.get(name, ())) if _operands_are_grouped(state) else None
    return 1 if name in implied.single_results and RESULTS not in state.types else None


def _share_types(state: OperationState, implied: ImpliedTypes, names: tuple[str, ...]) -> None:
    known = next((state.types[name] for name in names if state.types.get(name)), None)
    if known is None:
        return
    for name in names:
        if name not in state.types and _size(state, implied, name) in (None, len(known)):
            state.types[name] = known
