"""A catalogue that says afterwards what was asked of it, as plain data that outlives the process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable

    from tdls.catalogue.model import Rename

_T = TypeVar("_T")
Questions = dict[str, dict[str, None]]
"""What was asked: by kind, what it was asked about, in the order in which it was first asked."""
TABLES: Final = ("operations", "types", "attribute_kinds", "passes")
"""The kinds of questions for the variants of a name, called like the tables of sources."""
NAMES_OF: Final = "names of "
"""Before the name of a table: the kind of questions for the names of a dialect."""
DIALECTS, RENAMED, LOOKED_IN, WHOLE = "dialects", "renamed", "looked in", "whole"
"""Kinds of other questions. `WHOLE`: what a function with this name makes of the catalogue."""


class HeardCatalogue(Catalogue):
    """A catalogue that answers as `whole` does, and notes in `questions` what it is asked, by whatever way.

    A source more is asked before those of `whole`: it knows nothing, and hears every question.
    """

    __slots__ = ("_noted_as_whole", "questions", "whole")

    def __init__(self, whole: Catalogue, noted_as_whole: Container[str]) -> None:
        """Functions in `noted_as_whole`, by `name_of`, are noted themselves, instead of what they ask."""
        self.questions: Questions = {}
        self.whole = whole
        self._noted_as_whole = noted_as_whole
        super().__init__(
            (*whole.sources, _Listener(self.questions)), is_complete=whole.is_complete, target=whole.target
        )

    def ask(self, question: Callable[..., _T], *arguments: Hashable) -> _T:
        """Return what `question` makes of this catalogue."""
        name = name_of(question) if not arguments else ""
        if name not in self._noted_as_whole:
            return super().ask(question, *arguments)
        _note(self.questions, WHOLE, name)
        return question(self.whole)


def name_of(question: Callable[..., object]) -> str:
    """Return what names a function of a module in every process: ``tdls.module:function``."""
    return f"{getattr(question, '__module__', '')}:{getattr(question, '__qualname__', '')}"


class _Listener:
    """A source without definitions that notes what is asked of it."""

    name = ""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self.operations, self.types, self.attribute_kinds, self.passes = (
            _ListeningTable(table, questions) for table in TABLES
        )

    @property
    def looked_in(self) -> tuple[str, ...]:
        _note(self._questions, LOOKED_IN, "")
        return ()

    def renamed(self, former: str) -> Rename | None:
        _note(self._questions, RENAMED, former)
        return None

    def uses(self, name: str) -> int:  # noqa: ARG002 - all counts come with tdls, which is noted otherwise
        return 0


class _ListeningTable:
    def __init__(self, table: str, questions: Questions) -> None:
        self._questions = questions
        self._names: dict[str, None] = {}
        self._table = table

    def variants(self, name: str) -> tuple[Any, ...]:
        if not self._names:
            self._names = self._questions.setdefault(self._table, {})
        self._names[name] = None
        return ()

    def names(self, dialect: str) -> tuple[str, ...]:
        _note(self._questions, NAMES_OF + self._table, dialect)
        return ()

    def dialects(self) -> frozenset[str]:
        """Note that all names may be asked for: who wants to know them asks other tables for those of each dialect."""
        _note(self._questions, DIALECTS, self._table)
        return frozenset()


def _note(questions: Questions, kind: str, about: str) -> None:
    questions.setdefault(kind, {})[about] = None
