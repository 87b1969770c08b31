"""Measure the language server next to MLIR's: ``python -m benchmarks.lsp``, from the root of a checkout.

Needs a Python with the development tools of tdls. `mlir-lsp-server-22` is measured in the same run where it is
installed. Both are driven over their standard streams; a time begins when a message is handed to the system and
ends when the answer to it has been read. Exits with 1 when a target was missed.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from benchmarks.lsp.documents import script_only, script_with_payload, small_script
from benchmarks.lsp.measures import (
    FINDING,
    ask_while_typing,
    edit,
    edit_in_busy_editor,
    open_clean,
    open_with_errors,
    show_beginning,
    start,
    type_while_opening,
)
from benchmarks.lsp.servers import REFERENCE, TDLS, Server, this_tdls
from benchmarks.lsp.table import Table, Target, median, percentile_95

if TYPE_CHECKING:
    from benchmarks.lsp.documents import Sample
    from benchmarks.lsp.measures import Editing

FLAT = 1.5
"""Maximum ratio of an edit's time in the largest file to that in the next smaller one."""
_OPENINGS = 3
_BUSY_EDITS = 15
_TYPED_SECONDS = 6.0
"""Seconds for which letters are typed into a document that is being opened."""


class Case(NamedTuple):
    """A document and its required figures."""

    sample: Sample
    edits: int
    edit_target: Target
    open_targets: tuple[Target, Target] | None = None
    memory_target: Target | None = None


def main() -> int:
    """Run the benchmarks that the command line selects and return the exit status."""
    options = _options()
    ours = Server(TDLS, tuple(shlex.split(options.tdls))) if options.tdls else this_tdls()
    theirs = Server(REFERENCE, (options.reference,)) if shutil.which(options.reference) else None
    table = Table()
    if options.only_display:
        _measure_displays(table, ours)
    if options.only_busy:
        _measure_busy_editor(table, script_only(1.6), ours, theirs)
    if options.only_display or options.only_busy:
        return _missed(table)
    table.seconds("process started to initialized", start(ours), start(theirs) if theirs else None)
    medians = [_measure_case(table, case, ours, theirs) for case in _cases(options.large)]
    _measure_questions(table, script_with_payload(1.6), ours, theirs, options.seconds)
    _measure_displays(table, ours)
    _measure_busy_editor(table, script_only(1.6), ours, theirs)
    if options.large:
        table.row(
            "letter in the script, 12.8 MB against 1.6 MB",
            medians[-1] / medians[1],
            None,
            "times",
            Target(FLAT, "times"),
        )
    return _missed(table)


def _missed(table: Table) -> int:
    print(f"{table.missed} targets missed")
    return 1 if table.missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lsp", description=__doc__)
    parser.add_argument("--tdls", metavar="COMMAND", help="the server to measure (default: of this Python)")
    parser.add_argument("--reference", metavar="PROGRAM", default=REFERENCE, help="the server to compare with")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long to ask while typing")
    parser.add_argument("--only-display", action="store_true", help="only what is shown when a large file is opened")
    parser.add_argument("--only-busy", action="store_true", help="only edits with requests about the whole document")
    parser.add_argument("--large", action=argparse.BooleanOptionalAction, default=True, help="12.8 MB, too")
    return parser.parse_args()


def _cases(large: bool) -> list[Case]:
    cases = [
        Case(small_script(), 30, Target(15, "ms")),
        Case(script_with_payload(1.6), 10, Target(4, "x"), (Target(500, "ms"), Target(2000, "ms"))),
        Case(script_only(1.6), 10, Target(4, "x")),
    ]
    return (
        [*cases, Case(script_with_payload(12.8), 10, Target(20, "x"), memory_target=Target(1, "x"))] if large else cases
    )


