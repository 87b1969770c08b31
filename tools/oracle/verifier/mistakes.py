"""Mistakes of a certain kind, made in one transform operation of a valid module."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.semantic.resolver import resolve
from tdls.semantic.transform_dialect import is_transform_name
from tdls.semantic.types import TypeTexts
from tdls.syntax.parser.parser import parse
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Block, Model, Operation, Value
    from tdls.syntax.tree import TypeUse

Edits = list[tuple[int, int, str]]
"""Each a place in the text, and its replacement."""

_INTEGER = re.compile(r"(?<![\w%@.#^\"])-?\d+(?![\w.\"])")
_INTEGERS = ("0", "-1", "1", "2", "7", "1000")
_VALUES = (
    *('"abc"', "unit", "true", "f32", "@missing", "{a = 1}", '["abc"]', "[]", "[@missing]", "[f32]", "[true]", "1.5"),
    *("0 : i64", "-1 : i64", "1 : i64", "3 : i32", "7 : i16", "-1", "2", "[0, 1]", "[1, 1]", "[0, 2]", "[-1, 0]"),
    *("array<i64: 1, 1>", "array<i64: 0, 1>", "array<i64: -1, 0>", "array<i32: 0>", "array<i64>", "array<i1: true>"),
    *("[[1, 1]]", "[[0, 1]]", "[array<i64: 1, 0>]", "[array<i64: 1, 1>]", "[0, 1, 2]", "array<i64: 0, 1, 2>"),
)
_CHILDREN = (
    "%foreign = arith.constant 1 : i32",
    "func.func private @foreign()",
    "transform.named_sequence @inner(%inner: !transform.any_op {transform.readonly}) { transform.yield }",
    "transform.yield",
    "transform.apply_patterns.canonicalization",
    "transform.apply_conversion_patterns.func.func_to_llvm",
    "transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter",
    "transform.sequence failures(propagate) { ^bb0(%inner: !transform.any_op): transform.yield }",
    "transform.with_pdl_patterns { ^bb0(%inner: !transform.any_op): }",
    "transform.match.structured.yield",
    'pdl.pattern @foreign : benefit(1) { %op = pdl.operation "a.b" pdl.rewrite %op with "x" }',
    "%constant = transform.param.constant 1 : i64 -> !transform.param<i64>",
)
_TYPES = (
    *("!transform.any_op", "!transform.any_value", "!transform.any_param", "!transform.param<i64>"),
    *("!transform.affine_map", '!transform.op<"linalg.matmul">', '!transform.op<"scf.for">', "!pdl.operation"),
    *("!transform.type", "i64", "index"),
)
_DIALECT_ATTRIBUTES = (
    *("transform.unknown", "transform.target_tag = 1 : i64", 'transform.target_tag = "tag"', "transform.consumed"),
    *("transform.readonly = 1 : i64", "transform.silence_tracking_failures", "transform.silence_tracking_failures = 2"),
)
_MARK = re.compile(r"transform\.(readonly|consumed)")


@dataclass(frozen=True)
class Mistake:
    """`text` is a module with a mistake of `kind` in the operation `operation`, whose name begins at `place`."""

    text: str
    kind: str
    operation: str
    place: int


def mistakes(text: str, count: int, random: Random, catalogue: Catalogue, word: str = "") -> Iterator[Mistake]:
    """Yield up to `count` versions of a module, each with a mistake of a random kind in a random operation.

    Only kinds with `word` in them are made.
    """
    tree = parse(text, catalogue)
    model = resolve(tree, TypeTexts([(m.alias.name, m.alias.value) for m in tree.members if m.alias is not None]))
    operations = [operation for operation in model.walk() if is_transform_name(operation.name)]
    if not operations:
        return
    kinds = [kind for kind in KINDS if word in kind]
    names = sorted({operation.name for operation in operations})
    for _ in range(count):
        kind, name = random.choice(kinds), random.choice(names)
        operation = random.choice([each for each in operations if each.name == name])
        edits = KINDS[kind](Site(text, model, operation), random)
        if edits:
            yield _applied(text, kind, operation, edits)


def _applied(text: str, kind: str, operation: Operation, edits: Edits) -> Mistake:
    place = operation.location.start
    shift = sum(len(new) - (end - start) for start, end, new in edits if end <= place)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return Mistake(text, kind, operation.name, place + shift)


@dataclass(frozen=True)
class Site:
    """An operation of a module in which a mistake is to be made."""

    text: str
    model: Model
    operation: Operation

    def own_text(self) -> Iterator[tuple[int, int]]:
        """Yield the places of the operation that no region of it has."""
        start = self.operation.span.start
        for region in self.operation.syntax.regions:
            yield start, region.start
            start = region.end
        yield start, self.operation.span.end


def _attribute_kind(site: Site, random: Random) -> Edits:
    attributes = [each for each in site.operation.syntax.attributes if each.value_end > each.value_start]
    if not attributes:
        return []
    chosen = random.choice(attributes)
    return [(chosen.value_start, chosen.value_end, random.choice(_VALUES))]


def _attribute_missing(site: Site, random: Random) -> Edits:
    if site.operation.syntax.form is not Form.GENERIC or not site.operation.syntax.attributes:
        return []
    chosen = random.choice(site.operation.syntax.attributes)
    end = re.compile(r"\s*,\s*").match(site.text, chosen.end)
    if end is not None:
        return [(chosen.start, end.end(), "")]
    comma = re.compile(r",\s*$").search(site.text, 0, chosen.start)
    return [(comma.start() if comma else chosen.start, chosen.end, "")]


def _attribute_added(site: Site, random: Random) -> Edits:
    definition = site.operation.definition
    if site.operation.syntax.form is not Form.GENERIC or definition is None or not definition.attributes:
        return []
    spelled = {each.name for each in site.operation.syntax.attributes}
    missing = [each.name for each in definition.attributes if each.name not in spelled]
    properties = site.text.find("<{", site.operation.location.end, site.operation.span.end)
    if not missing or properties < 0 or not site.operation.syntax.attributes:
        return []
    return [(properties + 2, properties + 2, f"{random.choice(missing)} = {random.choice(_VALUES)}, ")]


def _flag_added(site: Site, random: Random) -> Edits:
    """Add a unit attribute of the definition to a dictionary."""
    definition = site.operation.definition
    spelled = {each.name for each in site.operation.syntax.attributes}
    flags = [each.name for each in definition.attributes if each.constraint == "UnitAttr"] if definition else []
    places = list(_places_in_dictionaries(site))
    missing = [name for name in flags if name not in spelled]
    if not missing or not places:
        return []
    place = random.choice(places)
    return [(place, place, f"{random.choice(missing)}, ")]


def _dialect_attribute(site: Site, random: Random) -> Edits:
    """Add an attribute of the dialect to the operation, or to the module."""
    places = list(_places_in_dictionaries(site))
    places += [match.start() for match in re.finditer(r"transform\.with_named_sequence", site.text)]
    if not places:
        return []
    place = random.choice(places)
    return [(place, place, f"{random.choice(_DIALECT_ATTRIBUTES)}, ")]


def _places_in_dictionaries(site: Site) -> Iterator[int]:
    """Yield where attributes begin that stand in braces."""
    for attribute in site.operation.syntax.attributes:
        if site.text[: attribute.start].rstrip().endswith(("{", ",")):
            yield attribute.start


def _repeated(site: Site, _: Random) -> Edits:
    """Write the operation again behind itself, without names for its results."""
    start, end = site.operation.location.start, site.operation.span.end
    return [(end, end, f"\n    {site.text[start:end]}")]


def _unnamed(site: Site, _: Random) -> Edits:
    """Take the names from the operation's results."""
    if not site.operation.results:
        return []
    return [(site.operation.span.start, site.operation.location.start, "")]


