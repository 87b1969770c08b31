"""Questions of a section about the file around it.

Each question knows how to answer itself, and which edits change its answer. Equal questions have the same answer in one
version of a file; answers can be compared between versions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from tdls.analysis.file.prefilter import mentions_transform
from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.structs import NamedTuple
from tdls.syntax.layout import from_code_on
from tdls.syntax.parser.asm_parser import DefinitionFact
from tdls.syntax.sections.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.model import OperationDefinition
    from tdls.syntax.sections.sections import Section

_Level = tuple[int, int]
_Name = TypeVar("_Name")
_T = TypeVar("_T")


class CallsByName(NamedTuple):
    """The symbols that operations in a section call."""

    symbols: tuple[str, ...] = ()
    is_plain: bool = True
    """False if the section may call or define more than the names of its level show."""


@Fact
def calls_by_name(section: Section) -> CallsByName:
    """Return the symbols that a section calls."""
    if not mentions_transform(section):
        return CallsByName()
    known = ((operation, operation.definition) for operation in section.tree.walk())
    calls = (operation for operation, definition in known if definition is not None and _calls(definition))
    symbols = dict.fromkeys(use.path[0] for call in calls for use in call.symbols[:1])
    return CallsByName(tuple(symbols), _is_plain(section))


@Fact
def _is_plain(section: Section) -> bool:
    """Tell, without parsing, whether no symbol is defined in the generic form or referred to in another symbol.

    A section of an uneven layout may define several sequences; only the first one is found by its name.
    """
    if not mentions_transform(section):
        return True
    text = from_code_on(section.text)
    return not ("sym_name" in text or "::@" in text) and text.find(NAMED_SEQUENCE, text.find("\n") + 1) < 0


@DefinitionFact
def _calls(definition: OperationDefinition) -> bool:
    return "CallOpInterface" in definition.traits


@Fact
def _names_tell(file: SourceFile) -> bool:
    return all(_is_plain(piece.section) for piece in file.sections.pieces if piece.begins_section)


@Fact
def _known(file: SourceFile) -> dict[_Level, dict[str, bool]]:
    """Cache of `may_call_itself`, by level and symbol."""
    del file
    return {}


def may_call_itself(file: SourceFile, index: int, symbol: str) -> bool:
    """Whether the sequence `symbol` in the level of piece `index` may call itself, directly or through others.

    Only sections that it may call are read, each once in a version of a file.
    """
    if not _names_tell(file):
        return True
    piece = file.sections.pieces[index]
    known = _known(file).setdefault((id(piece.frame), piece.part), {})
    if symbol not in known:
        known.update(in_circles(lambda name: _callees(file, index, name), symbol, known))
    return known[symbol]


def _callees(file: SourceFile, index: int, symbol: str) -> Sequence[str]:
    section = file.section_beginning(index, symbol)
    return calls_by_name(section).symbols if section is not None else ()


class _Visit(NamedTuple):
    """A symbol on the search path, with the callees that are left to visit."""

    symbol: str
    left: Iterator[str]


def in_circles(callees: Callable[[str], Sequence[str]], first: str, known: dict[str, bool]) -> dict[str, bool]:
    """Return for all that `first` reaches beyond `known` whether it is in a circle (Tarjan, without recursion)."""
    circular: dict[str, bool] = {}
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
                circular[symbol] = is_circle
                while (last := stack.pop()) != symbol:
                    circular[last] = is_circle
        elif callee == symbol:
            calls_itself.add(symbol)
        elif callee in known or callee in circular:
            continue
        elif callee in number:
            lowest[symbol] = min(lowest[symbol], number[callee])
        else:
            number[callee] = lowest[callee] = len(number)
            stack.append(callee)
            visits.append(_Visit(callee, iter(callees(callee))))
    return circular


class Query(ABC):
    """A question about the file around a section."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    @abstractmethod
    def answer(self, file: SourceFile, index: int) -> object:
        """Return the answer for the section whose first piece is at `index`."""

    def rests_on(self, query: RecordedQuery, answer: object) -> tuple[Change, ...]:
        """Return the changes inside sections that may lead to another answer than `answer`, given to `query`.

        None, unless the answer depends on more than where sections are and what they define.
        """
        del query, answer
        return ()


class QueryAbout(Query, Generic[_Name]):
    """A question about one name, or several, in the file around a section."""

    __slots__ = ("name",)

    def __init__(self, name: _Name) -> None:
        self.name: Final = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QueryAbout) and type(other) is type(self) and bool(other.name == self.name)

    def __hash__(self) -> int:
        return hash((type(self), self.name))


class RecordedQuery(NamedTuple):
    """A question with its section; None stands for the section of the fact that depends on it."""

    section: Section | None
    question: Query


class ChangeKind(Enum):
    """What an edit that leaves all sections and their definitions in place does."""

    ANYTHING = auto()
    SECTION = auto()
    """It replaces the section with this identity."""
    CALLED = auto()
    """The symbol gains or loses a call."""
    CALLS = auto()
    """A section calls other symbols than before."""
    MATCHER = auto()
    """A section that the edit touches uses the symbol as a matcher."""


class Change(NamedTuple):
    """A part of what an edit inside sections does."""

    kind: ChangeKind
    of: int | str = ""


ANYTHING: Final = Change(ChangeKind.ANYTHING)
"""A change that every edit makes."""


class Types(Query):
    """Which canonical texts do types have, with aliases resolved?"""

    def answer(self, file: SourceFile, index: int) -> object:
        return file.types(file.sections.pieces[index].part)


