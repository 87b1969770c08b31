"""Completion of types and function types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity, EffectSource
from tdls.ide.completion.items import CompletionItem, ItemKind
from tdls.ide.forms.snippets import Snippet, Stop
from tdls.semantic.handle_types import allows
from tdls.semantic.transform_dialect import TRANSFORM
from tdls.semantic.types import DIALECT_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.ide.completion.scope import CompletionScope
    from tdls.ide.completion.site import Site
    from tdls.ide.forms.snippets import SnippetPart
    from tdls.syntax.expected.model import ExpectedType, FunctionType, PartialOperation
    from tdls.syntax.tree import ValueUse

_BUILTIN = ("index", "i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")


def type_items(site: Site, scope: CompletionScope, wanted: ExpectedType) -> Iterator[CompletionItem]:
    """Yield types for the expected operand or result: that of the operand in the source first, aliases before types."""
    own = _type_of_use(scope, wanted.value) or _type_shared(site, scope, wanted)
    if own is not None and any(map(site.catalogue.lacks, DIALECT_NAME.findall(own))):
        own = None
    types = scope.types(wanted.definition)
    ordered = list(dict.fromkeys([*([own] if own is not None else []), *types]))
    for number, text in enumerate(ordered):
        spelled = scope.spelled(text)
        kind = ItemKind.TYPE if spelled == text else ItemKind.ALIAS
        yield _item(site, spelled, kind, f"0{number:03}", text, preselect=number == 0)
        if spelled != text:
            yield _item(site, text, ItemKind.TYPE, f"2{number:03}", text)
    takes_handles = scope.takes_handles(wanted.definition)
    if wanted.definition is None or not takes_handles:
        yield from (_item(site, text, ItemKind.TYPE, f"3{text}", text) for text in _BUILTIN)
    if takes_handles:
        yield from _parametric(site, wanted.definition)


def _item(
    site: Site, label: str, kind: ItemKind, sort_key: str, type_text: str, *, preselect: bool = False
) -> CompletionItem:
    detail = type_text if label != type_text else ""
    data = ("type", type_text)
    return CompletionItem(label, kind, site.span, label, sort_key, label, detail=detail, preselect=preselect, data=data)


def _parametric(site: Site, definition: OperandDefinition | ResultDefinition | None) -> Iterator[CompletionItem]:
    """Yield the transform dialect's types that have parameters."""
    for name in site.catalogue.type_names(TRANSFORM):
        known = site.catalogue.type_definition(name)
        text = f"!{name}"
        if known is None or not known.parameters:
            continue
        if definition is not None and not allows(site.catalogue, definition, text):
            continue
        is_string = any("StringRef" in parameter.type for parameter in known.parameters)
        opening, closing = ('<"', '">') if is_string else ("<", ">")
        snippet = Snippet((f"{text}{opening}", Stop(), closing))
        yield CompletionItem(
            f"{text}{opening}…{closing}",
            ItemKind.TYPE,
            site.span,
            snippet.plain,
            f"1{name}",
            text,
            snippet.snippet,
            summary=known.summary,
            data=("type", text),
        )


_OF_TESTS = "transform.test_"
"""The beginning of names that only an extension for upstream's own tests has."""


def dialect_items(site: Site) -> Iterator[CompletionItem]:
    """Yield all types (``!``) or attributes (``#``) of the dialect that the word at the cursor names."""
    word = site.expected.word
    dialect, dot, _ = word.prefix[1:].partition(".")
    if not dot or word.sigil not in ("!", "#"):
        return
    is_type = word.sigil == "!"
    names = site.catalogue.type_names(dialect) if is_type else site.catalogue.attribute_kind_names(dialect)
    for name in names:
        if name.startswith(_OF_TESTS):
            continue
        kind = ItemKind.TYPE if is_type else ItemKind.ATTRIBUTE
        yield _item(site, f"{word.sigil}{name}", kind, f"4{name}", f"{word.sigil}{name}")


