"""Edits of scripts, as they have to be written into the strings that hold these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.text.diagnostic import TextEdit

if TYPE_CHECKING:
    from tdls.syntax.embedded.masking import EmbeddedScript, MaskedProgram
    from tdls.syntax.embedded.python_literals import PythonLiteral
    from tdls.text.span import FileSpan


def written_edit(program: MaskedProgram, edit: TextEdit) -> TextEdit | None:
    """Return an edit of the mask as one of the program; None if it is not one within one literal that can say it."""
    script = program.script_at(edit.span.start)
    literal = _literal(script, edit.span) if script is not None else None
    if script is None or literal is None or _touches_hole(script, edit.span):
        return None
    new_text = _written(edit.new_text, literal, script)
    return TextEdit(edit.span, new_text) if new_text is not None else None


def _literal(script: EmbeddedScript, span: FileSpan) -> PythonLiteral | None:
    bodies = (literal for literal in script.literals if literal.body.start <= span.start)
    return next((literal for literal in bodies if span.end <= literal.body.end), None)


def _touches_hole(script: EmbeddedScript, span: FileSpan) -> bool:
    return any(hole.span.start < span.end and span.start < hole.span.end for hole in script.holes)


def _written(text: str, literal: PythonLiteral, script: EmbeddedScript) -> str | None:
    """Return how a literal says `text`; None where it cannot."""
    is_long = len(literal.quote) > 1
    if literal.is_raw:
        return text if _is_plain(text, literal) else None
    text = text.replace("\\", "\\\\")
    text = text.replace(literal.quote, f"\\{literal.quote}") if not is_long else text.replace('"""', '\\"\\"\\"')
    text = text if is_long else text.replace("\n", "\\n")
    if literal.has_fields or script.filling.has_braces:
        return text.replace("{", "{{").replace("}", "}}")
    return text.replace("%", "%%") if script.filling.has_percent else text


def _is_plain(text: str, literal: PythonLiteral) -> bool:
    if literal.has_fields and ("{" in text or "}" in text):
        return False
    return literal.quote not in text and (len(literal.quote) > 1 or "\n" not in text)
