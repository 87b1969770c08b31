"""Measure how soon a mistake is seen while it is typed: ``python -m benchmarks.planted FILE...``, from the root.

Plants mistakes in steps of scripts, one edit each, and takes each back: a handle that is not defined, an operation
without its last letter, a type that does not exist, a sign that is missing. A time begins when the edit is handed to
the system, and ends when the findings with one in that line have been read. Exits with 1 when a mistake was not seen
within `SECONDS`, or when findings were published for an older text.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from benchmarks.lsp.servers import session, this_tdls
from benchmarks.lsp.table import median, percentile_95

from rpc.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.lsp.servers import Session

    from rpc.document import Publication

SECONDS = 1.0
_MOST, _MOST_IN_A_FILE = 50, 4
_STEP = re.compile(
    r"^[ ]*(?:%[^\n=]+ = )?transform\.(?:structured|annotate|loop|print|get)[^\n]*%[^\n]*$", re.MULTILINE
)
_MISTAKES = (
    (r"(transform\.\S+[^%]*%\w+)", r"\1_gone"),
    (r"(transform\.[\w.]+)\w\b", r"\1"),
    ("!transform.any_op", "!transform.any_opp"),
    ("->", "- >"),
)


def main(paths: list[str]) -> int:
    """Print the times, and return the exit status."""
    times: list[float] = []
    problems: list[str] = []
    with session(this_tdls(), "") as opened:
        for path in paths:
            document = Document(opened.client, Path(path).absolute().as_uri(), Path(path).read_text(encoding="utf-8"))
            document.open()
            wait_until_current(opened, document)
            for start, end, mistake in planted(document.text)[: _MOST - len(times)]:
                line, right = document.text.count("\n", 0, start), document.text[start:end]

                def is_seen(found: Publication, version: int = document.version + 1, line: int = line) -> bool:
                    return found.version == version and line in errors_in(found)

                began = document.replace(start, end, mistake)
                times.append(opened.inbox.wait_for(document.uri, is_seen).received_at - began)
                if times[-1] > SECONDS:
                    problems.append(f"{path}:{line + 1}: {times[-1]:.2f} s: {mistake.strip()}")
                document.replace(start, start + len(mistake), right)
                wait_until_current(opened, document)
            versions = [found.version or 0 for found in opened.inbox.publications(document.uri)]
            problems += [f"{path}: findings of an old text"] if versions != sorted(versions) else []
            document.close()
    print(*problems, sep="\n")
    seen = f"{median(times):.2f} s, 95 %: {percentile_95(times):.2f} s, the slowest: {max(times):.2f} s"
    print(f"{len(times)} mistakes seen after {seen}")
    return 1 if problems or len(times) < _MOST else 0


def wait_until_current(opened: Session, document: Document) -> None:
    """Wait for the findings of the present text."""
    opened.inbox.wait_for(document.uri, lambda found: found.version == document.version)


def planted(text: str) -> list[tuple[int, int, str]]:
    """Return steps of a script with a mistake in place of them."""
    chance = Random(len(text))
    steps = list(_STEP.finditer(text))
    picked = chance.sample(steps, min(len(steps), _MOST_IN_A_FILE))
    return [(step.start(), step.end(), new) for step in picked for new in [next(mistakes(step[0], chance), "")] if new]


def mistakes(line: str, chance: Random) -> Iterator[str]:
    """Yield a line with one of the mistakes each, in any order."""
    for pattern, new in chance.sample(_MISTAKES, len(_MISTAKES)):
        changed = re.sub(pattern, new, line, count=1)
        if changed != line:
            yield changed


def errors_in(found: Publication) -> set[int]:
    """Return the lines with errors and warnings."""
    ranges = [each["range"] for each in found.diagnostics if each["severity"] <= 2]
    return {line for each in ranges for line in range(each["start"]["line"], each["end"]["line"] + 1)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