def function_type_item(site: Site, scope: CompletionScope, wanted: FunctionType) -> CompletionItem | None:
    """Return the function type of the operation: types of the operands in the source, and types for its results."""
    operation = site.expected.operation
    if operation is None or operation.definition is None:
        return None
    snippet = function_type_snippet(scope, operation, operation.definition, wanted)
    return CompletionItem(
        snippet.plain, ItemKind.TYPE, site.span, snippet.plain, "00", snippet.plain, snippet.snippet, preselect=True
    )


def function_type_snippet(
    scope: CompletionScope, operation: PartialOperation, definition: OperationDefinition, wanted: FunctionType
) -> Snippet:
    """Return the function type of an operation with its operands in the source; guessed types are tab stops."""
    inputs = written_types(scope, operation, definition, wanted.inputs)
    results = _result_types(scope, operation, definition, wanted.results)
    parts: list[SnippetPart] = ["(", *listed(inputs), ") -> "]
    parts += listed(results) if len(results) == 1 else ["(", *listed(results), ")"]
    return Snippet(tuple(parts))


def listed(types: list[SnippetPart]) -> list[SnippetPart]:
    """Return `types` with commas between them."""
    return [part for type_ in types for part in (", ", type_)][1:]


def written_types(
    scope: CompletionScope, operation: PartialOperation, definition: OperationDefinition, names: tuple[str, ...]
) -> list[SnippetPart]:
    """Return the types of the operands in the source that belong to the groups `names`; guessed types are tab stops."""
    types: list[SnippetPart] = []
    for operand in definition.operands:
        if operand.name not in names:
            continue
        for use in operation.operands.get(operand.name, ()):
            known = _type_of_use(scope, use)
            guess = scope.preferred_type(operand)
            types.append(scope.spelled(known) if known is not None else Stop(guess))
    return types


def _result_types(
    scope: CompletionScope, operation: PartialOperation, definition: OperationDefinition, names: tuple[str, ...]
) -> list[SnippetPart]:
    yielded = _results_of_callee(scope, operation, definition)
    if yielded is not None:
        return yielded
    results = [group for group in definition.results if group.name in names]
    count = sum(group.count for group in operation.results)
    types: list[SnippetPart] = []
    for result in results:
        size = 1 if result.arity is Arity.ONE else max(count - len(results) + 1, 0)
        types += [Stop(scope.preferred_type(result))] * size
    return types


def _results_of_callee(
    scope: CompletionScope, operation: PartialOperation, definition: OperationDefinition
) -> list[SnippetPart] | None:
    """Return the types that the callee yields, or None if the operation calls nothing or the callee is unknown."""
    if definition.effect_source is not EffectSource.CALLEE:
        return None
    symbol = next(
        (attribute.value for attribute in operation.attributes if attribute.value and attribute.value.startswith("@")),
        None,
    )
    callee = scope.site.context.lookup([part.strip('@"') for part in symbol.split("::")]) if symbol else None
    signature = callee.operation.syntax.signature if callee is not None else None
    if callee is None or signature is None:
        return None
    return [scope.spelled(callee.context.model.types.canonical(result.text)) for result in signature.results]


def _type_shared(site: Site, scope: CompletionScope, wanted: ExpectedType) -> str | None:
    """Return the type of another operand in the source that must have the same type as the expected one."""
    operation = site.expected.operation
    if operation is None or operation.definition is None or wanted.definition is None:
        return None
    names = _names_of_one_type(operation.definition, wanted.definition.name)
    uses = (use for name in names for use in operation.operands.get(name, ()))
    return next(filter(None, (_type_of_use(scope, use) for use in uses)), None)


def _names_of_one_type(definition: OperationDefinition, name: str) -> list[str]:
    if "SameOperandsAndResultType" in definition.traits:
        return [operand.name for operand in definition.operands]
    matches = (trait.partition("<")[2].rstrip(">").split(",") for trait in definition.traits if "TypesMatch<" in trait)
    return next((names for names in ([part.strip() for part in match] for match in matches) if name in names), [])


def _type_of_use(scope: CompletionScope, use: ValueUse | None) -> str | None:
    """Return the type of a used value, None if it is not in scope."""
    if use is None:
        return None
    written = use.name if use.number is None else f"{use.name}#{use.number}"
    visible = scope.value(written) or scope.value(f"{use.name}#0")
    return visible.value.type if visible is not None else None
