"""Types of payload values: the shape and the elements of a canonical text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.semantic.types import comparable
from tdls.structs import NamedTuple
from tdls.syntax.parser.assembly.format_reader import element_type
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from tdls.semantic.model import Value

_SHAPED = re.compile(r"(tensor|memref|vector)<((?:(?:\d+|\?|\*|\[\d+\])x)*)")
_FLOAT = re.compile(r"f\d\w*|bf16|tf32")
_INTEGER = re.compile(r"[su]?i(\d+)")


class Shaped(NamedTuple):
    """A tensor, memref or vector. `dimensions` are as spelled: ``4``, ``?``, ``[4]``; None without a rank."""

    kind: str
    dimensions: tuple[str, ...] | None
    element: str


@lru_cache(maxsize=4096)
def shaped(text: str) -> Shaped | None:
    """Return the parts of a shaped type by its canonical text; None for other types, and where aliases hide them."""
    match = _SHAPED.match(text)
    element = element_type(text)
    if match is None or element is None or not comparable(element):
        return None
    dimensions = tuple(match[2].split("x")[:-1])
    return Shaped(match[1], None if dimensions == ("*",) else dimensions, element)


def elements_of(text: str) -> str | None:
    """Return the element type of a shaped type, a scalar itself; None if it is not known."""
    if _FLOAT.fullmatch(text) or _INTEGER.fullmatch(text) or text == "index":
        return text
    found = shaped(text)
    return elements_of(found.element) if found is not None else None


def is_float(element: str) -> bool:
    """Tell whether a type of elements is a float."""
    return _FLOAT.fullmatch(element) is not None


def is_integer(element: str) -> bool:
    """Tell whether a type of elements is an integer, not an index."""
    return _INTEGER.fullmatch(element) is not None


def width(element: str) -> int | None:
    """Return the number of bits of an integer or a float; None for other types."""
    if element in ("bf16", "tf32"):
        return 16 if element == "bf16" else 19
    match = _INTEGER.fullmatch(element) or re.fullmatch(r"f(\d+)(?:E\w+)?", element)
    return int(match[1]) if match is not None else None


def may_be_equal(first: str, second: str) -> bool:
    """Tell whether two sizes may be equal: dynamic ones fit any."""
    return first == second or not (first.isdigit() and second.isdigit())


def differ(first: str, second: str) -> bool:
    """Tell whether two canonical texts are certainly those of different types, whatever aliases in them stand for."""
    if first == second:
        return False
    if comparable(first) and comparable(second):
        return True
    one, other = shaped(first), shaped(second)
    return one is not None and other is not None and one != other


def are_same(own: str | None, wanted: str) -> bool | None:
    """Tell whether two canonical texts are those of one type; None if that is not known."""
    if own is None or own == wanted:
        return own == wanted or None
    return False if differ(own, wanted) else None


def is_type_known(value: Value) -> bool:
    """Tell whether the type of a value is that of its definition, not one that the structure of a text suggests."""
    if value.block is not None:
        owner = value.block.region.parent.syntax
        return owner.form is not Form.STRUCTURAL or value.block.syntax.label is not None
    syntax = value.operation.syntax if value.operation is not None else None
    if syntax is None or syntax.form is not Form.EXACT or syntax.definition is None:
        return syntax is not None and syntax.form is Form.GENERIC
    return (
        bool(syntax.definition.versions) or shaped(value.type or "") is not None
    )  # a project may spell `i8` for its own
