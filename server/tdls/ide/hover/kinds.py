"""Hover texts of dialect types, dialect attributes and passes, and of names that are not known yet."""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING

from tdls.ide.cursor import entity as entities
from tdls.ide.cursor.linkage import meaning_of
from tdls.ide.forms.signatures import default_value
from tdls.ide.hover.attribute import origin_text
from tdls.ide.markdown import code, code_block, codes, foreign, paragraphs, section
from tdls.semantic.handle_types import HandleKind, kind_by

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import (
        AttributeKindDefinition,
        ParameterDefinition,
        PassDefinition,
        PassOption,
        TypeDefinition,
    )
    from tdls.ide.cursor.target import PlacedEntity


def pass_text(definition: PassDefinition) -> str:
    """Return Markdown for a pass: summary, operation that it runs on, options and description."""
    return paragraphs(
        code_block(f'"{definition.name}"'),
        f"{foreign(definition.summary.rstrip('.'))}." if definition.summary else "",
        f"A pass that runs on {code(definition.runs_on)}." if definition.runs_on else "",
        section("Options", map(option_line, definition.options or ())),
        foreign(definition.description),
        origin_text(definition),
    )


def option_line(option: PassOption) -> str:
    """Return one line of Markdown with name, type, default and summary of an option."""
    parts = [code(option.name)]
    if option.type:
        parts.append(f"{'a list of ' if option.is_list else ''}{code(option.type)}")
    if option.default:
        parts.append(f"default {code(option.default)}")
    line = f"{parts[0]}: {', '.join(parts[1:])}" if len(parts) > 1 else parts[0]
    return f"{line} · {foreign(option.summary)}" if option.summary else line


_MEANINGS = {
    HandleKind.OPERATIONS: "A handle: it stands for operations of the payload.",
    HandleKind.VALUES: "A handle: it stands for values of the payload.",
    HandleKind.PARAMETERS: "A parameter: it stands for attributes that are known when the script runs.",
}
_FORMAT_PIECE = re.compile(r"`(?P<literal>[^`]*)`|\$(?P<parameter>\w+)")


def type_text(catalogue: Catalogue, name: str) -> str:
    """Return Markdown for the dialect type ``!name``."""
    definition = catalogue.type_definition(name)
    if definition is None:
        return _unknown(catalogue, "!", name)
    kind = kind_by(definition.interfaces)
    return _known("!", definition, _MEANINGS[kind] if kind is not None else "")


def attribute_kind_text(catalogue: Catalogue, name: str) -> str:
    """Return Markdown for the dialect attribute ``#name``."""
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
        f"Its parameters are written as:\n\n{code_block(definition.assembly_format or '')}" if written is None else "",
        foreign(definition.description),
        origin_text(definition),
    )


def _written_parameters(definition: TypeDefinition | AttributeKindDefinition) -> str | None:
    """Return the text after the name, or None if the format contains more than literals and parameters."""
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


def is_unknown(placed: PlacedEntity) -> bool:
    """Return whether the entity is an unknown operation, type, attribute or symbol that a project may define."""
    context, entity = placed
    catalogue = context.file.catalogue
    match entity:
        case entities.OperationName(operation=operation):
            return operation.definition is None and catalogue.renamed(operation.name) is None
        case entities.PayloadName(name=name):
            return catalogue.operation(name) is None and catalogue.renamed(name) is None
        case entities.DialectType(name=name):
            return catalogue.type_definition(name) is None
        case entities.AttributeKind(name=name):
            return catalogue.attribute_kind(name) is None
        case entities.UsedSymbol(path=path, operation=operation):
            return meaning_of(context, path, operation) is None
    return False


def reading_text(placed: PlacedEntity, reading: str) -> str:
    """Return Markdown for an unknown entity while tdls is still `reading` files."""
    place = placed.entity.span
    written = placed.context.section.text[place.start : place.end]
    return paragraphs(code_block(written), f"tdls is still {reading}: what this is may be known soon.")
