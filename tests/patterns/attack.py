"""Pumps the pieces of patterns through one entry, and prints which ones grow too fast: a program of its own.

``python -m patterns.attack ENTRY [--all]`` takes the patterns that the entry leads to, or all; pieces that are
known already come as lines of JSON by standard input. One that goes back would never let the tests end.
"""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Final

from growing import grows_at_most
from patterns.claims import recorded, recorded_lines
from patterns.entries import ENTRIES, places_of
from patterns.pieces import Piece, pieces
from tdls.system import collect_garbage_rarely, imported_for_good

if TYPE_CHECKING:
    from collections.abc import Iterable

COUNT: Final = 1_000
_WORTH_COMPARING: Final = 0.05
"""Seconds of processor time; an entry that takes less at this size is not slow, with any growth."""
_FACTOR: Final = 3.0


def main(name: str, some: Iterable[Piece]) -> None:
    """Print a line of JSON for each piece before it is tried, and one for each that grows too fast."""
    entry = ENTRIES[name]
    collect_garbage_rarely()
    with imported_for_good():
        entry("")
    for piece in some:
        print(json.dumps({"tried": [piece.head, piece.pump]}), flush=True)
        started = time.process_time()
        entry(piece.text(COUNT))
        if time.process_time() - started > _WORTH_COMPARING and not _is_linear(name, piece):
            print(json.dumps({"slow": [piece.head, piece.pump]}), flush=True)


def _is_linear(name: str, piece: Piece) -> bool:
    entry, small, large = ENTRIES[name], piece.text(COUNT), piece.text(2 * COUNT)
    return grows_at_most(_FACTOR, lambda: entry(small), lambda: entry(large), slack=0.1)


def _pieces() -> Iterable[Piece]:
    if not sys.stdin.isatty():
        return [Piece(*json.loads(line)) for line in sys.stdin]
    return pieces(recorded(recorded_lines()), ("",) if "--all" in sys.argv else places_of(sys.argv[1]))


if __name__ == "__main__":
    main(sys.argv[1], _pieces())
