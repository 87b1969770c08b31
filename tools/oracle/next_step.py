"""Tells how often the operation that an author wrote next is among the first that `tdls try` lists.

``python -m oracle.next_step FOLDER...``: of the scripts with a payload in these folders, prefixes of entry points are
tried, up to ``--most``, chosen by ``--seed``. Each prefix ends behind an operation whose next one is not the last, and
one that the newest LLVM has. Files that expect an error are left out: their next operation fails on purpose.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.catalogue.catalogue import Catalogue
from tdls.ide.runs.next_steps import next_steps
from tdls.interpreter.backend import open_backend
from tdls.interpreter.errors import PlanError, RecordingError
from tdls.interpreter.observing.next_operations import next_operations_of
from tdls.interpreter.observing.points import steps_of
from tdls.interpreter.runs.plan import RunOptions, has_payload, plan
from tdls.interpreter.runs.script import Script
from tdls.settings.llvm_versions import newest_version
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.runs.model import RunRequest

_FIRST = 5
_FILE = 20_000
"""Maximum number of characters of a file."""


def main() -> int:
    """Try prefixes, and print the share of those whose next operation is among the first."""
    parser = argparse.ArgumentParser(description="Compare the steps that tdls lists with those that people wrote.")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--most", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--backend")
    arguments = parser.parse_args()
    places = [
        place for folder in arguments.folders for file in sorted(folder.rglob("*.mlir")) for place in _places(file)
    ]
    random.Random(arguments.seed).shuffle(places)
    backend = open_backend(BackendChoice(arguments.backend))
    tried = among = listed = 0
    for request, offset, wanted in places:
        if tried == arguments.most:
            break
        try:
            names = list(
                dict.fromkeys(step.operation for step in next_steps(request, offset, backend, seconds=20.0).steps)
            )
        except RecordingError:
            continue
        tried += 1
        listed += wanted in names
        among += wanted in names[:_FIRST]
        if wanted not in names[:_FIRST]:
            print(f"{request.script.name}: {wanted} is number {names.index(wanted) + 1 if wanted in names else '-'}")
    print(f"{tried} prefixes; the next operation is among the first {_FIRST} in {among}, in the list in {listed}")
    return 0


def _places(file: Path) -> Iterator[tuple[RunRequest, int, str]]:
    """Yield the run of each part with a payload, places in it, and the operation that comes next there."""
    text = file.read_text(encoding="utf-8", errors="replace")
    if "transform." not in text or "expected-error" in text or len(text) > _FILE:
        return
    try:
        requests = [
            each for each in plan(Script(str(file), text, Catalogue.shipped()), file, RunOptions()) if has_payload(each)
        ]
    except PlanError:
        return
    catalogue, newest = Catalogue.shipped(), newest_version()
    for request in requests:
        points = steps_of(request.script)
        for point, following in zip(points, next_operations_of(points), strict=True):
            definition = catalogue.operation(following.name) if following is not None else None
            is_present = definition is not None and newest in definition.versions
            if point.behind is not None and following is not None and is_present and not point.is_last:
                yield request, point.behind.end - 1, following.name


if __name__ == "__main__":
    sys.exit(main())