def _result_of_signature(site: Site, random: Random) -> Edits:
    """Give a sequence another result, or none."""
    sequences = [each.syntax for each in site.model.walk() if is_transform_name(each.name)]
    signatures = (each.signature for each in sequences if each.signature is not None)
    results = [type_ for signature in signatures for type_ in signature.results]
    if not results:
        return []
    chosen = random.choice(results)
    return [(chosen.start, chosen.end, random.choice((*_TYPES, "()", f"({chosen.text}, {chosen.text})")))]


def _integer(site: Site, random: Random) -> Edits:
    found = [match for start, end in site.own_text() for match in _INTEGER.finditer(site.text, start, end)]
    if not found:
        return []
    chosen = random.choice(found)
    new = random.choice((*_INTEGERS, random.choice(found)[0]))
    return [(chosen.start(), chosen.end(), new)]


def _block(site: Site, random: Random) -> Block | None:
    blocks = [block for block in site.operation.blocks() if block.operations]
    return random.choice(blocks) if blocks else None


def _terminator_removed(site: Site, random: Random) -> Edits:
    block = _block(site, random)
    return [(*_ends(block.operations[-1]), "")] if block is not None else []


def _terminator_replaced(site: Site, random: Random) -> Edits:
    block = _block(site, random)
    return [(*_ends(block.operations[-1]), random.choice(_CHILDREN))] if block is not None else []


