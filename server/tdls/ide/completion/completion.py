"""The completion request: dispatches each expectation of the parser at the cursor to the module with its items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.completion.attributes import attribute_name_items, attribute_value_items, parameter_items, text_items
from tdls.ide.completion.items import Completion, CompletionItem, ItemKind
from tdls.ide.completion.keywords import block_items, brace_items, directive_completion, literal_items, operand_items
from tdls.ide.completion.operations import operation_items
from tdls.ide.completion.scope import CompletionScope
from tdls.ide.completion.site import Site, site_at
from tdls.ide.completion.symbols import declaration_items, symbol_items
from tdls.ide.completion.types import dialect_items, function_type_item, type_items
from tdls.ide.hover.attribute import attribute_line
from tdls.ide.hover.kinds import pass_text, type_text
from tdls.ide.hover.operation import definition_text
from tdls.syntax.expected.model import (
    AliasStart,
    Anything,
    AttributeDictionary,
    AttributeName,
    AttributeValue,
    BlockLabel,
    ExpectedLiteral,
    ExpectedType,
    FunctionType,
    Operand,
    OperationStart,
    RegionStart,
    SuccessorLabel,
    SymbolName,
    SymbolReference,
    Text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.ide.snapshot import Snapshot
    from tdls.syntax.expected.model import Expectation


def resolve(snapshot: Snapshot, data: tuple[str, str]) -> str:
    """Return the documentation (Markdown) of the item with `data`; empty if there is none."""
    kind, name = data
    match kind:
        case "operation":
            definition = snapshot.catalogue.operation(name)
            if definition is None:
                return ""
            return definition_text(definition, snapshot.catalogue, snapshot.descriptions(definition.name))
        case "attribute":
            operation, _, attribute = name.partition(":")
            candidates = (each for variant in snapshot.catalogue.variants(operation) for each in variant.attributes)
            return next((attribute_line(candidate) for candidate in candidates if candidate.name == attribute), "")
        case "pass":
            known = snapshot.catalogue.pass_definition(name)
            return pass_text(known) if known is not None else ""
        case "type" if name.startswith("!"):
            return type_text(snapshot.catalogue, name[1:].partition("<")[0])
    return ""


_TIERS: dict[type, int] = {ExpectedLiteral: 1, RegionStart: 2, AttributeDictionary: 3, OperationStart: 4}
"""The order of expectations whose items come after all others."""
_NAMED = (Anything, AttributeValue, ExpectedType)
"""Expectations of text that may be a dialect's type or attribute."""
_STARTS = (OperationStart, BlockLabel, AliasStart)


def completion(snapshot: Snapshot, uri: str, offset: int) -> Completion:
    """Return the completion items at `offset` of the file. Never raises; empty for a file that was not read."""
    file = snapshot.file(uri)
    if file is None:
        return Completion()
    directives = directive_completion(file, offset)
    if directives is not None:
        return directives
    site = site_at(file, offset)
    scope = CompletionScope(site, snapshot)
    sigil = site.expected.word.sigil
    by_label: dict[str, tuple[int, CompletionItem]] = {}
    for expectation in _relevant(site):
        tier = _TIERS.get(type(expectation), 0)
        for item in _items(site, scope, expectation):
            if not sigil or item.text.startswith(sigil):  # a word with a sigil keeps its kind
                by_label.setdefault(item.label, (tier, item))
    if any(isinstance(expectation, _NAMED) for expectation in site.expected.expectations):
        for item in dialect_items(site):
            by_label.setdefault(item.label, (0, item))
    ordered = sorted(by_label.values(), key=lambda entry: (entry[0], entry[1].sort_key, entry[1].label))
    items = tuple(item for _, item in ordered)
    adds_others = any(item.kind in (ItemKind.DIALECT, ItemKind.OPERATION) for item in items)  # after another letter
    return Completion(items, is_incomplete=scope.is_limited or adds_others)


def _relevant(site: Site) -> Iterable[Expectation]:
    """Return the expectations to serve: on a new line only starts of operations, labels and aliases, if expected.

    After a broken operation, where the parser expects its rest, the start of an operation is always added.
    """
    expected = site.expected
    if not expected.on_new_line:
        return expected.expectations
    starts = [expectation for expectation in expected.expectations if isinstance(expectation, _STARTS)]
    if starts or site.current is None or not site.current.syntax.broken:
        return starts or expected.expectations
    return (*expected.expectations, OperationStart(site.dialect))


def _items(site: Site, scope: CompletionScope, expectation: Expectation) -> Iterator[CompletionItem]:
    match expectation:
        case OperationStart():
            yield from operation_items(site, scope, expectation)
        case Operand():
            yield from operand_items(site, scope, expectation)
        case ExpectedLiteral():
            yield from literal_items(site, scope, expectation)
        case ExpectedType():
            yield from type_items(site, scope, expectation)
        case FunctionType():
            yield from filter(None, [function_type_item(site, scope, expectation)])
        case AttributeValue():
            yield from attribute_value_items(site, scope, expectation)
        case AttributeName():
            yield from attribute_name_items(site, expectation)
        case _:
            yield from _other_items(site, scope, expectation)


def _other_items(site: Site, scope: CompletionScope, expectation: Expectation) -> Iterator[CompletionItem]:
    match expectation:
        case SymbolReference(name=name, definition=definition):
            yield from symbol_items(site, scope, name, definition)
        case SymbolName():
            yield from declaration_items(site, scope)
        case Text():
            yield from text_items(site, expectation)
        case Anything(head=head):
            yield from parameter_items(site, scope, head)
        case SuccessorLabel():
            yield from block_items(site)
        case RegionStart() | AttributeDictionary():
            yield from brace_items(site, scope, expectation)
