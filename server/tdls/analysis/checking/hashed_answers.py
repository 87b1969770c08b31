"""Hashes of catalogue answers, to decide whether cached results hold with another catalogue, too."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from tdls.caching.digest import digest, spelled
from tdls.catalogue.tracked import DIALECTS, LOOKED_IN, NAMES_OF, RENAMED, TABLES, WHOLE, ListeningCatalogue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.source import CatalogueSource, Table

_FOR_PEOPLE: Final = frozenset({"defined_at", "description", "implemented_at", "source", "summary"})
"""Fields of definitions that no rule reads."""
_NOTED_AS_WHOLE: Final = frozenset({"tdls.analysis.meaning.matchers:names_of_asking"})
"""Functions over all operations with a result that hardly ever changes; recorded as one question each."""


def recording(catalogue: Catalogue) -> ListeningCatalogue:
    """Return `catalogue` in a wrapper that records its questions."""
    return ListeningCatalogue(catalogue, _NOTED_AS_WHOLE)


def questions_of(file: SourceFile) -> dict[str, list[str]] | None:
    """Return the questions put to the catalogues of a file, its libraries and its payload, or None if not recorded."""
    payload = [file.payload] if file.payload is not None else []
    catalogues = [source.catalogue for source in (file, *file.libraries, *payload)]
    together: dict[str, dict[str, None]] = {}
    for catalogue in catalogues:
        if not isinstance(catalogue, ListeningCatalogue):
            return None
        for kind, names in catalogue.questions.items():
            together.setdefault(kind, {}).update(names)
    return {kind: list(names) for kind, names in together.items()}


class AnswerDigests:
    """Hashes of a catalogue's answers, without shipped definitions, which the key of the cache covers."""

    def __init__(self, catalogue: Catalogue) -> None:
        from tdls.catalogue.shipped import shipped_source

        self._catalogue = catalogue
        others = [source for source in catalogue.sources if source is not shipped_source()]
        self._sources: list[CatalogueSource] = others[::-1]
        """In order of precedence: the first answer counts."""
        self._known: dict[tuple[str, str], str] = {}
        fingerprints = [getattr(source, "fingerprint", None) for source in others]
        is_known = catalogue.is_complete and None not in fingerprints
        self.fingerprint = digest(*map(str, fingerprints)) if is_known else None
        """Hash of all sources, or None if one has no fingerprint, or the catalogue is incomplete."""

    def to(self, questions: Mapping[str, Iterable[str]]) -> str:
        """Return a hash of the answers to `questions`, in their order. Raises LookupError for an unknown kind."""
        return digest(*(self._to(kind, about) for kind, names in questions.items() for about in names))

    def _to(self, kind: str, about: str) -> str:
        known = self._known.get((kind, about))
        if known is None:
            known = self._known[kind, about] = digest(*self._answer(kind, about))
        return known

    def _answer(self, kind: str, about: str) -> Iterable[str]:
        if kind in TABLES:
            return self._first(table.variants(about) for table in self._tables(kind))
        if kind == DIALECTS and about in TABLES:
            dialects = {dialect for own in self._tables(about) for dialect in own.dialects()}
            return [part for dialect in sorted(dialects) for part in (dialect, *self._names(about, dialect))]
        if kind.startswith(NAMES_OF) and (table := kind.removeprefix(NAMES_OF)) in TABLES:
            return self._names(table, about)
        if kind == RENAMED:
            return self._first(source.renamed(about) for source in self._sources)
        if kind == LOOKED_IN:
            return [place for source in self._sources for place in source.looked_in]
        if kind == WHOLE:
            return [self._whole(about)]
        raise LookupError(kind)

    def _tables(self, table: str) -> Iterator[Table[Any]]:
        return (getattr(source, table) for source in self._sources)

    def _names(self, table: str, dialect: str) -> list[str]:
        return sorted({name for own in self._tables(table) for name in own.names(dialect)})

    def _first(self, answers: Iterable[object]) -> list[str]:
        return [spelled(next(filter(None, answers), None), _FOR_PEOPLE)]

    def _whole(self, name: str) -> str:
        if name not in _NOTED_AS_WHOLE:
            raise LookupError(name)
        module, _, function = name.partition(":")
        return spelled(getattr(import_module(module), function)(self._catalogue), _FOR_PEOPLE)
