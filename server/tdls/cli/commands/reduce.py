"""``tdls reduce``: makes a script and its payload smaller, while they fail in the same way."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import time
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from tdls import __version__
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules import find_rule
from tdls.cli.console import console
from tdls.cli.console.options import JSON, files, formats, trust_option
from tdls.cli.rendering.json_text import json_text
from tdls.cli.run_request import CommandRun, run_options
from tdls.files.boundary import real_path
from tdls.files.reading import text_of
from tdls.files.writing import NotWrittenError, write_content
from tdls.ide.formatting.formatter import applied
from tdls.ide.formatting.formatting import format_file
from tdls.interpreter.backend import open_backend
from tdls.interpreter.errors import BackendError, PlanError
from tdls.interpreter.reducing.kept import STATUSES, kept_failure, kept_finding
from tdls.interpreter.reducing.search import Search, SearchOver, with_texts
from tdls.interpreter.runs.model import Status, TextFile
from tdls.interpreter.runs.pipeline import reproduction
from tdls.semantic.transform_dialect import ENTRY_POINT
from tdls.structs import replace
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.cli.run_request import RunArguments
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.reducing.kept import Kept
    from tdls.interpreter.runs.model import RunRequest
    from tdls.interpreter.runs.script import Script
    from tdls.settings.consent import Trust

_MARK = "// Reduced by tdls "
"""How every file begins that this command writes."""
_HEAD = {"version": 1, "tool": {"name": "tdls", "version": __version__}}
"""How the JSON document begins."""
_MOST_JOBS = 4
_SHARES_OF_TIMEOUT = (0.1, 1.0)
"""Candidates that shall take too long get a share of the time; the result has to take all of it."""
_FOLDERS = re.compile(r"(?<![\w.)>/\\])(?:[A-Za-z]:)?[/\\](?:[^\s:/\\(),'\"={}<>]+[/\\])+")
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b ?")
_MOST_WORDS, _MOST_OUTPUT = 12, 60
"""Lines of MLIR's words in the file, and of its output in a report."""


class _What(NamedTuple):
    """What ``--keep`` asks for: a kind of failure with a text in MLIR's message, or a rule."""

    kind: str
    text: str
    rule: str | None

    @classmethod
    def of(cls, keep: str | None) -> _What:
        """Read the option. Raises BadParameter."""
        kind, _, text = (keep or "").partition("=")
        rule = find_rule(kind) if kind and kind not in STATUSES else None
        if kind and kind not in STATUSES and rule is None:
            message = f"'{kind}' is neither crash, timeout or error, nor a rule; 'tdls explain --all' lists the rules"
            raise click.BadParameter(message, param_hint="'--keep'")
        return cls(kind, text, rule.name if rule is not None else None)


