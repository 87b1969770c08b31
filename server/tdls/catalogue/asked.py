"""A catalogue that notes what it is asked, for whoever keeps what rests on the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

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


class AskedCatalogue(Catalogue):
    """`whole`, as somebody sees it who notes each question with its answer.

    What is found out with it holds with every catalogue that gives the same answers (`CatalogueAnswers.are_those_for`).
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

    def in_place_of(self, answers: CatalogueAnswers) -> AskedCatalogue | None:
        """Return the same questions as asked of another catalogue; None if that answers one of them differently."""
        known = dict(self._answers)
        return AskedCatalogue(answers.catalogue, known) if answers.are_those_for(known) else None

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


class CatalogueAnswers:
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
