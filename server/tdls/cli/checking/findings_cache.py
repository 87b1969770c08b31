"""Cache of the findings of all rules in a text, by all inputs: the text, libraries, catalogues, and tdls itself.

Entries are stored by the text, with the queries to the catalogue made while checking: findings are valid with every
catalogue that gives the same answers. A text may have several entries, for several projects or states of one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tdls.caching.digest import digest
from tdls.caching.user_cache import Cache
from tdls.cli.checking.kept import KeptEntry, NotKeptError, decode, encode, entries, name_of_entries
from tdls.files.selection import split_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tdls.analysis.checking.hashed_answers import AnswerDigests
    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.cli.checking.configurations import Configurations, Configured
    from tdls.cli.rendering.checked import FingerprintedFinding

_MOST_ENTRIES = 6
"""Maximum number of entries for one text."""


class FindingsCache:
    """Cached findings of scripts, before settings and the command line select among them."""

    def __init__(self, cache: Cache, configurations: Configurations, split: str) -> None:
        self._cache = cache
        self._configurations = configurations
        self._split = split
        self._answers: dict[int, AnswerDigests] = {}
        """By the identity of the catalogue; the configurations keep catalogues alive."""
        self._digests: dict[Path, str] = {}

    @classmethod
    def of_user(cls, configurations: Configurations, split: str) -> FindingsCache | None:
        """Return the cache of the user, None if there is no folder for one."""
        cache = Cache.of_user()
        return cls(cache, configurations, split) if cache.folder is not None else None

    def get(self, path: Path | None, text: str, configured: Configured) -> list[FingerprintedFinding] | None:
        """Return the findings in the script `text` at `path`, None if they are not cached."""
        answers = self._answers_of(configured.catalogue)
        if answers.fingerprint is None:
            return None
        name = name_of_entries(split_of(path, self._split), configured.settings, text)
        kept = entries(self._cache, name)
        for entry in kept:
            libraries = self._configurations.library_paths(path, entry.written, configured)
            if self._state(path, configured, libraries, entry.written, entry.payload) != entry.libraries:
                continue
            if entry.catalogue == answers.fingerprint or answers.to(entry.queries) == entry.answers:
                scans = configured.rests_on_scans
                self._store(name, entry._replace(catalogue=answers.fingerprint, rests_on_scans=scans), kept)
                return decode(entry.findings, libraries)
        return None

    def put(
        self,
        path: Path | None,
        text: str,
        configured: Configured,
        file: SourceFile,
        findings: Sequence[FingerprintedFinding],
    ) -> None:
        """Store the findings in the script `text` at `path`; the catalogue of `file` recorded the queries for them."""
        from tdls.analysis.checking.hashed_answers import questions_of
        from tdls.project.libraries import written_libraries
        from tdls.project.payload import written_payload

        answers = self._answers_of(configured.catalogue)
        questions = questions_of(file)
        if answers.fingerprint is None or questions is None:
            return
        written = written_libraries(file)
        libraries = self._configurations.library_paths(path, written, configured)
        try:
            encoded = encode(findings, libraries)
        except NotKeptError:
            return
        payload = written_payload(file)
        state, answered = self._state(path, configured, libraries, written, payload), answers.to(questions)
        scans = configured.rests_on_scans
        entry = KeptEntry(written, state, payload, questions, answered, answers.fingerprint, scans, encoded)
        name = name_of_entries(split_of(path, self._split), configured.settings, text)
        self._store(name, entry, entries(self._cache, name))

    def _store(self, name: str, entry: KeptEntry, kept: Sequence[KeptEntry]) -> None:
        """Put `entry` in place of one of those `kept` that rests on the same, unless it is there already."""
        if entry not in kept:
            others = [known for known in kept if not _rest_on_the_same(known, entry)]
            self._cache.put(name, json.dumps([entry, *others][:_MOST_ENTRIES]).encode("ascii"))

    def _answers_of(self, catalogue: Catalogue) -> AnswerDigests:
        from tdls.analysis.checking.hashed_answers import AnswerDigests

        if id(catalogue) not in self._answers:
            self._answers[id(catalogue)] = AnswerDigests(catalogue)
        return self._answers[id(catalogue)]

    def _state(
        self,
        path: Path | None,
        configured: Configured,
        libraries: Sequence[Path],
        written: Sequence[str],
        payload: tuple[list[str], list[str], list[str], bool],
    ) -> str:
        """Return a hash of the texts of the libraries and of the payload of the script at `path`."""
        from tdls.project.libraries import files_of_names, shown_library

        *named, has_none = payload
        names = files_of_names(path, written)
        inputs: list[object] = [(text, [library.name for library in names[text]]) for text in sorted(names)]
        inputs += [shown_library(library, path) for library in libraries]
        inputs += self._configurations.common_libraries(configured).missing
        if not any(named) and not (has_none and configured.settings.payload):
            return digest(repr(inputs), *map(self._digest_of, libraries))
        from tdls.project.payload import WrittenPaths, placed_payload

        other = placed_payload(path, WrittenPaths(*payload), configured.settings)
        return digest(
            "payload",
            repr(inputs),
            self._digest_of(other) if other is not None else "",
            *map(self._digest_of, libraries),
        )

    def _digest_of(self, library: Path) -> str:
        """Return a hash of the text of a library or payload, an empty string if it cannot be read."""
        known = self._digests.get(library)
        if known is None:
            text = self._configurations.library_text(library)
            known = self._digests[library] = digest(text) if text is not None else ""
        return known


def _rest_on_the_same(first: KeptEntry, second: KeptEntry) -> bool:
    catalogue, scans, findings = first.catalogue, first.rests_on_scans, first.findings
    return first == second._replace(catalogue=catalogue, rests_on_scans=scans, findings=findings)
