"""What is said of an item when the user looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.part_documentation import attribute_documentation, operation_documentation

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.ide.snapshot import Snapshot


def resolve(snapshot: Snapshot, data: tuple[str, str]) -> str:
    """Return the documentation (Markdown) of the item that has `data`; empty where there is nothing to say."""
    kind, name = data
    match kind:
        case "operation":
            definition = snapshot.catalogue.operation(name)
            return operation_documentation(snapshot.catalogue, definition) if definition is not None else ""
        case "attribute":
            return _attribute(snapshot.catalogue, *name.split(":", 1))
        case "type":
            known = snapshot.catalogue.type_definition(name.lstrip("!").partition("<")[0])
            return f"```mlir\n{name}\n```\n{known.summary}" if known is not None else ""
    return ""


def _attribute(catalogue: Catalogue, operation: str, attribute: str) -> str:
    definitions = (one for variant in catalogue.variants(operation) for one in variant.attributes)
    definition = next((one for one in definitions if one.name == attribute), None)
    return f"`{attribute}`: {attribute_documentation(definition)}" if definition is not None else ""
