"""Completion of symbol references."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.analysis.file.effects import READONLY
from tdls.analysis.meaning.matchers import ACTION_ATTRIBUTES, MATCHER_ATTRIBUTES
from tdls.analysis.meaning.sequences import declaration_of
from tdls.catalogue.catalogue import TOP_LEVEL_DIALECT
from tdls.catalogue.model import EffectSource, HandleEffect
from tdls.ide.completion.items import CompletionItem, ItemKind
from tdls.semantic.symbols import PRIVATE, is_external, spelled_reference, symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE, TRANSFORM
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.analysis.file.context import DefiningOperation
    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import AttributeDefinition, OperationDefinition
    from tdls.ide.completion.scope import CompletionScope
    from tdls.ide.completion.site import Site

_SEQUENCE_TRAITS = {"TransformOpInterface", "FunctionOpInterface"}


def symbol_items(
    site: Site, scope: CompletionScope, name: str, definition: AttributeDefinition | None
) -> Iterator[CompletionItem]:
    """Yield the symbols for the attribute `name`; only named sequences if a transform operation calls the symbol."""
    *path, typed = (part.strip("@") for part in site.expected.word.prefix.split("::"))
    sequences_only = _expects_sequence(site, definition)
    symbols = _nested_symbols(site, path) if path else _symbols(site, sequences_only=sequences_only)
    for number, symbol in enumerate(scope.limited(list(symbols), str, typed)):
        defining = site.context.lookup((*path, symbol)) if sequences_only else None
        if defining is None or _is_valid(defining, name):
            yield _item(site, name, [*path, symbol], number, defining)
    if sequences_only and not path:
        yield from _items_of_other_files(site, scope, name, typed)


def _items_of_other_files(site: Site, scope: CompletionScope, attribute: str, typed: str) -> Iterator[CompletionItem]:
    """Yield the sequences of files that are not libraries of this one, sorted last: they may become libraries."""
    near = {id(file.sections) for file in (site.file, *site.file.libraries)}
    names = _defining_names(site.catalogue, sequences_only=True)
    candidates = [
        (uri, file, symbol)
        for uri, file in scope.snapshot.in_order
        if id(file.sections) not in near and file.mentions(TRANSFORM)
        for symbol in _symbols_of(file, names)
    ]
    for uri, file, symbol in scope.limited(candidates, lambda candidate: candidate[2], typed):
        definition = file.exported(symbol)
        if definition is not None and not is_external(definition.operation) and _is_valid(definition, attribute):
            item = _item(site, attribute, [symbol], 0, definition)
            yield replace(item, sort_key=f"2{symbol}", note=f"in {uri.rpartition('/')[2]}, which is not a library")


def declaration_items(site: Site, scope: CompletionScope) -> Iterator[CompletionItem]:
    """Yield the named sequences of other files behind ``private``, for a declaration with their signature."""
    word, text = site.expected.word, site.context.section.text
    operation = site.expected.operation
    if operation is None or operation.name != NAMED_SEQUENCE or not text[: word.span.start].rstrip().endswith(PRIVATE):
        return
    declared = set(site.context.visible_symbols(NAMED_SEQUENCE)) - {word.prefix.strip("@")} | {ENTRY_POINT}
    has_signature = "(" in text[word.span.end :].partition("\n")[0]
    files = {id(file.sections): file for file in (*site.file.libraries, *(file for _, file in scope.snapshot.in_order))}
    candidates = [
        (file, symbol)
        for key, file in files.items()
        if key != id(site.file.sections) and file.mentions(TRANSFORM)
        for symbol in _symbols_of(file, (NAMED_SEQUENCE,))
        if symbol not in declared
    ]
    for file, symbol in scope.limited(candidates, lambda candidate: candidate[1], word.prefix.strip("@")):
        definition = file.exported(symbol)
        if definition is None or is_external(definition.operation):
            continue
        declaration = declaration_of(definition)
        if declaration is None:
            continue
        reference = spelled_reference(symbol)
        written = reference if has_signature else declaration.partition(f" {PRIVATE} ")[2]
        yield CompletionItem(
            reference, ItemKind.SYMBOL, site.span, written, f"0{symbol}", reference, detail=_signature(definition)
        )


def _item(site: Site, attribute: str, path: list[str], number: int, target: DefiningOperation | None) -> CompletionItem:
    text = "::".join(f"@{part}" for part in path)
    is_doubtful = target is not None and attribute in MATCHER_ATTRIBUTES and not _is_marked_readonly(target)
    return CompletionItem(
        text,
        ItemKind.SYMBOL,
        site.span,
        text,
        f"{int(is_doubtful)}{number:04}",
        text,
        detail=_signature(target) if target is not None else "",
        note=f"not marked {READONLY}" if is_doubtful else "",
        data=("symbol", path[-1]),
    )


def _expects_sequence(site: Site, attribute: AttributeDefinition | None) -> bool:
    """Return whether the attribute refers to a named sequence: a callee that decides on effects, matcher or action."""
    operation = site.expected.operation
    if operation is None or operation.definition is None or attribute is None:
        return False
    if operation.definition.effect_source is EffectSource.CALLEE:
        return True
    return attribute.name in (*MATCHER_ATTRIBUTES, *ACTION_ATTRIBUTES)


def _is_valid(definition: DefiningOperation, attribute: str) -> bool:
    """Return whether a symbol is a named sequence and, for a matcher, consumes no argument."""
    traits = definition.operation.definition.traits if definition.operation.definition is not None else frozenset()
    if not traits >= _SEQUENCE_TRAITS:
        return False
    if attribute not in MATCHER_ATTRIBUTES:
        return True
    effects = definition.context.effects.argument_effects(definition.operation)
    return HandleEffect.CONSUMES not in effects


def _is_marked_readonly(definition: DefiningOperation) -> bool:
    """Return whether all arguments have the attribute that `CollectMatchingOp::verifySymbolUses` requires."""
    signature = definition.operation.syntax.signature
    arguments = signature.arguments if signature is not None else ()
    return all(any(attribute.name == READONLY for attribute in argument.attributes) for argument in arguments)


def _symbols(site: Site, *, sequences_only: bool) -> Iterator[str]:
    """Yield the symbols of the operations around the cursor, of the section's level, and of the libraries."""
    names = _defining_names(site.catalogue, sequences_only=sequences_only)
    symbols: dict[str, None] = {}
    around = [site.enclosing, *site.enclosing.ancestors()] if site.enclosing is not None else []
    for operation in around:
        symbols.update(dict.fromkeys(site.context.symbols.table_of(operation)))
    for name in names:
        symbols.update(dict.fromkeys(site.context.visible_symbols(name)))
    for library in site.file.libraries:
        symbols.update(dict.fromkeys(_symbols_of(library, names)))
    recursive = {symbol_name(operation) for operation in around}
    yield from (symbol for symbol in symbols if not (sequences_only and symbol in recursive))


