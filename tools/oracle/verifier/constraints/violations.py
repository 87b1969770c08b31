"""Texts in which an instance violates one of its constraints, by the constraint's subject."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from oracle.verifier.constraints import demands
from oracle.verifier.constraints.instances import Instance, applied, has_used_results
from tdls.semantic.symbols import symbol_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oracle.verifier.constraints.demands import Constraint
    from tdls.semantic.model import Region
    from tdls.syntax.tree import NamedAttribute, TypeUse

Edit = tuple[int, int, str]
Edits = list[Edit]
"""Each a place in the text, and its replacement."""

_VALUES = (
    *("unit", "true", '"abc"', "@missing", "f32", "1.5 : f32", "{a = 1}", "affine_map<(d0) -> (d0)>", "#gpu.thread<x>"),
    *("3 : i64", "3 : i32", "3 : i16", "3 : ui32", "3 : index", "3 : i1", "dense<1> : tensor<1xi64>"),
    *("array<i64: 1>", "array<i32: 1>", "array<i1: true>", "array<i8: 1>", "array<f32: 1.0>", "array<i64>", "[]"),
)
_ELEMENTS = (
    *('"abc"', "unit", "true", "f32", "@missing", "1.5 : f32", "{a = 1}", "3 : i64", "3 : i32", "3 : index"),
    *("#gpu.thread<x>", "[]", '["abc"]', "[3 : i32]", "array<i64: 1>"),
)
_SCRIPT_TYPES = (
    *("!transform.any_op", '!transform.op<"linalg.matmul">', '!transform.op<"scf.for">', "!transform.any_value"),
    *("!transform.any_param", "!transform.param<i64>", "!transform.param<i32>", "!transform.affine_map"),
)
_OTHER_TYPES = ("i64", "index", "!pdl.value")


def violations(instance: Instance, constraint: Constraint) -> Iterator[str]:
    """Yield texts in which the instance violates a constraint, or may do so: MLIR decides."""
    for edits in _BY_KIND[constraint.kind](instance, constraint.part):
        yield applied(instance.text, edits)


def _required(instance: Instance, name: str) -> Iterator[Edits]:
    attribute = instance.operation.syntax.attribute(name)
    if attribute is not None:
        yield _without(instance, attribute)


def _without(instance: Instance, attribute: NamedAttribute) -> Edits:
    end = re.compile(r"\s*,\s*").match(instance.text, attribute.end)
    if end is not None:
        return [(attribute.start, end.end(), "")]
    comma = re.compile(r",\s*$").search(instance.text, 0, attribute.start)
    return [(comma.start() if comma else attribute.start, attribute.end, "")]


def _value(instance: Instance, name: str) -> Iterator[Edits]:
    return (_with_attribute(instance, name, value) for value in _VALUES)


def _elements(instance: Instance, name: str) -> Iterator[Edits]:
    for value in _ELEMENTS:
        yield _with_attribute(instance, name, f"[{value}]")
    attribute = instance.operation.syntax.attribute(name)
    if attribute is not None and attribute.value is not None and (attribute.value.strip() + " ")[0] == "[":
        yield [(attribute.value_end - 1, attribute.value_end - 1, f"{_comma(attribute)}unit")]


def _comma(attribute: NamedAttribute) -> str:
    return "" if re.fullmatch(r"\[\s*\]", (attribute.value or "").strip()) else ", "


def _least(instance: Instance, name: str) -> Iterator[Edits]:
    for number in (-1, 0):
        for value in (f"{number} : i64", f"{number} : i16", f"array<i64: {number}>", f"[{number}]"):
            yield _with_attribute(instance, name, value)


def _cases(instance: Instance, name: str) -> Iterator[Edits]:
    for value in ("99 : i32", "99 : i64", "-1 : i32", '"unknown_case"'):
        yield _with_attribute(instance, name, value)


def _with_attribute(instance: Instance, name: str, value: str) -> Edits:
    """Give an attribute of the operation a value, whether it has one or not."""
    spelled = instance.operation.syntax.attribute(name)
    if spelled is not None:
        return [(spelled.start, spelled.end, f"{name} = {value}")]
    place = _behind_operands(instance)
    has_properties = instance.text.startswith("<{", _behind_blanks(instance.text, place))
    if not has_properties:
        return [(place, place, f" <{{{name} = {value}}}>")]
    inside = instance.text.index("<{", place) + 2
    rest = "" if instance.text.startswith("}>", inside) else ", "
    return [(inside, inside, f"{name} = {value}{rest}")]


def _behind_operands(instance: Instance) -> int:
    return instance.text.index(")", instance.operation.location.end) + 1


def _behind_blanks(text: str, place: int) -> int:
    return place + len(text[place:]) - len(text[place:].lstrip())


def _segments(instance: Instance, shown: str) -> Iterator[Edits]:
    name = f"{shown.removesuffix('s')}SegmentSizes"
    attribute = instance.operation.syntax.attribute(name)
    if attribute is None:
        return
    sizes = _segment_sizes(attribute)
    yield _without(instance, attribute)
    for wrong in ([*sizes, 0], sizes[:-1], [*sizes[:-1], sizes[-1] + 1], [-1, *sizes[1:]], [99, *sizes[1:]]):
        yield _with_attribute(instance, name, _array(wrong))
    for value in ("array<i64: 1, 1>", '"abc"', "[1, 1]", "unit", "array<i32>"):
        yield _with_attribute(instance, name, value)


def _segment_sizes(attribute: NamedAttribute) -> list[int]:
    return [int(number) for number in re.findall(r"-?\d+", (attribute.value or "").partition(":")[2])]


def _array(sizes: list[int]) -> str:
    return f"array<i32: {', '.join(map(str, sizes))}>"


def _group_count(instance: Instance, name: str) -> Iterator[Edits]:
    """Give a group of operands one value more than it can have, and one less, with sizes of segments that fit."""
    definition, syntax = instance.operation.definition, instance.operation.syntax
    attribute = syntax.attribute("operandSegmentSizes")
    names = [each.name for each in definition.operands] if definition is not None else []
    if attribute is None or name not in names or not syntax.operands:
        return
    sizes, index = _segment_sizes(attribute), names.index(name)
    begin = sum(sizes[:index])
    for change in (2, -1):
        if sizes[index] + change < 0:
            continue
        changed = [*sizes[:index], sizes[index] + change, *sizes[index + 1 :]]
        count = [_operand_added(instance, begin)] * change if change > 0 else [_operand_removed(instance, begin)]
        yield [*_merged(count), *_with_attribute(instance, "operandSegmentSizes", _array(changed))]


def _merged(changes: list[Edits]) -> Edits:
    return [edit for edits in changes for edit in edits]


def _operand_count(instance: Instance, _part: str) -> Iterator[Edits]:
    """Give it one operand more than it can have."""
    count, definition = len(instance.operation.syntax.operands), instance.operation.definition
    most = len(definition.operands) if definition is not None else count
    yield _merged([_operand_added(instance, count)] * (most + 1 - count))


def _operand_added(instance: Instance, index: int) -> Edits:
    """Add an operand in front of another one, which it is equal to, or a new one where there is none."""
    uses, types = instance.operation.syntax.operands, instance.operation.syntax.operand_types or ()
    if not uses:
        opener = instance.text.index("(", instance.operation.location.end) + 1
        start = _type_list(instance)
        made = _made(instance, "!transform.any_op")
        return [*made, (opener, opener, "%made"), (start + 1, start + 1, "!transform.any_op")]
    number = min(index, len(uses) - 1)
    use, type_ = uses[number], types[number]
    assert type_ is not None
    return [
        (use.start, use.start, f"{instance.text[use.start : use.end]}, "),
        (type_.start, type_.start, f"{type_.text}, "),
    ]


def _operand_removed(instance: Instance, index: int) -> Edits:
    uses, types = instance.operation.syntax.operands, instance.operation.syntax.operand_types or ()
    use, type_ = uses[index], types[index]
    assert type_ is not None
    return [_from_list(instance.text, use.start, use.end), _from_list(instance.text, type_.start, type_.end)]


def _from_list(text: str, start: int, end: int) -> Edit:
    behind = re.compile(r"\s*,\s*").match(text, end)
    if behind is not None:
        return start, behind.end(), ""
    before = re.compile(r",\s*$").search(text, 0, start)
    return (before.start() if before is not None else start), end, ""


def _type_list(instance: Instance) -> int:
    """Return where the types of no operands stand: the place of ``() ->``."""
    return instance.text.rindex("() ->", instance.operation.location.end, instance.operation.span.end)


def _result_count(instance: Instance, _part: str) -> Iterator[Edits]:
    types = instance.operation.syntax.result_types or ()
    if has_used_results(instance):
        return
    unnamed = _unnamed(instance)
    definition = instance.operation.definition
    groups = definition.results if definition is not None else ()
    surplus = ["!transform.any_op"] * max(len(groups) + 1 - len(types), 1)
    yield [*unnamed, *_results(instance, [*(use.text for use in types), *surplus])]
    if types:
        yield [*unnamed, *_results(instance, [use.text for use in types[:-1]])]


def _unnamed(instance: Instance) -> Edits:
    groups = instance.operation.syntax.results
    return [(groups[0].start, instance.operation.location.start, "")] if groups else []


def _results(instance: Instance, types: list[str]) -> Edits:
    arrow = instance.text.rindex("->", instance.operation.location.end, _first_result(instance)) + 2
    return [(arrow, instance.operation.span.end, f" ({', '.join(types)})")]


def _first_result(instance: Instance) -> int:
    types = instance.operation.syntax.result_types or ()
    return types[0].start if types else instance.operation.span.end


def _operand_type(instance: Instance, name: str) -> Iterator[Edits]:
    syntax = instance.operation.syntax
    begin, end = (syntax.operand_groups or {}).get(name, (0, 0))
    types = syntax.operand_types or ()
    if begin < end:
        for new in (*_SCRIPT_TYPES, *_OTHER_TYPES):
            use, type_ = syntax.operands[end - 1], types[end - 1]
            if type_ is not None and type_.text != new:
                yield [(use.start, use.end, "%made"), (type_.start, type_.end, new), *_made(instance, new)]


def _made(instance: Instance, type_: str) -> Edits:
    """Return an operation that defines ``%made`` as a value of any type, visible to the operation."""
    around = [instance.operation, *instance.operation.ancestors()]
    inside = (each for each, outer in pairwise(around) if outer is instance.outermost)
    place = next(inside, instance.operation)
    if type_ in _OTHER_TYPES or not instance.has_sequence or place is instance.outermost:
        line = f'%made = "builtin.unrealized_conversion_cast"() : () -> {type_}\n    '
        return [(place.span.start, place.span.start, line)]
    line = f"%made = transform.include @make failures(propagate) () : () -> {type_}\n    "
    outermost = instance.outermost.span.start
    return [
        (place.span.start, place.span.start, line),
        (outermost, outermost, f"transform.named_sequence private @make() -> {type_}\n  "),
    ]


def _result_type(instance: Instance, name: str) -> Iterator[Edits]:
    syntax = instance.operation.syntax
    begin, end = (syntax.result_groups or {}).get(name, (0, 0))
    types = syntax.result_types or ()
    if begin < end <= len(types) and not has_used_results(instance):
        for new in (*_SCRIPT_TYPES, *_OTHER_TYPES):
            yield [(*_place(types[end - 1]), new)]


def _place(use: TypeUse) -> tuple[int, int]:
    return use.start, use.end


def _region_count(instance: Instance, _part: str) -> Iterator[Edits]:
    regions = instance.operation.syntax.regions
    if not regions:
        place = _behind_operands(instance)
        behind = _behind_blanks(instance.text, place)
        if instance.text.startswith("<{", behind):
            place = _properties_end(instance.text, behind)
        yield [(place, place, " ({\n    })")]
        return
    yield [(regions[-1].end, regions[-1].end, ", {\n    }")]
    start = regions[-1].start if len(regions) == 1 else regions[-2].end
    end = regions[-1].end
    if len(regions) == 1:
        yield [(instance.text.rindex("(", 0, start), end + 1, "")]
    else:
        yield [(start, end, "")]


def _properties_end(text: str, start: int) -> int:
    """Return the place behind ``<{...}>``."""
    depth = 0
    for place in range(start + 1, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place + 2
    return start


def _regions_called(instance: Instance, name: str) -> Iterator[Region]:
    definition = instance.operation.definition
    described = definition.regions if definition is not None else ()
    for region in instance.operation.regions:
        own = described[min(region.index, len(described) - 1)] if described else None
        if own is not None and own.name == name:
            yield region


def _needs_block(instance: Instance, name: str) -> Iterator[Edits]:
    for region in _regions_called(instance, name):
        yield [(region.syntax.start, region.syntax.end, "{\n    }")]


def _one_block(instance: Instance, name: str) -> Iterator[Edits]:
    for region in _regions_called(instance, name):
        closer = region.syntax.end - 1
        first = "" if region.blocks else "^first:\n      "
        end = '"transform.yield"() : () -> ()\n    '
        yield [(closer, closer, f"{first and first + end}^second:\n      {end}")]


def _successors(instance: Instance, _part: str) -> Iterator[Edits]:
    """Add a successor: the block that the operation stands in, which needs a label, or a new one."""
    block = instance.operation.block
    if block is None:
        return
    place = _behind_operands(instance)
    label = block.syntax.label
    if label:
        yield [(place, place, f"[{label}]")]
    closer = block.region.syntax.end - 1
    yield [(place, place, "[^target]"), (closer, closer, '^target:\n    "transform.yield"() : () -> ()\n  ')]


def _same_types(instance: Instance, _part: str) -> Iterator[Edits]:
    """Give the last result another type, or the last operand where there are several."""
    syntax = instance.operation.syntax
    types = syntax.result_types or ()
    if types and syntax.operands and not has_used_results(instance):
        yield from ([(*_place(types[-1]), new)] for new in _SCRIPT_TYPES)
    if len(syntax.operands) > 1 and syntax.operand_types is not None and syntax.operand_types[-1] is not None:
        use, type_ = syntax.operands[-1], syntax.operand_types[-1]
        for new in _SCRIPT_TYPES:
            yield [(use.start, use.end, "%made"), (*_place(type_), new), *_made(instance, new)]


def _terminator(instance: Instance, _part: str) -> Iterator[Edits]:
    """Replace the terminator of a block, or leave it out."""
    for block in instance.operation.blocks():
        last = block.terminator
        if last is not None and last.has_trait("IsTerminator"):
            for new in ("", '"func.return"() : () -> ()', '"transform.print"() : () -> ()'):
                yield [(last.span.start, last.span.end, new)]


def _end_of_block(instance: Instance, _part: str) -> Iterator[Edits]:
    """Repeat the operation."""
    start, end = instance.operation.span.start, instance.operation.span.end
    if not instance.operation.results:
        yield [(start, start, f"{instance.text[start:end]}\n      ")]


def _isolated(instance: Instance, _part: str) -> Iterator[Edits]:
    """Use a value from outside in a body."""
    made = _made(instance, "!transform.any_op")
    for block in instance.operation.blocks():
        if block.operations:
            place = block.operations[0].span.start
            yield [*made, (place, place, '"transform.print"(%made) : (!transform.any_op) -> ()\n      ')]


def _no_arguments(instance: Instance, _part: str) -> Iterator[Edits]:
    for region in instance.operation.regions[:1]:
        yield [(region.syntax.start + 1, region.syntax.start + 1, "\n    ^bb0(%surplus: !transform.any_op):")]


def _symbol_table(instance: Instance, _part: str) -> Iterator[Edits]:
    for block in instance.operation.blocks():
        for child in block.operations:
            if symbol_name(child) is not None:
                start, end = child.span.start, child.span.end
                yield [(start, start, f"{instance.text[start:end]}\n      ")]


def _symbol_user(instance: Instance, _part: str) -> Iterator[Edits]:
    for use in instance.operation.syntax.symbols:
        yield [(use.start, use.end, "@missing")]


def _signature(instance: Instance, _part: str) -> Iterator[Edits]:
    attribute = instance.operation.syntax.attribute("function_type")
    if attribute is not None:
        for value in ("() -> ()", "(i32, i32, i32, i32, i32) -> ()", "() -> i32", "i32"):
            yield [(attribute.value_start, attribute.value_end, value)]
    if instance.operation.block is not None:
        place = instance.operation.location.end
        yield [(place, place, "")]


def _top_level(instance: Instance, _part: str) -> Iterator[Edits]:
    for region in instance.operation.regions:
        for block in region.blocks[:1]:
            first = block.operations[0].span.start if block.operations else region.syntax.end - 1
            for arguments in ("", "(%own: i64)", "(%own: !transform.any_value)", "(%own: !transform.any_op, %b: i64)"):
                yield [(region.syntax.start + 1, first, f"\n    ^bb0{arguments}:\n      ")]


def _flow(instance: Instance, _part: str) -> Iterator[Edits]:
    """Let a body yield something else than the operation returns."""
    types = instance.operation.syntax.result_types or ()
    if not has_used_results(instance):
        yield [*_unnamed(instance), *_results(instance, [*(use.text for use in types), "!transform.any_value"])]
        yield from ([(*_place(types[-1]), new)] for new in _SCRIPT_TYPES if types)
    for block in instance.operation.blocks():
        last = block.terminator
        if last is not None and last.name == "transform.yield":
            new = '"transform.yield"(%made, %made) : (!transform.any_op, !transform.any_op) -> ()'
            yield [(last.span.start, last.span.end, new), *_made(instance, "!transform.any_op")]


def _outside(instance: Instance, _part: str) -> Iterator[Edits]:
    """Put the operation in front of the one that it has to stand in."""
    parent = instance.operation.parent
    if parent is None or not instance.has_sequence or parent is instance.outermost:
        return
    start, end = instance.operation.span.start, instance.operation.span.end
    opener, closer = instance.text.index("(", start), _behind_operands(instance)
    operands = _VALUE_NAME.sub("%made", instance.text[opener:closer])
    moved = instance.text[instance.operation.location.start : opener] + operands + instance.text[closer:end]
    place = parent.span.start
    yield [*_made(instance, "!transform.any_op"), (place, place, f"{moved}\n    "), (start, end, "")]


_VALUE_NAME = re.compile(r"%\w+(?:#\d+)?", re.ASCII)


_BY_TRAIT: dict[str, Callable[[Instance, str], Iterator[Edits]]] = {
    "SameOperandsAndResultType": _same_types,
    "SameTypeOperands": _same_types,
    "AllTypesMatch": _same_types,
    "SingleBlockImplicitTerminator": _terminator,
    "IsTerminator": _end_of_block,
    "IsIsolatedFromAbove": _isolated,
    "NoRegionArguments": _no_arguments,
    "SymbolTable": _symbol_table,
    "SymbolUserOpInterface": _symbol_user,
    "FunctionOpInterface": _signature,
    "PossibleTopLevelTransformOpTrait": _top_level,
    "RegionBranchOpInterface": _flow,
    "StructuredOpPredicateOpTrait": _outside,
}


def _of_trait(instance: Instance, trait: str) -> Iterator[Edits]:
    make = _BY_TRAIT.get(trait.partition("<")[0])
    return make(instance, trait) if make is not None else iter(())


_BY_KIND: dict[str, Callable[[Instance, str], Iterator[Edits]]] = {
    demands.REQUIRED: _required,
    demands.VALUE: _value,
    demands.LEAST: _least,
    demands.CASES: _cases,
    demands.ELEMENTS: _elements,
    demands.SEGMENTS: _segments,
    demands.OPERAND_COUNT: _operand_count,
    demands.RESULT_COUNT: _result_count,
    demands.GROUP_COUNT: _group_count,
    demands.OPERAND_TYPE: _operand_type,
    demands.RESULT_TYPE: _result_type,
    demands.REGION_COUNT: _region_count,
    demands.NEEDS_BLOCK: _needs_block,
    demands.ONE_BLOCK: _one_block,
    demands.NO_SUCCESSORS: _successors,
    demands.TRAIT: _of_trait,
}
"""Functions that violate each kind of constraint: they change an instance, and return nothing if they cannot."""
