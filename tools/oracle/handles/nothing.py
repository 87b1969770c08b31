"""Compares findings about empty handles and failing searches with runs on the payload in the script's file.

Usage, from the folder `tools`: ``python -m oracle.handles.nothing FILE...`` for the parts of files, ``--random N`` for
random scripts, ``--conditions N`` for random matchers of structured operations, ``--corpus`` for the corpus of runs. A
count of each handle is inserted behind the operation that defines it, also in sequences that are called, and `mlir-opt`
says what it is, and between which remarks around calls. Exits with 1 where a run contradicts a finding.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from oracle.handles.conditions import condition_scripts
from oracle.handles.corpus import corpus
from oracle.handles.scripts import handle_scripts
from oracle.tools import SPLIT_MARKER, run
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE, is_transform_operation
from tdls.syntax.sections.boundaries import SplitMode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oracle.tools import MlirDiagnostic, Outcome
    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation, Value
    from tdls.text.diagnostic import Diagnostic
    from tdls.text.span import FileSpan

OF_PAYLOAD = frozenset({"finds-nothing", "fails-on-payload"})
"""The rules that read the payload of a script."""
SAYING = OF_PAYLOAD | {
    "handle-count",
    "never-succeeds",
    "unfamiliar-payload-operation",
    "unknown-payload-operation",
}
"""Rules that say why nothing is found."""
_COUNT = re.compile(r"tdls-(count|call) (\d+) (\d+):? (-?\d+)")
_ENTRY = re.compile(
    rf"transform\.named_sequence @{ENTRY_POINT}"
    r"\((?P<name>%\w+): (?P<type>![\w.]+(?:<[^>]*>)?)(?P<marks> *{[^}]*})?\) *{"
)
_NO_CALL = -1
"""The number of a call for an operation of the entry point, which no operation calls."""
_ALSO_RETURNS_ROOT = "transform.foreach_match"
"""Its first result is the root, even if no operation is found."""
_OPTIONS = ("--transform-interpreter", "--allow-unregistered-dialect")


class Verdict(Enum):
    """The truth of a finding, or of its absence, by a run."""

    TRUE = "true"
    FALSE = "false"
    NOT_REACHED = "not reached"
    UNSAID = "nothing is said"


class Judged(NamedTuple):
    """An operation of a script with the findings of tdls and the verdict of the run."""

    script: str
    line: int
    verdict: Verdict
    rule: str
    message: str


@dataclass
class _Part:
    """A script with counts, and where its operations stand."""

    name: str
    text: str
    counted: str = ""
    operations: dict[int, Operation] = field(default_factory=dict)
    """Those whose results are counted, by number."""
    places: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """For each of these: the line that MLIR reports, and where the operation begins and ends in the text."""
    findings: list[Diagnostic] = field(default_factory=list)
    file: SourceFile | None = None


_Counts = Mapping[tuple[int, int], Sequence[int]]
"""Counts of the results in each execution, by the numbers of the call, or `_NO_CALL`, and of the operation."""


def judged(scripts: Iterable[tuple[str, str]]) -> list[Judged]:
    """Return verdicts on findings about empty handles, and on operations without; `scripts` are names with texts."""
    parts = [_counted(_Part(name, text)) for name, text in scripts]
    outcomes = run([part.counted for part in parts], *_OPTIONS)
    return [verdict for part, outcome in zip(parts, outcomes, strict=True) for verdict in _judge(part, outcome)]


def parts_of(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the parts of a file, with names."""
    text = re.sub(r"// *RUN:|// *tdls:", "//", path.read_text(encoding="utf-8", errors="replace"))
    for number, part in enumerate(re.split(rf"^ *{SPLIT_MARKER}.*$", text, flags=re.MULTILINE)):
        yield f"{path.name}:{number}", part


