"""Names of passes, and their options, in the strings of operations that run them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.catalogue.passes import is_of_tests
from tdls.ide.completion.items import CompletionItem, ItemKind
from tdls.ide.snippets import Snippet, Stop
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS, PASS_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import PassOption
    from tdls.ide.completion.site import Site
    from tdls.ide.snippets import SnippetPart


_STRINGS = ("string", "std::string", "llvm::StringRef", "StringRef")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)


def pass_items(site: Site) -> Iterator[CompletionItem]:
    """Yield the passes as quoted strings: those of the target's LLVM, or of any, without upstream's test passes."""
    used = _used(site)
    yield from (_pass_item(site, name, f"0{name}", "in this file") for name in sorted(used))
    for name in site.catalogue.pass_names():
        definition = site.catalogue.pass_definition(name)
        if name in used or definition is None or (definition.versions and is_of_tests(name)):
            continue
        order = 2 if definition.versions else 1
        yield _pass_item(site, name, f"{order}{name}", definition.source, definition.summary)


def option_items(site: Site) -> Iterator[CompletionItem]:
    """Yield the options of the pass that do not precede the cursor, each with a placeholder value."""
    operation = site.expected.operation
    if operation is None:
        return
    named = next((attribute.value for attribute in operation.attributes if attribute.name == PASS_NAME), None)
    definition = site.catalogue.pass_definition(named[1:-1]) if named is not None else None
    if definition is None:
        return
    before = site.text[operation.name_span.end : site.expected.word.span.start]
    for number, option in enumerate(definition.options or ()):
        if f'"{option.name}"' not in before:
            yield _option_item(site, option, f"{number:03}")


def _option_item(site: Site, option: PassOption, sort_key: str) -> CompletionItem:
    name = f'"{option.name}"'
    snippet = Snippet((f"{name} = ", *_value(option)))
    return CompletionItem(
        option.name,
        ItemKind.ATTRIBUTE,
        site.span,
        snippet.plain,
        sort_key,
        name,
        snippet.snippet,
        summary=option.summary,
        note=f"default {option.default}" if option.default else option.type,
    )


def _value(option: PassOption) -> tuple[SnippetPart, ...]:
    """Return the value of an option as a dictionary spells it; an empty tab stop if its C++ type is not understood."""
    if option.is_list:
        return ("[", Stop(), "]")
    if option.cases:
        return ('"', Stop(choices=option.cases), '"')
    if option.type == "bool":
        return (Stop(choices=("true", "false")),)
    if option.type.removeprefix("::") in _STRINGS:
        return ('"', Stop(), '"')
    return (Stop(option.default if _NUMBER.fullmatch(option.default) else ""),)


def _used(site: Site) -> frozenset[str]:
    """Return the passes that other operations of the section run."""
    current = site.current.syntax if site.current is not None else None
    operations = (operation for operation in site.context.tree.walk() if operation.name == APPLY_REGISTERED_PASS)
    attributes = (operation.attribute(PASS_NAME) for operation in operations if operation is not current)
    values = (attribute.value for attribute in attributes if attribute is not None)
    return frozenset(value[1:-1] for value in values if value is not None and value.startswith('"'))


def _pass_item(site: Site, name: str, sort_key: str, note: str, summary: str = "") -> CompletionItem:
    text = f'"{name}"'
    return CompletionItem(
        name, ItemKind.PASS, site.span, text, sort_key, text, summary=summary, note=note, data=("pass", name)
    )
