"""The refactorings at a place, each tried in the whole file: no finding comes that a tried fix must not add."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from tdls.analysis.fixing import counting, differing, with_edits
from tdls.ide.changes.code_actions import ActionKind, CodeAction
from tdls.ide.changes.convert_sequence import convert_sequence
from tdls.ide.changes.extract_sequence import extract_matcher, extract_sequence, inline_include
from tdls.ide.changes.place import Place, RefusalError
from tdls.structs import replace
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.snapshot import Snapshot
    from tdls.text.diagnostic import TextEdit
    from tdls.text.span import FileSpan

    _Change: TypeAlias = Callable[[Place], Sequence[TextEdit] | None]

_REFACTORINGS: tuple[tuple[ActionKind, str, _Change], ...] = (
    (ActionKind.EXTRACT, "Extract to a named sequence", extract_sequence),
    (ActionKind.EXTRACT, "Extract a matcher", extract_matcher),
    (ActionKind.INLINE, "Inline the included steps", inline_include),
    (ActionKind.RESTRUCTURE, "Convert to a named sequence", convert_sequence),
)


def refactorings(
    snapshot: Snapshot, uri: str, selected: FileSpan, kinds: Collection[ActionKind], *, is_asked: bool
) -> Iterator[CodeAction]:
    """Yield the refactorings of these kinds that apply to what is `selected`, without those of large sections.

    A user who asked for refactorings also gets those that are refused, and those of the step at a cursor.
    """
    file = snapshot.file(uri)
    context = file.context_at(selected.start) if file is not None else None
    if context is None or context.file.program is not None or context.section.is_large:
        return
    end = min(selected.end, context.to_file(Span(0, len(context.section.text))).end)
    span = Span(context.to_local(selected.start), context.to_local(max(selected.start, end)))
    for kind, title, change in _REFACTORINGS:
        action = _refactoring(Place(context, span, is_asked), kind, title, change) if kind in kinds else None
        if action is not None and (is_asked or action.refusal is None):
            yield action


def _refactoring(place: Place, kind: ActionKind, title: str, change: _Change) -> CodeAction | None:
    try:
        changes = change(place)
        return None if changes is None else _tried(place.context.file, CodeAction(title, kind, ()), changes)
    except RefusalError as refusal:
        return CodeAction(title, kind, (), refusal=str(refusal))


def _tried(file: SourceFile, action: CodeAction, changes: Sequence[TextEdit]) -> CodeAction:
    """Return `action` with edits in the order of the text, with its line breaks. Raises RefusalError for a finding."""
    line_break = "\r\n" if file.mentions("\r\n") else "\n"
    edits = [replace(edit, new_text=edit.new_text.replace("\r\n", "\n").replace("\n", line_break)) for edit in changes]
    edits.sort(key=lambda edit: edit.span)
    changed = with_edits(file, edits)
    left = Counter(finding.rule for finding in counting(differing(file, changed)))
    for finding in counting(differing(changed, file)):
        if not left[finding.rule]:
            raise RefusalError(f"the result would have a new finding: {finding.message}")
        left[finding.rule] -= 1
    return replace(action, edits=tuple(edits))
