"""Inlay hints at calls of programs that built scripts; what runs said is in marks of the program, as for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.display.inlay_hint import CONSUMED, HintKind, InlayHint
from tdls.ide.markdown.pieces import code, codes
from tdls.semantic.model import operation_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.programs.built_script import BuiltOperation, BuiltScript
    from tdls.ide.programs.built_scripts import BuiltScripts
    from tdls.settings.model import InlayHints
    from tdls.text.span import FileSpan


def program_hints(
    scripts: BuiltScripts, uri: str, present: SourceFile, span: FileSpan, options: InlayHints
) -> list[InlayHint]:
    """Return the hints inside of `span` of a program as it is now, in the order of the text: calls that consume."""
    if not options.consumed:
        return []
    found: dict[int, InlayHint] = {}
    for script in scripts.by_uri.values():
        for operation in script.operations if uri in script.programs else ():
            call = operation.calls[0]
            moved = script.now(call, present) if call.uri == uri else None
            if moved is not None and span.start <= moved.span.end <= span.end:
                found.update((moved.span.end, hint) for hint in _of(script, operation, moved.span.end))
    return sorted(found.values(), key=lambda hint: hint.offset)


def _of(script: BuiltScript, built: BuiltOperation, offset: int) -> Iterator[InlayHint]:
    context = script.file.context_at(built.offset)
    operation = operation_at(context.model, context.to_local(built.offset))
    consumed = list(context.effects.consumed_operands(operation)) if operation is not None else []
    if operation is not None and consumed:
        names = codes(value.shown for value in consumed)
        tooltip = f"{code(operation.name)} consumes {names}, which stands for nothing from here on"
        yield InlayHint(offset, CONSUMED, HintKind.EFFECT, tooltip)
