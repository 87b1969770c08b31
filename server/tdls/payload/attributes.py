"""Reads the attributes of payload operations, and compares their spelling."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.payload.operations import word_in
from tdls.structs import NamedTuple
from tdls.syntax.tree import Form
from tdls.syntax.types import constant
from tdls.text.scanning import integers_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.catalogue.model import OperationDefinition
    from tdls.payload.operations import PayloadOperation

OF_SCALARS = frozenset({"dim", "fastmath", "overflowFlags", "predicate", "roundingmode", "value"})
"""Attributes of scalar operations."""
_SYMBOL = "sym_name"
_MADE_BY_MLIR = re.compile(r"segment|memoized|indexing_maps", re.IGNORECASE)
"""Attributes that operations may have without being written."""


def entries(dictionary: str) -> list[tuple[str, str | None]]:
    """Return names and values of a spelled dictionary attribute; the value of a unit is None."""
    found: list[tuple[str, str | None]] = []
    for entry in split(dictionary.strip()[1:-1]):
        name, equals, value = entry.partition("=")
        found.append((name.strip().strip('"'), value.strip() if equals else None))
    return found


def split(text: str) -> list[str]:
    """Split a text at commas outside of brackets and strings; strip the parts."""
    found: list[str] = []
    depth, start, in_string = 0, 0, False
    for index, character in enumerate(text):
        if character == '"' and text[index - 1 : index] != "\\":
            in_string = not in_string
        elif in_string:
            continue
        elif character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[index - 1 : index] != "-"):
            depth -= 1
        elif character == "," and not depth:
            found.append(text[start:index].strip())
            start = index + 1
    last = text[start:].strip()
    return [*found, last] if last else found


def own_attribute(operation: PayloadOperation, name: str, aliases: Mapping[str, str]) -> str | None:
    """Return the spelled value of an attribute, also from an alias that follows the operation's name."""
    written = operation.written
    own = written.syntax.attribute(name) if written is not None else None
    if own is not None and own.value is not None:
        return aliases.get(own.value, own.value)
    if written is None or written.syntax.form is not Form.STRUCTURAL:
        return None
    words = operation.behind_name.split(maxsplit=1)
    dictionary = aliases.get(words[0]) if words else None
    return dict(entries(dictionary)).get(name) if dictionary is not None else None


def list_of(operation: PayloadOperation, name: str, aliases: Mapping[str, str]) -> tuple[int, ...] | None:
    """Return the integers of an attribute, spelled in a dictionary or as ``name = [...]`` in a form parsed by C++."""
    spelled = own_attribute(operation, name, aliases)
    if spelled is None:
        behind = operation.behind_name
        start = word_in(behind, name)
        found = _LIST.match(behind[start + len(name) :]) if start is not None else None
        spelled = found[1] if found is not None else ""
    return known_integers(spelled)


def known_integers(spelled: str | None) -> tuple[int, ...] | None:
    """Return the integers of a spelled list, None if it has something else."""
    listed = integers_in(spelled or "")
    known = tuple(number for number in listed or () if number is not None)
    return known if listed is not None and len(known) == len(listed) else None


class AffineMap(NamedTuple):
    """The parts of an affine map, as spelled."""

    dimensions: list[str]
    symbols: list[str]
    results: list[str]


def affine_map(text: str) -> AffineMap | None:
    """Return the parts of a spelled affine map, or of a set with its constraints as results, or None for other text."""
    found = _MAP.fullmatch(text.strip())
    return AffineMap(split(found[1]), split(found[2] or ""), split(found[3])) if found is not None else None


_MAP = re.compile(r"affine_(?:map|set)<\s*\(([^()]*)\)\s*(?:\[([^\]]*)\]\s*)?(?:->|:)\s*\((.*)\)\s*>", re.DOTALL)
_LIST = re.compile(r"\s*=\s*(\[[^\[\]]*\])", re.ASCII)


def has_attribute(operation: PayloadOperation, name: str, value: str | None) -> bool | None:
    """Whether an operation has an attribute with a value, None for a unit, or None if not known."""
    written = operation.written
    if operation.is_added and name not in (*operation.annotated, *OF_SCALARS):
        return False
    if written is None or name in operation.annotated or _MADE_BY_MLIR.search(name):
        return None
    if name == _SYMBOL and written.syntax.symbol_name is not None:
        return value == f'"{written.syntax.symbol_name}"'
    own = written.syntax.attribute(name)
    if own is not None:
        is_typed = written.syntax.form is Form.GENERIC or not _is_inherent(written.definition, name)
        return _are_equal(own.value, value, is_typed=is_typed)
    definition = written.definition
    if definition is None:
        return False if written.syntax.form is Form.GENERIC else None
    if written.syntax.form is Form.STRUCTURAL and name in operation.text[written.span.start : written.span.end]:
        return None
    return None if _is_inherent(definition, name) else False


def _is_inherent(definition: OperationDefinition | None, name: str) -> bool:
    return definition is not None and any(attribute.name == name for attribute in definition.attributes)


def _are_equal(first: str | None, other: str | None, *, is_typed: bool = True) -> bool | None:
    """Whether two attributes are equal, or None if their spelling does not decide that.

    Without `is_typed`, the format of the operation may leave out the types of numbers.
    """
    if first is None or other is None:
        spelled = first or other
        return True if spelled is None else None if spelled.strip() == "unit" else False
    first, other = first.strip(), other.strip()
    if first == other:
        return None if "#" in first else True
    if first.startswith("[") and other.startswith("["):
        elements, others = split(first[1:-1]), split(other[1:-1])
        same = [_are_equal(one, two, is_typed=is_typed) for one, two in zip(elements, others, strict=False)]
        return False if False in same or len(elements) != len(others) else None if None in same else True
    one, two = constant(first), constant(other)
    if one is None or two is None:
        return None
    if not is_typed and isinstance(one, tuple) and isinstance(two, tuple):
        return False if one[1] != two[1] else None
    return one == two
