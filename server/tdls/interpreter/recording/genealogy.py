"""What became of the operations of a payload, from state to state, by its lines.

Where operations can be told apart, MLIR says what each was made from; elsewhere, and for lines that no operation begins
or ends, only the texts are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.observation.origins import locations_of_lines
from tdls.interpreter.recording.changes import changes
from tdls.interpreter.recording.spelled_states import digest
from tdls.interpreter.recording.tagging import TAG, TAG_FILE
from tdls.system.shared import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tdls.interpreter.model import Place
    from tdls.interpreter.recording.changes import TextChanges
    from tdls.interpreter.recording.records import TaggedState


class LineRelation(Enum):
    """How a line is related to one of the state before."""

    SAME = "same"
    CHANGED = "changed"
    """It is the same operation, whose line reads otherwise now."""
    DERIVED = "derived"
    """It is another operation, which was made from the one there."""
    MADE = "made"
    """There is no line before."""


class LineLink(NamedTuple):
    """A line of one state, and the line of a neighbouring state that belongs to it; None where there is none.

    It `is_exact` where MLIR said so; else the texts look like it.
    """

    line: int | None
    relation: LineRelation
    is_exact: bool


@dataclass(frozen=True, eq=False)
class KnownState:
    """A payload, and its operations where they are told apart."""

    text: str
    tagged: TaggedState | None

    @cached_property
    def operations(self) -> tuple[int | None, ...]:
        """The operation of each line; () where they are not told apart."""
        if self.tagged is None or self.tagged.digest != digest(self.text):
            return ()
        return tuple(map(_tag, locations_of_lines(self.text, self.tagged.record.text or "")))

    @cached_property
    def lines(self) -> Mapping[int, Sequence[int]]:
        """The lines of each operation."""
        found: dict[int, list[int]] = {}
        for line, operation in enumerate(self.operations):
            if operation is not None:
                found.setdefault(operation, []).append(line)
        return found

    @cached_property
    def held(self) -> Mapping[tuple[int, int], Sequence[int]]:
        """The operations that each live handle stands for, by its point and number there; without values."""
        found: dict[tuple[int, int], Sequence[int]] = {}
        for handle in self.tagged.record.handles if self.operations and self.tagged is not None else ():
            if handle.contents is not None:
                places = (item.place for item in handle.contents.items)
                found[handle.point, handle.number] = [
                    place.line for place in places if place is not None and place.file == TAG_FILE
                ]
        return found

    def lines_from(self, operations: Iterable[int]) -> list[int]:
        """Return the lines on which `operations` of a state before begin, and what was made from them."""
        wanted = set(operations)
        return sorted(lines[0] for operation, lines in self.lines.items() if wanted & self._line_of(operation))

    def _line_of(self, operation: int) -> set[int]:
        """Return an operation with all that it was made from."""
        found, left = {operation}, [operation]
        while left:
            new = [parent for parent in self.parents(left.pop()) if parent not in found]
            found.update(new)
            left += new
        return found

    def sources(self, operation: int) -> tuple[Place, ...]:
        """Return where the operations are written that one came from in the end."""
        found: dict[Place, None] = {}
        left, seen = [operation], {operation}
        while left and self.tagged is not None:
            birth = self.tagged.born[left.pop()]
            if birth.source is not None:
                found[birth.source] = None
            new = [parent for parent in birth.parents if parent not in seen]
            seen.update(new)
            left += new
        return tuple(found)

    def name(self, operation: int) -> str:
        """Return what an operation is called."""
        return self.tagged.born[operation].name if self.tagged is not None else ""

    def parents(self, operation: int) -> tuple[int, ...]:
        """Return what an operation was made from."""
        return self.tagged.born[operation].parents if self.tagged is not None else ()


class Succession:
    """What happened between two states that follow each other; tags of both have to be those of one run."""

    def __init__(self, before: KnownState, after: KnownState) -> None:
        self._before = before
        self._after = after

    @cached_property
    def _changes(self) -> TextChanges:
        return changes(self._before.text, self._after.text)

    @cached_property
    def _old_lines(self) -> Mapping[int, int]:
        """The lines before, by those that are the same now."""
        return {new: old for old, new in self._changes.same}

    @cached_property
    def _lost(self) -> frozenset[str]:
        """The names of operations of which nothing is there that MLIR says was made from them."""
        kept = set(self._after.lines).union(*map(self._after.parents, self._after.lines))
        return frozenset(self._before.name(operation) for operation in self._before.lines if operation not in kept)

    @cached_property
    def _new_lines(self) -> Mapping[int, int]:
        return dict(self._changes.same)

    def back(self, line: int) -> LineLink:
        """Return what a line of the later state was before."""
        if self._before.text == self._after.text:
            return LineLink(line, LineRelation.SAME, is_exact=True)
        operation = self._after.operations[line] if line < len(self._after.operations) else None
        same = self._old_lines.get(line)
        if operation is None or not self._before.operations:
            return self._back_by_text(line, same)
        if operation in self._before.lines:
            old = _counterpart(line, self._after.lines[operation], self._before.lines[operation])
            return LineLink(old, LineRelation.SAME if same == old else LineRelation.CHANGED, is_exact=True)
        parents = [parent for parent in self._after.parents(operation) if parent in self._before.lines]
        if not parents and same is not None:  # MLIR forgot where it came from
            return LineLink(same, LineRelation.SAME, is_exact=False)
        if not parents:
            return _made(is_exact=self._after.name(operation) not in self._lost)
        if same is not None and self._before.operations[same] in parents:
            return LineLink(same, LineRelation.SAME, is_exact=True)
        lines = self._before.lines[parents[0]]
        return LineLink(_counterpart(line, self._after.lines[operation], lines), LineRelation.DERIVED, is_exact=True)

    def forth(self, line: int) -> tuple[LineLink, ...]:
        """Return what became of a line of the earlier state; () if it is gone. Of each operation, its first line."""
        if self._before.text == self._after.text:
            return (LineLink(line, LineRelation.SAME, is_exact=True),)
        operation = self._before.operations[line] if line < len(self._before.operations) else None
        if operation is None or not self._after.operations:
            same = self._new_lines.get(line)
            return (LineLink(same, LineRelation.SAME, is_exact=False),) if same is not None else ()
        heirs = [operation] if operation in self._after.lines else []
        heirs += (
            other
            for other in self._after.lines
            if other not in self._before.lines and operation in self._after.parents(other)
        )
        links = ((self._after.lines[heir][0], self.back(self._after.lines[heir][0])) for heir in heirs)
        return tuple(LineLink(new, link.relation, link.is_exact) for new, link in links)

    def _back_by_text(self, line: int, same: int | None) -> LineLink:
        if same is not None:
            return LineLink(same, LineRelation.SAME, is_exact=False)
        replaced = self._changes.replaced.get(line)
        return (
            LineLink(replaced, LineRelation.CHANGED, is_exact=False) if replaced is not None else _made(is_exact=False)
        )


def _made(*, is_exact: bool) -> LineLink:
    return LineLink(None, LineRelation.MADE, is_exact)


def _tag(location: str | None) -> int | None:
    found = TAG.fullmatch(location) if location is not None else None
    return int(found[1]) if found is not None else None


def _counterpart(line: int, lines: Sequence[int], others: Sequence[int]) -> int:
    """Return which of `others` is for `line`, one of `lines`: operations begin and end at lines of their own."""
    return others[-1] if line == lines[-1] and len(lines) > 1 else others[0]
