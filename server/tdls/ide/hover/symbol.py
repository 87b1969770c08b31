"""Hover texts of symbols, blocks and aliases."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from tdls.ide.cursor.linkage import alias_definition, bodies_of, is_declaration, is_function
from tdls.ide.hover.operation import EFFECT_WORDS
from tdls.ide.markdown import code, code_block, foreign, paragraphs, section
from tdls.semantic.symbols import is_external

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context, DefiningOperation
    from tdls.ide.cursor.entity import LabelEntity
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation

_MARKER = "// -----"


def symbol_text(snapshot: Snapshot, definition: DefiningOperation) -> str:
    """Return Markdown for a symbol: head of the definition, comment, effects on arguments, and places."""
    context, operation = definition
    return paragraphs(
        code_block(_head(context, operation)),
        foreign(_comment(context, operation) or _comment_of_body(snapshot, definition)),
        section("Arguments", _arguments(context, operation)),
        _places(snapshot, definition),
    )


def undefined_text(name: str) -> str:
    """Return Markdown for the name of an undefined value, symbol, block or alias."""
    return paragraphs(code_block(name), "Nothing in reach defines it.")


def _head(context: Context, operation: Operation) -> str:
    """Return the source of the definition up to its body; only the first line unless it is function-like."""
    start, end = operation.span
    body = next((region.start for region in operation.syntax.regions), end)
    text = context.section.text[start:body].strip()
    return text if is_function(operation) else text.split("\n")[0]


def _comment(context: Context, operation: Operation) -> str:
    """Return the comment in the lines directly above the operation."""
    file = context.file
    line = file.position(context.to_file(operation.span).start).line - 1
    lines: list[str] = []
    while line >= 0 and (text := file.line_text(line).strip()).startswith("//") and not text.startswith(_MARKER):
        lines.append(text.lstrip("/").strip())
        line -= 1
    return "\n".join(reversed(lines))


def _comment_of_body(snapshot: Snapshot, definition: DefiningOperation) -> str:
    """Return the first comment above a definition with the body of a declaration."""
    bodies = bodies_of(snapshot, definition) if is_declaration(definition.operation) else ()
    return next(filter(None, (_comment(*body) for body in bodies)), "")


def _arguments(context: Context, operation: Operation) -> Iterator[str]:
    signature = operation.syntax.signature
    if signature is None or not operation.has_trait("TransformOpInterface"):
        return
    effects = context.effects.argument_effects(operation)
    for number, (argument, effect) in enumerate(zip(signature.arguments, effects, strict=False)):
        name = code(argument.name) if argument.name else f"#{number}"
        word = EFFECT_WORDS.get(effect, "not known")
        reason = "" if argument.attributes or is_external(operation) else ", as the body does"
        yield f"{name}: {word}{reason}"


def _places(snapshot: Snapshot, definition: DefiningOperation) -> str:
    where = _place(snapshot, definition)
    if not is_declaration(definition.operation):
        return f"Defined in {where}."
    bodies = [_place(snapshot, body) for body in bodies_of(snapshot, definition)]
    return f"Declared in {where}" + (f"; its body is in {', '.join(bodies)}." if bodies else "; its body is not known.")


def _place(snapshot: Snapshot, definition: DefiningOperation) -> str:
    context, operation = definition
    uri = snapshot.uri_of(context.file)
    line = context.file.position(context.to_file(operation.location).start).line + 1
    name = unquote(uri.partition("?")[0]).rpartition("/")[2] if uri is not None else "a library"
    return f"{code(name)}, line {line}"


def block_text(entity: LabelEntity) -> str:
    """Return Markdown for a block: its arguments and predecessors."""
    block = entity.block
    if block is None:
        return undefined_text(entity.label)
    region = block.region
    arguments = ", ".join(
        f"{argument.name}: {argument.type}" if argument.type else argument.name for argument in block.arguments
    )
    head = f"{entity.label}({arguments}):" if arguments else f"{entity.label}:"
    before = [
        code(other.syntax.label) if other.syntax.label else "the entry block"
        for other in region.blocks
        if block in other.successors
    ]
    if before:
        return paragraphs(code_block(head), f"Reached from {', '.join(before)}.")
    is_entry = block.index == 0
    unreached = "No block of the region branches to it."
    return paragraphs(code_block(head), f"The entry block of {code(region.parent.name)}." if is_entry else unreached)


def alias_text(context: Context, name: str) -> str:
    """Return Markdown for an alias: its value, and the value with all nested aliases expanded."""
    definition = alias_definition(context, name)
    if definition is None:
        return undefined_text(name)
    expanded = context.model.types.aliases.get(name, "") if name.startswith("!") else ""
    differs = expanded and expanded != definition.value.strip()
    line = context.file.position(definition.place.in_file.start).line + 1
    expansion = f"Expanded: {code(expanded)}." if differs else ""
    return paragraphs(code_block(f"{name} = {definition.value}"), expansion, f"Defined in line {line}.")
