"""Which named sequences may call themselves, as far as the names tell that calls refer to.

What is said not to be in a circle is not. For the rest, one has to follow what the names mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.file_facts import FileFact
from tdls.analysis.file.mentions import mentions_transform
from tdls.syntax.parser.known import DefinitionFact
from tdls.syntax.sections.section_facts import SectionFact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.analysis.file.questions import AskedFile
    from tdls.catalogue.model import OperationDefinition
    from tdls.syntax.sections.sections import Section

_Level = tuple[int, int]


class CallsByName(NamedTuple):
    """The symbols beside a section that operations in it call."""

    symbols: tuple[str, ...] = ()
    is_plain: bool = True
    """False if more may be called, or defined, than the names of a level tell."""


@SectionFact
def calls_by_name(section: Section) -> CallsByName:
    """Return what a section calls."""
    if not mentions_transform(section):
        return CallsByName()
    known = ((operation, operation.definition) for operation in section.tree.walk())
    calls = (operation for operation, definition in known if definition is not None and _calls(definition))
    symbols = dict.fromkeys(use.path[0] for call in calls for use in call.symbols[:1])
    return CallsByName(tuple(symbols), _is_plain(section))


@SectionFact
def _is_plain(section: Section) -> bool:
    """Tell whether no symbol is defined in the generic form, or referred to in another symbol: without reading it."""
    return not mentions_transform(section) or not ("sym_name" in section.text or "::@" in section.text)


@DefinitionFact
def _calls(definition: OperationDefinition) -> bool:
    return "CallOpInterface" in definition.traits


@FileFact
def _names_tell(file: AskedFile) -> bool:
    return all(_is_plain(piece.section) for piece in file.sections.pieces if piece.begins_section)


@FileFact
def _known(file: AskedFile) -> dict[_Level, dict[str, bool]]:
    """Return a place for what was found out about the symbols of each level."""
    del file
    return {}


def may_call_itself(file: AskedFile, index: int, symbol: str) -> bool:
    """Tell whether the sequence `symbol` beside the section at piece `index` may call itself, through others, too.

    Only sections are read that it may call; each is looked at once in a version of a file, whoever asks.
    """
    if not _names_tell(file):
        return True
    piece = file.sections.pieces[index]
    known = _known(file).setdefault((id(piece.frame), piece.part), {})
    if symbol not in known:
        known.update(in_circles(lambda name: _callees(file, index, name), symbol, known))
    return known[symbol]


def _callees(file: AskedFile, index: int, symbol: str) -> Sequence[str]:
    section = file.section_beginning(index, symbol)
    return calls_by_name(section).symbols if section is not None else ()


class _Visit(NamedTuple):
    """A symbol whose callees are being looked at, with those that are left."""

    symbol: str
    left: Iterator[str]


def in_circles(callees: Callable[[str], Sequence[str]], first: str, known: dict[str, bool]) -> dict[str, bool]:
    """Return for all that `first` reaches beyond `known` whether it is in a circle (Tarjan, without recursion)."""
    found: dict[str, bool] = {}
    number: dict[str, int] = {first: 0}
    lowest: dict[str, int] = {first: 0}
    stack = [first]
    visits = [_Visit(first, iter(callees(first)))]
    calls_itself: set[str] = set()
    while visits:
        symbol, left = visits[-1]
        callee = next(left, None)
        if callee is None:
            visits.pop()
            if visits:
                caller = visits[-1].symbol
                lowest[caller] = min(lowest[caller], lowest[symbol])
            if lowest[symbol] == number[symbol]:
                is_circle = stack[-1] != symbol or symbol in calls_itself
                found[symbol] = is_circle
                while (last := stack.pop()) != symbol:
                    found[last] = is_circle
        elif callee == symbol:
            calls_itself.add(symbol)
        elif callee in known or callee in found:
            continue
        elif callee in number:
            lowest[symbol] = min(lowest[symbol], number[callee])
        else:
            number[callee] = lowest[callee] = len(number)
            stack.append(callee)
            visits.append(_Visit(callee, iter(callees(callee))))
    return found