class AreAliasesDefined(QueryAbout[frozenset[str]]):
    """Do sections before this one in its part define all aliases with these names?"""

    def answer(self, file: SourceFile, index: int) -> object:
        return file.defines_aliases(index, self.name)


def _of_definition(query: RecordedQuery, answer: object) -> tuple[Change, ...]:
    """Return the changes that may give a name another definition: any, while `answer` says that it has none."""
    sections = (answer, query.section)
    return tuple(Change(ChangeKind.SECTION, id(each)) for each in sections) if answer is not None else (ANYTHING,)


class AliasDefinition(QueryAbout[str]):
    """Which section of this one's part has the first definition of an alias?"""

    def answer(self, file: SourceFile, index: int) -> object:
        return file.section_defining_alias(index, self.name)

    def rests_on(self, query: RecordedQuery, answer: object) -> tuple[Change, ...]:
        return _of_definition(query, answer)


class Container(Query):
    """Which section is the frame around this one?"""

    def answer(self, file: SourceFile, index: int) -> object:
        return file.sections.pieces[index].frame


class Lookup(QueryAbout[tuple[str, ...]]):
    """Which section has the definition of the symbol with this name (``@a::@b`` has two elements)?"""

    def answer(self, file: SourceFile, index: int) -> object:
        return file.section_defining(index, self.name)

    def rests_on(self, query: RecordedQuery, answer: object) -> tuple[Change, ...]:
        return _of_definition(query, answer)


class LookupInLibraries(QueryAbout[str]):
    """Which section of a library has a body for a symbol that is declared?"""

    def answer(self, file: SourceFile, index: int) -> object:
        del index
        return file.section_in_libraries(self.name)


class NamedLibraries(Query):
    """Which libraries do comments of the file and settings name, and which files are these?"""

    def answer(self, file: SourceFile, index: int) -> object:
        del index
        return file.named_libraries


class LibraryDefinitions(QueryAbout[str]):
    """Which sections of libraries define a symbol?"""

    def answer(self, file: SourceFile, index: int) -> object:
        del index
        return file.library_definitions(self.name)


class VisibleSymbols(QueryAbout[str]):
    """Which symbols in this section's level do operations with a given name define?"""

    def answer(self, file: SourceFile, index: int) -> object:
        return file.level_symbols(index, self.name)


class IsCalled(QueryAbout[str]):
    """Does an operation in this section's level pass operands to a symbol?"""

    def answer(self, file: SourceFile, index: int) -> object:
        return file.is_called(index, self.name)

    def rests_on(self, query: RecordedQuery, answer: object) -> tuple[Change, ...]:
        del query, answer
        return (Change(ChangeKind.CALLED, self.name),)


class UsedAsMatcher(QueryAbout[str]):
    """Which section in this section's level is the first that uses a symbol as a matcher?"""

    def answer(self, file: SourceFile, index: int) -> object:
        return file.section_using_matcher(index, self.name)

    def rests_on(self, query: RecordedQuery, answer: object) -> tuple[Change, ...]:
        del query
        return Change(ChangeKind.SECTION, id(answer)), Change(ChangeKind.MATCHER, self.name)


class MayCallItself(QueryAbout[str]):
    """May a sequence in this section's level call itself, judged by names?"""

    def answer(self, file: SourceFile, index: int) -> object:
        return may_call_itself(file, index, self.name)

    def rests_on(self, query: RecordedQuery, answer: object) -> tuple[Change, ...]:
        del query, answer
        return (Change(ChangeKind.CALLS),)


class IsFirst(QueryAbout[str]):
    """Does no section before this one in its container begin with an operation of a name?"""

    def answer(self, file: SourceFile, index: int) -> object:
        return file.is_first(index, self.name)


class IsDefinedBefore(QueryAbout[str]):
    """Does a section before this one in its container seem to begin with the definition of a symbol?"""

    def answer(self, file: SourceFile, index: int) -> object:
        return file.is_defined_before(index, self.name)


class EnclosesScripts(Query):
    """Is this section the frame of a container with scripts in it?"""

    def answer(self, file: SourceFile, index: int) -> object:
        return file.encloses_scripts(index)


class QueryAboutAll(Query):
    """A question whose answer any edit may change."""

    def rests_on(self, query: RecordedQuery, answer: object) -> tuple[Change, ...]:
        del query, answer
        return (ANYTHING,)


class MayDefine(QueryAboutAll, QueryAbout[str]):
    """May text anywhere in the file define a symbol, in a form that is not read, or in another symbol table?"""

    def answer(self, file: SourceFile, index: int) -> object:
        del index
        return file.may_define(self.name)


class IsTemplate(QueryAboutAll):
    """Does the file have placeholders that another program replaces?"""

    def answer(self, file: SourceFile, index: int) -> object:
        del index
        return file.is_template


class HasOperations(QueryAboutAll):
    """Does the file have an operation with a name?"""

    def answer(self, file: SourceFile, index: int) -> object:
        del index
        return file.has_operations


class HasScriptsWithout(QueryAboutAll, QueryAbout[str]):
    """Does the file have operations of scripts, and no named sequence of a name?"""

    def answer(self, file: SourceFile, index: int) -> object:
        del index
        return file.has_scripts_without(self.name)


class BindsTrailingArguments(QueryAboutAll):
    """Does the file name the option that binds further arguments of the entry point, as in a ``RUN:`` line?"""

    def answer(self, file: SourceFile, index: int) -> object:
        del index
        return file.binds_trailing_arguments
