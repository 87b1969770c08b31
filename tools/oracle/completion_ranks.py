"""Ranks of completion for operations of scripts: ``python -m oracle.completion_ranks FOLDER...``.

An operation is removed from a script up to a word of its name, and completed again. The scripts must not be among those
that were counted for the order of the server (tools/facts/uses.py).

VS Code has an order of its own: its score of the typed text first, the order of the server second. With
``--monaco-editor FOLDER``, the unpacked npm package that has VS Code's completion model, ranks are those in that order,
computed with Node.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.completion.completion import completion
from tdls.ide.snapshot import Snapshot
from tdls.semantic.transform_dialect import TRANSFORM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.semantic.model import Operation

_URI = "file:///script.mlir"
_TYPED: dict[str, re.Pattern[str]] = {
    "transform.": re.compile(r"()"),
    "a word": re.compile(r"(?:.*\.)?([^._]+)"),
    "a word without dialect": re.compile(r"(?:.*\.)?([^._]+)"),
    "extension and a letter": re.compile(r"((?:.*\.)?.)"),
}
"""The part of an operation's name that is typed, behind ``transform.`` if not named otherwise."""
_BARE = "a word without dialect"
_SHOWN = 15
_NODE = """\
const model = process.argv[1] + "/esm/vs/editor/contrib/suggest/browser/completionModel.js";
const { CompletionModel, LineContext } = await import(model);
let text = "";
for await (const chunk of process.stdin) text += chunk;
const provider = {};
const ranks = JSON.parse(text).map(({ wanted, line, items }) => {
  const column = line.length + 1;
  const shown = items.map(([label, filterText, typed]) => ({
    completion: { label, filterText: filterText ?? undefined, kind: 1 },
    textLabel: label, labelLow: label.toLowerCase(), filterTextLow: filterText?.toLowerCase(),
    position: { column }, editStart: { column: column - typed }, provider, container: {},
  }));
  const context = new LineContext(line, 0);
  const options = { filterGraceful: true };
  const found = new CompletionModel(shown, column, context, { distance: () => 0 }, options, "inline").items;
  const rank = found.findIndex((item) => item.textLabel === wanted);
  return rank < 0 ? found.length : rank;
});
console.log(JSON.stringify(ranks));
"""


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
    parser.add_argument("--monaco-editor", type=Path, metavar="FOLDER", help="measure the order of VS Code")
    arguments = parser.parse_args()
    positions = chosen(arguments.folders, arguments.positions, arguments.seed)
    print(f"{len(positions)} positions")
    for typed in _TYPED:
        offers = [_offer(position, typed) for position in positions]
        _report(typed, positions, _ranks(offers, arguments.monaco_editor))
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


@dataclass(frozen=True)
class _Offer:
    """The items at one position, in the order of the server, and the label of the one that was written."""

    wanted: str
    line: str
    """The line up to the cursor."""
    items: tuple[tuple[str, str | None, int], ...]
    """For each its label, its filter text if that differs, and the number of typed characters that it replaces."""


def _offer(position: Position, typed: str) -> _Offer:
    begin = _TYPED[typed].match(position.name)
    dialect = "" if typed == _BARE else f"{TRANSFORM}."
    text = f"{position.before}{dialect}{begin[1] if begin is not None else ''}"
    catalogue = Catalogue.shipped()
    snapshot = Snapshot({_URI: SourceFile.of(text + position.after, catalogue)}, catalogue)
    items = (
        (item.label, item.filter_text if item.filter_text != item.label else None, len(text) - item.span.start)
        for item in completion(snapshot, _URI, len(text)).items
    )
    return _Offer(f"{TRANSFORM}.{position.name}", text[text.rfind("\n") + 1 :], tuple(items))


def _ranks(offers: list[_Offer], monaco_editor: Path | None) -> list[int]:
    """Return how many items are listed before the wanted one, in each offer; the number of all if it is not listed."""
    if monaco_editor is None:
        labels = [[label for label, *_ in offer.items] for offer in offers]
        return [
            known.index(offer.wanted) if offer.wanted in known else len(known)
            for offer, known in zip(offers, labels, strict=True)
        ]
    node = ["node", "--no-warnings", "--input-type=module", "--eval", _NODE, "--", str(monaco_editor.resolve())]
    asked = json.dumps([offer.__dict__ for offer in offers])
    ranks: list[int] = json.loads(subprocess.run(node, input=asked, capture_output=True, text=True, check=True).stdout)
    return ranks


def _report(typed: str, positions: list[Position], ranks: list[int]) -> None:
    shares = "  ".join(f"first {most}: {sum(rank < most for rank in ranks) / len(ranks):.1%}" for most in (1, 5, 10))
    print(f"{typed:24}{shares}")
    worst = sorted(zip(ranks, (position.name for position in positions), strict=True), reverse=True)
    missed: dict[str, int] = {}
    for rank, name in worst:
        if rank >= 5:
            missed.setdefault(name, rank)
    shown = [f"{name} ({rank + 1})" for name, rank in list(missed.items())[:_SHOWN]]
    print("  farther down:", ", ".join(shown) or "none")


if __name__ == "__main__":
    sys.exit(main())