@click.command("reduce")
@click.argument("script", metavar="SCRIPT", shell_complete=files)
@run_options
@click.option(
    "--keep",
    metavar="crash|timeout|error[=TEXT]|RULE",
    help="What has to stay: a crash, a limit, MLIR's error (with TEXT in it), or a finding of a rule; "
    "else whatever SCRIPT does now.",
)
@click.option("--keep-names", is_flag=True, help="Leave the names of values and symbols as they are.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="In place of NAME.reduced.mlir.")
@click.option("--report", is_flag=True, help="Print a text for an issue upstream, without paths of this machine.")
@click.option(
    "--limit", type=click.FloatRange(min=1), metavar="S", default=300, show_default=True, help="Seconds for the whole."
)
@formats("text", JSON, meaning="Nothing but the files, or a document about them.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Runs at the same time.")
@trust_option
def command(
    script: str,
    arguments: RunArguments,
    keep: str | None,
    keep_names: bool,
    output: Path | None,
    report: bool,
    limit: float,
    format_: str,
    jobs: int | None,
    trust: Trust,
) -> int:
    """Make SCRIPT and its payload smaller, while they fail in the same way, and write NAME.reduced.mlir.

    Script, payload and libraries become one file where that still fails. Ctrl-C, and the end of --limit, give the
    smallest one so far.

    Exit status: 0 the file is written, 1 SCRIPT does not do what is to be kept, 2 wrong usage, or a file that cannot
    be written, 130 interrupted, after the smallest one so far was written.
    """
    run = CommandRun.of(script, arguments, trust)
    target = output or (run.path or Path("script")).with_suffix(".reduced.mlir")
    _refuse(target, run.path)
    what = _What.of(keep)
    deadline = time.monotonic() + limit
    backends: list[Backend] = []
    try:
        if what.rule is None:
            backends.append(run.opened())
        requests = list(run.requests(frozenset()))
        if not backends and any(each.payload is not None and each.payload.is_bytecode for each in requests):
            raise console.InputError("--keep RULE needs the payload as text, which `mlir-opt` prints")
        kept = _kept([backends[0].printed(each) for each in requests] if backends else requests, backends, what)
        if isinstance(kept, str):
            console.complain(kept)
            if format_ == JSON:
                console.write([json_text({**_HEAD, "error": kept}, indent=2), "\n"])
            return console.EXIT_FINDINGS
        if backends:
            backends.extend(open_backend(run.choice) for _ in range(1, jobs or min(_MOST_JOBS, os.cpu_count() or 1)))
        before = _lines(kept.request)
        request, is_interrupted = _reduced(kept, backends, deadline, keep_names)
        if not is_interrupted:
            request = _formatted(request, kept, backends)
            again = _kept([request], backends, what)
            kept = kept if isinstance(again, str) else again
    except (PlanError, BackendError) as error:
        raise console.InputError(str(error)) from error
    finally:
        for backend in backends:
            backend.close()
    request = _named(request, _free(request, target))
    header = list(_header(request, kept))
    _write(request, header)
    if format_ == JSON:
        document = {
            **_HEAD,
            "kept": list(kept.words),
            "files": [file.name for file in (request.script, *request.others)],
            "lines": {"before": before, "after": _lines(request)},
            "commands": list(_commands(request, kept)),
            "report": "".join(_report(request, kept, header)) if report else None,
        }
        console.write([json_text(document, indent=2), "\n"])
    elif report:
        console.write(_report(request, kept, header))
    return console.EXIT_INTERRUPTED if is_interrupted else console.EXIT_CLEAN


def _refuse(target: Path, script: Path | None) -> None:
    """Raise InputError if `target` is the `script`, or another file that may not be replaced."""
    if script is not None and real_path(target) == real_path(script):
        raise console.InputError(f"{target}: this is the input, which stays as it is: name another file with -o")
    if not _may_replace(target):
        raise console.InputError(
            f"{target}: this file is not of 'tdls reduce', or was edited since, and stays: name another with -o"
        )


def _may_replace(target: Path) -> bool:
    """Whether there is no such file, or one as this command has written it."""
    if not os.path.lexists(target):
        return True
    first, _, rest = (text_of(target) or "").partition("\n")
    return first.startswith(_MARK) and first.endswith(_digest(rest))


def _digest(text: str) -> str:
    """Return the end of the first line of a written file, which tells whether the other lines were edited."""
    return f" [{hashlib.sha256(text.encode()).hexdigest()[:12]}]"


def _free(request: RunRequest, target: Path) -> Path:
    """Return `target`, with a number if somebody else has written one of the files to write meanwhile."""
    for number in count(1):
        path = target if number == 1 else target.with_suffix(f".{number}{target.suffix}")
        named = _named(request, path)
        if all(_may_replace(Path(file.name)) for file in (named.script, *named.others)):
            return path
    raise AssertionError


def _kept(requests: Sequence[RunRequest], backends: Sequence[Backend], what: _What) -> Kept | str:
    """Return what to keep, of the first part that shows it, or why none does."""
    seen = "it has nothing to run"
    for request in requests:
        if what.rule is not None:
            kept, seen = kept_finding(request, what.rule), f"'tdls --check' finds no {what.rule} in it"
        else:
            result = backends[0].run(request)
            kept = kept_failure(request, result, what.kind, what.text)
            seen = "it succeeds" if result.status is Status.SUCCESS else f"it ends with {result.status.value}"
            texts = (file.text for file in (request.script, *request.others))
            if result.status is Status.FAILURE and not any(request.entry_point in text for text in texts):
                kept, seen = None, "it has no script to run"
        if kept is not None:
            return kept
    name = requests[0].script.name if requests else "the script"
    advice = "that is not what --keep asks for" if what.kind else "'--keep RULE' keeps a finding of 'tdls --check'"
    return f"{name}: there is nothing to reduce: {seen}; {advice}"


def _reduced(kept: Kept, backends: Sequence[Backend], deadline: float, keep_names: bool) -> tuple[RunRequest, bool]:
    """Return the smallest request, and whether the search was interrupted."""
    limits = kept.request.limits
    is_slow = kept.result is not None and kept.result.status is Status.TIMEOUT
    workers = [partial(kept.holds, backend) for backend in backends or (None,)]
    tried = 0
    for share in _SHARES_OF_TIMEOUT if is_slow else (1.0,):
        begun = replace(kept.request, limits=limits.afresh(max(1.0, limits.seconds * share)))
        search = Search(begun, workers, deadline)
        is_interrupted = False
        try:
            if not tried:
                console.complain(f"this stays: {kept.words[0]}; Ctrl-C gives the smallest so far", level="note")
            search.run(keeps_names=keep_names)
        except SearchOver:
            console.complain("the time is up, this is the smallest so far; --limit gives more", level="note")
        except BaseException as error:
            for backend in backends:
                backend.cancel()
            if not isinstance(error, KeyboardInterrupt):
                raise
            is_interrupted = True
        finally:
            search.close()
        tried += search.tried
        request = replace(search.request, limits=limits)
        if share == 1.0 or is_interrupted or workers[0](request):
            break
    before, after = _lines(kept.request), _lines(request)
    console.complain(f"{counted(before, 'line')} became {after}, after {counted(tried, 'candidate')}", level="note")
    return request, is_interrupted


def _lines(request: RunRequest) -> int:
    return sum(file.text.count("\n") for file in (request.script, *request.others))


def _formatted(request: RunRequest, kept: Kept, backends: Sequence[Backend]) -> RunRequest:
    """Return the request with its texts laid out anew, if it still fails in the same way."""

    def text(file: Script | TextFile) -> str:
        edits = format_file(SourceFile.of(file.text, request.script.catalogue))
        return applied(file.text, edits)

    if request.operation is not None:
        return request
    needed = replace(request, libraries=tuple(library for library in request.libraries if library.text.strip()))
    new = with_texts(needed, list(map(text, (needed.script, *needed.others))))
    return new if kept.holds(next(iter(backends), None), new) else request


def _with_names(request: RunRequest, names: Sequence[str]) -> RunRequest:
    return with_texts(request, [file.text for file in (request.script, *request.others)], names)


def _named(request: RunRequest, target: Path) -> RunRequest:
    """Return the request with the names of the files to write."""
    names = [target, *(target.with_suffix(f".library{number or ''}.mlir") for number in range(len(request.libraries)))]
    if request.payload is not None:
        names.append(target.with_suffix(".payload.mlir"))
    return _with_names(request, list(map(str, names)))


def _commands(request: RunRequest, kept: Kept) -> Iterator[str]:
    """Yield the command lines that show the failure, in the folder of the files."""
    short = [Path(file.name).name for file in (request.script, *request.others)]
    name = short[0]
    if kept.result is None:
        yield shlex.join(["tdls", "--check", name])
        return
    if request.operation is None:
        yield reproduction(_with_names(request, short))
    limit = ["--timeout", f"{request.limits.seconds:g}"] if kept.result.status is Status.TIMEOUT else []
    yield shlex.join(["tdls", "run", name, *limit])


def _header(request: RunRequest, kept: Kept) -> Iterator[str]:
    """Yield the comment at the beginning of the script: versions, commands, and MLIR's own words."""
    result = kept.result
    mlir = f" with {result.mlir or 'MLIR'} ({result.backend})" if result is not None else ""
    yield _public(f"{_MARK}{__version__}{mlir}.")
    yield from (f"//   {line}" for line in _commands(request, kept))
    said = [line for words in kept.words for line in words.splitlines()]
    yield from (f"// {_public(line)}".rstrip() for line in said[:_MOST_WORDS])
    if request.payload is not None:
        yield f"// tdls: payload={Path(request.payload.name).name}"
    yield from (f"// tdls: library={Path(library.name).name}" for library in request.libraries)
    if request.operation is None and request.entry_point != ENTRY_POINT:
        yield f"// tdls: entry-point={request.entry_point}"


def _write(request: RunRequest, header: Sequence[str]) -> None:
    """Write the files of a request. Raises InputError."""
    for number, file in enumerate((request.script, *request.others)):
        comment = header[1:] if number == 0 else ()
        text = "".join(f"{line}\n" for line in [*comment, file.text.rstrip()])
        try:
            write_content(Path(file.name), f"{header[0]}{_digest(text)}\n{text}".encode())
        except NotWrittenError as error:
            raise console.InputError(f"{file.name}: {error}") from error
        console.complain(f"written to {file.name}", level="note")


def _report(request: RunRequest, kept: Kept, header: Sequence[str]) -> Iterator[str]:
    """Yield a text for an issue, in Markdown, without folders and addresses of this machine."""
    yield f"{_public(kept.words[0])}\n"
    for file in (request.script, *request.others):
        if file.text.strip():
            yield f"\n`{Path(file.name).name}`:\n\n```mlir\n{file.text.rstrip()}\n```\n"
    commands = "\n".join(_commands(request, kept))
    yield f"\n```\n{commands}\n```\n\n{header[0].removeprefix('// ')}\n"
    said = [*kept.words, *(kept.result.console.splitlines() if kept.result is not None else ())]
    if said:
        yield "\n```\n" + "".join(f"{_public(line)}\n" for line in said[:_MOST_OUTPUT]) + "```\n"


def _public(text: str) -> str:
    return _FOLDERS.sub("", _ADDRESS.sub("", text))
