"""What is said of unknown things while there is still something to read that may define them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.cursor import entity as entities
from tdls.ide.cursor.linkage import meaning_of
from tdls.ide.markdown.pieces import code_block, paragraphs

if TYPE_CHECKING:
    from tdls.ide.cursor.target import PlacedEntity


def is_unknown(placed: PlacedEntity) -> bool:
    """Tell whether nothing is known of an operation, type, attribute or symbol that a project may define."""
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
    """Return Markdown about what is unknown as long as tdls is still `reading` something."""
    place = placed.entity.span
    written = placed.context.section.text[place.start : place.end]
    return paragraphs(code_block(written), f"tdls is still {reading}: what this is may be known soon.")
