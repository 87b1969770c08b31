"""Checks of sections in another process, without their file.

Most of them are payload, which does not depend on the rest of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.checking.file_findings import findings_of
from tdls.analysis.file.queries import IsDefinedBefore, Types
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.semantic.types import TypeTexts
from tdls.syntax.sections.boundaries import SplitMode
from tdls.syntax.sections.sectioned_text import SectionedText
from tdls.syntax.sections.sections import Section, SectionKind, SectionRange, Surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.file.finding import Finding
    from tdls.analysis.file.queries import Asked as AskedOfFile
    from tdls.catalogue.tracked import Asked as AskedOfCatalogue


class Excerpt(NamedTuple):
    """A section in the form that is sent to another process."""

    text: str
    surroundings: Surroundings
    kind: SectionKind


class ExcerptFindings(NamedTuple):
    """Findings in a section, with the conditions under which they hold.

    They depend on the answers to `asked`, and on no other section before it that defines one of `symbols`.
    """

    findings: tuple[Finding, ...]
    asked: tuple[AskedOfCatalogue, ...]
    symbols: tuple[str, ...] = ()


def look_at_excerpts(excerpts: Sequence[Excerpt], aliases: Sequence[tuple[str, str]]) -> list[ExcerptFindings | None]:
    """Return the findings in each section; None for a section that cannot be checked without its file.

    None also for a section in which a rule fails: it fails again where failures are reported.

    `aliases` are those of the file, as written. Operations are looked up in the catalogue of `use_catalogue`.
    """
    types = TypeTexts(aliases)
    known = _Process.catalogue
    written = [Section(f"{name} = {value}\n", Surroundings(), SectionKind.PLAIN, known) for name, value in aliases]
    return [_look_at(excerpt, written, types) for excerpt in excerpts]


def use_catalogue(catalogue: Catalogue) -> None:
    """Set the catalogue of this process; without a call it is the shipped one."""
    _Process.catalogue = catalogue


class _Process:
    """The catalogue with which this process checks sections."""

    catalogue = Catalogue.shipped()


def _look_at(excerpt: Excerpt, aliases: Sequence[Section], types: TypeTexts) -> ExcerptFindings | None:
    known = _Process.catalogue
    own = Section(excerpt.text, excerpt.surroundings, excerpt.kind, known)
    pieces = [SectionRange(section, 0, len(section.text), None, 0, 0, -1, 0) for section in (*aliases, own)]
    file = SourceFile(SectionedText(pieces, known, SplitMode.NEVER, marked=False), (), {0: types})
    found = findings_of.with_questions(file.context_of(own))
    symbols = {asked: _undefined(asked, answer) for asked, answer in found.asked.items()}
    is_alone = all(isinstance(asked.question, Types) or symbol is not None for asked, symbol in symbols.items())
    names = tuple(symbol for symbol in symbols.values() if symbol is not None)
    is_judged = is_alone and not found.value.failures
    return ExcerptFindings(found.value.found, own.catalogue.asked, names) if is_judged else None


def _undefined(asked: AskedOfFile, answer: object) -> str | None:
    """Return the symbol of an `IsDefinedBefore` question with a negative answer; None for others."""
    return asked.question.symbol if isinstance(asked.question, IsDefinedBefore) and not answer else None
