"""Names of passes: those that the file's scripts run, then upstream's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.passes import is_of_tests, upstream_passes
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
    target = site.catalogue.target
    used = _used(site)
    yield from (_item(site, name, f"0{name}", "in this file") for name in sorted(used))
    for name, versions in upstream_passes().items():
        if name in used or is_of_tests(name) or (target is not None and target not in versions):
            continue
        yield _item(site, name, f"1{name}", f"LLVM {', '.join(map(str, versions))}")


def _used(site: Site) -> frozenset[str]:
    """Return the passes that the section runs elsewhere."""
    current = site.current.syntax if site.current is not None else None
    operations = (operation for operation in site.context.tree.walk() if operation.name == APPLY_REGISTERED_PASS)
    attributes = (operation.attribute(PASS_NAME) for operation in operations if operation is not current)
    values = (attribute.value for attribute in attributes if attribute is not None)
    return frozenset(value[1:-1] for value in values if value is not None and value.startswith('"'))


def _item(site: Site, name: str, sort_key: str, note: str) -> CompletionItem:
    text = f'"{name}"'
    return CompletionItem(name, ItemKind.PASS, site.span, text, sort_key, text, note=note)
