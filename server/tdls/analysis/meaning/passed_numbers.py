"""Numbers that a script gives its operations, in lists and in parameters, whose attributes MLIR casts unseen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.meaning.choices import ALTERNATIVES, SELECTED
from tdls.catalogue.model import EffectSource, LoopFit
from tdls.payload.attributes import split
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.structs import NamedTuple
from tdls.syntax.tree import Form
from tdls.text.scanning import integer, integers_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import NamedAttribute


def misfit(attribute: NamedAttribute, fit: LoopFit, loops: frozenset[int]) -> str | None:
    """Return how the numbers of an attribute do not fit operations with these numbers of loops, or None if they do."""
    if fit is LoopFit.INDEX:
        number = integer((attribute.value or "").partition(":")[0].strip())
        if number is None or not loops or number < max(loops):
            return None
        return f"the dimension {number} is asked for, which counts from 0"
    given = integers_in(attribute.value or "")
    if given is None or not loops or (fit is LoopFit.EACH_OR_NONE and not given):
        return None
    count = len(given)
    if count <= max(loops) if fit is LoopFit.AT_MOST else count in loops:
        return None
    noun = "size" if "size" in attribute.name else "number"
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'} {'is' if count == 1 else 'are'} given here"


# Parameters


_CONSTRAINT = "TransformAnyParamTypeOrAnyHandle"
"""Of operands that are integers: parameters, or handles to operations that compute them."""
_SIZE = re.compile("sizes|num_threads")
"""What the name of an operand contains that cannot be negative."""
_LISTED, _THREADS = ("static_", "tile_"), "num_threads"
"""The beginnings of the names of attributes that list sizes, and one whose value decides whether sizes count."""
_INTEGER = re.compile(r"(-?)(?:\d+|0x[\da-fA-F]+)(?:\s*:\s*(?:[su]?i\d+|index))?", re.ASCII)
_OTHER = re.compile(
    r'["\[{@!]|true$|unit$|-?\d[\w.+-]*\s*:\s*\w*f|-?\d+\.|(array|dense|affine_map)\s*<|([su]?i|b?f)\d+$|index$',
    re.ASCII,
)
"""The beginning of an attribute that is certainly not an integer; an alias or an attribute of a dialect may be one."""


class NumberUse(NamedTuple):
    """An operand of a script operation that has to be an integer."""

    operand: int
    value: Value
    is_size: bool

    def misfit(self, attributes: str) -> str | None:
        """Return why `attributes`, which the parameter holds, do not fit, or None."""
        for attribute in split(attributes):
            match = _INTEGER.fullmatch(attribute)
            if match is None and _OTHER.match(attribute) is not None:
                reason = "MLIR crashes, or computes with what lies in memory"
                return f"`{self.value.shown}` is `{attribute}`, but has to be an integer: {reason}"
            if match is not None and match[1] and self.is_size:
                return f"`{self.value.shown}` is `{attribute}`, but a size cannot be negative"
        return None


def number_uses(operation: Operation, catalogue: Catalogue) -> Iterator[NumberUse]:
    """Yield the parameters of an operation of upstream that have to hold integers."""
    definition, groups = operation.definition, operation.syntax.operand_groups or {}
    for operand in definition.operands if definition is not None and definition.versions else ():
        if operand.constraint == _CONSTRAINT:
            for index in range(*groups.get(operand.name, (0, 0))):
                value = operation.operands[index]
                if value is not None and kind_of(catalogue, value.type) is HandleKind.PARAMETERS:
                    yield NumberUse(index, value, _SIZE.search(operand.name) is not None)


def negative_size(operation: Operation) -> NamedAttribute | None:
    """Return an attribute of an operation of upstream in which a size is negative, or None."""
    definition = operation.definition
    names = {each.name for each in definition.attributes} if definition is not None and definition.versions else set()
    if operation.syntax.form is Form.GENERIC or _THREADS in names:
        return None  # that form has a negative number for each operand; beside threads, MLIR may ignore sizes
    listed = {name for name in names if name.startswith(_LISTED) and name.endswith(("sizes", _THREADS))}
    lists = (each for each in operation.syntax.attributes if each.name in listed)
    return next(
        (each for each in lists if any(n is not None and n < 0 for n in integers_in(each.value or "") or ())), None
    )


def negative_message(sizes: NamedAttribute) -> str:
    """Return the message about an attribute that `negative_size` returns."""
    return f"a size cannot be negative, as in `{sizes.value}`"


def held_constant(value: Value) -> str | None:
    """Return the attribute that a parameter holds, or None if not known."""
    while value.operation is None and value.owner is not None:
        loop = value.owner
        is_loop = loop.definition is not None and loop.definition.effect_source is EffectSource.REGION
        source = loop.operands[value.index] if is_loop and value.index < len(loop.operands) else None
        if source is None:
            return None
        value = source
    maker = value.operation
    is_held = maker is not None and maker.name in SELECTED and maker.name != ALTERNATIVES
    return maker.spelled(SELECTED[maker.name]) if maker is not None and is_held else None
