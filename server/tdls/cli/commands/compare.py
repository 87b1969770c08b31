"""``tdls compare``: tells whether two scripts make the same of their payload."""

from __future__ import annotations

import os
import sys
from collections import Counter
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from tdls import __version__
from tdls.analysis.file.prefilter import has_scripts
from tdls.cli.checking.changed_lines import text_at
from tdls.cli.checking.targets import find_targets
from tdls.cli.console import console
from tdls.cli.console.loading import read_argument
from tdls.cli.console.options import JSON, colour_option, files, formats, trust_option
from tdls.cli.console.streams import wants_colour
from tdls.cli.rendering.checked import SourceText
from tdls.cli.rendering.json_text import json_text
from tdls.cli.rendering.run import render
from tdls.cli.rendering.trace.text import contents_in_words
from tdls.cli.run_request import CommandRun, run_options
from tdls.files.selection import library_files
from tdls.ide.markdown import code
from tdls.interpreter.comparison import Verdict, compared, coverage_of, taken_first
from tdls.interpreter.errors import BackendError, PlanError
from tdls.interpreter.matching.document import diagnostic_object
from tdls.interpreter.matching.reports import place_in
from tdls.interpreter.reducing.kept import errors_of
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel
from tdls.interpreter.runs.script import Script
from tdls.pages.document import step_document
from tdls.semantic.transform_dialect import ENTRY_POINT
from tdls.settings.sources import Overrides
from tdls.structs import replace
from tdls.text.printable import printable
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.cli.run_request import RunArguments
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.comparison import ComparedMatcher, Comparison
    from tdls.interpreter.runs.model import Place, RunRequest
    from tdls.settings.consent import Trust
    from tdls.settings.model import BackendChoice

_T = TypeVar("_T")
_VERSION = 1
"""Version of the JSON document."""
_EXIT = {
    Verdict.EQUAL: console.EXIT_CLEAN,
    Verdict.DIFFERENT: console.EXIT_FINDINGS,
    Verdict.NOT_COMPARABLE: console.EXIT_USAGE,
}
_RULE = "compare"
_MOST_LINES = 40
"""Lines of the difference to show."""
_MOST_PLACES, _MOST_PAYLOADS = 3, 20
"""Operations of a cell of a table, and payloads without an equal result, to name."""


class _Pair(NamedTuple):
    """Two runs to compare: of two scripts, or of two versions of one."""

    old: CommandRun
    new: CommandRun


class _PairResult(NamedTuple):
    """The comparison of two parts of scripts on a payload."""

    requests: tuple[RunRequest, RunRequest]
    backends: tuple[Backend, Backend]
    comparison: Comparison


@click.command("compare")
@click.argument("paths", nargs=-1, required=True, metavar="OLD NEW | --base REV PATH...", shell_complete=files)
@run_options
@click.option("--base", metavar="REV", help="Compare each script in PATH with itself in this revision of git.")
@click.option("--coverage", "is_coverage", is_flag=True, help="Print what each matcher accepts in all payloads.")
@click.option("--old-backend", metavar="NAME", help="The --backend of OLD, if it is another one.")
@formats("text", JSON, meaning="Sentences, or a document.")
@trust_option
@colour_option("Colour the output")
def command(
    paths: tuple[str, ...],
    arguments: RunArguments,
    base: str | None,
    is_coverage: bool,
    old_backend: str | None,
    format_: str,
    trust: Trust,
    colour: str,
) -> int:
    """Run two scripts on the same payload, and tell whether they make the same of it.

    OLD and NEW are scripts, or directories with scripts of the same names. --payload may be a directory of payloads.
    Names of values, order of symbols and locations do not count. Where the payloads differ, the first step is shown
    after which they differ for good. With --coverage, a table in Markdown has the operations that each matcher gained
    and lost in all payloads, and the arms to which others leave none.

    Exit status: 0 all are equal, 1 some are different, 2 some cannot be compared, or wrong usage.
    """
    if base is None and len(paths) != len(("OLD", "NEW")):
        raise click.UsageError("name two scripts or directories, OLD and NEW, or a revision with --base")
    if is_coverage and (arguments.payload is None or format_ == JSON):
        raise click.UsageError("--coverage is a table in Markdown over the files of --payload")
    pairs = list(_pairs_of(paths, arguments, base, old_backend, trust))
    backends: dict[BackendChoice, Backend] = {}
    try:
        results = list(_pair_results(pairs, backends, is_brief=is_coverage))
        pages = list(_coverage_tables(results)) if is_coverage else []
    except (PlanError, BackendError) as error:
        raise console.InputError(str(error)) from error
    finally:
        for backend in backends.values():
            backend.close()
    if is_coverage:
        console.write(pages)
    elif format_ == "json":
        document = {"version": _VERSION, "tool": {"name": "tdls", "version": __version__}}
        console.write([json_text({**document, "pairs": list(map(_object, results))}, indent=2), "\n"])
    else:
        coloured = wants_colour(colour, sys.stdout)
        console.write(piece for result in results for piece in _in_words(result, coloured))
    return max((_EXIT[result.comparison.verdict] for result in results), default=console.EXIT_CLEAN)


