"""What is found in scripts that stand in strings of a program, as far as it holds whatever the program fills in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.analysis.rules.handles import (
    empty_handle,
    failing_search,
    invalidated_handle,
    possibly_invalidated_handle,
    unmet_condition,
    use_after_free,
)
from tdls.analysis.rules.language import syntax_error, unknown_symbol
from tdls.analysis.rules.transform import dead_arm, impossible_match, missing_with_named_sequence
from tdls.analysis.rules.verifier import consumed_twice
from tdls.semantic.operation_at import operation_at
from tdls.syntax.embedded.holes import HoleKind
from tdls.syntax.embedded.writing import written_edit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.file.source_file import SourceFile
    from tdls.semantic.model import Operation
    from tdls.syntax.embedded.masking import EmbeddedScript, MaskedProgram
    from tdls.text.diagnostic import Diagnostic, Fix
    from tdls.text.span import FileSpan

_OF_NAMES_ALONE = frozenset(
    rule.RULE.name for rule in (use_after_free, invalidated_handle, possibly_invalidated_handle, consumed_twice)
)
"""Rules whose findings rest on which names are used where, which a hole beside them does not change."""
_OF_THE_MODULE = frozenset(rule.RULE.name for rule in (missing_with_named_sequence, unknown_symbol))
"""Rules whose findings rest on the module around a script."""
_CONTENTS = frozenset(
    rule.RULE.name for rule in (empty_handle, failing_search, unmet_condition, impossible_match, dead_arm)
)
"""Rules whose findings rest on all that a script asks for."""


def certain_in_program(file: SourceFile, program: MaskedProgram, found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return those of `found` that hold for the strings of `program`, whose mask `file` is, with fixes for these."""
    kept = []
    for finding in found:
        script = program.script_at(finding.span.start)
        if script is not None and _holds(file, script, finding):
            kept.append(_as_written(program, script, finding))
    return kept


def _as_written(program: MaskedProgram, script: EmbeddedScript, finding: Diagnostic) -> Diagnostic:
    """Return a finding in the words of the program, which knows nothing of what is read in place of holes."""
    names = {
        program.text[slice(*hole.span)]: program.source[slice(*hole.span)] for hole in script.holes if hole.is_name
    }

    def told(text: str) -> str:
        for read, written in names.items():
            text = text.replace(read, written)
        return text

    return replace(
        finding,
        message=told(finding.message),
        help=told(finding.help) if finding.help is not None else None,
        notes=tuple(replace(note, message=told(note.message)) for note in finding.notes),
        fixes=tuple(_written_fixes(program, finding.fixes)),
    )


def _holds(file: SourceFile, script: EmbeddedScript, finding: Diagnostic) -> bool:
    if script.is_guessed or (finding.rule in _OF_THE_MODULE and not script.is_module):
        return False
    if not script.holes or finding.rule in _OF_NAMES_ALONE:
        return True
    has_unknown_operations = any(hole.kind is HoleKind.OPERATIONS for hole in script.holes)
    if finding.rule in _CONTENTS or (has_unknown_operations and finding.rule != syntax_error.RULE.name):
        return False
    return not _is_beside_hole(file, script, finding.span)


def _is_beside_hole(file: SourceFile, script: EmbeddedScript, span: FileSpan) -> bool:
    """Tell whether a hole is in the operation that something was found in; in its line, where none is read."""
    line, operation = file.position(span.start).line, _operation_at(file, span.start)
    for hole in script.holes:
        other = _operation_at(file, hole.span.start)
        is_known = operation is not None and other is not None
        if other is operation if is_known else file.position(hole.span.start).line == line:
            return True
    return False


def _operation_at(file: SourceFile, offset: int) -> Operation | None:
    context = file.context_at(offset)
    return operation_at(context.model, context.to_local(offset))


def _written_fixes(program: MaskedProgram, fixes: Iterable[Fix]) -> Iterable[Fix]:
    for fix in fixes:
        edits = tuple(written for edit in fix.edits if (written := written_edit(program, edit)) is not None)
        if len(edits) == len(fix.edits):
            yield replace(fix, edits=edits)
