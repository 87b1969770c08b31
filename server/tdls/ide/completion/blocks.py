"""Block labels, and the braces of regions and dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.completion.item import CompletionItem, ItemKind
from tdls.ide.snippets import Snippet, Stop
from tdls.syntax.expected_model import AttributeDictionary, RegionStart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.completion.site import Site


def block_items(site: Site) -> Iterator[CompletionItem]:
    """Yield the labels of the blocks around the cursor, but for the entry block's, which nothing may jump to."""
    if site.block is None:
        return
    for block in site.block.region.blocks[1:]:
        label = block.syntax.label
        if label is not None:
            yield CompletionItem(label, ItemKind.BLOCK, site.span, label, f"0{block.index:04}", label)


def brace_items(site: Site, expectation: RegionStart | AttributeDictionary) -> Iterator[CompletionItem]:
    """Yield the braces with the cursor between them."""
    if isinstance(expectation, RegionStart):
        snippet = Snippet(("{\n  ", Stop(), "\n}"))
        yield _item(site, "{ … }", "region", snippet)
        return
    keyword = "attributes " if expectation.keyword else ""
    yield _item(site, f"{keyword}{{…}}", "attributes", Snippet((f"{keyword}{{", Stop(), "}")))


def _item(site: Site, label: str, detail: str, snippet: Snippet) -> CompletionItem:
    text = snippet.plain
    return CompletionItem(label, ItemKind.PUNCTUATION, site.span, text, "0", text, snippet.snippet, detail=detail)