def _pairs_of(
    paths: Sequence[str], arguments: RunArguments, base: str | None, old_backend: str | None, trust: Trust
) -> Iterator[_Pair]:
    """Yield the pairs of a command line, for each payload. Raises InputError."""
    if base is not None:
        named = [(path, path) for path in _scripts(paths)]
    elif all(map(os.path.isdir, paths)):
        before, after = ({Path(file).relative_to(path): file for file in _scripts([path])} for path in paths)
        for name in sorted(before.keys() ^ after.keys()):
            console.complain(f"{name}: only in {paths[0] if name in before else paths[1]}", level="warning")
        named = [(before[name], after[name]) for name in sorted(before.keys() & after.keys())]
    else:
        named = [(paths[0], paths[1])]
    if not named:
        raise console.InputError("there are no two scripts of the same name to compare")
    payloads = [None] if arguments.payload is None else _payloads(arguments.payload)
    for old_name, new_name in named:
        for payload in payloads:
            given = replace(arguments, payload=payload)
            new = CommandRun.of(new_name, given, trust)
            old = CommandRun.of(old_name, given, trust) if base is None else _at_base(new, base)
            if old is not None:
                choice = old.choice if old_backend is None else old.choice.overridden(old_backend, None)
                yield _Pair(replace(old, choice=choice), new)


def _payloads(path: Path) -> list[Path]:
    """Return the files with payload and no scripts that `path` is or has. Raises InputError."""
    payloads = [file for file in library_files(path) if file == path or not has_scripts(read_argument(str(file)))]
    if not payloads:
        raise console.InputError(f"{path}: no *.mlir file with payload alone is in this directory")
    return payloads


def _scripts(paths: Iterable[str]) -> list[str]:
    """Return the files with the usual entry point. Raises InputError."""
    targets = find_targets(list(paths), None, Overrides())
    for problem in targets.problems:
        raise console.InputError(f"{problem.path}: {problem.message}")
    return [target.name for target in targets.files if ENTRY_POINT in target.read()]


def _at_base(run: CommandRun, base: str) -> CommandRun | None:
    """Return the run of a script, with its libraries, as it is in a revision of git, or None if it is not in there.

    Raises InputError.
    """
    if run.path is None:
        raise console.InputError("--base compares files, and standard input is none")
    text = text_at(base, run.path)
    if text is None:
        console.complain(f"{run.path}: not compared: it is not in {base}", level="warning")
        return None

    def read(path: Path) -> str:
        before = text_at(base, path)
        return run.read(path) if before is None else before

    return replace(run, script=Script(f"{base}:{run.script.name}", text, run.script.catalogue), read=read)


def _pair_results(
    pairs: Iterable[_Pair], backends: dict[BackendChoice, Backend], *, is_brief: bool
) -> Iterator[_PairResult]:
    """Yield the comparison of each part of each pair, and add its `backends`. Raises PlanError and BackendError."""
    for pair in pairs:
        for run in pair:
            if run.choice not in backends:
                backends[run.choice] = run.opened()
        old, new = (list(run.requests(frozenset())) for run in pair)
        if len(old) != len(new):
            raise PlanError(f"{pair.new.script.name}: it has {len(new)} parts, and {len(old)} before")
        own = backends[pair.old.choice], backends[pair.new.choice]
        for before, after in zip(old, new, strict=True):
            if before.payload is not None and after.payload is not None:  # of a revision, it may be another text
                before = replace(before, payload=after.payload)
            yield _PairResult((before, after), own, compared(before, after, own[1], own[0], is_brief=is_brief))