def _symbols_of(library: SourceFile, names: Iterable[str]) -> Iterator[str]:
    levels: set[tuple[int, int]] = set()
    for index, piece in enumerate(library.sections.pieces):
        level = (id(piece.frame), piece.part)
        if piece.begins_section and level not in levels:
            levels.add(level)
            yield from (symbol for name in names for symbol in library.level_symbols(index, name))


def _nested_symbols(site: Site, path: list[str]) -> Iterator[str]:
    """Yield the symbols in the symbol table ``@path``."""
    container = site.context.lookup(path)
    if container is None:
        return
    yield from container.context.symbols.table_of(container.operation)
    pieces = enumerate(container.context.file.sections.pieces)
    inside = next(
        (index for index, piece in pieces if piece.frame is container.context.section and piece.begins_section), None
    )
    if inside is not None and container.context.section.tree.members:
        for name in _defining_names(site.catalogue, sequences_only=False):
            yield from container.context.file.level_symbols(inside, name)


@lru_cache(maxsize=16)
def _defining_names(catalogue: Catalogue, *, sequences_only: bool) -> tuple[str, ...]:
    """Return all spellings of the names of operations that define symbols."""
    dialects = (TRANSFORM,) if sequences_only else (TRANSFORM, "func", TOP_LEVEL_DIALECT)
    names: list[str] = []
    for dialect in dialects:
        for name in catalogue.operation_names(dialect):
            definition = catalogue.operation(name)
            if definition is not None and defines_symbol(definition):
                names += [name] if dialect != TOP_LEVEL_DIALECT else [name, name.partition(".")[2]]
    return tuple(names)


def defines_symbol(definition: OperationDefinition) -> bool:
    """Return whether operations of this definition always or optionally define a symbol."""
    return any(attribute.constraint == "SymbolNameAttr" for attribute in definition.attributes)


def _signature(definition: DefiningOperation) -> str:
    """Return the types of arguments, with consumed ones marked, and results of a function-like operation."""
    signature = definition.operation.syntax.signature
    if signature is None:
        return definition.operation.name
    effects = definition.context.effects.argument_effects(definition.operation)
    shown = []
    for number, argument in enumerate(signature.arguments):
        effect = effects[number] if number < len(effects) else HandleEffect.UNKNOWN
        mark = "consumed " if effect is HandleEffect.CONSUMES else ""
        shown.append(f"{mark}{argument.type.text if argument.type is not None else '?'}")
    results = ", ".join(result.text for result in signature.results)
    return f"({', '.join(shown)})" + (f" -> ({results})" if results else "")
