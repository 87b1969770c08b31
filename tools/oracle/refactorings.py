"""Refactors scripts at random selections, and runs them before and after: the payload is the same, or it is refused.

Usage, from the folder `tools`: ``python -m oracle.refactorings --seed 1 --selections 200``; ``--show NUMBER`` prints
one. Exits with 1 where a script that ran does not run afterwards, or does something else.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from oracle.handles.corpus import corpus
from oracle.handles.scripts import HandleScript, handle_script
from oracle.mlir_opt_runs import ERASE_SCRIPTS, mlir_opt, without_mark
from oracle.run_corpus.scripts import Script
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.changes.code_actions import ActionKind
from tdls.ide.changes.trying import refactorings
from tdls.ide.formatting.formatter import applied
from tdls.ide.snapshot import Snapshot
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

_CATALOGUE = Catalogue.shipped()
_URI = "file:///script.mlir"
_KINDS = (ActionKind.EXTRACT, ActionKind.INLINE, ActionKind.RESTRUCTURE)
_ENTRY = re.compile(rf"{re.escape(NAMED_SEQUENCE)} @{ENTRY_POINT}\((%\w+: [^{{),]*?) ?(?:\{{[^}}]*\}})?\) \{{")
_UNNAMED = r"transform.sequence failures(propagate) {\n  ^bb0(\1):"
_EMPTY_MODULE = re.compile(r"^ *module \{\n *\}\n", re.MULTILINE)
_NAMED = ("transform.structured.match", "transform.include", NAMED_SEQUENCE)


@dataclass(frozen=True)
class Attempt:
    """A refactoring of a script; one that is refused has a reason, and no text `after`."""

    title: str
    name: str
    before: str
    """A script that does what the refactored one did."""
    after: str
    refusal: str | None = None

    @cached_property
    def outcome(self) -> str:
        """What the runs show."""
        if self.refusal is not None:
            return "refused"
        first, then = _run(self.before), _run(self.after)
        if first is None:
            return "fails as before" if then is None else "failed before, and runs now"
        return "equal" if first == then else "fails now" if then is None else "differs"

    @property
    def is_wrong(self) -> bool:
        """Whether a script that ran does something else."""
        return self.outcome in ("fails now", "differs")


def attempts(seed: int, selections: int) -> list[Attempt]:
    """Return at least so many attempts, at selections in scripts of the corpus and in random ones."""
    return list(islice(_attempts(Random(seed), seed), selections))


def _attempts(random: Random, seed: int) -> Iterator[Attempt]:
    known = corpus()
    for number in count():
        script = random.choice(known) if number % 2 else handle_script(seed, number)
        if not script.library and not script.fails and script.text.isascii():
            yield from _of_script(random, script)


def _of_script(random: Random, script: HandleScript) -> Iterator[Attempt]:
    unnamed = _ENTRY.sub(_UNNAMED, script.text)
    if script.text.count(NAMED_SEQUENCE) == 1 and "transform.sequence" in unnamed and random.random() < 0.3:
        place = unnamed.index("transform.sequence")
        yield from _at(script.name, unnamed, FileSpan(place, place), script.text)
        return
    for attempt in _at(script.name, script.text, _selection(random, script.text), script.text):
        yield attempt
        call = attempt.after.find("transform.include @extracted")
        if call >= 0:
            yield from _at(script.name, attempt.after, FileSpan(call, call), script.text)


def _selection(random: Random, text: str) -> FileSpan:
    """Return the place of steps that follow each other, or the beginning of a match or of an include."""
    contexts = [context for context in SourceFile.of(text, _CATALOGUE).contexts if context.mentions_transform]
    operations = [(context, operation) for context in contexts for operation in context.model.walk()]
    places = [context.to_file(operation.location) for context, operation in operations if operation.name in _NAMED]
    if places and random.random() < 0.3:
        return FileSpan(*(random.choice(places).start,) * 2)
    bodies = [(context, block) for context, operation in operations for block in operation.blocks() if block.operations]
    context, body = random.choice([body for body in bodies if body[1].operations[0].name.startswith("transform.")])
    steps = body.operations[:-1] or body.operations
    first, last = sorted(random.choices(range(len(steps)), k=2))
    return FileSpan(context.to_file(steps[first].span).start, context.to_file(steps[last].span).end)


def _at(name: str, text: str, span: FileSpan, meant: str) -> Iterator[Attempt]:
    file = SourceFile.of(text, _CATALOGUE)
    snapshot = Snapshot({_URI: file}, file.catalogue)
    for action in refactorings(snapshot, _URI, span, _KINDS, is_asked=True):
        yield Attempt(action.title, name, meant, applied(text, action.edits), action.refusal)


def _run(text: str) -> str | None:
    """Return the payload after the script in it has run; None if that fails."""
    with tempfile.TemporaryDirectory() as folder:
        said = mlir_opt(Script("", text), Path(folder), ERASE_SCRIPTS)
    return _EMPTY_MODULE.sub("", without_mark(said.module)) if said.code == 0 else None


def main() -> int:
    """Print outcomes by refactoring, reasons of refusals, and what is wrong; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--selections", type=int, default=200)
    parser.add_argument("--show", type=int, help="print the script of this attempt before and after")
    arguments = parser.parse_args()
    tried = attempts(arguments.seed, arguments.selections)
    if arguments.show is not None:
        shown = tried[arguments.show]
        print(shown.title, shown.refusal or "", shown.before, shown.after, sep="\n")
        return 0
    for (title, outcome), number in sorted(Counter((attempt.title, attempt.outcome) for attempt in tried).items()):
        print(f"{number:6}  {title}: {outcome}")
    for reason, number in Counter(attempt.refusal for attempt in tried if attempt.refusal).most_common():
        print(f"{number:6}  refused: {reason}")
    wrong = [(number, attempt) for number, attempt in enumerate(tried) if attempt.is_wrong]
    for number, attempt in wrong:
        print(f"--show {number}: {attempt.name}: {attempt.title}: {attempt.outcome}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
