"""Makes scripts small: deletes operations while the mismatches of the script stay the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from oracle.handles.comparison import Judged, judged
from oracle.handles.runs import WorkEnd
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser.parser import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oracle.handles.comparison import Kind
    from oracle.handles.scripts import HandleScript
    from tdls.text.span import Span

_ENTRY_POINT = "__transform_main"


def reduced(script: HandleScript) -> Judged:
    """Return a script with fewer operations of which as much is missed or said wrongly."""
    (best,) = judged([script])
    wanted = _mismatches(best)
    while wanted:
        smaller = _smaller(best, wanted)
        if smaller is None:
            break
        best = smaller
    return best


def _mismatches(each: Judged) -> set[tuple[str, Kind]]:
    """Return the result that has to remain: the kinds of mismatches, a crash, or else the interpreter's message."""
    found = {("contradicted", each.kind_of_false(use)) for use in each.false()}
    if each.is_missed or each.is_possible:
        found.add(("missed" if each.is_missed else "possible", each.kind_of_miss()))
    if each.run.ending is WorkEnd.CRASH:
        found.add(("crash", each.kind_of_crash()))
    if not found and each.flagged:
        found.add((each.run.ending.value, each.kind_of_miss()))
    return found


def _smaller(best: Judged, wanted: set[tuple[str, Kind]]) -> Judged | None:
    """Delete all that can be deleted by itself, or if that is too much, the first of it."""
    pieces = list(_deletable(best.script))
    candidates = judged([_without(best.script, [piece]) for piece in pieces])
    fitting = [piece for piece, each in zip(pieces, candidates, strict=True) if wanted <= _mismatches(each)]
    if not fitting:
        return None
    apart = [piece for piece in fitting if not any(piece != other and _is_in(piece, other) for other in fitting)]
    for number in (len(apart), len(apart) // 2, 1):
        (together,) = judged([_without(best.script, apart[:number])])
        if wanted <= _mismatches(together):
            return together
    return None


class _Piece(NamedTuple):
    """An operation, in the script or in its library."""

    is_in_library: bool
    span: Span


def _is_in(inner: _Piece, outer: _Piece) -> bool:
    is_same = inner.is_in_library is outer.is_in_library
    return is_same and outer.span.start <= inner.span.start and inner.span.end <= outer.span.end


def _deletable(script: HandleScript) -> Iterator[_Piece]:
    """Yield the places of operations whose results no operation uses."""
    trees = [parse(text, Catalogue.shipped()) for text in (script.text, script.library)]
    everything = [operation for tree in trees for operation in tree.walk()]
    used = {use.name for operation in everything for use in operation.operands}
    called = {use.path[-1] for operation in everything for use in operation.symbols}
    for is_in_library, tree in enumerate(trees):
        for operation in list(tree.walk())[1:]:
            results = {group.name for group in operation.results}
            is_last = operation.name in ("func.return", "transform.yield", "linalg.yield")
            is_entry = operation.symbol_name == _ENTRY_POINT or operation.symbol_name in called
            if not (is_last or is_entry or results & used):
                yield _Piece(bool(is_in_library), operation.span)


def _without(script: HandleScript, pieces: list[_Piece]) -> HandleScript:
    texts = [script.text, script.library]
    for piece in sorted(pieces, key=lambda each: each.span.start, reverse=True):
        text = texts[piece.is_in_library]
        texts[piece.is_in_library] = text[: piece.span.start].rstrip(" ").removesuffix("\n") + text[piece.span.end :]
    return replace(script, text=texts[0], library=texts[1])
