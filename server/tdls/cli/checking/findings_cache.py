"""Cache of the findings of all rules in a text, by all inputs: the text, libraries, catalogues, and tdls itself.

Entries are stored by the text, with the queries to the catalogue made while checking: findings are valid with every
catalogue that gives the same answers. A text may have several entries, for several projects or states of one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from tdls.analysis.checking.hashed_answers import AnswerDigests, questions_of
from tdls.caching.basis import EVERYTHING, Basis
from tdls.caching.digest import digest
from tdls.caching.user_cache import Cache
from tdls.cli.rendering.checked import FingerprintedFinding
from tdls.files.selection import split_of
from tdls.text.diagnostic import Diagnostic, Fix, Note, Subject, Tag, TextEdit
from tdls.text.level import Level
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.cli.checking.configurations import Configurations, Configured


class NotKeptError(Exception):
    """A finding has a note in a file that a cache entry cannot name."""


def encode(findings: Iterable[FingerprintedFinding], libraries: Sequence[Path]) -> str:
    """Return `findings` as text; notes name files by index in `libraries`. Raises NotKeptError for other files."""
    return json.dumps([_encoded(finding, libraries) for finding in findings], separators=(",", ":"))


def decode(text: str, libraries: Sequence[Path]) -> list[FingerprintedFinding]:
    """Return the findings of a text that `encode` made."""
    return [_decoded(item, libraries) for item in json.loads(text)]


def _encoded(finding: FingerprintedFinding, libraries: Sequence[Path]) -> list[Any]:
    diagnostic, fingerprint = finding
    return [
        diagnostic.rule,
        diagnostic.level.value,
        diagnostic.message,
        *diagnostic.span,
        [[note.message, *note.span, _number(note, libraries)] for note in diagnostic.notes],
        diagnostic.help,
        [[fix.title, fix.safe, [[*edit.span, edit.new_text] for edit in fix.edits]] for fix in diagnostic.fixes],
        diagnostic.tag.value if diagnostic.tag is not None else None,
        diagnostic.subject.value,
        list(fingerprint),
    ]


def _decoded(item: list[Any], libraries: Sequence[Path]) -> FingerprintedFinding:
    from tdls.analysis.checking.fingerprint import Fingerprint

    rule, level, message, start, end, notes, advice, fixes, tag, subject, fingerprint = item
    diagnostic = Diagnostic(
        rule=rule,
        level=Level(level),
        message=message,
        span=FileSpan(start, end),
        notes=tuple(
            Note(words, FileSpan(begin, stop), libraries[number] if number is not None else None)
            for words, begin, stop, number in notes
        ),
        help=advice,
        fixes=tuple(
            Fix(title, tuple(TextEdit(FileSpan(begin, stop), new) for begin, stop, new in edits), safe)
            for title, safe, edits in fixes
        ),
        tag=Tag(tag) if tag is not None else None,
        subject=Subject(subject),
    )
    return FingerprintedFinding(diagnostic, Fingerprint(*fingerprint))


def _number(note: Note, libraries: Sequence[Path]) -> int | None:
    if note.path is None:
        return None
    if note.path not in libraries:
        raise NotKeptError(str(note.path))
    return libraries.index(note.path)


FINDINGS = Basis("findings", EVERYTHING)
_MOST_ENTRIES = 6
"""Maximum number of entries for one text."""


class _Entry(NamedTuple):
    """The findings in a text, and their inputs other than the text. All fields are values of JSON."""

    written: list[str]
    """The libraries that the text names."""
    libraries: str
    """Hash of the texts of all libraries, and of the payload's if that is another file."""
    payload: tuple[list[str], list[str], list[str], bool]
    """The `WrittenPaths` of the text."""
    queries: dict[str, list[str]]
    """Queries to the catalogue."""
    answers: str
    """Hash of the catalogue's answers to `queries`."""
    catalogue: str
    """Hash of the whole catalogue."""
    found: str
    """The findings, as `encode` writes them."""


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
        for entry in self._entries(self._name(path, text, configured)):
            libraries = self._configurations.library_paths(path, entry.written, configured)
            state = self._state(path, configured, libraries, entry.written, entry.payload)
            if state == entry.libraries and _answers_as_noted(answers, entry):
                return decode(entry.found, libraries)
        return None

    def put(
        self, path: Path | None, configured: Configured, file: SourceFile, findings: Sequence[FingerprintedFinding]
    ) -> None:
        """Store the findings in the script `file` at `path`, whose catalogue recorded the queries made for them."""
        from tdls.project.libraries import written_libraries
        from tdls.project.payload import written_payload

        answers = self._answers_of(configured.catalogue)
        questions = questions_of(file)
        if answers.fingerprint is None or questions is None:
            return
        written = written_libraries(file)
        libraries = self._configurations.library_paths(path, written, configured)
        try:
            found = encode(findings, libraries)
        except NotKeptError:
            return
        payload = written_payload(file)
        state, answered = self._state(path, configured, libraries, written, payload), answers.to(questions)
        entry = _Entry(written, state, payload, questions, answered, answers.fingerprint, found)
        name = self._name(path, file.text, configured)
        others = [known for known in self._entries(name) if not _rest_on_the_same(known, entry)]
        self._cache.put(name, json.dumps([entry, *others][:_MOST_ENTRIES]).encode("ascii"))

    def _name(self, path: Path | None, text: str, configured: Configured) -> str:
        """Return the name of a text: a hash of all inputs but the libraries and the answers of the catalogue."""
        catalogue = configured.catalogue
        return FINDINGS.name(split_of(path, self._split), str(catalogue.target), repr(catalogue.placeholders), text)

    def _entries(self, name: str) -> list[_Entry]:
        """Return the entries of a name, the newest first."""
        kept = self._cache.get(name)
        return [_Entry(*entry) for entry in json.loads(kept)] if kept is not None else []

    def _answers_of(self, catalogue: Catalogue) -> AnswerDigests:
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
        from tdls.project.libraries import files_of_names

        *named, has_none = payload
        names = files_of_names(path, written)
        found = [(text, [library.name for library in names[text]]) for text in sorted(names)]
        if not any(named) and not (has_none and configured.settings.payload):
            return digest(repr(found), *map(self._digest_of, libraries))
        from tdls.project.payload import WrittenPaths, placed_payload

        other = placed_payload(path, WrittenPaths(*payload), configured.settings)
        return digest(
            "payload",
            repr(found),
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


def _answers_as_noted(answers: AnswerDigests, entry: _Entry) -> bool:
    return entry.catalogue == answers.fingerprint or answers.to(entry.queries) == entry.answers


def _rest_on_the_same(first: _Entry, second: _Entry) -> bool:
    return first._replace(catalogue="", found="") == second._replace(catalogue="", found="")
