"""Questions of a section about the file around it.

Each question knows how to answer itself, and which edits change its answer. It has the same answer about a name in one
version of a file; answers can be compared between versions.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from tdls.analysis.file.prefilter import mentions_transform
from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.structs import NamedTuple
from tdls.syntax.layout import from_code_on
from tdls.syntax.parser.asm_parser import DefinitionFact
from tdls.syntax.sections.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.analysis.file.source_file import NamedLibraries, SourceFile
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.types import TypeTexts
    from tdls.syntax.sections.sections import Section

_Level = tuple[int, int]
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


class Query(NamedTuple):
    """A question that a context has put to its file."""

    section: Section | None
    """The section that it is put for; None stands for that of the fact that depends on the answer."""
    question: Question[Any]
    about: object
    """The name that it is about, or None."""


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
    of: object = ""


ANYTHING: Final = Change(ChangeKind.ANYTHING)
"""A change that every edit makes."""


class Question(Generic[_T]):
    """A question about the file around a section, or about a name in it."""

    __slots__ = ("answer", "rests_on")

    def __init__(
        self,
        answer: Callable[[SourceFile, int, Any], _T],
        rests_on: Callable[[Query, object], tuple[Change, ...]] = lambda *_: (),
    ) -> None:
        self.answer: Final = answer
        """Returns the answer for the section whose first piece has an index, and a name."""
        self.rests_on: Final = rests_on
        """Returns the changes inside sections that may lead to another answer than one that was given.

        None, unless the answer depends on more than where sections are and what they define.
        """


def on_any_edit(query: Query, answer: object) -> tuple[Change, ...]:
    """Return the change that any edit makes, for questions about text anywhere in the file."""
    del query, answer
    return (ANYTHING,)


def _on_definition(query: Query, answer: object) -> tuple[Change, ...]:
    """Return the changes that may give a name another definition: any, while `answer` says that it has none."""
    sections = (answer, query.section)
    return tuple(Change(ChangeKind.SECTION, id(each)) for each in sections) if answer is not None else (ANYTHING,)


TYPES: Final[Question[TypeTexts]] = Question(lambda file, index, _: file.types(file.sections.pieces[index].part))
"""Which canonical texts do types have, with aliases resolved?"""
ARE_ALIASES_DEFINED: Final = Question(lambda file, index, names: file.defines_aliases(index, names))
"""Do sections before this one in its part define all aliases with these names?"""
ALIAS_DEFINITION: Final = Question(lambda file, index, name: file.section_defining_alias(index, name), _on_definition)
"""Which section of this one's part has the first definition of an alias?"""
CONTAINER: Final[Question[Section | None]] = Question(lambda file, index, _: file.sections.pieces[index].frame)
"""Which section is the frame around this one?"""
LOOKUP: Final = Question(lambda file, index, path: file.section_defining(index, path), _on_definition)
"""Which section has the definition of the symbol with this name (``@a::@b`` has two elements)?"""
LOOKUP_IN_LIBRARIES: Final = Question(lambda file, _, symbol: file.section_in_libraries(symbol))
"""Which section of a library has a body for a symbol that is declared?"""
NAMED_LIBRARIES: Final[Question[NamedLibraries]] = Question(lambda file, *_: file.named_libraries)
"""Which libraries do comments of the file and settings name, and which files are these?"""
LIBRARY_DEFINITIONS: Final = Question(lambda file, _, symbol: file.library_definitions(symbol))
"""Which sections of libraries define a symbol?"""
VISIBLE_SYMBOLS: Final = Question(lambda file, index, operation: file.level_symbols(index, operation))
"""Which symbols in this section's level do operations with a given name define?"""
IS_CALLED: Final = Question(
    lambda file, index, symbol: file.is_called(index, symbol),
    lambda query, _: (Change(ChangeKind.CALLED, query.about),),
)
"""Does an operation in this section's level pass operands to a symbol?"""
USED_AS_MATCHER: Final = Question(
    lambda file, index, symbol: file.section_using_matcher(index, symbol),
    lambda query, answer: (Change(ChangeKind.SECTION, id(answer)), Change(ChangeKind.MATCHER, query.about)),
)
"""Which section in this section's level is the first that uses a symbol as a matcher?"""
MAY_CALL_ITSELF: Final = Question(may_call_itself, lambda *_: (Change(ChangeKind.CALLS),))
"""May a sequence in this section's level call itself, judged by names?"""
IS_FIRST: Final = Question(lambda file, index, operation: file.is_first(index, operation))
"""Does no section before this one in its container begin with an operation of a name?"""
IS_DEFINED_BEFORE: Final = Question(lambda file, index, symbol: file.is_defined_before(index, symbol))
"""Does a section before this one in its container seem to begin with the definition of a symbol?"""
ENCLOSES_SCRIPTS: Final = Question(lambda file, index, _: file.encloses_scripts(index))
"""Is this section the frame of a container with scripts in it?"""
MAY_DEFINE: Final = Question(lambda file, _, symbol: file.may_define(symbol), on_any_edit)
"""May text anywhere in the file define a symbol, in a form that is not read, or in another symbol table?"""
IS_TEMPLATE: Final[Question[bool]] = Question(lambda file, *_: file.is_template, on_any_edit)
"""Does the file have placeholders that another program replaces?"""
HAS_OPERATIONS: Final = Question(lambda file, *_: file.has_operations, on_any_edit)
"""Does the file have an operation with a name?"""
HAS_SCRIPTS_WITHOUT: Final = Question(lambda file, _, sequence: file.has_scripts_without(sequence), on_any_edit)
"""Does the file have operations of scripts, and no named sequence of a name?"""
SEQUENCES: Final[Question[frozenset[str]]] = Question(lambda file, *_: file.sequences, on_any_edit)
"""What are the names of the file's named sequences, and does it have another sequence?"""
