"""Tells how many values keep the names of the payload in runs, and how much shorter that makes diffs.

``python -m oracle.names_kept [FOLDER...]``: the scripts with a payload in these folders run, by default those of the
corpus of runs. A named value still exists if MLIR prints, with locations and in generic form, an operation of the same
name at its place, or an argument. The payload with names, read and printed by MLIR, has to be the one without.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from oracle.run_corpus.scripts import scripts
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backend import open_backend
from tdls.interpreter.errors import PlanError
from tdls.interpreter.runs.model import Emit, Limits, RunRequest, Status, TextFile
from tdls.interpreter.runs.plan import RunOptions, has_payload, plan
from tdls.interpreter.runs.script import Script
from tdls.settings.model import BackendChoice
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.backend import Backend

_FILE = 100_000
"""Maximum number of characters of a file."""
_GENERIC = "mlir-opt-22 --mlir-print-op-generic --mlir-print-debuginfo --mlir-print-local-scope"
_VALUE = re.compile(r"%[A-Za-z_$.-][\w$.-]*")
_ARGUMENT = re.compile(r"%arg\d+")
"""A name that MLIR makes up; it is not kept, and not missed."""
_RESULTS = re.compile(r"^[^%\"]*((?:%[\w$.-]+(?::\d+)? *, *)*%[\w$.-]+(?::\d+)?) *= *(?=\"?([\w$.]+))")
_HEAD = re.compile(r"( *)(?:%[^\"]* = )?\"([\w$.]+)\"\(|( *)}\)")
_PLACE = re.compile(r"loc\(\"[^\"]*\":(\d+):(\d+)\)")


def main() -> int:
    """Run the scripts, and print the shares."""
    parser = argparse.ArgumentParser(description="Compare the names of values before and after runs.")
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--backend")
    parser.add_argument("--show", action="store_true", help="print the names that are lost")
    arguments = parser.parse_args()
    backend = open_backend(BackendChoice(arguments.backend))
    generic = open_backend(BackendChoice(_GENERIC))
    counts: Counter[str] = Counter()
    for request in _requests(arguments.folders):
        _compare(request, backend, generic, counts, is_shown=arguments.show)
    print(", ".join(f"{key}: {number}" for key, number in counts.items()))
    print(f"{counts['kept'] / max(1, counts['existing']):.1%} of the values that still exist keep their name")
    print(f"{counts['diff'] / max(1, counts['diff without']):.2f} of the length of diffs without names")
    return 1 if counts["changed by names"] else 0


def _requests(folders: list[Path]) -> Iterator[RunRequest]:
    catalogue = Catalogue.shipped()
    for each in scripts() if not folders else ():
        payload = TextFile("payload.mlir", each.payload) if each.payload is not None else None
        if not each.libraries:
            script = Script(each.name, each.text, catalogue)
            yield RunRequest(script, payload, each.entry_point, options=each.options)
    for file in (file for folder in folders for file in sorted(folder.rglob("*.mlir"))):
        text = file.read_text(encoding="utf-8", errors="replace")
        if "transform." in text and len(text) <= _FILE:
            try:
                requests = list(plan(Script(str(file), text, catalogue), file, RunOptions()))
            except PlanError:
                continue
            yield from filter(has_payload, requests)


def _compare(request: RunRequest, backend: Backend, generic: Backend, counts: Counter[str], *, is_shown: bool) -> None:
    request = replace(request, emits=frozenset(Emit))
    named, plain = backend.run(request), backend.run(replace(request, keeps_names=False))
    counts["runs"] += 1
    if named.status is not Status.SUCCESS or plain.status is not Status.SUCCESS:
        counts["failed"] += 1
        return
    for emit in Emit:
        if _reprinted(named.texts[emit], backend) != _reprinted(plain.texts[emit], backend):
            counts["changed by names"] += 1
            print(f"{request.script.name}, part {request.part + 1}: the {emit.value} is changed by names")
    source = request.root.original
    existing = _existing(source, generic.run(replace(request, keeps_names=False)).texts.get(Emit.MODULE, ""))
    shown = set(re.findall(r"%[\w$.-]+", named.texts[Emit.MODULE]))
    counts["existing"] += len(existing)
    counts["kept"] += len(existing & shown)
    if is_shown and existing - shown:
        print(f"{request.script.name}, part {request.part + 1}: {', '.join(sorted(existing - shown))}")
    counts["diff"] += _length(source, named.texts[Emit.MODULE])
    counts["diff without"] += _length(source, plain.texts[Emit.MODULE])


def _length(source: str, after: str) -> int:
    """Return the number of lines in a diff of the user's text, without indentation, and the module after the run."""
    lines, others = ([line.strip() for line in text.splitlines()] for text in (source, after))
    return sum(line[:1] in "+-" for line in difflib.unified_diff(lines, others, n=0, lineterm=""))


def _reprinted(text: str, backend: Backend) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.mlir"
        path.write_text(text, encoding="utf-8")
        return backend.print(path, Limits()).texts.get(Emit.MODULE, "")


def _existing(source: str, generic: str) -> set[str]:
    """Return the names in `source` whose operation or argument is in a module in generic form with locations."""
    operations: set[tuple[str, int, int]] = set()
    arguments: set[tuple[int, int]] = set()
    opened: dict[int, str] = {}
    for line in generic.splitlines():
        if line.lstrip().startswith("^"):
            arguments |= {(int(place[1]), int(place[2])) for place in _PLACE.finditer(line)}
            continue
        head = _HEAD.match(line)
        places = list(_PLACE.finditer(line))
        if head is not None and head[2]:
            opened[len(head[1])] = head[2] if " = " in line.partition('"')[0] else "without results"
        if (
            head is not None
            and places
            and not (head[2] or "").startswith("transform.")
            and line.endswith(places[-1][0])
        ):
            name = opened[len(head[1] or head[3] or "")]
            operations.add((name, int(places[-1][1]), int(places[-1][2])))
    names: set[str] = set()
    for number, line in enumerate(source.splitlines(), 1):
        results = _RESULTS.match(line)
        if results is not None:
            column = len(line[: results.end()].encode()) + 1
            is_general = results[2].startswith("linalg.") and ("linalg.generic", number, column) in operations
            if is_general or (results[2], number, column) in operations:
                names.update(_VALUE.findall(results[1]))
        names.update(
            value[0]
            for value in _VALUE.finditer(line)
            if (number, len(line[: value.start()].encode()) + 1) in arguments
        )
    return {name for name in names if _ARGUMENT.fullmatch(name) is None}


if __name__ == "__main__":
    sys.exit(main())
