"""Completion of names and values of attributes, of parameters of types, and of passes with their options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.catalogue.model import AttributeSpelling
from tdls.catalogue.passes import is_of_tests
from tdls.ide.completion.items import CompletionItem, ItemKind
from tdls.ide.completion.names import in_pass_options, is_pass_name, payload_items
from tdls.ide.completion.symbols import symbol_items
from tdls.ide.completion.types import type_items
from tdls.ide.forms.signatures import default_value, spelled_in_format
from tdls.ide.forms.snippets import Snippet, Stop, attribute_value, value_in_dictionary
from tdls.semantic.transform_dialect import (
    APPLY_REGISTERED_PASS,
    PASS_NAME,
    WITH_NAMED_SEQUENCE,
    holds_payload_names,
    takes_payload_name,
)
from tdls.syntax.expected.model import ExpectedType, Text
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.assembly.attributes import is_unit
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import AttributeDefinition, PassOption
    from tdls.ide.completion.scope import CompletionScope
    from tdls.ide.completion.site import Site
    from tdls.ide.forms.snippets import SnippetPart
    from tdls.syntax.expected.model import AttributeName, AttributeValue


_SYMBOLS = ("SymbolRefAttr", "FlatSymbolRefAttr")
_ARGUMENT_ATTRIBUTES = (
    (READONLY, "the sequence only reads the handle"),
    (CONSUMED, "the sequence consumes the handle"),
)
_CONTAINER_ATTRIBUTE = (WITH_NAMED_SEQUENCE, "the container holds named sequences")


def attribute_name_items(site: Site, wanted: AttributeName) -> Iterator[CompletionItem]:
    """Yield the attributes that the dictionary may contain."""
    operation = site.expected.operation
    if in_pass_options(site):
        yield from option_items(site)
        return
    traits = operation.definition.traits if operation is not None and operation.definition is not None else frozenset()
    if wanted.argument and "TransformOpInterface" in traits:
        for name, detail in _ARGUMENT_ATTRIBUTES:
            yield CompletionItem(name, ItemKind.ATTRIBUTE, site.span, name, f"0{name}", name, detail=detail)
    if wanted.argument:
        return
    spelled = _spelled_apart(site)
    for definition in wanted.definitions:
        if definition.name not in spelled:
            yield _named_attribute(site, definition)
    if "SymbolTable" in traits:
        name, detail = _CONTAINER_ATTRIBUTE
        yield CompletionItem(name, ItemKind.ATTRIBUTE, site.span, name, f"2{name}", name, detail=detail)


def _spelled_apart(site: Site) -> frozenset[str]:
    """Return the attributes that have a place of their own in every possible format of the operation."""
    operation = site.expected.operation
    if operation is None or operation.form is Form.GENERIC:
        return frozenset()
    definitions = site.catalogue.counting(operation.name)
    formats = [known.assembly_format if known.format_known else None for known in definitions]
    spelled = [spelled_in_format(ods.parse_format(text or "").elements) for text in formats]
    return frozenset.intersection(*spelled) if spelled else frozenset()


def _named_attribute(site: Site, definition: AttributeDefinition) -> CompletionItem:
    name, default = definition.name, default_value(definition)
    snippet = Snippet((name,) if is_unit(definition) else (f"{name} = ", *value_in_dictionary(definition)))
    return CompletionItem(
        name,
        ItemKind.ATTRIBUTE,
        site.span,
        snippet.plain,
        f"{int(definition.optional)}{name}",
        name,
        snippet.snippet,
        detail=definition.constraint,
        note=f"default {default}" if default is not None else "",
        data=_data(site, definition),
    )


def attribute_value_items(site: Site, scope: CompletionScope, wanted: AttributeValue) -> Iterator[CompletionItem]:
    """Yield the values for the attribute that its definition determines."""
    definition = wanted.definition
    if definition is None:
        return
    if definition.constraint in _SYMBOLS:
        yield from symbol_items(site, scope, definition.name, definition)
    elif definition.cases:
        yield from _cases(site, definition)
    elif definition.constraint == "BoolAttr":
        yield from (_word(site, definition, text) for text in ("true", "false"))
    elif is_unit(definition):
        yield _word(site, definition, "unit")
    elif definition.constraint == "TypeAttr":
        yield from type_items(site, scope, ExpectedType())
    elif holds_payload_names(definition) and definition.constraint == "StrAttr":
        yield from payload_items(site)
    elif is_pass_name(site, definition):
        yield from pass_items(site)
    elif not site.expected.word.prefix:
        yield _pattern(site, definition)
    if site.expected.word.prefix.startswith("#"):
        yield from _aliases(site)


def _cases(site: Site, definition: AttributeDefinition) -> Iterator[CompletionItem]:
    """Yield the cases of an enum; in a dictionary only if they can be spelled there without a number."""
    in_dictionary = _is_in_dictionary(site)
    if in_dictionary and definition.mnemonic is None and definition.spelling is not AttributeSpelling.ATTRIBUTE:
        return
    for number, case in enumerate(definition.cases):
        text = f"#{definition.mnemonic}<{case}>" if in_dictionary and definition.mnemonic is not None else case
        yield CompletionItem(
            text,
            ItemKind.ENUM_CASE,
            site.span,
            text,
            f"0{number:03}",
            text,
            detail=definition.name,
            note="default" if case == default_value(definition) else "",
            data=_data(site, definition),
        )


def _is_in_dictionary(site: Site) -> bool:
    operation = site.expected.operation
    if operation is None or operation.form is Form.GENERIC:
        return True
    return bool(operation.path) and isinstance(operation.path[-1], ods.AttrDict | ods.PropDict)


def _word(site: Site, definition: AttributeDefinition, text: str) -> CompletionItem:
    return CompletionItem(
        text,
        ItemKind.ENUM_CASE,
        site.span,
        text,
        f"0{text}",
        text,
        detail=definition.name,
        data=_data(site, definition),
    )


def _pattern(site: Site, definition: AttributeDefinition) -> CompletionItem:
    """Return the value as a snippet of its brackets or quotes."""
    write = value_in_dictionary if _is_in_dictionary(site) else attribute_value
    snippet = Snippet(write(definition))
    label = snippet.plain or f"<{definition.constraint}>"
    return CompletionItem(
        label,
        ItemKind.ATTRIBUTE,
        site.span,
        snippet.plain,
        "1",
        label,
        snippet.snippet,
        detail=f"{definition.name}: {definition.constraint}",
        data=_data(site, definition),
    )


def _aliases(site: Site) -> Iterator[CompletionItem]:
    for name, value in site.context.model.types.aliases.items():
        if name.startswith("#"):
            yield CompletionItem(name, ItemKind.ALIAS, site.span, name, f"2{name}", name, detail=value)


def _data(site: Site, definition: AttributeDefinition) -> tuple[str, str] | None:
    operation = site.expected.operation
    return ("attribute", f"{operation.name}:{definition.name}") if operation is not None else None


def text_items(site: Site, text: Text) -> Iterator[CompletionItem]:
    """Yield strings for an attribute or a type: names of payload operations or of passes."""
    definition = text.definition
    if (definition is not None and holds_payload_names(definition)) or (
        text.type_name and takes_payload_name(site.catalogue.type_definition(text.type_name[1:]))
    ):
        yield from payload_items(site)
    elif definition is not None and is_pass_name(site, definition):
        yield from pass_items(site)
    elif definition is not None and definition.constraint in _ENUMERATIONS:
        kind = site.catalogue.attribute_kind(_ENUMERATIONS[definition.constraint])
        yield from (_word(site, definition, f'"{case}"') for case in (kind.enumerated if kind is not None else ()))


_ENUMERATIONS = {"IteratorTypeArrayAttr": "linalg.iterator_type"}
"""Attributes whose cases are the strings of a list, by the constraint of the list."""


def parameter_items(site: Site, scope: CompletionScope, head: str) -> Iterator[CompletionItem]:
    """Yield the types that are allowed as parameters of the dialect type `head`, or the values of the attribute."""
    if head.startswith("#"):
        known = site.catalogue.attribute_kind(head[1:])
        for number, case in enumerate(known.enumerated if known is not None else ()):
            yield CompletionItem(case, ItemKind.ENUM_CASE, site.span, case, f"0{number:03}", case, detail=head)
    definition = site.catalogue.type_definition(head[1:]) if head.startswith("!") else None
    if definition is not None and any(parameter.type.endswith("::Type") for parameter in definition.parameters):
        yield from (item for item in type_items(site, scope, ExpectedType()) if not item.text.startswith("!"))


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
