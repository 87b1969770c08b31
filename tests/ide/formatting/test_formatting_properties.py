"""Formatting changes white space only, twice is as good as once, and MLIR's output stays as it is, for every text."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.corpus import CorpusModule, corpus
from oracle.downstream_scripts import SCRIPTS
from oracle.payload_modules import seeds
from oracle.spelling import tokens
from oracle.transform_modules import scripts
from samples import some
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.formatting.formatter import applied
from tdls.ide.formatting.formatting import format_file, format_range
from tdls.syntax.layout import comments
from tdls.syntax.parser.parser import parse
from tdls.syntax.scanner import scan
from tdls.text.positions import LineIndex
from tdls.text.span import FileSpan
from tools_at_hand import require_mlir_opt

NOT_PRINTED = ("as written", "other spelling", "candidate")
EVERY = 9
"""Of the oracle's modules, one in this many is formatted: neighbours in the corpus have nothing in common."""
GAPS = ("", " ", "  ", "    ", "\t", "\n", "\n\n\n\n  ", "\r\n ", " // a note {\n", "\n// a line, %x = 1\n")


@cache
def catalogue() -> Catalogue:
    return Catalogue.shipped()


@cache
def real_texts() -> tuple[str, ...]:
    downstream = (file.read_text(encoding="utf-8") for file in sorted(SCRIPTS.glob("*.mlir")))
    return (*(text for _, text in [*scripts(), *seeds()]), *downstream)


def formatted(text: str, width: int = 0) -> str:
    return applied(text, format_file(SourceFile.of(text, catalogue()), width=width))


def spelled(text: str) -> list[str]:
    scanned = scan(text)
    return [text[start:end] for start, end in zip(scanned.starts, scanned.ends, strict=True)]


def check(text: str, width: int = 0) -> None:
    result = formatted(text, width)
    assert spelled(result) == spelled(text)
    assert [comment.text.rstrip() for comment in comments(result)] == [
        comment.text.rstrip() for comment in comments(text)
    ]
    assert formatted(result, width) == result


def shaken(text: str, random: Random) -> str:
    """Return `text` with other white space where tokens allow it."""
    pieces = tokens(text)
    odds = random.choice((0.02, 0.2, 0.6))
    return "".join(
        random.choice(GAPS) or " " if piece.isspace() and random.random() < odds else piece for piece in pieces
    )


def damaged(text: str, random: Random) -> str:
    """Return `text` without some of its tokens, and with some twice."""
    pieces = tokens(text)
    for _ in range(random.randrange(1, 5)):
        place = random.randrange(len(pieces))
        pieces[place : place + random.randrange(3)] = [random.choice(pieces)] * random.randrange(2)
    return "".join(pieces)


@given(st.integers(0, 2**32))
def test_white_space_only_and_idempotent(seed: int) -> None:
    random = Random(seed)
    check(shaken(random.choice(real_texts()), random), random.choice((0, 40, 80)))


@given(st.integers(0, 2**32))
def test_damaged_texts(seed: int) -> None:
    random = Random(seed)
    check(damaged(shaken(random.choice(real_texts()), random), random), random.choice((0, 40, 80)))


@given(st.text(alphabet='{}()[]<>,:=->^%#!@"/ \n\r\tab0.', max_size=60))
@settings(max_examples=some(300))
def test_any_text(text: str) -> None:
    check(text)


@given(st.integers(0, 2**32))
def test_a_range_changes_only_its_lines(seed: int) -> None:
    random = Random(seed)
    text = shaken(random.choice(real_texts()), random)
    start, end = sorted(random.randrange(len(text)) for _ in range(2))
    index = LineIndex(text)
    first = index.offset(index.position(start)._replace(column=0))
    last_line = index.position(max(end - 1, start)).line
    last = (
        len(text)
        if last_line + 1 >= index.line_count
        else index.offset(index.position(start)._replace(line=last_line + 1, column=0))
    )
    edits = format_range(SourceFile.of(text, catalogue()), FileSpan(start, end))
    for edit in edits:
        assert first <= edit.span.start <= edit.span.end <= last
    assert spelled(applied(text, edits)) == spelled(text)


@given(st.integers(0, 2**32))
def test_the_range_of_all_is_the_document(seed: int) -> None:
    random = Random(seed)
    file = SourceFile.of(shaken(random.choice(real_texts()), random), catalogue())
    assert format_range(file, FileSpan(0, file.length)) == format_file(file)


@cache
def printed() -> list[CorpusModule]:
    modules = corpus(sample=True)[::EVERY]
    return [module for module in modules if not any(kind in module.kind for kind in NOT_PRINTED)]


def without_extra_blanks(text: str) -> str:
    """MLIR's printers leave blanks where an optional part is missing, and some lack one before a brace."""
    return re.sub(r"(?<=\S) +(?=\{)|(?<= ) (?=\S)|[ \t]+$", "", text, flags=re.MULTILINE).rstrip("\n")


@pytest.mark.sample
def test_output_of_mlir_is_formatted() -> None:
    require_mlir_opt(22)
    assert len(printed()) > 300
    for module in printed():
        assert without_extra_blanks(formatted(module.text)) == without_extra_blanks(module.text), module.title


def test_formatted_text_has_the_same_structure() -> None:
    for text in real_texts():
        before, after = parse(text, catalogue()), parse(formatted(text), catalogue())
        assert [operation.name for operation in before.walk()] == [operation.name for operation in after.walk()]
        assert len(list(before.problems())) == len(list(after.problems()))
