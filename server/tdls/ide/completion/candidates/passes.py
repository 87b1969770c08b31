"""Names of passes: those that the file's scripts run, then the project's, then upstream's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.passes import is_of_tests
from tdls.ide.completion.item import CompletionItem, ItemKind
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS, PASS_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import AttributeDefinition
    from tdls.ide.completion.site import Site


def is_pass_name(site: Site, definition: AttributeDefinition) -> bool:
    """Tell whether the attribute at the cursor names a pass."""
    operation = site.expected.operation
    return definition.name == PASS_NAME and operation is not None and operation.name == APPLY_REGISTERED_PASS


def pass_items(site: Site) -> Iterator[CompletionItem]:
    """Yield the passes as quoted strings: those of the target's LLVM, or of any; none that upstream has for tests."""
    used = _used(site)
    yield from (_item(site, name, f"0{name}", "in this file") for name in sorted(used))
    for name in site.catalogue.pass_names():
        definition = site.catalogue.pass_definition(name)
        if name in used or definition is None or (definition.versions and is_of_tests(name)):
            continue
        order = 2 if definition.versions else 1
        yield _item(site, name, f"{order}{name}", definition.source, definition.summary)


def _used(site: Site) -> frozenset[str]:
    """Return the passes that the section runs elsewhere."""
    current = site.current.syntax if site.current is not None else None
    operations = (operation for operation in site.context.tree.walk() if operation.name == APPLY_REGISTERED_PASS)
    attributes = (operation.attribute(PASS_NAME) for operation in operations if operation is not current)
    values = (attribute.value for attribute in attributes if attribute is not None)
    return frozenset(value[1:-1] for value in values if value is not None and value.startswith('"'))


def _item(site: Site, name: str, sort_key: str, note: str, summary: str = "") -> CompletionItem:
    text = f'"{name}"'
    return CompletionItem(
        name, ItemKind.PASS, site.span, text, sort_key, text, detail=summary, note=note, data=("pass", name)
    )
