"""Places to go to, as links that say what they lead from where the editor understands that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from lsprotocol import types

from tdls.ide.cursor.target import placed_entity_at
from tdls.lsp.answers.source_locations import source_location
from tdls.lsp.protocol.positions import to_range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.model import SourcePlace
    from tdls.ide.snapshot import Location
    from tdls.lsp.session.session import Cursor, Session

Answer: TypeAlias = list[types.Location] | list[types.LocationLink]


class ClaimsLinks(Protocol):
    """The editor's capabilities for one of the requests that may be answered with links."""

    @property
    def link_support(self) -> bool | None:
        """True if links are understood."""
        ...


def to_answer(
    session: Session,
    cursor: Cursor | None,
    found: Sequence[Location],
    claimed: ClaimsLinks | None,
    places: Sequence[SourcePlace] = (),
) -> Answer:
    """Return `found` as the editor wants it, for a request about what stands at `cursor`.

    `places` are in sources, which are no documents of the server; those that are not there are left out.
    """
    if cursor is None:
        return []
    in_sources = (source_location(place, session.encoding) for place in places)
    locations = [*map(session.location, found), *filter(None, in_sources)]
    if claimed is None or not claimed.link_support:
        return locations
    place = placed_entity_at(cursor.snapshot, cursor.uri, cursor.offset)
    origin = to_range(cursor.file, place.span, session.encoding) if place is not None else None
    return [types.LocationLink(there.uri, there.range, there.range, origin) for there in locations]


def claims_of(capabilities: types.ClientCapabilities) -> types.TextDocumentClientCapabilities:
    """Return what the editor says of its documents."""
    return capabilities.text_document or types.TextDocumentClientCapabilities()
