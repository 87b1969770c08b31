"""What is known of the types and attributes of dialects."""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING

from tdls.ide.hover.describe.origin import origin_text
from tdls.ide.markdown.foreign import foreign
from tdls.ide.markdown.pieces import code, code_block, codes, paragraphs, section
from tdls.ide.signatures.default_values import default_value
from tdls.semantic.handle_types import HandleKind, kind_by

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import AttributeKindDefinition, ParameterDefinition, TypeDefinition

_MEANINGS = {
    HandleKind.OPERATIONS: "A handle: it stands for operations of the payload.",
    HandleKind.VALUES: "A handle: it stands for values of the payload.",
    HandleKind.PARAMETERS: "A parameter: it stands for attributes that are known when the script runs.",
}
_FORMAT_PIECE = re.compile(r"`(?P<literal>[^`]*)`|\$(?P<parameter>\w+)")


def type_text(catalogue: Catalogue, name: str) -> str:
    """Return Markdown about the dialect type ``!name``."""
    definition = catalogue.type_definition(name)
    if definition is None:
        return _unknown(catalogue, "!", name)
    kind = kind_by(definition.interfaces)
    return _known("!", definition, _MEANINGS[kind] if kind is not None else "")


def attribute_kind_text(catalogue: Catalogue, name: str) -> str:
    """Return Markdown about the dialect attribute ``#name``."""
    definition = catalogue.attribute_kind(name)
    if definition is None:
        return _unknown(catalogue, "#", name)
    return _known("#", definition, f"One of {codes(definition.cases)}." if definition.cases else "")


def _known(sigil: str, definition: TypeDefinition | AttributeKindDefinition, meaning: str) -> str:
    written = _written_parameters(definition)
    return paragraphs(
        code_block(f"{sigil}{definition.name}{written or ''}"),
        f"{foreign(definition.summary)}." if definition.summary else "",
        meaning,
        section("Parameters", [_parameter(parameter) for parameter in definition.parameters]),
        f"Its parameters are written as {code(definition.assembly_format or '')}." if written is None else "",
        foreign(definition.description),
        origin_text(definition),
    )


def _written_parameters(definition: TypeDefinition | AttributeKindDefinition) -> str | None:
    """Return what follows the name; None where the format has more than literals and parameters."""
    written = definition.assembly_format or ""
    if _FORMAT_PIECE.sub("", written).strip():
        return None
    pieces = (match["literal"] or match["parameter"] or "" for match in _FORMAT_PIECE.finditer(written))
    return reduce(_joined, (piece.strip() for piece in pieces), definition.name).removeprefix(definition.name)


def _joined(text: str, piece: str) -> str:
    blank = " " if text[-1:].isalnum() and piece[:1].isalnum() else ""
    return f"{text}{blank}{piece}"


def _parameter(parameter: ParameterDefinition) -> str:
    kind = parameter.type.removeprefix("::").removeprefix("mlir::")
    parts = [f"{code(parameter.name)}{': ' + code(kind) if kind else ''}"]
    default = default_value(parameter)
    if default is not None:
        parts.append(f"default {code(default)}")
    elif parameter.optional or parameter.default is not None:
        parts.append("optional")
    if parameter.cases:
        parts.append(f"one of {codes(parameter.cases)}")
    return ", ".join(parts)


def _unknown(catalogue: Catalogue, sigil: str, name: str) -> str:
    dialect = name.partition(".")[0]
    known = "" if dialect in catalogue.dialects() else f", and nothing of the dialect {code(dialect)}"
    return paragraphs(code_block(sigil + name), f"Nothing is known of it{known}.")
