"""Kept findings: how entries of the cache hold them, and checks that print them without looking for any.

`print_kept` takes the command lines of hooks and editors: ``tdls --check``, options of the output, and names of files.
It imports nothing that reads a script. Where something is not kept, or findings rest on more than settings, the text
and the scans of the project (libraries, payload, catalogue files), the check goes its long way.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdls.caching.basis import EVERYTHING, Basis
from tdls.caching.digest import digest
from tdls.caching.user_cache import Cache
from tdls.cli.console.streams import wants_colour
from tdls.cli.rendering.checked import (
    OF_SEQUENCES,
    FingerprintedFinding,
    RenderOptions,
    Tally,
    at_levels,
    result_for,
)
from tdls.cli.rendering.renderer import FORMATS, renderer
from tdls.files.boundary import RealPaths
from tdls.files.reading import read_text
from tdls.project.inputs import fingerprint_as_before, projects_for
from tdls.project.root import project_root
from tdls.settings.model import Settings
from tdls.settings.paths import find_configuration
from tdls.settings.rule_codes import RULE_CODES
from tdls.settings.selection import ALL, levels
from tdls.structs import NamedTuple
from tdls.text.diagnostic import Diagnostic, Fingerprint, Fix, Note, Subject, Tag, TextEdit
from tdls.text.level import Level
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.cli.rendering.checked import CheckedFile


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
NO_FILES = digest(repr([]))
"""The `libraries` of an entry for a text that has none, and no payload in another file."""


class KeptEntry(NamedTuple):
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
    rests_on_scans: bool
    """Whether the catalogue has, but for the shipped facts, only what the scans of the project found."""
    findings: str
    """The findings, as `encode` writes them."""


def name_of_entries(split: str, settings: Settings, text: str) -> str:
    """Return the name of a text: a hash of all inputs but the libraries and the answers of the catalogue."""
    return FINDINGS.name(split, str(settings.target_llvm), repr(settings.placeholders), text)


def entries(cache: Cache, name: str) -> list[KeptEntry]:
    """Return the entries of a name, the newest first."""
    kept = cache.get(name)
    return [KeptEntry(*entry) for entry in json.loads(kept)] if kept is not None else []


class PlainOptions(NamedTuple):
    """The options of a plain command line."""

    format: str = "full"
    colour: str = "auto"
    quiet: bool = False
    exit_zero: bool = False
    error_on_warning: bool = False
    possible: bool = False


def mentions_runs(format_: str, *, quiet: bool) -> bool:
    """Whether a message may mention ``--run``: to a person, at a terminal."""
    return format_ == "full" and not quiet and sys.stderr.isatty() and not os.environ.get("CI")


_PAYLOAD = r"(?m)^[ \t]*func\.func\b|^[ \t]*//[ \t]*tdls:.*\bpayload="
"""Usual signs of a payload in a script, or of its file."""


def may_run(text: str) -> bool:
    """Whether a text looks like a script with a payload."""
    from tdls.semantic.transform_dialect import ENTRY_POINT

    return f"@{ENTRY_POINT}" in text and re.search(_PAYLOAD, text) is not None


_SWITCHES = {
    "-q": "quiet",
    "--quiet": "quiet",
    "--exit-zero": "exit_zero",
    "--error-on-warning": "error_on_warning",
    "--possible": "possible",
}
_CHOICES = {"--format": ("format", FORMATS), "--color": ("colour", ("auto", "always", "never"))}


def print_kept(output: PlainOptions, names: Sequence[str]) -> int | None:
    """Print the findings in files for a plain command line of ``tdls check``, and return the exit status.

    None, and nothing is printed, if the check has to go its long way. Raises as writing to standard output does.
    """
    cache = Cache.of_user()
    if cache.folder is None:
        return None
    try:
        results = [_kept(file, cache, output) for file in _files(names)]
    except (OSError, UnicodeDecodeError):
        return None
    if None in results:
        return None
    tally = Tally(offers_fixes=True)
    options = RenderOptions(wants_colour(output.colour, sys.stdout), output.quiet)
    try:
        rendering = renderer(output.format, options)
        pieces = list(rendering.begin())
        for checked in filter(None, results):
            tally.add(checked)
            pieces += rendering.file(checked)
        pieces += rendering.end(tally)
    except Exception:  # a mistake in tdls, which the long way reports with its file
        return None
    sys.stdout.writelines(pieces)
    sys.stdout.flush()
    return 1 if tally.has_failures and not output.exit_zero else 0


def plain(arguments: Sequence[str]) -> tuple[PlainOptions, list[str]]:
    """Return the options and the names of a plain command line; no names for another one."""
    chosen: dict[str, Any] = {}
    names: list[str] = []
    words = iter(arguments)
    for word in words:
        option, has_value, value = word.partition("=")
        if word in _SWITCHES:
            chosen[_SWITCHES[word]] = True
        elif option in _CHOICES:
            field, values = _CHOICES[option]
            chosen[field] = value if has_value else next(words, "")
            if chosen[field] not in values:
                return PlainOptions(), []
        elif word.startswith("-"):
            return PlainOptions(), []
        else:
            names.append(word)
    return PlainOptions(**chosen), names


def _files(names: Iterable[str]) -> list[Path]:
    """Return the files as a check orders them, each once. Raises OSError if one is not a script that can be read."""
    real_paths, files = RealPaths(), dict[Path, Path]()
    for path in map(Path, names):
        if path.suffix == ".py" or not os.path.isfile(path):
            raise FileNotFoundError(str(path))
        files.setdefault(real_paths.of(path), path)
    return sorted(files.values())


def _kept(file: Path, cache: Cache, output: PlainOptions) -> CheckedFile | None:
    """Return the result for a file whose findings are kept. Raises OSError, UnicodeDecodeError."""
    text, real = read_text(file), RealPaths().of(file)
    if mentions_runs(output.format, quiet=output.quiet) and may_run(text):
        return None
    settings = _settings(real.parent)
    if settings is None or settings.libraries or settings.payload or settings.catalogues or settings.baseline:
        return None
    known = entries(cache, name_of_entries("AUTO", settings, text))
    plain = (entry for entry in known if entry.rests_on_scans and entry.libraries == NO_FILES)
    candidates = [entry for entry in plain if not (entry.written or any(entry.payload[:3]))]
    if not candidates:
        return None
    scans = [fingerprint_as_before(project, cache) for project in projects_for(project_root(real.parent), settings)]
    if None in scans:
        return None
    catalogue = digest(*map(str, scans))
    entry = next((entry for entry in candidates if entry.catalogue == catalogue), None)
    findings = decode(entry.findings, ()) if entry is not None else None
    if findings is None or any(finding.diagnostic.rule in OF_SEQUENCES for finding in findings):
        return None  # other files of the repository may define the symbol
    wanted = levels(settings, real, possible=output.possible) if findings else ALL
    return result_for(str(file), text, findings, at_levels(findings, wanted, errors_on_warning=output.error_on_warning))


def _settings(folder: Path) -> Settings | None:
    """Return the settings for the files of a folder, None if there are problems to report."""
    if find_configuration(folder) is None:
        return Settings()
    from tdls.settings.sources import load_settings

    loaded = load_settings(folder, RULE_CODES)
    return None if loaded.problems else loaded.settings