def _terminator_operands(site: Site, random: Random) -> Edits:
    block = _block(site, random)
    if block is None:
        return []
    values = [value for value in _values_in(block) if value.type]
    chosen = random.sample(values, min(len(values), random.randrange(3)))
    names = ", ".join(value.shown for value in chosen)
    types = ", ".join(value.type or "" for value in chosen)
    last = block.operations[-1]
    return [(*_ends(last), f"{last.name} {names} : {types}" if chosen else last.name)]


def _terminator_early(site: Site, random: Random) -> Edits:
    block = _block(site, random)
    if block is None:
        return []
    place = random.choice(block.operations).span.start
    return [(place, place, "transform.yield\n    ")]


def _child(site: Site, random: Random) -> Edits:
    block = _block(site, random)
    if block is None:
        return []
    place = random.choice(block.operations).span.start
    return [(place, place, f"{random.choice(_CHILDREN)}\n    ")]


def _body_emptied(site: Site, random: Random) -> Edits:
    block = _block(site, random)
    if block is None:
        return []
    return [(block.operations[0].span.start, block.operations[-1].span.end, "")]


def _second_block(site: Site, random: Random) -> Edits:
    block = _block(site, random)
    if block is None:
        return []
    place = block.operations[-1].span.end
    return [(place, place, "\n  ^another:\n    transform.yield")]


def _region_removed(site: Site, random: Random) -> Edits:
    regions = site.operation.syntax.regions
    if not regions:
        return []
    chosen = random.choice(regions)
    return [(chosen.start, chosen.end, "" if random.random() < 0.5 else "{}")]


def _region_repeated(site: Site, random: Random) -> Edits:
    regions = site.operation.syntax.regions
    if not regions:
        return []
    chosen = random.choice(regions)
    return [(chosen.end, chosen.end, f", {site.text[chosen.start : chosen.end]}")]


def _symbol_repeated(site: Site, random: Random) -> Edits:
    defining = [each for each in site.model.walk() if each.syntax.symbol_name is not None]
    if not defining:
        return []
    chosen = random.choice(defining)
    start, end = chosen.span
    return [(end, end, f"\n  {site.text[start:end]}")]


def _symbol_referred(site: Site, random: Random) -> Edits:
    uses = site.operation.syntax.symbols
    if not uses:
        return []
    names = [each.syntax.symbol_name for each in site.model.walk() if each.syntax.symbol_name]
    chosen = random.choice(uses)
    return [(chosen.start, chosen.end, f"@{random.choice((*names, 'missing'))}")]


