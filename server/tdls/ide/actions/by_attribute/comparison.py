"""Whether two runs do the same, one of texts that were edited."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.ide.actions.by_attribute.refusal import NotRewrittenError
from tdls.ide.actions.by_attribute.tags import without_tags
from tdls.ide.runs.run_report import offset_of, summary
from tdls.interpreter.model import Emit, Status
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tdls.ide.actions.by_attribute.tags import NameTag
    from tdls.interpreter.model import Contents, HandleContents, PayloadItem, Place, RunResult
    from tdls.text.diagnostic import TextEdit


_SHOWN = "see current operation"
"""What notes begin with that show an operation: perhaps the module, with the script in it."""


class EditedFile:
    """A file of a run before and behind edits, which do not overlap."""

    def __init__(self, before: SourceFile, edits: Sequence[TextEdit]) -> None:
        self.before = before
        self.edits = sorted(edits, key=lambda edit: edit.span)

    def applied_to(self, text: str) -> str:
        """Return a text, in which all is at its place in the file, with the edits."""
        for edit in reversed(self.edits):
            text = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
        return text

    def moved(self, offset: int) -> int:
        """Return where the code point at `offset`, which is not replaced, is behind the edits."""
        done = (edit for edit in self.edits if edit.span.end <= offset)
        return offset + sum(len(edit.new_text) - (edit.span.end - edit.span.start) for edit in done)

    def is_replaced(self, offset: int) -> bool:
        """Tell whether the code point at `offset` is among what the edits replace."""
        return any(edit.span.start <= offset < edit.span.end for edit in self.edits)


class RunComparison:
    """Compares what a run says before and behind the edits of some of its files, by their names."""

    def __init__(self, edited: Mapping[str, EditedFile], tags: Collection[NameTag], names: Mapping[str, str]) -> None:
        """`names` has what handles are called behind the edits, by how they were written before."""
        self._names = names
        self._before = edited
        self._after = {
            name: SourceFile.of(file.applied_to(file.before.text), file.before.catalogue)
            for name, file in edited.items()
        }
        self._tags = tags

    def check(self, first: RunResult, second: RunResult, replaced: Collection[FileSpan], script: str) -> None:
        """Raise NotRewrittenError if the second run does something else; `replaced` are handles of `script` that go."""
        if second.status is not Status.SUCCESS:
            raise NotRewrittenError(f"matched by attribute, {summary(second)}")
        gone = {(script, span) for span in replaced}
        kept = [handle for handle in first.handles if (handle.file, FileSpan(handle.start, handle.end)) not in gone]
        self._check_handles(kept, second.handles)
        if first.texts[Emit.PAYLOAD] != without_tags(second.texts[Emit.PAYLOAD], self._tags):
            raise NotRewrittenError("matched by attribute, the script makes another payload")
        if first.printed != without_tags(second.printed, self._tags):
            raise NotRewrittenError("matched by attribute, the script prints something else")
        if self._said(first) != self._said(second):
            raise NotRewrittenError("matched by attribute, the script says something else")

    def _check_handles(self, first: Collection[HandleContents], second: Collection[HandleContents]) -> None:
        before = Counter((self._name(handle), self._held(handle, is_after=False)) for handle in first)
        after = Counter((self._name(handle, is_after=True), self._held(handle, is_after=True)) for handle in second)
        other = next(iter(before - after), None) or next(iter(after - before), None)
        if other is not None:
            raise NotRewrittenError(f"matched by attribute, `{other[0]}` holds something else")

    def _name(self, handle: HandleContents, *, is_after: bool = False) -> str:
        """Return what a handle is called behind the edits."""
        known = self._before.get(handle.file)
        file = self._after.get(handle.file) if is_after else known.before if known is not None else None
        if file is None:
            return f"{handle.file}:{handle.start}"
        written = file.slice(FileSpan(handle.start, handle.end))
        shown = written if handle.number is None else f"{written.partition(':')[0]}#{handle.number}"
        return shown if is_after else self._names.get(shown, shown)

    def _held(self, handle: HandleContents, *, is_after: bool) -> tuple[object, ...]:
        moments = tuple(self._moment(moment, is_after=is_after) for moment in handle.moments)
        return (handle.file, handle.kind, handle.executions, moments)

    def _moment(self, contents: Contents, *, is_after: bool) -> tuple[object, ...]:
        items = tuple(self._item(item, is_after=is_after) for item in contents.items)
        return (contents.count, tuple(sorted(contents.names.items())), items)

    def _item(self, item: PayloadItem, *, is_after: bool) -> tuple[object, ...]:
        return (item.name, self._place(item.place, is_after=is_after) if item.place is not None else None)

    def _place(self, place: Place, *, is_after: bool) -> tuple[object, ...]:
        """Return a place as it is behind the edits."""
        known, edited = self._before.get(place.file), self._after.get(place.file)
        if known is None or edited is None:
            return (place.file, place.line, place.column)
        if is_after:
            return (place.file, offset_of(edited, place.line, place.column))
        return (place.file, known.moved(offset_of(known.before, place.line, place.column)))

    def _said(self, result: RunResult) -> list[tuple[object, ...]]:
        return list(self._messages(result))

    def _messages(self, result: RunResult) -> Iterator[tuple[object, ...]]:
        for diagnostic in result.diagnostics:
            notes = (note for note in diagnostic.notes if not note.message.startswith(_SHOWN))
            said = [replace(diagnostic, notes=()), *notes]
            yield tuple((entry.level, without_tags(entry.message, self._tags)) for entry in said)
