"""Strings, and the parameters of dialect types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.completion.candidates.passes import is_pass_name, pass_items
from tdls.ide.completion.candidates.payload import payload_items
from tdls.ide.completion.candidates.types import type_items
from tdls.semantic.transform_dialect import holds_payload_names, takes_payload_name
from tdls.syntax.expected.model import ExpectedType, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.completion.candidates.scope import CompletionScope
    from tdls.ide.completion.item import CompletionItem
    from tdls.ide.completion.site import Site


def text_items(site: Site, text: Text) -> Iterator[CompletionItem]:
    """Yield strings for an attribute or a type, where names of payload operations are wanted."""
    definition = text.definition
    if (definition is not None and holds_payload_names(definition)) or (
        text.type_name and takes_payload_name(site.catalogue.type_definition(text.type_name[1:]))
    ):
        yield from payload_items(site)
    elif definition is not None and is_pass_name(site, definition):
        yield from pass_items(site)


def parameter_items(site: Site, scope: CompletionScope, head: str) -> Iterator[CompletionItem]:
    """Yield the types that may be parameters of the dialect type `head`."""
    definition = site.catalogue.type_definition(head[1:]) if head.startswith("!") else None
    if definition is not None and any(parameter.type.endswith("::Type") for parameter in definition.parameters):
        yield from (item for item in type_items(site, scope, ExpectedType()) if not item.text.startswith("!"))