def _recursion(site: Site, random: Random) -> Edits:
    outer = [each for each in (site.operation, *site.operation.ancestors()) if each.syntax.symbol_name is not None]
    sequences = [each for each in outer if next(each.blocks(), None) is not None]
    block = _block(Site(site.text, site.model, sequences[0]), random) if sequences else None
    if block is None:
        return []
    place = block.operations[0].span.start
    given = [argument for argument in block.arguments if argument.type]
    names = ", ".join(value.shown for value in given)
    types = ", ".join(value.type or "" for value in given)
    name = sequences[0].syntax.symbol_name
    return [(place, place, f"transform.include @{name} failures(propagate) ({names}) : ({types}) -> ()\n    ")]


def _arguments(site: Site, random: Random) -> Edits:
    blocks = [block for block in site.operation.blocks() if block.arguments]
    if not blocks:
        return []
    block = random.choice(blocks)
    chosen = random.choice(block.syntax.arguments)
    change = random.randrange(3)
    if change == 0:
        return [(chosen.start, chosen.start, f"%more: {random.choice(_TYPES)}, ")]
    if change == 1 and chosen.type is not None:
        return [(chosen.type.start, chosen.type.end, random.choice(_TYPES))]
    end = re.compile(r"\s*,\s*").match(site.text, chosen.end)
    return [(chosen.start, end.end() if end else chosen.end, "")]


def _marks(site: Site, random: Random) -> Edits:
    found = [match for start, end in site.own_text() for match in _MARK.finditer(site.text, start, end)]
    if not found:
        return []
    chosen = random.choice(found)
    other = "consumed" if chosen[1] == "readonly" else "readonly"
    spelled = random.choice((f"transform.{other}", "", f"{chosen[0]}, transform.{other}"))
    return [(chosen.start(), chosen.end(), spelled)]


def _type_of_value(site: Site, random: Random) -> Edits:
    """Give a value another type wherever it is spelled."""
    operation = site.operation
    values = [value for value in (*operation.operands, *operation.results) if value is not None and value.type]
    values += [argument for block in operation.blocks() for argument in block.arguments]
    if not values:
        return []
    chosen, new = random.choice(values), random.choice(_TYPES)
    places = {(use.start, use.end) for use in _spelled_types(site.model, chosen) if use.is_spelled}
    return [(start, end, new) for start, end in places]


def _spelled_types(model: Model, value: Value) -> Iterator[TypeUse]:
    if value.block is not None:
        argument = value.block.syntax.arguments[value.index]
        if argument.type is not None:
            yield argument.type
    if value.operation is not None:
        types = value.operation.syntax.result_types or ()
        if len(types) == len(value.operation.results):
            yield types[value.index]
    for operation in model.walk():
        types_of_operands = operation.syntax.operand_types or ()
        if len(types_of_operands) == len(operation.operands):
            pairs = zip(operation.operands, types_of_operands, strict=True)
            yield from (type_ for operand, type_ in pairs if operand is value and type_ is not None)


def _type_spelled(site: Site, random: Random) -> Edits:
    syntax = site.operation.syntax
    types = [type_ for type_ in (*(syntax.operand_types or ()), *(syntax.result_types or ())) if type_ is not None]
    spelled = [type_ for type_ in types if type_.is_spelled]
    if not spelled:
        return []
    chosen = random.choice(spelled)
    return [(chosen.start, chosen.end, random.choice(_TYPES))]


def _operand(site: Site, random: Random) -> Edits:
    uses = site.operation.syntax.operands
    names = [value.shown for value in _visible(site.operation)]
    if not uses or not names:
        return []
    chosen = random.choice(uses)
    return [(chosen.start, chosen.end, random.choice(names))]


def _operand_count(site: Site, random: Random) -> Edits:
    uses = site.operation.syntax.operands
    if not uses:
        return []
    chosen = random.choice(uses)
    if random.random() < 0.5:
        return [(chosen.end, chosen.end, f", {site.text[chosen.start : chosen.end]}")]
    end = re.compile(r"\s*,\s*").match(site.text, chosen.end)
    return [(chosen.start, end.end() if end else chosen.end, "")]


