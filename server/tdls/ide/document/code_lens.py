"""Code lenses above entry points, named sequences, matchers and Python functions: run, references, match counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.file.prefilter import counted_mentions, key_of_mentioned, mentions_transform
from tdls.analysis.meaning.choices import TUNE, choice_of
from tdls.ide.cursor.navigation import references
from tdls.ide.document.symbols import SymbolKind, flat, outline_of
from tdls.ide.programs.schedule_functions import schedule_functions
from tdls.interpreter.runs.entry_points import entry_points
from tdls.semantic.transform_dialect import ENTRY_POINT
from tdls.settings.model import CodeLensSettings
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.document.symbols import OutlineEntry
    from tdls.ide.run_marks import MatcherMark
    from tdls.ide.snapshot import Location, Snapshot
    from tdls.interpreter.runs.entry_points import EntryPoint
    from tdls.text.span import FileSpan

_ALL = CodeLensSettings()
_MOST_OPTIONS = 8


class LensKind(Enum):
    """The command of a lens."""

    RUN = "run"
    """Runs the script from an entry point and shows the transformed payload."""
    DIFF = "diff"
    """Runs the script from an entry point and shows the changes of the payload."""
    REFERENCES = "references"
    """Counts the references to a symbol and shows them."""
    SCHEDULE = "schedule"
    """Runs a function of a program, and checks the schedule that it builds."""
    CHOICE = "choice"
    """Runs the script with another option of a knob or of alternatives."""
    MATCHES = "matches"
    """Counts the matches of a matcher in the last run, and shows the nearest misses."""


class CodeLens(Struct, frozen=True):
    """A lens above the line of `span`; it runs the entry point `entry`, or `function` of a program."""

    kind: LensKind
    span: FileSpan
    entry: EntryPoint | None = None
    matcher: MatcherMark | None = None
    function: str = ""
    choice: tuple[str, str] | None = None
    """The name and the option of a choice."""


def code_lenses(
    snapshot: Snapshot,
    uri: str,
    options: CodeLensSettings = _ALL,
    among: Sequence[Context] | None = None,
    schedules: Collection[str] = (),
) -> list[CodeLens]:
    """Return the lenses of a file in textual order; references are counted later, by `lens_references`.

    `schedules` are functions of a program that the settings list as schedules. `among`, if given, restricts the search
    to these sections; results that depend on the others are left out.
    """
    file = snapshot.file(uri)
    if file is None:
        return []
    entries = _not_called(file, entry_points(file, among)) if options.run else []
    runs = [CodeLens(kind, entry.span, entry) for entry in entries for kind in (LensKind.RUN, LensKind.DIFF)]
    runs += _choices(entries, file.contexts if among is None else among)
    references = _references(snapshot, file, among) if options.references else []
    marks = snapshot.marks.get(uri) if options.matches else None
    matches = [CodeLens(LensKind.MATCHES, mark.span, matcher=mark) for mark in marks.matchers] if marks else []
    functions = schedule_functions(file, schedules) if options.run and file.program is not None else []
    built = [CodeLens(LensKind.SCHEDULE, span, function=name) for name, span in functions]
    return sorted((*runs, *references, *matches, *built), key=lambda lens: lens.span)


def _choices(entries: Sequence[EntryPoint], among: Iterable[Context]) -> Iterator[CodeLens]:
    """Yield a lens for each option that is not selected; it begins where MLIR does by default, or else before it."""
    for context in among if entries else ():
        for choice in filter(None, map(choice_of, context.model.walk())) if TUNE in context.section.text else ():
            span = context.to_file(choice.operation.location)
            in_part = [each for each in entries if each.part == context.part]
            before = [each for each in in_part if each.span.start < span.start]
            entry = next((each for each in in_part if each.name == ENTRY_POINT), before[-1] if before else None)
            options = [option for option in choice.options or () if choice.name and option != choice.value]
            for option in options[:_MOST_OPTIONS] if entry is not None else ():
                yield CodeLens(LensKind.CHOICE, span, entry, choice=(choice.name, option))


def _not_called(file: SourceFile, entries: list[EntryPoint]) -> list[EntryPoint]:
    """Return the entry points that their part of the file does not mention: a called sequence is seldom run by itself.

    The sequence at which the interpreter begins by default is always one.
    """
    mentioned: dict[int, Counter[str]] = defaultdict(Counter)
    for context in file.contexts if entries else ():
        if mentions_transform(context.section):
            mentioned[context.part].update(counted_mentions(context.section))
    return [
        entry
        for entry in entries
        if entry.name == ENTRY_POINT or mentioned[entry.part][key_of_mentioned(entry.name)] <= 0
    ]


def read_lenses(file: SourceFile) -> Generator[None, None, None]:
    """Compute the cached facts behind lenses for all sections; yields after each, so that work can be interrupted."""
    for context in file.contexts:
        entry_points(file, [context])
        if mentions_transform(context.section):
            outline_of(context)
        yield


def _references(snapshot: Snapshot, file: SourceFile, among: Sequence[Context] | None) -> list[CodeLens]:
    """Return lenses for the named sequences that the text seems to mention again: a count of 0 would be of no use.

    The interpreter begins with some, which comments and other files name without a reference.
    """
    mentions = _mentions(snapshot)
    return [
        CodeLens(LensKind.REFERENCES, context.to_file(entry.selection))
        for context in (file.contexts if among is None else among)
        if mentions_transform(context.section)
        for entry in _named_sequences(context, mentions)
    ]


def _named_sequences(context: Context, mentions: Counter[str]) -> list[OutlineEntry]:
    entries = [entry for entry in flat(outline_of(context)) if entry.kind is SymbolKind.SEQUENCE]
    written = (context.section.text[entry.selection.start : entry.selection.end] for entry in entries)
    keys = (key_of_mentioned(name.removeprefix("@").strip('"')) for name in written)
    return [entry for entry, key in zip(entries, keys, strict=True) if mentions[key] > 0 and key != ENTRY_POINT]


def _mentions(snapshot: Snapshot) -> Counter[str]:
    """Return an upper bound on the mentions of each symbol in scripts, without definitions of named sequences."""
    sections = (piece.section for file in snapshot.files.values() for piece in file.sections.pieces)
    scripts = {id(section): section for section in sections if mentions_transform(section)}
    mentions: Counter[str] = Counter()
    for section in scripts.values():
        mentions.update(counted_mentions(section))
    return mentions


def lens_references(snapshot: Snapshot, uri: str, offset: int) -> list[Location]:
    """Return the references to the symbol whose name is at `offset`, without its definition."""
    return references(snapshot, uri, offset, include_definition=False)
