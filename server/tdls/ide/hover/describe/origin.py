"""Where a definition comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.markdown.foreign import foreign

if TYPE_CHECKING:
    from tdls.catalogue.model import AnyDefinition, PassDefinition


def origin_text(definition: AnyDefinition | PassDefinition) -> str:
    """Return the source of a definition as Markdown, with a link to the line where a project defines it."""
    place = definition.defined_at
    if place is None or not place.path.is_absolute():
        return foreign(definition.source)
    is_named = definition.source.endswith(place.path.name)
    shown = definition.source if is_named else place.path.name
    link = f"[{foreign(shown)}:{place.line + 1}]({place.path.as_uri()}#L{place.line + 1})"
    return f"{foreign(definition.source)} · {link}" if definition.source and not is_named else link
