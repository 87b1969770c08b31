"""What a section may ask about the file around it. Each question says how it is answered, and what changes its answer.

Questions that are equal have the same answer in one version of a file; answers can be compared between versions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from tdls.analysis.file.facts import FileFact
from tdls.analysis.file.prefilter import mentions_transform
from tdls.syntax.parser.asm_parser import DefinitionFact
from tdls.syntax.sections.section_facts import SectionFact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.types import TypeTexts
    from tdls.syntax.sections.sectioned_text import SectionedText
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
def _names_tell(file: QueriedFile) -> bool:
    return all(_is_plain(piece.section) for piece in file.sections.pieces if piece.begins_section)


@FileFact
def _known(file: QueriedFile) -> dict[_Level, dict[str, bool]]:
    """Return a place for what was found out about the symbols of each level."""
    del file
    return {}


def may_call_itself(file: QueriedFile, index: int, symbol: str) -> bool:
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


def _callees(file: QueriedFile, index: int, symbol: str) -> Sequence[str]:
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


class QueriedFile(Protocol):
    """The part of a file that questions are put to: what its sections say of each other.

    An `index` is that of a section's first piece.
    """

    facts: dict[object, object]
    """What was found out about this version of the file; `FileFact` reads and writes it."""

    @property
    def payload(self) -> QueriedFile | None:
        """The file with what the scripts of this one are run on, if it is another one."""

    @property
    def sections(self) -> SectionedText:
        """The text in sections."""

    @property
    def is_template(self) -> bool:
        """True if something else fills in a part of the text."""

    def types(self, part: int) -> TypeTexts:
        """Return the canonical texts of types in one part of the file."""

    def section_in_libraries(self, symbol: str) -> Section | None:
        """Return the section of a library that has a body for `symbol`."""

    def section_defining(self, index: int, path: Sequence[str]) -> Section | None:
        """Return the section, of this file or a library, that has what ``@a::@b`` means beside a section."""

    def section_beginning(self, index: int, symbol: str) -> Section | None:
        """Return the section beside another one that seems to begin with the definition of `symbol`."""

    def level_symbols(self, index: int, operation_name: str) -> dict[str, None]:
        """Return the symbols beside a section whose definition begins with `operation_name`."""

    def is_called(self, index: int, symbol: str) -> bool:
        """Tell whether an operation beside or in a section hands its operands to ``@symbol``."""

    def is_first(self, index: int, operation_name: str) -> bool:
        """Tell whether no section before this one in its level begins with `operation_name`."""

    def is_defined_before(self, index: int, symbol: str) -> bool:
        """Tell whether a section before this one in its level seems to begin with the definition of `symbol`."""

    def encloses_scripts(self, index: int) -> bool:
        """Tell whether the container whose frame a section is has a script in it."""


class Query(ABC):
    """Something that can be asked for a section of a file."""

    __slots__ = ()
    rests_on_insides: ClassVar[bool] = False
    """True if an edit inside of another section can change the answer though what the section defines is the same."""

    @abstractmethod
    def answer(self, file: QueriedFile, index: int) -> object:
        """Return the answer for the section whose first piece is at `index`."""

    def may_differ(self, asked: Asked, answer: object, changed: Changed) -> bool:
        """Tell whether `answer`, which was given when this was `asked`, may be another one now.

        `changed` is an edit that left all sections and what they define in their places.
        """
        del asked, answer, changed
        return self.rests_on_insides


class Asked(NamedTuple):
    """A question with the section that it was asked for; None stands for the one whose fact rests on it."""

    section: Section | None
    question: Query


class Changed(NamedTuple):
    """What an edit replaced inside of sections."""

    sections: frozenset[int]
    """The identities of the sections that are there no more."""
    called: frozenset[str]
    """The symbols to which other operations hand their operands now, or no more."""
    has_other_calls: bool = True
    """False if each section calls the same as before."""


@dataclass(frozen=True, slots=True)
class Types(Query):
    """What are the canonical texts of types, in which aliases are resolved?"""

    def answer(self, file: QueriedFile, index: int) -> object:  # noqa: D102
        return file.types(file.sections.pieces[index].part)


@dataclass(frozen=True, slots=True)
class Container(Query):
    """Which section is the frame around this one?"""

    def answer(self, file: QueriedFile, index: int) -> object:  # noqa: D102
        return file.sections.pieces[index].frame


@dataclass(frozen=True, slots=True)
class Lookup(Query):
    """Which section has the definition of a symbol, ``@a::@b`` being two of its `path`?"""

    path: tuple[str, ...]
    rests_on_insides: ClassVar[bool] = True

    def answer(self, file: QueriedFile, index: int) -> object:  # noqa: D102
        return file.section_defining(index, self.path)

    def may_differ(self, asked: Asked, answer: object, changed: Changed) -> bool:  # noqa: D102
        return answer is None or id(answer) in changed.sections or id(asked.section) in changed.sections


@dataclass(frozen=True, slots=True)
class LookupInLibraries(Query):
    """Which section of a library has a body for a symbol that is declared?"""

    symbol: str
    rests_on_insides: ClassVar[bool] = True

    def answer(self, file: QueriedFile, index: int) -> object:  # noqa: D102
        del index
        return file.section_in_libraries(self.symbol)

    def may_differ(self, asked: Asked, answer: object, changed: Changed) -> bool:  # noqa: D102
        return answer is None or id(answer) in changed.sections or id(asked.section) in changed.sections


@dataclass(frozen=True, slots=True)
class VisibleSymbols(Query):
    """Which symbols are defined beside this section by operations of a name?"""

    operation_name: str

    def answer(self, file: QueriedFile, index: int) -> object:  # noqa: D102
        return file.level_symbols(index, self.operation_name)


@dataclass(frozen=True, slots=True)
class IsCalled(Query):
    """Does an operation beside this section hand operands to a symbol?"""

    symbol: str
    rests_on_insides: ClassVar[bool] = True

    def answer(self, file: QueriedFile, index: int) -> object:  # noqa: D102
        return file.is_called(index, self.symbol)

    def may_differ(self, asked: Asked, answer: object, changed: Changed) -> bool:  # noqa: D102
        del asked, answer
        return self.symbol in changed.called


@dataclass(frozen=True, slots=True)
class MayCallItself(Query):
    """May a sequence beside this section call itself, as far as names tell?"""

    symbol: str
    rests_on_insides: ClassVar[bool] = True

    def answer(self, file: QueriedFile, index: int) -> object:  # noqa: D102
        return may_call_itself(file, index, self.symbol)

    def may_differ(self, asked: Asked, answer: object, changed: Changed) -> bool:  # noqa: D102
        del asked, answer
        return changed.has_other_calls


@dataclass(frozen=True, slots=True)
class IsFirst(Query):
    """Does no section before this one in its container begin with an operation of a name?"""

    operation_name: str

    def answer(self, file: QueriedFile, index: int) -> object:  # noqa: D102
        return file.is_first(index, self.operation_name)


@dataclass(frozen=True, slots=True)
class IsDefinedBefore(Query):
    """Does a section before this one in its container seem to begin with the definition of a symbol?"""

    symbol: str

    def answer(self, file: QueriedFile, index: int) -> object:  # noqa: D102
        return file.is_defined_before(index, self.symbol)


@dataclass(frozen=True, slots=True)
class EnclosesScripts(Query):
    """Is this section the frame of a container with scripts in it?"""

    def answer(self, file: QueriedFile, index: int) -> object:  # noqa: D102
        return file.encloses_scripts(index)


@dataclass(frozen=True, slots=True)
class IsTemplate(Query):
    """Does something else fill in a part of the file?"""

    rests_on_insides: ClassVar[bool] = True

    def answer(self, file: QueriedFile, index: int) -> object:  # noqa: D102
        del index
        return file.is_template
