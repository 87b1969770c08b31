"""What a symbol is: how its definition begins, and what it does to its arguments."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from tdls.ide.cursor.linkage import bodies_of, is_declaration, is_function
from tdls.ide.hover.describe.operation import EFFECT_WORDS
from tdls.ide.markdown.foreign import foreign
from tdls.ide.markdown.pieces import code, code_block, paragraphs, section
from tdls.semantic.symbols import is_external

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context, DefiningOperation
    from tdls.ide.snapshot import Snapshot
    from tdls.semantic.model import Operation

_MARKER = "// -----"


def symbol_text(snapshot: Snapshot, definition: DefiningOperation) -> str:
    """Return Markdown about the symbol that is defined so."""
    context, operation = definition
    return paragraphs(
        code_block(_head(context, operation)),
        foreign(_comment(context, operation) or _comment_of_body(snapshot, definition)),
        section("Arguments", _arguments(context, operation)),
        _places(snapshot, definition),
    )


def undefined_text(path: tuple[str, ...]) -> str:
    """Return Markdown about a reference to nothing that is known."""
    return paragraphs(code_block("::".join(f"@{name}" for name in path)), "No symbol of this name is in reach.")


def _head(context: Context, operation: Operation) -> str:
    """Return the definition up to its body."""
    start, end = operation.span
    body = next((region.start for region in operation.syntax.regions), end)
    text = context.section.text[start:body].strip()
    return text if is_function(operation) else text.split("\n")[0]


def _comment(context: Context, operation: Operation) -> str:
    """Return the comment in the lines directly above."""
    file = context.file
    line = file.position(context.to_file(operation.span).start).line - 1
    lines: list[str] = []
    while line >= 0 and (text := file.line_text(line).strip()).startswith("//") and not text.startswith(_MARKER):
        lines.append(text.lstrip("/").strip())
        line -= 1
    return "\n".join(reversed(lines))


def _comment_of_body(snapshot: Snapshot, definition: DefiningOperation) -> str:
    """Return the comment above the body of a declaration."""
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
        yield f"{name}: {word}{_reason(operation, argument.attributes != ())}"


def _reason(operation: Operation, has_attributes: bool) -> str:
    return "" if has_attributes or is_external(operation) else ", as the body does"


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
    name = PurePosixPath(unquote(urlsplit(uri).path)).name if uri is not None else "a library"
    return f"{code(name)}, line {line}"
