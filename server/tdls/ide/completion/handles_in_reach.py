"""The handles that can be used at a place of a script, and whether they still stand for something there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.ide.completion.candidates.values import visible_values
from tdls.ide.completion.site import site_at
from tdls.ide.runs.handle_contents import label_of
from tdls.ide.snapshot import Location
from tdls.semantic.handle_types import interfaces_of, kind_by
from tdls.semantic.transform_dialect import is_transform_name

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.ide.completion.candidates.values import VisibleValue
    from tdls.ide.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class HandleInReach:
    """A handle; `consumer` is the place of an operation that consumes it before, None while it is live.

    `contents` is what it stood for in the last run, in a few words, "" where that is not known.
    """

    name: str
    type: str
    location: Location
    consumer: Location | None
    contents: str


def handles_in_reach(snapshot: Snapshot, uri: str, offset: int) -> list[HandleInReach]:
    """Return the handles and parameters that can be named at `offset` of a file, in the order of the text."""
    file = snapshot.file(uri)
    if file is None:
        return []
    site = site_at(file, offset)
    visible = reversed(visible_values(site))
    found = (_handle(snapshot, uri, site.context, value) for value in visible)
    return [handle for handle in found if handle is not None]


def _handle(snapshot: Snapshot, uri: str, context: Context, visible: VisibleValue) -> HandleInReach | None:
    value = visible.value
    if value.type is None or not _is_of_script(context, value.type):
        return None
    marks = snapshot.marks.get(uri)
    span = context.to_file(value.span)
    mark = marks.handle_at(span.start) if marks is not None else None
    consumer = visible.consumer
    place = Location(uri, context.to_file(consumer.location)) if consumer is not None else None
    contents = label_of(mark, value.number) if mark is not None else ""
    return HandleInReach(value.shown, value.type, Location(uri, span), place, contents)


def _is_of_script(context: Context, type_text: str) -> bool:
    """Tell whether values of a type are handles or parameters; unknown types are what they are called."""
    interfaces = interfaces_of(context.file.catalogue, type_text)
    return kind_by(interfaces) is not None if interfaces is not None else is_transform_name(type_text.removeprefix("!"))
