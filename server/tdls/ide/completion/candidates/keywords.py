"""Keywords and punctuation of an operation's format."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from tdls.ide.completion.candidates.scope import Filling
from tdls.ide.completion.candidates.types import function_type_snippet, listed, written_types
from tdls.ide.completion.item import CompletionItem, ItemKind
from tdls.ide.signatures.snippets import Snippet, group_snippet
from tdls.syntax.expected.model import FunctionType
from tdls.syntax.parser.assembly import format as ods

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.completion.candidates.scope import CompletionScope
    from tdls.ide.completion.site import Site
    from tdls.syntax.expected.model import ExpectedLiteral

_OFFERED_PUNCTUATION = frozenset({"->", "[", "(", "{", "*", "::"})


def literal_items(site: Site, scope: CompletionScope, literal: ExpectedLiteral) -> Iterator[CompletionItem]:
    """Yield the keyword, with what has to follow it; of punctuation only what opens something."""
    text = literal.text
    if text == ":":
        yield _types_item(site, scope)
    elif text[0].isalpha() or text[0] == "_":
        yield _keyword(site, scope, literal)
    elif text in _OFFERED_PUNCTUATION and not site.expected.word.prefix:
        yield CompletionItem(text, ItemKind.PUNCTUATION, site.span, text, f"9{text}", text)


def _keyword(site: Site, scope: CompletionScope, literal: ExpectedLiteral) -> CompletionItem:
    text = literal.text
    operation = site.expected.operation
    if text == "loc" or not literal.rest or operation is None or operation.definition is None:
        sort_key = f"{int(text == 'loc') * 8}{text}"
        return CompletionItem(text, ItemKind.KEYWORD, site.span, text, sort_key, text)
    snippet = group_snippet(literal.rest, operation.definition, Filling(scope))
    label = snippet.plain if snippet.plain.startswith(text) else text
    return CompletionItem(
        label, ItemKind.KEYWORD, site.span, snippet.plain, f"1{text}", text, snippet.snippet, detail="optional"
    )


def _types_item(site: Site, scope: CompletionScope) -> CompletionItem:
    """``:`` with the types that the format wants behind it, if that is a function type or types of operands."""
    snippet = _types_behind_colon(site, scope)
    if snippet is None:
        return CompletionItem(":", ItemKind.PUNCTUATION, site.span, ":", "9:", ":")
    text = snippet.plain
    return CompletionItem(text, ItemKind.TYPE, site.span, text, "2:", ":", snippet.snippet)


def _types_behind_colon(site: Site, scope: CompletionScope) -> Snippet | None:
    operation = site.expected.operation
    definition = operation.definition if operation is not None else None
    if operation is None or definition is None or definition.assembly_format is None:
        return None
    match _behind_colon(definition.assembly_format):
        case ods.FunctionalType(inputs=inputs, results=results):
            wanted = FunctionType(_names(inputs, definition), _names(results, definition))
            return Snippet((": ", *function_type_snippet(scope, operation, definition, wanted).parts))
        case ods.TypeOf(arg=argument):
            types = written_types(scope, operation, definition, _names(argument, definition))
            return Snippet((": ", *listed(types))) if types else None
    return None


def _behind_colon(assembly_format: str) -> ods.Element | None:
    """Return the element behind the first ``:`` of the format that stands outside of groups."""
    elements = [element for element in ods.parse_format(assembly_format).elements if element != ods.Whitespace()]
    pairs = itertools.pairwise(elements)
    return next((following for element, following in pairs if element == ods.Literal(":")), None)


def _names(element: ods.Element, definition: OperationDefinition) -> tuple[str, ...]:
    match element:
        case ods.Operands():
            return tuple(operand.name for operand in definition.operands)
        case ods.Results():
            return tuple(result.name for result in definition.results)
        case ods.Variable(name=name):
            return (name,)
        case ods.TypeOf(arg=argument) | ods.Qualified(arg=argument) | ods.Ref(arg=argument):
            return _names(argument, definition)
    return ()