def _coverage_tables(results: Iterable[_PairResult]) -> Iterator[str]:
    """Yield what the matchers of each two scripts accept in all payloads, in Markdown. Raises BackendError."""
    for names, group in groupby(results, lambda result: [request.script.name for request in result.requests]):
        own = list(group)
        verdicts = Counter(result.comparison.verdict.value for result in own).items()
        scripts = f"**{code(names[0])} (OLD) and {code(names[1])} (NEW)** on {counted(len(own), 'payload')}"
        yield f"{scripts}: {', '.join(f'{count:,} {verdict}' for verdict, count in verdicts)}.\n\n"
        covered = [result for result in own if result.comparison.verdict is not Verdict.NOT_COMPARABLE]
        sides = [[coverage_of(each.requests[side], each.backends[side]) for each in covered] for side in (0, 1)]
        matchers = dict.fromkeys(name for side in sides for coverage in side for name in coverage)
        yield "| matcher | OLD | NEW | gained | lost | |\n| --- | ---: | ---: | --- | --- | --- |\n" if matchers else ""
        for matcher in matchers:
            old, new = (sum((each.get(matcher, Counter()) for each in side), Counter()) for side in sides)
            taken: Counter[str] = Counter()
            is_gone = not any(matcher in each for each in sides[1])
            for result, coverage in zip(covered, () if new or is_gone else sides[1], strict=False):
                taken += taken_first(result.requests[1], result.backends[1], coverage, matcher)
            first = ", ".join(f"{code(f'@{name}')} {count:,}" for name, count in taken.most_common())
            nothing = "" if new else "only in OLD" if is_gone else "accepts nothing"
            note = f"shadowed: accepted first by {first}" if first else nothing
            cells = [f"{old.total():,}", f"{new.total():,}", _places(new - old), _places(old - new), note]
            yield f"| {' | '.join([code(f'@{matcher}'), *cells])} |\n"
        others = [result for result in own if result.comparison.verdict is not Verdict.EQUAL]
        yield "\n"
        for result in others[:_MOST_PAYLOADS]:
            name = code(result.requests[1].others[-1].name)
            yield f"- {name} {result.comparison.verdict.value}: {printable(result.comparison.reason)}\n"
        yield f"- and {len(others) - _MOST_PAYLOADS:,} more\n" if len(others) > _MOST_PAYLOADS else ""


def _places(operations: Counter[Place | None]) -> str:
    """Return the number of operations, and the places of the first ones."""
    first = [code(str(place)) for place in islice(operations, _MOST_PLACES) if place is not None]
    rest = operations.total() - len(first)
    return f"{operations.total():,}: {', '.join(first)}{f' and {rest:,} more' if rest else ''}" if operations else ""


def _in_words(result: _PairResult, coloured: bool) -> Iterator[str]:
    """Yield the result of a comparison for people."""
    (old, new), _, comparison = result
    name = f"{printable(old.script.name)} and {printable(new.script.name)}"
    on = f" on {printable(new.payload.name)}" if new.payload is not None else ""
    sources = {
        file.name: SourceText(file.name, file.original if isinstance(file, Script) else file.text)
        for request in result.requests
        for file in (request.script, *request.others)
    }
    if comparison.verdict is Verdict.EQUAL:
        yield f"{name} are equal{on}{', but ' if comparison.reason else ''}{comparison.reason}\n"
    else:
        verb = "cannot be compared" if comparison.verdict is Verdict.NOT_COMPARABLE else "are different"
        message = f"{name} {verb}{on}: {comparison.reason}"
        notes = [*_step_notes(comparison), *_held_notes(comparison), *_nothing_notes(comparison)]
        first, *others = notes or [RunDiagnostic(RunLevel.ERROR, message)]
        error = replace(first, level=RunLevel.ERROR, message=message, notes=tuple(others))
        yield render(error, sources, coloured, _RULE)
    errors = {said.message: said for each in reversed(comparison.results) for said in errors_of(each)[:1]}
    for said in errors.values() if comparison.verdict is not Verdict.EQUAL else ():
        yield render(said, sources, coloured)
    lines = list(_hunks(comparison))
    yield from lines[:_MOST_LINES]
    if len(lines) > _MOST_LINES:
        yield f"... and {counted(len(lines) - _MOST_LINES, 'more line')}, which '--format json' has\n"
    for matcher in comparison.matchers:
        yield f"  {_matcher(matcher)}\n"
        if matcher.decisive is not None:
            why = matcher.decisive
            yield f"    {printable(why.file or '')}:{why.line}:{why.column}: {printable(why.message)}\n"