def _measure_case(table: Table, case: Case, ours: Server, theirs: Server | None) -> float:
    """Measure opening, editing and memory; return the median seconds of a letter typed into the script."""
    print(f"{case.sample.name} ({len(case.sample.text) / 1e6:.3f} MB)")
    opening = open_with_errors(ours, case.sample)
    reference = open_clean(theirs, case.sample) if theirs else None
    first, everything = ((target,) for target in case.open_targets) if case.open_targets else ((), ())
    table.seconds("  open, first finding of the script", opening.first, reference, *first)
    table.seconds("  open, last finding of the file", opening.everything, reference, *everything)
    table.seconds("  slowest hover between the two", opening.slowest_hover)
    letters = type_while_opening(ours, case.sample, _TYPED_SECONDS)
    others = type_while_opening(theirs, case.sample, _TYPED_SECONDS) if theirs else []
    table.seconds("  letters while opening, median", median(letters), median(others) if others else None)
    table.seconds("  letters while opening, slowest", max(letters), max(others, default=None), Target(100, "ms"))
    edited = edit(ours, case.sample, case.edits)
    _report_edits(table, case, edited, edit(theirs, case.sample, case.edits) if theirs else None)
    return median(edited.seconds["letter in the script"])


def _report_edits(table: Table, case: Case, ours: Editing, theirs: Editing | None) -> None:
    for kind, seconds in ours.seconds.items():
        reference = theirs.seconds[kind] if theirs else None
        table.seconds(f"  {kind}, median", median(seconds), median(reference) if reference else None, case.edit_target)
        table.seconds(f"  {kind}, p95", percentile_95(seconds), percentile_95(reference) if reference else None)
    limits = (case.memory_target,) if case.memory_target else ()
    table.row("  memory", ours.memory / 1e6, theirs.memory / 1e6 if theirs else None, "MB", *limits)


def _measure_displays(table: Table, ours: Server) -> None:
    for sample in (script_with_payload(1.6), script_only(1.6)):
        _measure_display(table, sample, ours)


def _measure_display(table: Table, sample: Sample, ours: Server) -> None:
    """Measure hints, lenses and tokens of a large file's first lines, from the first request on; the best of some."""
    print(f"hints, lenses and tokens of the first lines, {sample.name}")
    shown = min((show_beginning(ours, sample) for _ in range(_OPENINGS)), key=lambda it: it.slowest)
    for method, seconds in shown.seconds.items():
        table.seconds(f"  {method.removeprefix('textDocument/')}", seconds, None, Target(300, "ms"))


def _measure_busy_editor(table: Table, sample: Sample, ours: Server, theirs: Server | None) -> None:
    """Measure findings and completion while an editor asks for all that it shows of a document after each edit."""
    print(f"edits with requests about the whole document, {sample.name}")
    seconds = edit_in_busy_editor(ours, sample, _BUSY_EDITS)
    reference = edit_in_busy_editor(theirs, sample, _BUSY_EDITS) if theirs else {}
    for method, times in seconds.items():
        name, others = method.removeprefix("textDocument/"), reference.get(method)
        limits = (Target(100, "ms"),) if method == FINDING else ()
        table.seconds(f"  {name}, median", median(times), median(others) if others else None, *limits)
        if len(times) > 1:
            table.seconds(f"  {name}, slowest", max(times), max(others) if others else None)


def _measure_questions(table: Table, sample: Sample, ours: Server, theirs: Server | None, seconds: float) -> None:
    print(f"requests while typing, {sample.name}")
    answers = ask_while_typing(ours, sample, seconds)
    reference = ask_while_typing(theirs, sample, seconds) if theirs else {}
    for method, times in answers.items():
        name, others = method.rpartition("/")[2], reference.get(method)
        table.seconds(f"  {name}, median", median(times), median(others) if others else None)
        limit = Target(30, "ms")
        table.seconds(f"  {name}, p95", percentile_95(times), percentile_95(others) if others else None, limit)


if __name__ == "__main__":
    sys.exit(main())
