"""Checks of sections in another process, without their file.

Most of them are payload, which does not depend on the rest of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.checking.file_findings import findings_of
from tdls.analysis.file.queries import AreAliasesDefined, IsDefinedBefore, Types
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.semantic.types import TypeTexts
from tdls.syntax.sections.boundaries import SplitMode
from tdls.syntax.sections.sectioned_text import SectionedText
from tdls.syntax.sections.sections import Section, SectionKind, SectionRange, Surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.file.finding import Finding
    from tdls.analysis.file.queries import Query
    from tdls.catalogue.tracked import CatalogueQuery


class Excerpt(NamedTuple):
    """A section in the form that is sent to another process."""

    text: str
    surroundings: Surroundings
    kind: SectionKind


class ExcerptFindings(NamedTuple):
    """Findings in a section, with the conditions under which they hold.

    They depend on the answers to `queries`, and on those that `presumed` gives to questions about the file.
    """

    findings: tuple[Finding, ...]
    queries: tuple[CatalogueQuery, ...]
    presumed: tuple[tuple[Query, object], ...] = ()
    """That no section before it defines some symbols, and that sections before it define the aliases it uses."""


def check_excerpts(excerpts: Sequence[Excerpt], aliases: Sequence[tuple[str, str]]) -> list[ExcerptFindings | None]:
    """Return the findings in each section; None for a section that cannot be checked without its file.

    None also for a section in which a rule fails: it fails again where failures are reported.

    `aliases` are those of the file, as written. Operations are looked up in the catalogue of `use_catalogue`.
    """
    types = TypeTexts(aliases)
    known = _Process.catalogue
    written = [Section(f"{name} = {value}\n", Surroundings(), SectionKind.PLAIN, known) for name, value in aliases]
    return [_check(excerpt, written, types) for excerpt in excerpts]


def use_catalogue(catalogue: Catalogue) -> None:
    """Set the catalogue of this process; without a call it is the shipped one."""
    _Process.catalogue = catalogue


class _Process:
    """The catalogue with which this process checks sections."""

    catalogue = Catalogue.shipped()


def _check(excerpt: Excerpt, aliases: Sequence[Section], types: TypeTexts) -> ExcerptFindings | None:
    known = _Process.catalogue
    own = Section(excerpt.text, excerpt.surroundings, excerpt.kind, known)
    pieces = [SectionRange(section, 0, len(section.text), None, 0, 0, -1, 0) for section in (*aliases, own)]
    file = SourceFile(SectionedText(pieces, known, SplitMode.NEVER, marked=False), (), {0: types})
    found = findings_of.with_questions(file.context_of(own))
    about_file = [(query.question, answer) for query, answer in found.answers.items()]
    presumed = tuple(
        (question, answer)
        for question, answer in about_file
        if (isinstance(question, IsDefinedBefore) and not answer)
        or (isinstance(question, AreAliasesDefined) and answer)
    )
    is_alone = sum(isinstance(question, Types) for question, _ in about_file) + len(presumed) == len(about_file)
    is_judged = is_alone and not found.value.failures
    return ExcerptFindings(found.value.found, own.catalogue.queries, presumed) if is_judged else None
