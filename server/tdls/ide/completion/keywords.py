"""Completion of operands, block labels, braces, keywords and punctuation of a format, and ``// tdls:`` comments."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from tdls.catalogue.model import EffectSource
from tdls.ide.completion.items import Completion, CompletionItem, ItemKind
from tdls.ide.completion.scope import Filling
from tdls.ide.completion.types import function_type_snippet, listed, written_types
from tdls.ide.forms.snippets import Snippet, Stop, group_snippet
from tdls.syntax.expected.model import AttributeDictionary, FunctionType, RegionStart
from tdls.syntax.parser.assembly import format as ods
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.completion.scope import CompletionScope
    from tdls.ide.completion.site import Site
    from tdls.ide.completion.values import VisibleValue
    from tdls.ide.forms.snippets import SnippetPart
    from tdls.syntax.expected.model import ExpectedLiteral, Operand

_FITS, _UNKNOWN, _MISFIT, _CONSUMED = range(4)


def operand_items(site: Site, scope: CompletionScope, operand: Operand) -> Iterator[CompletionItem]:
    """Yield the values in scope for the operand, nearest definition first, up to `MOST_ITEMS`."""
    for visible in scope.limited(scope.values, lambda candidate: candidate.value.shown, site.expected.word.prefix):
        tier = _tier(scope, visible, operand)
        name = visible.value.shown
        consumer = visible.consumer
        yield CompletionItem(
            name,
            ItemKind.VALUE,
            site.span,
            name,
            f"{tier}{visible.distance:04}",
            name,
            detail=visible.value.type or "",
            note=f"stale since {consumer.name} in line {site.line_of(consumer) + 1}" if consumer is not None else "",
            preselect=tier == _FITS and visible.distance == 0,
            data=("value", name),
        )


def _tier(scope: CompletionScope, visible: VisibleValue, operand: Operand) -> int:
    if visible.consumer is not None:
        return _CONSUMED
    if operand.definition is None or visible.value.type is None:
        return _UNKNOWN
    return _FITS if scope.fits(operand.definition, visible.value.type) else _MISFIT


def block_items(site: Site) -> Iterator[CompletionItem]:
    """Yield the labels of the blocks around the cursor except the entry block, which cannot be a successor."""
    if site.block is None:
        return
    for block in site.block.region.blocks[1:]:
        label = block.syntax.label
        if label is not None:
            yield CompletionItem(label, ItemKind.BLOCK, site.span, label, f"0{block.index:04}", label)


def brace_items(
    site: Site, scope: CompletionScope, expectation: RegionStart | AttributeDictionary
) -> Iterator[CompletionItem]:
    """Yield a pair of braces with the cursor between them."""
    if isinstance(expectation, RegionStart):
        snippet = Snippet(("{\n", *_block_label(site, scope), "  ", Stop(), "\n}"))
        yield _item(site, "{ … }", "region", snippet)
        return
    keyword = "attributes " if expectation.keyword else ""
    yield _item(site, f"{keyword}{{…}}", "attributes", Snippet((f"{keyword}{{", Stop(), "}")))


def _block_label(site: Site, scope: CompletionScope) -> list[SnippetPart]:
    """Return the label of the entry block with its arguments, if they are bound to the operands before the cursor."""
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


_OFFERED_PUNCTUATION = frozenset({"->", "[", "(", "{", "*", "::"})


def literal_items(site: Site, scope: CompletionScope, literal: ExpectedLiteral) -> Iterator[CompletionItem]:
    """Yield the keyword with its required continuation, or punctuation that opens a part of the format."""
    text = literal.text
    if text == ":":
        yield _types_item(site, scope)
    elif text[0].isalpha() or text[0] == "_":
        yield _keyword(site, scope, literal)
    elif text in _OFFERED_PUNCTUATION and not site.expected.word.prefix:
        yield CompletionItem(text, ItemKind.PUNCTUATION, site.span, text, f"9{text}", text)


def _keyword(site: Site, scope: CompletionScope, literal: ExpectedLiteral) -> CompletionItem:
    text = literal.text
    if text == "loc" or not literal.rest or literal.definition is None:
        sort_key = f"{int(text == 'loc') * 8}{text}"
        return CompletionItem(text, ItemKind.KEYWORD, site.span, text, sort_key, text)
    snippet = group_snippet(literal.rest, literal.definition, Filling(scope))
    label = snippet.plain if snippet.plain.startswith(text) else text
    sort_key, detail = f"{int(literal.is_optional)}{text}", "optional" if literal.is_optional else ""
    return CompletionItem(
        label, ItemKind.KEYWORD, site.span, snippet.plain, sort_key, text, snippet.snippet, detail=detail
    )


def _types_item(site: Site, scope: CompletionScope) -> CompletionItem:
    """Return ``:``, followed by the types of the format if they are a function type or types of operands."""
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
            expected = FunctionType(_names(inputs, definition), _names(results, definition))
            return Snippet((": ", *function_type_snippet(scope, operation, definition, expected).parts))
        case ods.TypeOf(arg=argument):
            types = written_types(scope, operation, definition, _names(argument, definition))
            return Snippet((": ", *listed(types))) if types else None
    return None


def _behind_colon(assembly_format: str) -> ods.Element | None:
    """Return the element after the first ``:`` of the format outside of groups."""
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


_BEFORE = re.compile(r"(?<!/)//{1,9}[ \t]{0,40}tdls:[ \t]{0,40}(?P<word>[\w.<>-]{0,40})", re.ASCII)
_DIRECTIVES = {
    "entry-point=": "the named sequence that the script begins with",
    "library=": "a file or folder with named sequences",
    "payload=": "the file that the script is applied to",
}


def directive_completion(file: SourceFile, offset: int) -> Completion | None:
    """Return the items at `offset` if it is in a ``// tdls:`` comment, else None."""
    position = file.position(offset)
    line = file.line_text(position.line)[: position.column]
    match = _BEFORE.fullmatch(line, max(0, line.find("//")))
    if match is None:
        return None
    span = FileSpan(offset - len(match["word"]), offset)
    items = (
        CompletionItem(text, ItemKind.KEYWORD, span, text, f"{number:02}", text, detail=detail)
        for number, (text, detail) in enumerate(_DIRECTIVES.items())
    )
    return Completion(tuple(items))
