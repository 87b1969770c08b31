"""Prints the results of the comparison."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from oracle.handles.cases import Case
from oracle.handles.comparison import FLAGGED, REJECTED, Judged, Way, behind_stale_yields
from oracle.handles.doubts import case_of_miss
from oracle.handles.runs import WorkEnd

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from oracle.handles.comparison import Kind

_SHOWN_MESSAGE = 100


def print_table(results: Sequence[Judged]) -> None:
    """Print the outcomes of runs, the findings for uses that failed, and those for uses that did not."""
    endings = Counter(each.run.ending for each in results)
    shown = ", ".join(f"{ending.value} {endings[ending]}" for ending in WorkEnd if endings[ending])
    failing = sum(endings[ending] for ending in FLAGGED)
    print(f"{len(results)} scripts: {shown}")
    print(f"{_share(failing, len(results))} of the scripts fail for an invalidated handle\n")
    columns = ("flagged", "certain", "possible", "missed", "certain or possible", "check-uses")
    print(f"{'':<28}" + "".join(f"{column:>21}" for column in columns))
    for ending in FLAGGED:
        _print_row(ending.value, [each for each in results if each.run.ending is ending])
    flagged = [each for each in results if each.run.ending in FLAGGED]
    rejected = [each for each in flagged if each.run.ending in REJECTED]
    _print_row("all but yields", rejected)
    _print_row("all, payload not seen", [each.unseen() for each in rejected])
    print("of all, invalid since there was consumed:")
    for way in Way:
        _print_row(f"  {way.value}", [each for each in flagged if each.way is way])
    _print_rest(results)


def _print_row(title: str, rows: Sequence[Judged]) -> None:
    certain = sum(each.is_certain for each in rows)
    possible = sum(each.is_possible for each in rows)
    warned = sum(each.is_warned_of for each in rows)
    cells = (
        str(len(rows)),
        f"{certain} ({_share(certain, len(rows))})",
        str(possible),
        str(sum(each.is_missed for each in rows)),
        _share(certain + possible, len(rows)),
        f"{warned} ({_share(warned, len(rows))})",
    )
    print(f"{title:<28}" + "".join(f"{cell:>21}" for cell in cells))


def _print_rest(results: Sequence[Judged]) -> None:
    certain = sum(len(each.findings.certain) for each in results)
    contradicted = Counter(case for each in results for case in each.contradicted().values())
    possible = sum(len(each.possible_but_fine()) for each in results)
    warnings = sum(len(each.false_warnings()) for each in results)
    known = sum(contradicted.values()) - contradicted[None]
    print(f"\ncertain findings: {certain}; contradicted by a run: {contradicted[None]}, in known cases: {known}")
    print(f"possible findings on uses that were executed without complaint: {possible}")
    print(f"warnings of check-uses: {sum(len(each.run.warnings) for each in results)}; contradicted: {warnings}")
    others = sum(len(each.findings.other) for each in results)
    false_others = [(each.script.name, found.message) for each in results for found in each.false_others()]
    print(f"errors and warnings of other rules: {others}; contradicted: {len(false_others)} {false_others[:5] or ''}")
    crashes = [each for each in results if each.run.ending is WorkEnd.CRASH]
    if crashes:
        certain = sum(each.is_foreseen(each.findings.certain) for each in crashes)
        possible = sum(each.is_foreseen(each.findings.possible) for each in crashes) - certain
        print(f"crashes: {len(crashes)}; behind a use that is found for certain: {certain}, held possible: {possible}")
    stale = behind_stale_yields(results)
    if stale:
        print(f"stale yields, run without a look at yields: {dict(stale)}")


def print_mismatches(results: Sequence[Judged], limit: int) -> None:
    """Print the misses and false alarms by kind, each with its shortest script."""
    missed = [(each.kind_of_miss(), each) for each in results if each.is_missed]
    possible = [(each.kind_of_miss(), each) for each in results if each.is_possible]
    false = [(each.kind_of_false(use), each) for each in results for use in each.false()]
    _print_kinds("missed", missed, limit)
    _print_kinds("only held possible", possible, limit)
    _print_kinds("contradicted", false, limit)
    fine = [(each.kind_of_false(use), each) for each in results for use in each.possible_but_fine()]
    _print_kinds("held possible, and executed without complaint", fine, limit)


def _print_kinds(title: str, entries: Iterable[tuple[Kind, Judged]], limit: int) -> None:
    kinds: defaultdict[Kind, list[Judged]] = defaultdict(list)
    for kind, each in entries:
        kinds[kind].append(each)
    if not kinds:
        return
    print(f"\n{title} (what made the handle | what made the one that was consumed | what consumed that):")
    for kind, found in sorted(kinds.items(), key=lambda entry: -len(entry[1]))[:limit]:
        shortest = min(found, key=lambda each: len(each.script.text))
        print(f"{len(found):>6}  {kind}  ({shortest.script.name})")


def print_cases(results: Sequence[Judged], doubts: Mapping[str, Case | None]) -> list[str]:
    """Print how often each case occurs; return the names of the scripts with a mismatch that is none of them."""
    counts = Counter(case for each in results for case in each.contradicted().values() if case is not None)
    misses = {each.script.name: case_of_miss(each) for each in results if each.is_missed}
    counts.update(case for case in (*doubts.values(), *misses.values()) if case is not None)
    print("\nknown cases:")
    for case in Case:
        print(f"{counts[case]:>6}  {case.value}")
    missed = [name for name, case in misses.items() if case is None]
    false = [each.script.name for each in results if each.false() or each.false_others()]
    unknown = [name for name, case in doubts.items() if case is None]
    for title, names in (
        ("missed", missed),
        ("contradicted", false),
        ("only possible, and nothing shows why", unknown),
    ):
        if names:
            print(f"{title}: {', '.join(names)}")
    return [*missed, *false, *unknown]


def print_other_payloads(results: Sequence[Judged]) -> list[str]:
    """Print the results with other payloads; return the names of scripts that contradict something certain there."""
    contradicted = Counter(case for each in results for case in each.contradicted().values())
    flagged = [each for each in results if each.run.ending in FLAGGED]
    certain = sum(len(each.findings.certain) for each in results)
    known = sum(contradicted.values()) - contradicted[None]
    print(f"\non other payloads: {len(results)} runs, of which {len(flagged)} fail for an invalidated handle")
    _print_row("all", flagged)
    print(f"certain findings: {certain}; contradicted by a run: {contradicted[None]}, in known cases: {known}")
    return [each.script.name for each in results if each.false() or each.false_others()]


def print_failures(results: Sequence[Judged], limit: int) -> None:
    """Print the reasons of scripts that failed for another reason, which is lost work."""
    other = (WorkEnd.FAILURE, WorkEnd.INVALID, WorkEnd.CRASH)
    _print_messages([each for each in results if each.run.ending in other], limit)


def _print_messages(results: Sequence[Judged], limit: int) -> None:
    messages: defaultdict[str, list[Judged]] = defaultdict(list)
    for each in results:
        messages[f"{each.run.ending.value}: {each.run.failed}: {each.run.message}"[:_SHOWN_MESSAGE]].append(each)
    if messages:
        print("\nother failures:")
    for message, found in sorted(messages.items(), key=lambda entry: -len(entry[1]))[:limit]:
        print(f"{len(found):>6}  {message}  ({found[0].script.name})")


def print_script(each: Judged) -> None:
    """Print one script with the run and the findings."""
    notes: defaultdict[int, list[str]] = defaultdict(list)
    flag = each.run.flag
    for use in flag.uses if flag is not None else ():
        notes[use.place[0]].append(f"interpreter: operand #{use.operand}: {flag.message if flag else ''}")
    if flag is not None and flag.consumed:
        notes[flag.consumed.place[0]].append(f"interpreter: operand #{flag.consumed.operand} is consumed")
    for title, found in (("certain", each.findings.certain), ("possible", each.findings.possible)):
        for use, diagnostic in found.items():
            notes[use.place[0]].append(f"tdls, {title}: operand #{use.operand}: {diagnostic.message}")
    for use in each.run.warnings:
        notes[use.place[0]].append(f"check-uses: operand #{use.operand}")
    for number, line in enumerate((each.script.text + each.script.library).splitlines(), 1):
        counts = [counts for use, counts in each.run.executed.items() if use.place[0] == number]
        print(f"{_executions(counts):<8} {line}")
        for note in notes[number]:
            print(f"{'':<8} ^ {note}")
    print(f"\n{each.run.ending.value}: {each.run.message}")


def _executions(counts: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{full}/{executed}" for executed, full in counts)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