def in_called_sequence(scripts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the scripts whose entry point does nothing but call a sequence, which has the body that it had."""
    for name, text in scripts:
        moved, count = _ENTRY.subn(_called, text)
        if count == 1:
            yield name, moved


def in_long_payload(scripts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the scripts with payload that is so long that it is only searched for names."""
    for name, text in scripts:
        yield name, text.replace("func.func", f"// {'=' * 60_000}\n  func.func", 1)


def _called(entry: re.Match[str]) -> str:
    argument = f"({entry['name']}: {entry['type']}{entry['marks'] or ''})"
    call = f"transform.include @tdls_moved failures(propagate) ({entry['name']}) : ({entry['type']}) -> ()"
    head = f"transform.named_sequence @{ENTRY_POINT}{argument} {{ {call} transform.yield }} "
    return f"{head}transform.named_sequence @tdls_moved{argument} {{"


def _counted(part: _Part) -> _Part:
    file = part.file = SourceFile.of(part.text, Catalogue.shipped(), split=SplitMode.NEVER)
    part.findings = [finding for finding in findings_in_file(file) if finding.rule in SAYING]
    inserted: list[tuple[int, str]] = []
    for home, script in _executed(file):
        for operation in script.walk():
            inserted += _counts(part, home, operation)
            if operation.has_callee and symbol_name(script) == ENTRY_POINT:
                inserted += _marks(part, home, operation)
    text = part.text
    for offset, count in sorted(inserted, reverse=True):
        text = f"{text[:offset]} {count} {text[offset:]}"
    part.counted = text
    return part


def _executed(file: SourceFile) -> Iterator[tuple[Context, Operation]]:
    """Yield the entry point of a file and the sequences that are called from there, each once."""
    sequences = {
        symbol_name(operation) or "": (context, operation)
        for context in file.contexts
        for operation in context.model.walk()
        if operation.name == NAMED_SEQUENCE
    }
    waiting = [ENTRY_POINT]
    while waiting:
        found = sequences.pop(waiting.pop(), None)
        if found is not None:
            yield found
            calls = (operation for operation in found[1].walk() if operation.has_callee)
            waiting += (call.syntax.symbols[0].path[-1] for call in calls if call.syntax.symbols)


def _marks(part: _Part, context: Context, call: Operation) -> Iterator[tuple[int, str]]:
    """Yield operations that print that a call begins, and that it is over."""
    span, number = context.to_file(call.span), len(part.operations) - 1
    for offset, called in ((span.start, number), (span.end, _NO_CALL)):
        name = f"%tdls_call_{number}_{called + 1}"
        yield (
            offset,
            (
                f"{name} = transform.param.constant {called} : i64 -> !transform.param<i64> "
                f'transform.debug.emit_param_as_remark {name}, "tdls-call {number} 0" : !transform.param<i64>'
            ),
        )


def _counts(part: _Part, context: Context, operation: Operation) -> Iterator[tuple[int, str]]:
    """Yield operations that count the results of an operation, with its place."""
    if not is_transform_operation(operation) or operation.name == NAMED_SEQUENCE:
        return
    span, place = context.to_file(operation.span), context.to_file(operation.location)
    number = len(part.operations)
    part.operations[number] = operation
    assert part.file is not None
    part.places[number] = (part.file.position(place.start).line, span.start, span.end)
    handles = [
        result for result in operation.results[operation.name == _ALSO_RETURNS_ROOT :] if _is_handle(context, result)
    ]
    if any(around.name == "transform.match.structured" for around in operation.ancestors()):
        return
    text = " ".join(_count(number, result) for result in handles)
    if text:
        yield span.end, text


def _is_handle(context: Context, value: Value) -> bool:
    kind = kind_of(context.catalogue, value.type) if value.type is not None else None
    return kind is HandleKind.OPERATIONS or kind is HandleKind.VALUES


def _count(number: int, value: Value) -> str:
    name = f"%tdls_{number}_{value.index}"
    return (
        f"{name} = transform.num_associations {value.shown} : ({value.type}) -> !transform.param<i64> "
        f'transform.debug.emit_param_as_remark {name}, "tdls-count {number} {value.index}" : !transform.param<i64>'
    )


def _judge(part: _Part, outcome: Outcome) -> Iterator[Judged]:
    counts: dict[tuple[int, int], list[int]] = defaultdict(list)
    call = _NO_CALL
    for diagnostic in outcome.diagnostics:
        match = _COUNT.search(diagnostic.message)
        if match is None:
            continue
        if match[1] == "call":
            call = int(match[4])
        else:
            counts[call, int(match[2])].append(int(match[4]))
    error = next((said for said in outcome.diagnostics if said.level == "error"), None)
    was_run = bool(counts) or outcome.text is not None or _is_of_run(error)
    for finding in part.findings if was_run else ():
        number = _owner(part, finding.span)
        if number is not None and finding.rule in OF_PAYLOAD and _ASSERTED not in finding.message:
            has_succeeded = outcome.text is not None
            yield _judge_finding(part, finding, number, counts, error, has_succeeded=has_succeeded)
    if was_run:
        yield from _unsaid(part, counts, error)


_ASSERTED = "stops with an assertion"
"""Part of findings that only an MLIR with assertions confirms; the MLIR of the oracle continues."""


def _is_of_run(error: MlirDiagnostic | None) -> bool:
    return error is not None and any(words in error.message for words in _OF_RUNS)


_OF_RUNS = (
    "could not find", "expected to contain", "requires exactly one", "position overflow", "result number overflow",
    "cannot get defining ops", "must be mapped to exactly one", "incompatible payload",
)  # fmt: skip
"""Parts of the interpreter's diagnostics for searches that fail."""


def _owner(part: _Part, span: FileSpan) -> int | None:
    """Return the number of the innermost operation that a place is in."""
    at = span.start
    around = [(end - start, number) for number, (_, start, end) in part.places.items() if start <= at < end]
    return min(around)[1] if around else None


def _judge_finding(
    part: _Part,
    finding: Diagnostic,
    number: int,
    counts: _Counts,
    error: MlirDiagnostic | None,
    *,
    has_succeeded: bool,
) -> Judged:
    called = _owner_in_callee(part, finding)
    if called is not None:
        own, line = counts.get((number, called), []), part.places[called][0]
    else:
        own, line = counts.get((_NO_CALL, number), []), part.places[number][0]
    if finding.rule != "fails-on-payload":
        verdict = Verdict.NOT_REACHED if not own else Verdict.FALSE if min(own) else Verdict.TRUE
    elif error is not None and error.line == line:
        verdict = Verdict.TRUE
    else:
        # MLIR has no words for some failures.
        verdict = Verdict.FALSE if own or has_succeeded else Verdict.NOT_REACHED
    return Judged(part.name, line + 1, verdict, finding.rule, finding.message)


def _owner_in_callee(part: _Part, finding: Diagnostic) -> int | None:
    """Return the number of the operation in a called sequence that a finding is about, if it is about one."""
    if not finding.message.startswith("in `@"):
        return None
    about = next(note for note in finding.notes if not note.message.endswith(" is called here"))
    return _owner(part, about.span)


def _unsaid(part: _Part, counts: _Counts, error: MlirDiagnostic | None) -> Iterator[Judged]:
    said = {
        _owner(part, place)
        for finding in part.findings
        for place in (finding.span, *(note.span for note in finding.notes))
    }
    for number, operation in part.operations.items():
        if number in said:
            continue
        line = part.places[number][0]
        own = [held for (_, counted), several in counts.items() if counted == number for held in several]
        if own and not any(own) and not _is_of_nothing(part, operation, counts):
            yield Judged(part.name, line + 1, Verdict.UNSAID, operation.name, "holds nothing")
        elif _is_of_run(error) and error is not None and error.line == line and not operation.regions:
            yield Judged(part.name, line + 1, Verdict.UNSAID, operation.name, error.message)


def _is_of_nothing(part: _Part, operation: Operation, counts: _Counts) -> bool:
    """Whether an operation is given an empty handle, so that empty results are expected."""
    numbers = {id(other): number for number, other in part.operations.items()}
    makers = (value.operation for value in operation.operands if value is not None)
    makers_counted = {numbers.get(id(maker), -1) for maker in makers if maker is not None}
    return any(number in makers_counted and not any(count) for (_, number), count in counts.items())


def _random(number: int, seed: int) -> Iterator[tuple[str, str]]:
    for script in handle_scripts(seed, number):
        yield script.name, script.text


def _print(results: Sequence[Judged], limit: int, *, shows_all: bool) -> None:
    for verdict in Verdict:
        own = [result for result in results if result.verdict is verdict]
        print(f"{verdict.value}: {len(own)}")
        if verdict in (Verdict.FALSE, Verdict.UNSAID) or shows_all:
            for result in own[:limit]:
                print(f"  {result.script}: line {result.line}: {result.rule}: {result.message}")


def main() -> int:
    """Print the results of runs; return 1 where one contradicts a finding."""
    parser = argparse.ArgumentParser(prog="python -m oracle.handles.nothing", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("--conditions", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", action="store_true")
    parser.add_argument("--called", action="store_true", help="move each script into a sequence that is called")
    parser.add_argument("--all", action="store_true", help="show what is true, too")
    parser.add_argument("--limit", type=int, default=40)
    arguments = parser.parse_args()
    scripts = [part for path in arguments.files for part in parts_of(path)]
    scripts += _random(arguments.random, arguments.seed)
    scripts += condition_scripts(arguments.seed, arguments.conditions)
    if arguments.corpus:
        scripts += [(script.name, script.text) for script in corpus()]
    results = judged(in_called_sequence(scripts) if arguments.called else scripts)
    _print(results, arguments.limit, shows_all=arguments.all)
    return 1 if any(result.verdict is Verdict.FALSE for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
