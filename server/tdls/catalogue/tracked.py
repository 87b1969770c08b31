"""A catalogue that says afterwards what was asked of it, as plain data that outlives the process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable

    from tdls.catalogue.model import (
        AttributeKindDefinition,
        OperationDefinition,
        PassDefinition,
        Rename,
        TypeDefinition,
    )
    from tdls.catalogue.source import CatalogueSource

_T = TypeVar("_T")
Asked = tuple["Callable[..., object]", tuple["Hashable", ...]]
"""A question to a catalogue: a function of it, with what else it is handed."""


class TrackedCatalogue(Catalogue):
    """`whole`, as somebody sees it who notes each question with its answer.

    What is found out with it holds with every catalogue that gives the same answers (`RecordedAnswers.are_those_for`).
    """

    __slots__ = ("_answers", "whole")

    def __init__(self, whole: Catalogue, answers: dict[Asked, object] | None = None) -> None:
        """`answers` are those of `whole` to what was asked before."""
        self.whole = whole
        self._answers = answers if answers is not None else {}

    @property
    def asked(self) -> tuple[Asked, ...]:
        """What was asked so far."""
        return tuple(self._answers)

    def ask(self, question: Callable[..., _T], *arguments: Hashable) -> _T:
        """Return the answer of the whole catalogue, and note that it was asked for."""
        asked: Asked = (question, arguments)
        answer: Any = self._answers.get(asked, self)  # itself is no answer
        if answer is self:
            answer = self._answers[asked] = self.whole.ask(question, *arguments)
        return answer  # type: ignore[no-any-return]

    def in_place_of(self, answers: RecordedAnswers) -> TrackedCatalogue | None:
        """Return the same questions as asked of another catalogue; None if that answers one of them differently."""
        known = dict(self._answers)
        return TrackedCatalogue(answers.catalogue, known) if answers.are_those_for(known) else None

    @property
    def sources(self) -> tuple[CatalogueSource, ...]:  # noqa: D102
        return self.whole.sources

    @property
    def is_complete(self) -> bool:  # type: ignore[override]  # noqa: D102
        return self.ask(_is_complete)

    @property
    def target(self) -> int | None:  # type: ignore[override]  # noqa: D102
        return self.ask(_target)

    @property
    def looked_in(self) -> tuple[str, ...]:  # noqa: D102
        return self.ask(_looked_in)

    def with_source(self, source: CatalogueSource) -> Catalogue:  # noqa: D102
        return self.whole.with_source(source)

    def incomplete(self) -> Catalogue:  # noqa: D102
        return self.whole.incomplete()

    def at(self, target: int | None) -> Catalogue:  # noqa: D102
        return self.whole.at(target)

    def counting(self, name: str) -> tuple[OperationDefinition, ...]:  # noqa: D102
        return self.ask(Catalogue.counting, name)

    def variants(self, name: str) -> tuple[OperationDefinition, ...]:  # noqa: D102
        return self.ask(Catalogue.variants, name)

    def type_variants(self, name: str) -> tuple[TypeDefinition, ...]:  # noqa: D102
        return self.ask(Catalogue.type_variants, name)

    def attribute_kind_variants(self, name: str) -> tuple[AttributeKindDefinition, ...]:  # noqa: D102
        return self.ask(Catalogue.attribute_kind_variants, name)

    def pass_variants(self, name: str) -> tuple[PassDefinition, ...]:  # noqa: D102
        return self.ask(Catalogue.pass_variants, name)

    def operation_names(self, dialect: str | None = None) -> tuple[str, ...]:  # noqa: D102
        return self.ask(Catalogue.operation_names, dialect)

    def type_names(self, dialect: str | None = None) -> tuple[str, ...]:  # noqa: D102
        return self.ask(Catalogue.type_names, dialect)

    def attribute_kind_names(self, dialect: str | None = None) -> tuple[str, ...]:  # noqa: D102
        return self.ask(Catalogue.attribute_kind_names, dialect)

    def pass_names(self) -> tuple[str, ...]:  # noqa: D102
        return self.ask(Catalogue.pass_names)

    def dialects(self) -> frozenset[str]:  # noqa: D102
        return self.ask(Catalogue.dialects)

    def renamed(self, name: str) -> Rename | None:  # noqa: D102
        return self.ask(Catalogue.renamed, name)

    def uses(self, name: str) -> int:  # noqa: D102
        return self.ask(Catalogue.uses, name)

    def similar(self, name: str) -> tuple[str, ...]:  # noqa: D102
        return self.ask(Catalogue.similar, name)


class RecordedAnswers:
    """What a catalogue answers, asked once for each question that others were asked."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._known: dict[Asked, object] = {}

    def are_those_for(self, answers: dict[Asked, object]) -> bool:
        """Tell whether the catalogue gives all these answers."""
        return all(self._is_same(asked, answer) for asked, answer in answers.items())

    def _is_same(self, asked: Asked, answer: object) -> bool:
        known = self._known.get(asked, self)
        if known is self:
            question, arguments = asked
            known = self._known[asked] = self.catalogue.ask(question, *arguments)
        return known is answer or known == answer


def _is_complete(catalogue: Catalogue) -> bool:
    return catalogue.is_complete


def _target(catalogue: Catalogue) -> int | None:
    return catalogue.target


def _looked_in(catalogue: Catalogue) -> tuple[str, ...]:
    return catalogue.looked_in


Questions = dict[str, dict[str, None]]
"""What was asked: by kind, what it was asked about, in the order in which it was first asked."""
TABLES: Final = ("operations", "types", "attribute_kinds", "passes")
"""The kinds of questions for the variants of a name, called like the tables of sources."""
NAMES_OF: Final = "names of "
"""Before the name of a table: the kind of questions for the names of a dialect."""
DIALECTS, RENAMED, LOOKED_IN, WHOLE = "dialects", "renamed", "looked in", "whole"
"""Kinds of other questions. `WHOLE`: what a function with this name makes of the catalogue."""


class ListeningCatalogue(Catalogue):
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
