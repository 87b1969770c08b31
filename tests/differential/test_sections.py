"""Reading a file section by section and in one piece gives the same, for all texts that MLIR accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle.corpus import corpus
from samples import every
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser.parser import parse
from tdls.syntax.sections.boundaries import SplitMode

if TYPE_CHECKING:
    from oracle.corpus import CorpusModule
    from tdls.syntax.tree import Operation
    from tdls.text.span import FileSpan, Span

CATALOGUE = Catalogue.shipped()
_STRIDE = every(12)


@pytest.fixture(scope="module")
def modules() -> tuple[CorpusModule, ...]:
    return corpus(sample=True)[::_STRIDE]


def test_sections_contain_the_whole_text(modules: tuple[CorpusModule, ...]) -> None:
    for module in modules:
        assert in_sections(module.text) == in_one_piece(module.text), module.text


def test_modules_are_split(modules: tuple[CorpusModule, ...]) -> None:
    sections = [SourceFile.of(module.text, CATALOGUE, split=SplitMode.NEVER).sections.pieces for module in modules]
    assert sum(map(len, sections)) > 3 * len(modules)


def in_one_piece(text: str) -> list[tuple[object, ...]]:
    tree = parse(text, CATALOGUE)
    return sorted(shown(operation, operation.span) for operation in tree.walk())


def in_sections(text: str) -> list[tuple[object, ...]]:
    file = SourceFile.of(text, CATALOGUE, split=SplitMode.NEVER)
    return sorted(
        shown(operation, context.to_file(operation.span))
        for context in file.contexts
        for operation in context.tree.walk()
    )


def shown(operation: Operation, span: Span | FileSpan) -> tuple[object, ...]:
    operands = tuple(use.name for use in operation.operands)
    return (*span, operation.name, operation.form.value, operands, operation.result_count, operation.broken)
