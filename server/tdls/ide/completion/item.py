"""What completion offers, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.text.span import FileSpan


MOST_ITEMS = 500
"""More values or symbols than this are not offered at once."""


class ItemKind(Enum):
    """What an item stands for."""

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
    PUNCTUATION = "punctuation"


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """One thing that may be written at the cursor: `text` in place of `span` of the file.

    `snippet` is the same with tab stops in the syntax of LSP, for editors that know them. `detail` stands beside the
    label, `note` at the end of its line. `filter_text` is what the word at the cursor is compared with. `sort_key`
    orders items of one kind. `data` is what `resolve` needs to say more.
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
    deprecated: bool = False
    preselect: bool = False
    data: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """All items for a place, the most likely first. `is_incomplete` says that another letter may bring others."""

    items: tuple[CompletionItem, ...] = ()
    is_incomplete: bool = False
