"""Payload operations, each alone in a module in the generic form, for every version of MLIR to judge and to print.

Some are cut out of modules that people wrote, with one attribute more or less; others are made from definitions, with
one type for all operands and one for all results.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from facts.instance_text import generic_form, producers
from facts.instances import attribute_values
from tdls.catalogue.model import Arity
from tdls.syntax.parser.parser import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.syntax.tree import Operation, Region

_MOST = 8
"""How many operations with the same attributes are taken from modules."""
_FUNCTION = """\
"func.func"() <{{function_type = () -> (), sym_name = "f"}}> ({{
{0}"func.return"() : () -> ()
}}) : () -> ()
"""
"""What some operations have to be in."""
_SEGMENTS = ("operandSegmentSizes", "resultSegmentSizes")
_TYPES = (
    *("f32", "i32", "index", "i1", "vector<4xf32>", "vector<4xi32>", "tensor<4xf32>", "memref<4xf32>"),
    *("!shape.shape", "!shape.size", "!shape.witness", "tensor<?xindex>", "!async.token", "!gpu.async.token"),
)
_PAIRS = (
    *((each, each) for each in _TYPES),
    *permutations(("f32", "i32", "index", "i1"), 2),
    *permutations(("!shape.shape", "!shape.size", "!shape.witness", "index", "tensor<?xindex>", "i1"), 2),
    *permutations(("f32", "f64"), 2),
    *permutations(("i32", "i64"), 2),
    *(("vector<4xf32>", "f32"), ("memref<4xf32>", "index")),
)
"""The types of all operands and of all results."""


def cut_out(modules: Iterable[str], catalogue: Catalogue) -> dict[str, list[str]]:
    """Return the operations of modules in the generic form, with variations of their attributes, by name."""
    found: dict[str, dict[tuple[str, ...], list[Operation]]] = {}
    texts: dict[str, list[str]] = {}
    for text in modules:
        for operation in parse(text, catalogue).walk():
            names = tuple(sorted(attribute.name for attribute in operation.attributes))
            alike = found.setdefault(operation.name, {}).setdefault(names, [])
            if operation.definition is None or operation.successors or len(alike) >= _MOST:
                continue
            alike.append(operation)
            for attributes in _variations(operation, operation.definition):
                texts.setdefault(operation.name, []).append(_alone(text, operation, attributes))
    return {name: list(dict.fromkeys(each)) for name, each in texts.items()}


def made(definition: OperationDefinition) -> Iterator[str]:
    """Yield instances of a definition without regions, of all types that are tried; most of them are not valid."""
    if definition.regions or definition.successors:
        return
    first = [(each.name, attribute_values(each)[0]) for each in definition.attributes]
    attributes = [(name, value) for name, value in first if value is not None]
    for operand, result in _PAIRS:
        operands = [operand for each in definition.operands if each.arity in (Arity.ONE, Arity.VARIADIC)]
        results = [result for each in definition.results if each.arity is Arity.ONE]
        written = generic_form(definition.name, operands, results, attributes, ())
        yield f"{producers(operands, first_is_given=False)}\n{written}\n"


def _variations(operation: Operation, definition: OperationDefinition) -> Iterator[dict[str, str | None]]:
    """Yield the attributes of an operation, without each one, and with each one that it may have."""
    given = {attribute.name: attribute.value for attribute in operation.attributes}
    yield given
    for attribute in definition.attributes:
        if attribute.name in given:
            yield {name: value for name, value in given.items() if name != attribute.name}
        for value in attribute_values(attribute):
            if value is not None and value != given.get(attribute.name):
                yield {**given, attribute.name: value}


def _alone(text: str, operation: Operation, attributes: Mapping[str, str | None]) -> str:
    """Return the operation with these attributes, and operations that define its operands."""
    inside = list(operation.walk())
    defined = {group.name for each in inside[1:] for group in each.results}
    blocks = [block for each in inside for region in each.regions for block in region.blocks]
    defined |= {argument.name for block in blocks for argument in block.arguments}
    given: dict[tuple[str, int], tuple[str, str]] = {}
    edits: list[tuple[int, int, str]] = []
    for each in inside:
        for use, type_ in zip(each.operands, each.operand_types or (), strict=False):
            if use.name not in defined and type_ is not None:
                name = given.setdefault((use.name, use.number or 0), (f"%given{len(given)}", type_.text))[0]
                edits.append((use.start, use.end, name))
    names = {start: name for start, _, name in edits}
    operands = ", ".join(names.get(use.start, use.name) for use in operation.operands)
    regions = ", ".join(_edited(text, region, edits) for region in operation.regions)
    inherent = {name for name in attributes if name in _SEGMENTS or _has(operation.definition, name)}
    properties, rest = (
        ", ".join(name if value is None else f"{name} = {value}" for name, value in attributes.items() if is_one(name))
        for is_one in (inherent.__contains__, lambda name: name not in inherent)
    )
    operand_types = ", ".join(each.text for each in operation.operand_types or () if each is not None)
    result_types = ", ".join(each.text for each in operation.result_types or ())
    values = "".join(f'{name} = "x.x"() : () -> {type_}\n' for name, type_ in given.values())
    written = f'"{operation.name}"({operands}){f" <{{{properties}}}>" if properties else ""}'
    written += f"{f' ({regions})' if regions else ''}{f' {{{rest}}}' if rest else ''}"
    written = f"{values}{written} : ({operand_types}) -> ({result_types})\n"
    is_symbol = operation.definition is not None and "SymbolOpInterface" in operation.definition.traits
    return written if is_symbol else _FUNCTION.format(written)


def _has(definition: OperationDefinition | None, name: str) -> bool:
    return definition is not None and any(attribute.name == name for attribute in definition.attributes)


def _edited(text: str, region: Region, edits: list[tuple[int, int, str]]) -> str:
    written, position = "", region.start
    for start, end, new in sorted(each for each in edits if region.start <= each[0] < region.end):
        written += text[position:start] + new
        position = end
    return written + text[position : region.end]
