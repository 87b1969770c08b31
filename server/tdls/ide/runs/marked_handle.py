"""What the last run said of the handle at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.context import InSection
from tdls.ide.cursor.target import ValueTarget, target_of

if TYPE_CHECKING:
    from tdls.ide.cursor.target import PlacedEntity
    from tdls.ide.run_marks import HandleMark
    from tdls.ide.snapshot import Location, Snapshot


def marked_handle(snapshot: Snapshot, placed: PlacedEntity) -> tuple[Location, HandleMark] | None:
    """Return where the handle at `placed` is defined, and what it stood for; None where that is not known."""
    target = target_of(placed) if snapshot.marks else None
    defined = snapshot.locate(InSection(target.context, target.span)) if isinstance(target, ValueTarget) else None
    marks = snapshot.marks.get(defined.uri) if defined is not None else None
    mark = marks.handle_at(defined.span.start) if marks is not None and defined is not None else None
    return (defined, mark) if mark is not None and defined is not None else None
