"""Block labels, and the braces of regions and dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import EffectSource
from tdls.ide.completion.candidates.scope import Filling
from tdls.ide.completion.candidates.types import written_types
from tdls.ide.completion.item import CompletionItem, ItemKind
from tdls.ide.signatures.snippet_parts import Stop
from tdls.ide.signatures.snippets import Snippet
from tdls.syntax.expected.model import AttributeDictionary, RegionStart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.completion.candidates.scope import CompletionScope
    from tdls.ide.completion.site import Site
    from tdls.ide.signatures.snippet_parts import SnippetPart


def block_items(site: Site) -> Iterator[CompletionItem]:
    """Yield the labels of the blocks around the cursor, but for the entry block's, which nothing may jump to."""
    if site.block is None:
        return
    for block in site.block.region.blocks[1:]:
        label = block.syntax.label
        if label is not None:
            yield CompletionItem(label, ItemKind.BLOCK, site.span, label, f"0{block.index:04}", label)


def brace_items(
    site: Site, scope: CompletionScope, expectation: RegionStart | AttributeDictionary
) -> Iterator[CompletionItem]:
    """Yield the braces with the cursor between them."""
    if isinstance(expectation, RegionStart):
        snippet = Snippet(("{\n", *_block_label(site, scope), "  ", Stop(), "\n}"))
        yield _item(site, "{ … }", "region", snippet)
        return
    keyword = "attributes " if expectation.keyword else ""
    yield _item(site, f"{keyword}{{…}}", "attributes", Snippet((f"{keyword}{{", Stop(), "}")))


def _block_label(site: Site, scope: CompletionScope) -> list[SnippetPart]:
    """Return the label of the entry block with its arguments, where these stand for the written operands."""
    operation = site.expected.operation
    definition = operation.definition if operation is not None else None
    if operation is None or definition is None or definition.effect_source is not EffectSource.REGION:
        return []
    types = written_types(scope, operation, definition, tuple(operand.name for operand in definition.operands))
    filling = Filling(scope)
    arguments = [part for type_ in types for part in (", ", f"{filling.fresh('arg')}: ", type_)][1:]
    return ["^bb0(", *arguments, "):\n"] if arguments else []


def _item(site: Site, label: str, detail: str, snippet: Snippet) -> CompletionItem:
    text = snippet.plain
    typed = text.partition("\n")[0]
    return CompletionItem(label, ItemKind.PUNCTUATION, site.span, text, "0", typed, snippet.snippet, detail=detail)
