"""Default values as scripts write them: the catalogue has them as the C++ expressions of ODS."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.catalogue.model import AttributeDefinition

if TYPE_CHECKING:
    from tdls.catalogue.model import ParameterDefinition

_LITERAL = re.compile(r'-?\d+(\.\d+)?|0x[0-9a-fA-F]+|true|false|"[^"\\]*"')
_CAST = re.compile(r"static_cast<[\w:]+>\((?P<value>-?\d+)\)")
_ENUMERATOR = re.compile(r"[\w:]+::(?P<case>\w+)")


def default_value(definition: AttributeDefinition | ParameterDefinition) -> str | None:
    """Return the value that holds where none is written; None where there is none or where it is known to C++ only."""
    expression = (definition.default or "").strip()
    if _LITERAL.fullmatch(expression):
        return expression
    cast = _CAST.fullmatch(expression)
    if cast is not None:
        return cast["value"]
    enumerator = _ENUMERATOR.fullmatch(expression)
    if enumerator is not None:
        return next((case for case in definition.cases if case.casefold() == enumerator["case"].casefold()), None)
    return _empty(definition) if expression == "{}" else None


def _empty(definition: AttributeDefinition | ParameterDefinition) -> str | None:
    kind = definition.constraint if isinstance(definition, AttributeDefinition) else definition.type
    if kind.endswith("ArrayAttr"):
        return "[]"
    return "{}" if kind == "DictionaryAttr" else None
