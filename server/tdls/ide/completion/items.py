"""What completion offers: an item, its kind, and a list of items."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tdls.structs import Struct

if TYPE_CHECKING:
    from tdls.text.span import FileSpan


class ItemKind(Enum):
    """The kind of a completion item."""

    OPERATION = "operation"
    KEYWORD = "keyword"
    ATTRIBUTE = "attribute"
    ENUM_CASE = "enum case"
    VALUE = "value"
    SYMBOL = "symbol"
    TYPE = "type"
    ALIAS = "alias"
    PAYLOAD_OPERATION = "payload operation"
    PASS = "pass"
    BLOCK = "block"
    DIALECT = "dialect"
    SNIPPET = "snippet"
    PUNCTUATION = "punctuation"


class CompletionItem(Struct, frozen=True):
    """A completion item: `text` replaces `span` of the file.

    `snippet` is the same text with tab stops in the syntax of LSP, for editors that support them. `detail` is shown
    next to the label, `note` at the end of its line, `summary` beside the list until the item is resolved with the key
    `data`. `filter_text` is compared with the word at the cursor. `sort_key` orders items of one kind.
    """

    label: str
    kind: ItemKind
    span: FileSpan
    text: str
    sort_key: str
    filter_text: str
    snippet: str | None = None
    detail: str = ""
    note: str = ""
    summary: str = ""
    deprecated: bool = False
    preselect: bool = False
    data: tuple[str, str] | None = None


class Completion(Struct, frozen=True):
    """All items for a site, the most likely first; `is_incomplete` is set if another letter may add items."""

    items: tuple[CompletionItem, ...] = ()
    is_incomplete: bool = False
