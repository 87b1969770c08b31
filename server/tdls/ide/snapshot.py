"""All that a feature may look at: one version of every file, and what is known about operations."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

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
    """A place in a file; offsets count code points."""

    uri: str
    span: FileSpan


@dataclass(frozen=True)
class Snapshot:
    """Immutable: a request that began with one finishes with it, whatever is typed meanwhile."""

    files: Mapping[str, SourceFile]
    """By URI: the documents that are open, and the files of the workspace and of its libraries that were read."""
    catalogue: Catalogue
    descriptions: Descriptions = no_description
    """The documentation of an operation by its name, as Markdown, where the user's MLIR has it."""
    marks: Mapping[str, RunMarks] = field(default_factory=lambda: MappingProxyType({}))
    """What the last runs said about files, by URI."""
    reading: str = ""
    """What is still being read that may define more, for people: ``reading the project (34 %)``; "" for nothing."""

    def file(self, uri: str) -> SourceFile | None:
        """Return the file with this URI, None if it was never read."""
        return self.files.get(uri)

    def uri_of(self, file: SourceFile) -> str | None:
        """Return the URI of a file of this snapshot; a library counts as the file whose text it shares."""
        return self._uris.get(id(file.sections))

    @cached_property
    def in_order(self) -> tuple[tuple[str, SourceFile], ...]:
        """All files with their URIs, in the order of these: no answer depends on when a document was opened."""
        return tuple(sorted(self.files.items(), key=lambda entry: entry[0]))

    @cached_property
    def _uris(self) -> dict[int, str]:
        """URIs by the identity of the text, the first one of several."""
        uris: dict[int, str] = {}
        for uri, file in self.in_order:
            uris.setdefault(id(file.sections), uri)
        return uris

    def locate(self, place: InSection) -> Location | None:
        """Return the location of a place in a section; None for sections of no file of this snapshot."""
        uri = self.uri_of(place.context.file)
        return Location(uri, place.in_file) if uri is not None else None