def _consistent_count(site: Site, random: Random) -> Edits:
    """Add or drop an operand with its type, or the type of a result, with its name."""
    syntax = site.operation.syntax
    types = syntax.operand_types or ()
    if syntax.results and syntax.result_types and random.random() < 0.5:
        last, group = syntax.result_types[-1], syntax.results[-1]
        if not last.is_spelled:
            return []
        new = [(last.end, last.end, f", {last.text}"), (group.end, group.end, ", %surplus")]
        return new if not site.text[last.end :].startswith("\n") else [*new, (last.start, last.start, "(")]
    pairs = [(use, t) for use, t in zip(syntax.operands, types, strict=False) if t is not None and t.is_spelled]
    if not pairs:
        return []
    use, type_ = random.choice(pairs)
    return [(use.end, use.end, f", {site.text[use.start : use.end]}"), (type_.end, type_.end, f", {type_.text}")]


def _name(site: Site, random: Random) -> Edits:
    start, end = site.operation.location
    name = site.text[start:end].strip('"')
    at = random.randrange(name.rfind(".") + 1, len(name))
    new = random.choice((f"{name}_op", name[:at] + name[at + 1 :], f"{name}s", name[:at] + name[at] + name[at:]))
    return [(start, end, site.text[start:end].replace(name, new))]


def _other_operation(site: Site, random: Random) -> Edits:
    """Give an operation the name of another one of the module."""
    names = [site.text[each.location.start : each.location.end] for each in site.model.walk()]
    return [(*site.operation.location, random.choice(names))]


def _moved(site: Site, random: Random) -> Edits:
    """Move an operation behind another one."""
    others = [each for each in site.model.walk() if each is not site.operation]
    outside = [each for each in others if not _meets(each, site.operation)]
    if not outside:
        return []
    start, end = site.operation.span
    place = random.choice(outside).span.end
    return [(start, end, ""), (place, place, f"\n    {site.text[start:end]}\n")]


def _meets(first: Operation, second: Operation) -> bool:
    return first in (second, *second.ancestors()) or second in first.ancestors()


def _ends(operation: Operation) -> tuple[int, int]:
    return operation.span.start, operation.span.end


def _values_in(block: Block) -> list[Value]:
    return [*block.arguments, *(result for operation in block.operations[:-1] for result in operation.results)]


def _visible(operation: Operation) -> list[Value]:
    found: list[Value] = []
    for inner in (operation, *operation.ancestors()):
        if inner.block is not None:
            before = inner.block.operations[: inner.index]
            found += [*inner.block.arguments, *(result for each in before for result in each.results)]
    return found


KINDS: dict[str, Callable[[Site, Random], Edits]] = {
    "attribute of another kind": _attribute_kind,
    "attribute missing": _attribute_missing,
    "attribute added": _attribute_added,
    "flag added": _flag_added,
    "attribute of the dialect": _dialect_attribute,
    "operation repeated": _repeated,
    "results without names": _unnamed,
    "result of a signature": _result_of_signature,
    "integer": _integer,
    "terminator removed": _terminator_removed,
    "terminator replaced": _terminator_replaced,
    "operands of the terminator": _terminator_operands,
    "terminator in the middle": _terminator_early,
    "foreign child": _child,
    "body emptied": _body_emptied,
    "second block": _second_block,
    "region removed": _region_removed,
    "region repeated": _region_repeated,
    "symbol defined twice": _symbol_repeated,
    "other symbol": _symbol_referred,
    "recursion": _recursion,
    "arguments of a block": _arguments,
    "marks of arguments": _marks,
    "type of a value": _type_of_value,
    "type as spelled": _type_spelled,
    "other operand": _operand,
    "number of operands": _operand_count,
    "number of values": _consistent_count,
    "name of the operation": _name,
    "name of another operation": _other_operation,
    "operation moved": _moved,
}
"""Functions that make a mistake of each kind: they change an operation, and return nothing if they cannot."""
