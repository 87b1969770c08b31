"""How far up completion has what somebody wrote: ``python -m oracle.completion_ranks FOLDER...``.

In scripts of the folders, operations are taken out again, up to a word of their name, and completion is asked there.
Folders whose scripts were counted for the order (tools/facts/uses.py) say nothing about it.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.completion.completion import completion
from tdls.ide.completion.site import ItemKind
from tdls.ide.snapshot import Snapshot
from tdls.semantic.transform_dialect import TRANSFORM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.semantic.model import Operation

_URI = "file:///script.mlir"
_TYPED: dict[str, re.Pattern[str]] = {
    "transform.": re.compile(r"()"),
    "a word": re.compile(r"(?:.*\.)?([^._]+)"),
    "extension and a letter": re.compile(r"((?:.*\.)?.)"),
}
"""What is typed behind ``transform.`` of an operation's name without dialect."""
_SHOWN = 15


@dataclass(frozen=True)
class Position:
    """An operation that was taken out: the text up to and behind it, and its name without dialect."""

    before: str
    after: str
    name: str


def main() -> int:
    """Measure, and print the share of operations among the first ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="public scripts that were not counted")
    parser.add_argument("--positions", type=int, default=300, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="which (default: %(default)s)")
    arguments = parser.parse_args()
    positions = chosen(arguments.folders, arguments.positions, arguments.seed)
    print(f"{len(positions)} positions")
    for typed in _TYPED:
        _report(typed, positions)
    return 0


def chosen(folders: list[Path], count: int, seed: int) -> list[Position]:
    """Return `count` positions of all scripts, the same for a seed."""
    paths = sorted(path for folder in folders for path in folder.rglob("*.mlir"))
    texts = dict.fromkeys(path.read_text(encoding="utf-8", errors="replace") for path in paths)
    found = [position for text in texts for position in _positions(text)]
    return random.Random(seed).sample(found, min(count, len(found)))


def _positions(text: str) -> Iterator[Position]:
    """Yield the known transform operations of a script that stand in the body of another one, but for terminators."""
    if f"{TRANSFORM}." not in text:
        return
    file = SourceFile.of(text, Catalogue.shipped())
    for context in file.contexts:
        for operation in context.model.walk():
            if _is_suitable(operation) and not operation.regions:
                span = context.to_file(operation.span)
                name = operation.name.removeprefix(f"{TRANSFORM}.")
                yield Position(text[: span.start], text[span.end :], name)


def _is_suitable(operation: Operation) -> bool:
    definition = operation.definition
    is_known = definition is not None and definition.name == operation.name and definition.dialect == TRANSFORM
    return is_known and operation.parent is not None and "IsTerminator" not in (definition.traits if definition else ())


def _report(typed: str, positions: list[Position]) -> None:
    ranks = [rank_of(position, _typed(typed, position.name)) for position in positions]
    shares = "  ".join(f"first {most}: {sum(rank < most for rank in ranks) / len(ranks):.1%}" for most in (1, 5, 10))
    print(f"{typed:24}{shares}")
    worst = sorted(zip(ranks, (position.name for position in positions), strict=True), reverse=True)
    missed: dict[str, int] = {}
    for rank, name in worst:
        if rank >= 10:
            missed.setdefault(name, rank)
    shown = [f"{name} ({rank + 1})" for name, rank in list(missed.items())[:_SHOWN]]
    print("  farther down:", ", ".join(shown) or "none")


def _typed(typed: str, name: str) -> str:
    begin = _TYPED[typed].match(name)
    return begin[1] if begin is not None else ""


def rank_of(position: Position, typed: str) -> int:
    """Return how many operations stand before the one that was written, the number of all if it is not offered."""
    text = f"{position.before}{TRANSFORM}.{typed}"
    catalogue = Catalogue.shipped()
    snapshot = Snapshot({_URI: SourceFile.of(text + position.after, catalogue)}, catalogue)
    items = completion(snapshot, _URI, len(text)).items
    labels = [item.label for item in items if item.kind is ItemKind.OPERATION]
    wanted = f"{TRANSFORM}.{position.name}"
    return labels.index(wanted) if wanted in labels else len(labels)


if __name__ == "__main__":
    sys.exit(main())
