"""Catalogues that record their queries, so that a cached result is reused while another catalogue answers the same.

`TrackedCatalogue` records each query with its answer, for results within a process. `ListeningCatalogue` records the
look-ups in the tables of sources as plain text, for results that outlive the process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable

    from tdls.catalogue.changed_operations import Rename
    from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, PassDefinition, TypeDefinition
    from tdls.catalogue.source import CatalogueSource

_T = TypeVar("_T")
CatalogueQuery = tuple["Callable[..., object]", tuple["Hashable", ...]]
"""A query: a function that takes a catalogue, with its further arguments."""


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

    @property
    def is_complete(self) -> bool:  # type: ignore[override]
        return self.ask(_is_complete)

    @property
    def target(self) -> int | None:  # type: ignore[override]
        return self.ask(_target)

    @property
    def placeholders(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.ask(_placeholders)

    @property
    def looked_in(self) -> tuple[str, ...]:
        return self.ask(_looked_in)

    def with_source(self, source: CatalogueSource) -> Catalogue:
        return self.whole.with_source(source)

    def incomplete(self) -> Catalogue:
        return self.whole.incomplete()

    def at(self, target: int | None) -> Catalogue:
        return self.whole.at(target)

    def with_placeholders(self, placeholders: tuple[str, ...]) -> Catalogue:
        return self.whole.with_placeholders(placeholders)

    def counting(self, name: str) -> tuple[OperationDefinition, ...]:
        return self.ask(Catalogue.counting, name)

    def variants(self, name: str) -> tuple[OperationDefinition, ...]:
        return self.ask(Catalogue.variants, name)

    def older(self, name: str) -> tuple[OperationDefinition, ...]:
        return self.ask(Catalogue.older, name)

    def type_variants(self, name: str) -> tuple[TypeDefinition, ...]:
        return self.ask(Catalogue.type_variants, name)

    def attribute_kind_variants(self, name: str) -> tuple[AttributeKindDefinition, ...]:
        return self.ask(Catalogue.attribute_kind_variants, name)

    def lacks(self, spelled: str) -> bool:
        return self.ask(Catalogue.lacks, spelled)

    def pass_variants(self, name: str) -> tuple[PassDefinition, ...]:
        return self.ask(Catalogue.pass_variants, name)

    def operation_names(self, dialect: str | None = None) -> tuple[str, ...]:
        return self.ask(Catalogue.operation_names, dialect)

    def type_names(self, dialect: str | None = None) -> tuple[str, ...]:
        return self.ask(Catalogue.type_names, dialect)

    def attribute_kind_names(self, dialect: str | None = None) -> tuple[str, ...]:
        return self.ask(Catalogue.attribute_kind_names, dialect)

    def pass_names(self) -> tuple[str, ...]:
        return self.ask(Catalogue.pass_names)

    def dialects(self) -> frozenset[str]:
        return self.ask(Catalogue.dialects)

    def renamed(self, name: str) -> Rename | None:
        return self.ask(Catalogue.renamed, name)

    def uses(self, name: str) -> int:
        return self.ask(Catalogue.uses, name)

    def similar(self, name: str) -> tuple[str, ...]:
        return self.ask(Catalogue.similar, name)


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


def _is_complete(catalogue: Catalogue) -> bool:
    return catalogue.is_complete


def _target(catalogue: Catalogue) -> int | None:
    return catalogue.target


def _placeholders(catalogue: Catalogue) -> tuple[str, ...]:
    return catalogue.placeholders


def _looked_in(catalogue: Catalogue) -> tuple[str, ...]:
    return catalogue.looked_in


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
