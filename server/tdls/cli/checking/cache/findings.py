"""What all rules find in a text, by all that this rests on: the text, libraries, catalogues, and tdls itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from tdls.caching.basis import EVERYTHING, Basis
from tdls.caching.digest import digest
from tdls.caching.store import Store
from tdls.cli.checking.cache.codec import NotKeptError, decode, encode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tdls.catalogue.catalogue import Catalogue
    from tdls.cli.checking.configured import Configurations, Configured
    from tdls.cli.rendering.checked import IdentifiedFinding

FINDINGS = Basis("findings", EVERYTHING)
_SIGNS = ("RUN:", "tdls:")
"""A text without these names no libraries."""


class _ScriptKey(NamedTuple):
    """The libraries of a script, and the key for what is found in it beside them."""

    libraries: list[Path]
    key: str


class FindingsCache:
    """Findings of scripts, before settings and the command line choose among them."""

    def __init__(self, store: Store, configurations: Configurations, split: str) -> None:
        self._store = store
        self._configurations = configurations
        self._split = split
        self._fingerprints: dict[int, str | None] = {}
        """Of catalogues, by identity; the configurations keep them alive."""
        self._digests: dict[Path, str] = {}

    @classmethod
    def of_user(cls, configurations: Configurations, split: str) -> FindingsCache | None:
        """Return the cache of the user, None if there is no place for one."""
        store = Store.of_user()
        return cls(store, configurations, split) if store is not None else None

    def get(self, path: Path | None, text: str, configured: Configured) -> list[IdentifiedFinding] | None:
        """Return the findings in the script `text` at `path`, None if they are not known."""
        key = self._key(text, configured)
        if key is None:
            return None
        written = self._written(text, key)
        if written is None:
            return None
        reach = self._reach(path, written, key, configured)
        kept = self._store.get(reach.key)
        try:
            return decode(kept, reach.libraries) if kept is not None else None
        except (ValueError, LookupError, TypeError):  # the file is damaged
            return None

    def put(
        self,
        path: Path | None,
        text: str,
        configured: Configured,
        written: Sequence[str],
        findings: Sequence[IdentifiedFinding],
    ) -> None:
        """Keep the findings in the script `text` at `path`, which names the libraries `written`."""
        key = self._key(text, configured)
        if key is None:
            return
        if _may_name_libraries(text):
            self._store.put(key, json.dumps(list(written)))
        reach = self._reach(path, written, key, configured)
        try:
            self._store.put(reach.key, encode(findings, reach.libraries))
        except NotKeptError:
            return

    def sweep(self) -> None:
        """Drop what has not been used for long."""
        self._store.sweep()

    def _key(self, text: str, configured: Configured) -> str | None:
        """Return what stands for the text and all but its libraries, None if that cannot be told from others."""
        catalogue = configured.catalogue
        if id(catalogue) not in self._fingerprints:
            self._fingerprints[id(catalogue)] = _fingerprint(catalogue)
        fingerprint = self._fingerprints[id(catalogue)]
        return FINDINGS.key(self._split, fingerprint, text) if fingerprint is not None else None

    def _written(self, text: str, key: str) -> list[str] | None:
        """Return the libraries that the text names, None if that is not known."""
        if not _may_name_libraries(text):
            return []
        kept = self._store.get(key)
        try:
            return list(map(str, json.loads(kept))) if kept is not None else None
        except (ValueError, TypeError):  # the file is damaged
            return None

    def _reach(self, path: Path | None, written: Sequence[str], key: str, configured: Configured) -> _ScriptKey:
        libraries = self._configurations.library_paths(path, written, configured)
        return _ScriptKey(libraries, digest(key, *map(self._digest_of, libraries), "found"))

    def _digest_of(self, library: Path) -> str:
        """Return what stands for the text of a library, nothing if it cannot be read."""
        known = self._digests.get(library)
        if known is None:
            text = self._configurations.library_text(library)
            known = self._digests[library] = digest(text) if text is not None else ""
        return known


def _fingerprint(catalogue: Catalogue) -> str | None:
    """Return a hash of what `catalogue` says besides the shipped facts, None if a source does not tell."""
    from tdls.catalogue.shipped import shipped_source

    others = (source for source in catalogue.sources if source is not shipped_source())
    fingerprints = [getattr(source, "fingerprint", None) for source in others]
    if None in fingerprints or not catalogue.is_complete:
        return None
    return digest(str(catalogue.target), *map(str, fingerprints))


def _may_name_libraries(text: str) -> bool:
    return any(sign in text for sign in _SIGNS)
