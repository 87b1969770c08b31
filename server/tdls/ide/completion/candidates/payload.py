"""Names of payload operations: those that the script looks for elsewhere, the file's others, then the catalogue's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.completion.candidates.file_names import names_in_file, names_in_scripts
from tdls.ide.completion.item import CompletionItem, ItemKind
from tdls.semantic.transform_dialect import TRANSFORM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.completion.site import Site

_NO_PAYLOAD = (f"{TRANSFORM}.", "builtin.")


def payload_items(site: Site) -> Iterator[CompletionItem]:
    """Yield operation names as quoted strings; dialects alone as long as none is written."""
    prefix = site.expected.word.prefix.lstrip('"')
    asked = [name for name, _ in names_in_scripts(site).most_common() if "." in name]
    used = dict.fromkeys([*asked, *(name for (name, _), _ in names_in_file(site).most_common())])
    present = [name for name in used if not name.startswith(_NO_PAYLOAD)]
    for number, name in enumerate(present):
        yield _item(site, name, f"0{number:04}", note="in this file")
    dialect, dot, _ = prefix.partition(".")
    known = set(present)
    if dot:
        names = (name for name in site.catalogue.operation_names(dialect) if name not in known)
        yield from (_item(site, name, f"1{name}") for name in names)
        return
    for dialect in sorted(site.catalogue.dialects() - {TRANSFORM}):
        text = f'"{dialect}.'
        yield CompletionItem(f"{dialect}.", ItemKind.DIALECT, site.span, text, f"2{dialect}", text)


def _item(site: Site, name: str, sort_key: str, note: str = "") -> CompletionItem:
    text = f'"{name}"'
    return CompletionItem(
        name, ItemKind.PAYLOAD_OPERATION, site.span, text, sort_key, text, note=note, data=("operation", name)
    )
