"""What a section may ask about the file around it. Each question says how it is answered, and what changes its answer.

Questions that are equal have the same answer in one version of a file; answers can be compared between versions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.syntax.sections.sections import Section


class Question(ABC):
    """Something that can be asked for a section of a file."""

    __slots__ = ()
    rests_on_insides: ClassVar[bool] = False
    """True if an edit inside of another section can change the answer though what the section defines is the same."""

    @abstractmethod
    def answer(self, file: SourceFile, index: int) -> object:
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
    question: Question


class Changed(NamedTuple):
    """What an edit replaced inside of sections."""

    sections: frozenset[int]
    """The identities of the sections that are there no more."""
    called: frozenset[str]
    """The symbols to which other operations hand their operands now, or no more."""


@dataclass(frozen=True, slots=True)
class Types(Question):
    """What are the canonical texts of types, in which aliases are resolved?"""

    def answer(self, file: SourceFile, index: int) -> object:  # noqa: D102
        return file.types(file.sections.pieces[index].part)


@dataclass(frozen=True, slots=True)
class Container(Question):
    """Which section is the frame around this one?"""

    def answer(self, file: SourceFile, index: int) -> object:  # noqa: D102
        return file.sections.pieces[index].frame


@dataclass(frozen=True, slots=True)
class Lookup(Question):
    """Which section has the definition of a symbol, ``@a::@b`` being two of its `path`?"""

    path: tuple[str, ...]
    rests_on_insides: ClassVar[bool] = True

    def answer(self, file: SourceFile, index: int) -> object:  # noqa: D102
        found = file.lookup(index, self.path)
        return found.context.section if found is not None else None

    def may_differ(self, asked: Asked, answer: object, changed: Changed) -> bool:  # noqa: D102
        return answer is None or id(answer) in changed.sections or id(asked.section) in changed.sections


@dataclass(frozen=True, slots=True)
class VisibleSymbols(Question):
    """Which symbols are defined beside this section by operations of a name?"""

    operation_name: str

    def answer(self, file: SourceFile, index: int) -> object:  # noqa: D102
        return file.level_symbols(index, self.operation_name)


@dataclass(frozen=True, slots=True)
class IsCalled(Question):
    """Does an operation beside this section hand operands to a symbol?"""

    symbol: str
    rests_on_insides: ClassVar[bool] = True

    def answer(self, file: SourceFile, index: int) -> object:  # noqa: D102
        return file.is_called(index, self.symbol)

    def may_differ(self, asked: Asked, answer: object, changed: Changed) -> bool:  # noqa: D102
        del asked, answer
        return self.symbol in changed.called


@dataclass(frozen=True, slots=True)
class IsFirst(Question):
    """Does no section before this one in its container begin with an operation of a name?"""

    operation_name: str

    def answer(self, file: SourceFile, index: int) -> object:  # noqa: D102
        return file.is_first(index, self.operation_name)


@dataclass(frozen=True, slots=True)
class EnclosesScripts(Question):
    """Is this section the frame of a container with scripts in it?"""

    def answer(self, file: SourceFile, index: int) -> object:  # noqa: D102
        return file.encloses_scripts(index)


@dataclass(frozen=True, slots=True)
class IsTemplate(Question):
    """Does something else fill in a part of the file?"""

    rests_on_insides: ClassVar[bool] = True

    def answer(self, file: SourceFile, index: int) -> object:  # noqa: D102
        del index
        return file.is_template


@dataclass(frozen=True, slots=True)
class PayloadBeside(Question):
    """What payload is written in the same part of the file?"""

    rests_on_insides: ClassVar[bool] = True

    def answer(self, file: SourceFile, index: int) -> object:  # noqa: D102
        return file.written_payload(file.sections.pieces[index].part)
