"""What is said of an item when the user looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.hover.describe.attribute import attribute_line
from tdls.ide.hover.describe.kinds import type_text
from tdls.ide.hover.describe.operation import definition_text
from tdls.ide.hover.describe.passes import pass_text

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.snapshot import Snapshot


def resolve(snapshot: Snapshot, data: tuple[str, str]) -> str:
    """Return the documentation (Markdown) of the item that has `data`; empty where there is nothing to say."""
    kind, name = data
    match kind:
        case "operation":
            definition = snapshot.catalogue.operation(name)
            return _operation(snapshot, definition) if definition is not None else ""
        case "attribute":
            return _attribute(snapshot.catalogue, *name.split(":", 1))
        case "pass":
            known = snapshot.catalogue.pass_definition(name)
            return pass_text(known) if known is not None else ""
        case "type" if name.startswith("!"):
            return type_text(snapshot.catalogue, name[1:].partition("<")[0])
    return ""


def _operation(snapshot: Snapshot, definition: OperationDefinition) -> str:
    return definition_text(definition, snapshot.catalogue, snapshot.descriptions(definition.name))


def _attribute(catalogue: Catalogue, operation: str, attribute: str) -> str:
    definitions = (candidate for variant in catalogue.variants(operation) for candidate in variant.attributes)
    definition = next((candidate for candidate in definitions if candidate.name == attribute), None)
    return attribute_line(definition) if definition is not None else ""
