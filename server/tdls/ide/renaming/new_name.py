"""Whether a name can be the new one: MLIR's spelling of names, and what is called so already."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.ide.cursor.aliases import alias_definition
from tdls.ide.cursor.entity import symbol_uses_of
from tdls.ide.cursor.linkage import meaning_of
from tdls.ide.cursor.occurrences import Role
from tdls.ide.cursor.target import AliasTarget, BlockTarget, SymbolTarget, ValueTarget
from tdls.semantic.resolver import is_isolated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.ide.cursor.occurrences import Occurrence
    from tdls.ide.cursor.target import Target
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Block, Operation, Region

_SUFFIX = r"\d+|[A-Za-z_$.\-][\w$.\-]*"
_RULES: dict[type[Target], tuple[re.Pattern[str], str]] = {
    ValueTarget: (re.compile(_SUFFIX, re.ASCII), "digits, or letters, digits and `_`, `$`, `.`, `-`"),
    BlockTarget: (re.compile(_SUFFIX, re.ASCII), "digits, or letters, digits and `_`, `$`, `.`, `-`"),
    SymbolTarget: (
        re.compile(r'[A-Za-z_][\w$.]*|"[^"\\\n]+"', re.ASCII),
        "letters, digits, `_`, `$` and `.`, with no digit first, or anything in quotes",
    ),
    AliasTarget: (re.compile(r"[A-Za-z_][\w$]*", re.ASCII), "letters, digits, `_` and `$`, with no digit first"),
}
"""After the suffixes and bare identifiers of MLIR's lexer (mlir/lib/AsmParser/Lexer.cpp)."""


class RenameError(Exception):
    """Why something cannot be renamed, as a sentence for people without a full stop."""


def checked_name(target: Target, new_name: str) -> str:
    """Return `new_name` with the sigil of `target`. Raises `RenameError` if it is no name of this kind."""
    sigil = "@" if isinstance(target, SymbolTarget) else target.name[0]
    name = new_name.strip().removeprefix(sigil)
    pattern, rule = _RULES[type(target)]
    if not pattern.fullmatch(name):
        raise RenameError(f"`{sigil}{name}` is no valid name: it consists of {rule}")
    return sigil + name


def collision(snapshot: Snapshot, target: Target, name: str, found: list[Occurrence]) -> str | None:
    """Say why `target`, which stands where `found` tells, cannot have the valid `name`; None if it can."""
    if isinstance(target, ValueTarget):
        return _value_collision(target, name) if name != target.name else None
    if isinstance(target, BlockTarget):
        labels = {block.syntax.label for block in target.block.region.blocks if block is not target.block}
        return f"there is another block `{name}` in the region" if name in labels else None
    if isinstance(target, AliasTarget):
        taken = name != target.name and alias_definition(target.context, name) is not None
        return f"there is another alias `{name}`" if taken else None
    plain = name[1:].strip('"')
    is_free = plain == target.name or not _is_mentioned(snapshot, plain)
    return None if is_free else _symbol_collision(plain, found)


# Values


def _value_collision(target: ValueTarget, name: str) -> str | None:
    if not target.values:
        signature = target.operation.syntax.signature
        taken = signature is not None and any(argument.name == name for argument in signature.arguments)
        return f"there is another argument `{name}`" if taken else None
    model = target.context.model
    if name in set(_names_in_reach(model.operations, target.values[0].owner_block)):
        return f"there is another value `{name}` in reach"
    if target.values[0].block is not None and any(use.name == name for use in target.operation.syntax.operands):
        return f"`{name}` is an operand of the operation whose argument this is"
    if any(use.name.partition("#")[0] == name for use in model.unresolved):
        return f"`{name}` is used already, though nothing defines it"
    return None


def _names_in_reach(operations: list[Operation], block: Block | None) -> Iterator[str]:
    """Yield the names that values of `block` must not have: defined in its region, inside of it and around it.

    `operations` are the outermost ones, which are meant if `block` is None.
    """
    if block is None:
        yield from _names_below(operations)
        return
    yield from _names_within(block.region)
    region: Region | None = block.region
    while region is not None and not is_isolated(region.parent):
        outer = region.parent.block
        region = outer.region if outer is not None else None
        yield from _names_directly_in(region) if region is not None else _results(operations)


def _names_within(region: Region) -> Iterator[str]:
    for block in region.blocks:
        yield from (argument.name for argument in block.arguments)
        yield from _names_below(block.operations)


def _names_below(operations: list[Operation]) -> Iterator[str]:
    yield from _results(operations)
    for operation in operations:
        for region in operation.regions if not is_isolated(operation) else ():
            yield from _names_within(region)


def _names_directly_in(region: Region) -> Iterator[str]:
    for block in region.blocks:
        yield from (argument.name for argument in block.arguments)
        yield from _results(block.operations)


def _results(operations: list[Operation]) -> Iterator[str]:
    return (group.name for operation in operations for group in operation.syntax.results)


# Symbols


def _is_mentioned(snapshot: Snapshot, name: str) -> bool:
    """Tell whether any text that a reference may lead to has `name` in it."""
    files = [*snapshot.files.values(), *(library for file in snapshot.files.values() for library in file.libraries)]
    return any(name in piece.section.text for file in files for piece in file.sections.pieces)


def _symbol_collision(name: str, found: list[Occurrence]) -> str | None:
    """Nothing may be meant by the new name yet where the symbol is defined and where it is used.

    References are looked up from where they stand, with the names before the last one as they are.
    """
    for occurrence in found:
        operation = occurrence.operation
        if operation is None:
            continue
        path = (*_scope_of(occurrence), name)
        if meaning_of(occurrence.place.context, path, operation) is not None:
            written = f"`@{'::@'.join(path)}`"
            where = "beside its definition" if occurrence.role is Role.DEFINITION else "where it is used"
            return f"{written} means something already {where}"
        if occurrence.role is Role.DEFINITION and _is_used_beside(occurrence.place.context, operation, name):
            return f"`@{name}` is used already where this symbol can be seen"
    return None


def _is_used_beside(context: Context, definition: Operation, name: str) -> bool:
    """Tell whether a reference to something else would come to mean a symbol `name` beside `definition`."""
    parent = definition.parent
    if parent is not None:
        return _refers(context, parent, name)
    pieces = context.file.sections.pieces
    texts = (piece for piece in pieces if piece.begins_section and f"@{name}" in piece.section.text)
    sections = (context.file.context_of(piece.section) for piece in texts if piece.part == context.part)
    return any(_refers(other, operation, name) for other in sections for operation in other.model.operations)


def _refers(context: Context, operation: Operation, name: str) -> bool:
    uses = (use for nested in operation.walk() for use in symbol_uses_of(context, nested))
    return any(use.path[0] == name for use in uses)


def _scope_of(occurrence: Occurrence) -> tuple[str, ...]:
    """Return the names before the one that is mentioned: ``("a",)`` for ``@b`` of ``@a::@b``."""
    operation = occurrence.operation
    if operation is None or occurrence.role is Role.DEFINITION:
        return ()
    uses = symbol_uses_of(occurrence.place.context, operation)
    return next((use.path[:-1] for use in uses if use.span == occurrence.place.span), ())