def _sides(pair: Iterable[_T]) -> Iterator[tuple[str, _T]]:
    return zip(("OLD", "NEW"), pair, strict=False)


def _step_notes(comparison: Comparison) -> Iterator[RunDiagnostic]:
    """Yield where the first differing steps are."""
    for (which, step), run in zip(_sides(comparison.steps), comparison.recordings or (), strict=False):
        if step is not None:
            place = run.place(step)
            yield place.diagnostic(RunLevel.NOTE, f"this step in {which}")


def _held_notes(comparison: Comparison) -> Iterator[RunDiagnostic]:
    """Yield where the handles come from that held other payload operations."""
    for pair in comparison.held:
        for (which, handle), run in zip(_sides(pair), comparison.recordings or (), strict=False):
            if handle is not None:
                scripts = (run.request.script, *run.request.libraries)
                place = place_in(next(each for each in scripts if each.name == handle.file), handle.start)
                held = contents_in_words(handle.kind, handle.contents)
                message = f"in {which}, `{handle.name}` held {held}"
                yield place.diagnostic(RunLevel.NOTE, message)


def _nothing_notes(comparison: Comparison) -> Iterator[RunDiagnostic]:
    """Yield why handles are empty in one of the two scripts."""
    for which, remarks in _sides(comparison.nothing):
        for remark in remarks:
            notes = (replace(note, level=RunLevel.NOTE) for note in (remark, *remark.notes[:1]))
            yield from (replace(note, message=f"in {which}, {note.message}", notes=()) for note in notes)


def _hunks(comparison: Comparison) -> Iterator[str]:
    """Yield the difference between the payloads after the first differing steps."""
    change = comparison.change
    if change is None or not (change.added or change.removed):
        return
    yield "--- payload of OLD\n"
    yield "+++ payload of NEW\n"
    for hunk in change.hunks():
        yield from ("@@\n", *(f"{line}\n" for line in change.lines(hunk)))


def _matcher(matcher: ComparedMatcher) -> str:
    """Return what a matcher accepted, as a line."""
    sides = [f"{each[0]} of {counted(each[1], 'operation')}" if each else "" for each in (matcher.old, matcher.new)]
    if matcher.old is None or matcher.new is None:
        which = "OLD" if matcher.new is None else "NEW"
        return f"@{matcher.name}, which only {which} has, accepted {sides[0] or sides[1]}"
    if matcher.old[0] != matcher.new[0]:
        return f"@{matcher.name} accepted {sides[0]} in OLD, and {sides[1]} in NEW"
    return f"@{matcher.name} accepted {sides[1] if matcher.new[0] else 'nothing'} in both"


def _object(result: _PairResult) -> dict[str, Any]:
    """Return the result of a comparison as data for JSON."""
    (old, new), _, comparison = result
    runs = comparison.recordings or (None, None)
    pairs = list(zip(("old", "new"), runs, comparison.steps, strict=True))
    return {
        "old": old.script.name,
        "new": new.script.name,
        "part": new.part + 1,
        "payload": new.payload.name if new.payload is not None else None,
        "verdict": comparison.verdict.value,
        "reason": comparison.reason,
        "statuses": {"old": comparison.results[0].status.value, "new": comparison.results[1].status.value},
        "steps": {which: step_document(run, step) if run and step else None for which, run, step in pairs},
        "difference": list(_hunks(comparison)),
        "handles": list(map(diagnostic_object, [*_held_notes(comparison), *_nothing_notes(comparison)])),
        "matchers": [
            {
                "name": each.name,
                "old": each.old and {"accepted": each.old[0], "asked": each.old[1]},
                "new": each.new and {"accepted": each.new[0], "asked": each.new[1]},
                "decided_by": each.decisive and diagnostic_object(each.decisive),
            }
            for each in comparison.matchers
        ],
    }
