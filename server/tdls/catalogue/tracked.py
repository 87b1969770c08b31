"""Catalogues that record their queries, so that a cached result is reused while another catalogue answers the same.

`TrackedCatalogue` records each query with its answer, for results within a process. `ListeningCatalogue` records the
look-ups in the tables of sources as plain text, for results that outlive the process.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable

    from tdls.catalogue.changed_operations import Rename
    from tdls.catalogue.source import CatalogueSource

_T = TypeVar("_T")
_Q = TypeVar("_Q", bound="Callable[..., object]")
CatalogueQuery = tuple["Callable[..., object]", tuple["Hashable", ...]]
"""A query: a function that takes a catalogue, with its further arguments."""


def _recorded(query: _Q) -> _Q:
    """Return a method that puts a query to the whole catalogue, and records it with its answer."""
    return cast("_Q", lambda catalogue, *arguments: catalogue.ask(query, *arguments))


def _recorded_property(name: str) -> Any:
    return property(_recorded(attrgetter(name)))


class TrackedCatalogue(Catalogue):
    """A view of the catalogue `whole` that records each query with its answer.

    Its results are valid for every catalogue that gives the same answers (`RecordedAnswers.are_those_for`).
    """

    __slots__ = ("_answers", "whole")

    def __init__(self, whole: Catalogue, answers: dict[CatalogueQuery, object] | None = None) -> None:
        """`answers` are the answers of `whole` to earlier queries."""
        self.whole = whole
        self._answers = answers if answers is not None else {}

    def ask(self, question: Callable[..., _T], *arguments: Hashable) -> _T:
        """Return the answer of `whole`, and record the query with its answer."""
        query: CatalogueQuery = (question, arguments)
        answer: Any = self._answers.get(query, self)  # `self` stands for no answer
        if answer is self:
            answer = self._answers[query] = self.whole.ask(question, *arguments)
        return answer  # type: ignore[no-any-return]

    def in_place_of(self, answers: RecordedAnswers) -> TrackedCatalogue | None:
        """Return a view of the catalogue of `answers` with the same queries, or None if an answer differs."""
        known = dict(self._answers)
        return TrackedCatalogue(answers.catalogue, known) if answers.are_those_for(known) else None

    @property
    def sources(self) -> tuple[CatalogueSource, ...]:
        return self.whole.sources

    def with_source(self, source: CatalogueSource) -> Catalogue:
        return self.whole.with_source(source)

    def incomplete(self) -> Catalogue:
        return self.whole.incomplete()

    def at(self, target: int | None) -> Catalogue:
        return self.whole.at(target)

    def with_placeholders(self, placeholders: tuple[str, ...]) -> Catalogue:
        return self.whole.with_placeholders(placeholders)

    is_complete: bool = _recorded_property("is_complete")
    target: int | None = _recorded_property("target")
    placeholders: tuple[str, ...] = _recorded_property("placeholders")
    looked_in: tuple[str, ...] = _recorded_property("looked_in")
    counting = _recorded(Catalogue.counting)
    variants = _recorded(Catalogue.variants)
    older = _recorded(Catalogue.older)
    type_variants = _recorded(Catalogue.type_variants)
    attribute_kind_variants = _recorded(Catalogue.attribute_kind_variants)
    lacks = _recorded(Catalogue.lacks)
    pass_variants = _recorded(Catalogue.pass_variants)
    operation_names = _recorded(Catalogue.operation_names)
    type_names = _recorded(Catalogue.type_names)
    attribute_kind_names = _recorded(Catalogue.attribute_kind_names)
    pass_names = _recorded(Catalogue.pass_names)
    dialects = _recorded(Catalogue.dialects)
    renamed = _recorded(Catalogue.renamed)
    uses = _recorded(Catalogue.uses)
    similar = _recorded(Catalogue.similar)


class RecordedAnswers:
    """The answers of a catalogue to the queries of others, each computed once."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._known: dict[CatalogueQuery, object] = {}

    def are_those_for(self, answers: dict[CatalogueQuery, object]) -> bool:
        return all(self._is_same(query, answer) for query, answer in answers.items())

    def _is_same(self, query: CatalogueQuery, answer: object) -> bool:
        known = self._known.get(query, self)
        if known is self:
            question, arguments = query
            known = self._known[query] = self.catalogue.ask(question, *arguments)
        return known is answer or known == answer


Questions = dict[str, dict[str, None]]
"""The subjects of queries by kind of query, in the order in which they were first queried."""
TABLES: Final = ("operations", "types", "attribute_kinds", "passes")
"""The kinds of queries for the variants of a name, called like the tables of sources."""
NAMES_OF: Final = "names of "
"""Prefix of the name of a table: the kind of queries for the names of a dialect."""
DIALECTS, RENAMED, LOOKED_IN, WHOLE = "dialects", "renamed", "looked in", "whole"
"""Kinds of other queries. `WHOLE` is the result of a function of the catalogue; its subject is the function's name."""


class ListeningCatalogue(Catalogue):
    """A catalogue that answers like `whole` and records in `questions` all look-ups in its sources.

    It puts a source without definitions in front of those of `whole`, which sees every look-up.
    """

    __slots__ = ("_recorded_whole", "questions", "whole")

    def __init__(self, whole: Catalogue, noted_as_whole: Container[str]) -> None:
        """Functions in `noted_as_whole`, by `name_of`, are recorded themselves, in place of their look-ups."""
        self.questions: Questions = {}
        self.whole = whole
        self._recorded_whole = noted_as_whole
        super().__init__(
            (*whole.sources, _RecordingSource(self.questions)),
            is_complete=whole.is_complete,
            target=whole.target,
            placeholders=whole.placeholders,
        )

    def ask(self, question: Callable[..., _T], *arguments: Hashable) -> _T:
        name = name_of(question) if not arguments else ""
        if name not in self._recorded_whole:
            return super().ask(question, *arguments)
        _record(self.questions, WHOLE, name)
        return question(self.whole)


def name_of(question: Callable[..., object]) -> str:
    """Return the name of a function that is the same in every process: ``tdls.module:function``."""
    return f"{getattr(question, '__module__', '')}:{getattr(question, '__qualname__', '')}"


class _RecordingSource:
    """A source without definitions that records its look-ups."""

    name = ""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self.operations, self.types, self.attribute_kinds, self.passes = (
            _RecordingTable(table, questions) for table in TABLES
        )

    @property
    def looked_in(self) -> tuple[str, ...]:
        _record(self._questions, LOOKED_IN, "")
        return ()

    def renamed(self, former: str) -> Rename | None:
        _record(self._questions, RENAMED, former)
        return None

    def uses(self, name: str) -> int:  # noqa: ARG002 - all counts are shipped with tdls, whose version is part of keys
        return 0


class _RecordingTable:
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
        _record(self._questions, NAMES_OF + self._table, dialect)
        return ()

    def dialects(self) -> frozenset[str]:
        """Record a query for all names: a caller goes on with the names of each dialect that other tables return."""
        _record(self._questions, DIALECTS, self._table)
        return frozenset()


def _record(questions: Questions, kind: str, subject: str) -> None:
    questions.setdefault(kind, {})[subject] = None
