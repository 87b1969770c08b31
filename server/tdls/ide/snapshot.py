"""The input of every editor feature: one version of every file, the catalogue of operations, and the last runs."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from tdls.structs import NamedTuple, Struct, field
from tdls.system import cached_property

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tdls.analysis.file.context import InSection
    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.ide.run_marks import RunMarks
    from tdls.text.span import FileSpan

    Descriptions: TypeAlias = Callable[[str], str]


def no_description(_: str) -> str:
    """Return no documentation for any operation."""
    return ""


class Location(NamedTuple):
    """A span of a file; offsets count code points."""

    uri: str
    span: FileSpan


class Snapshot(Struct, frozen=True, has_dict=True):
    """Immutable, so that a request keeps the snapshot it began with although the user goes on typing."""

    files: Mapping[str, SourceFile]
    """By URI: the open documents, and the files of the workspace and of its libraries that were read."""
    catalogue: Catalogue
    descriptions: Descriptions = no_description
    """Maps an operation's name to its documentation in the user's MLIR, as Markdown; "" if it has none."""
    marks: Mapping[str, RunMarks] = field(default_factory=lambda: MappingProxyType({}))
    """Results of the last runs, by URI of the file they belong to."""
    reading: str = ""
    """Progress of reading that may still add definitions, for the user: ``reading the project (34 %)``; "" if none."""

    def file(self, uri: str) -> SourceFile | None:
        """Return the file with this URI, or None if it was not read."""
        return self.files.get(uri)

    def uri_of(self, file: SourceFile) -> str | None:
        """Return the URI of a file of this snapshot; a library has the URI of the file whose text it shares."""
        return self._uris.get(id(file.sections))

    @cached_property
    def in_order(self) -> tuple[tuple[str, SourceFile], ...]:
        """All files with their URIs, sorted by URI so that no answer depends on the order in which documents opened."""
        return tuple(sorted(self.files.items(), key=lambda entry: entry[0]))

    @cached_property
    def _uris(self) -> dict[int, str]:
        """The first URI of each text, by the identity of its sections."""
        uris: dict[int, str] = {}
        for uri, file in self.in_order:
            uris.setdefault(id(file.sections), uri)
        return uris

    def locate(self, place: InSection) -> Location | None:
        """Return the location of a place in a section, or None if no file of this snapshot has the section."""
        uri = self.uri_of(place.context.file)
        return Location(uri, place.in_file) if uri is not None else None
