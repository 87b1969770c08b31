"""Lists of operands that are put together from others, in the ways in which C++ does that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.sources.cpp.parsers.operands import Holder, UnclearError
from tdls.catalogue.sources.cpp.tokens import arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.sources.cpp.effects.statements import Words
    from tdls.catalogue.sources.cpp.parsers.frame import ParserFrame

MEMBERS = frozenset(("push_back", "emplace_back", "append", "insert"))
"""Functions of lists that add to them."""


class Added(NamedTuple):
    """What is added to a list: at its end, or before all that it holds."""

    holder: Holder
    first: bool = False


def added_by_member(function: str, given: Sequence[Words], name: str, frame: ParserFrame) -> Added:
    """Return what ``name.function(given)`` adds. Raises UnclearError."""
    if function == "append":
        return Added(_range(given, frame))
    if function == "insert":
        is_first = given[:1] == [(name, ".", "begin", "(", ")")]
        if not is_first and given[:1] != [(name, ".", "end", "(", ")")]:
            raise UnclearError
        return Added(_one(given[1:], frame) if len(given) == 2 else _range(given[1:], frame), is_first)
    return Added(_one(given, frame))


def added_by_function(function: str, given: Sequence[Words], frame: ParserFrame) -> tuple[Holder, Holder] | None:
    """Return the list, and what ``function(given)`` adds to its end. Raises UnclearError.

    None: there is no list of operands that it adds to.
    """
    if function not in ("append_range", "copy") or len(given) != 2:
        return None
    values, to = given if function == "copy" else reversed(given)
    if function == "copy":
        to = to[2:] if to[:2] == ("std", "::") else to
        to = to[2:-1] if to[:2] == ("back_inserter", "(") else ()
    found = frame.holders.get(to[0]) if len(to) == 1 else None
    return (found, _range([values], frame)) if found is not None else None


def initial(words: Words, frame: ParserFrame) -> list[Holder]:
    """Return what ``{a, b}``, or a list that is copied, holds. Raises UnclearError."""
    if words[:1] == ("{",) and words[-1:] == ("}",):
        return [_one([argument], frame) for argument in arguments(words[1:-1])]
    return [_range([words], frame)]


def _one(given: Sequence[Words], frame: ParserFrame) -> Holder:
    found = frame.holder(given[0] if len(given) == 1 else ())
    if found.is_list:
        raise UnclearError
    return found


def _range(given: Sequence[Words], frame: ParserFrame) -> Holder:
    """``list``, or ``list.begin(), list.end()``"""
    name = given[0][:1] if given else ()
    is_whole = list(given) in ([name], [(*name, ".", "begin", "(", ")"), (*name, ".", "end", "(", ")")])
    found = frame.holder(name if is_whole else ())
    if not found.is_list:
        raise UnclearError
    return found
