"""Which sequences of a file only match."""

from __future__ import annotations

import pytest

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.meaning.matchers import matcher_names
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.sections.boundaries import SplitMode

CATALOGUE = Catalogue.shipped()
ANY = "!transform.any_op"


def sequence(name: str, *lines: str) -> str:
    body = "".join(f"    {line}\n" for line in (*lines, "transform.yield"))
    return f"  transform.named_sequence @{name}(%a: {ANY} {{transform.readonly}}) {{\n{body}  }}\n"


def include(name: str) -> str:
    return f"transform.include @{name} failures(propagate) (%a) : ({ANY}) -> ()"


SCRIPT = (
    "module attributes {transform.with_named_sequence} {\n"
    + sequence("main", f"transform.foreach_match in %a @asked -> @acts : ({ANY}) -> {ANY}", include("helps"))
    + sequence("asked", include("asked_by_asked"))
    + sequence("asked_by_asked", include("asked"), include("elsewhere"))
    + sequence("acts", include("helps"))
    + sequence("helps")
    + "}\n"
)


@pytest.mark.parametrize("split", [SplitMode.AUTO, SplitMode.ALWAYS, SplitMode.NEVER])
def test_sequences_that_matchers_include_are_matchers(split: SplitMode) -> None:
    assert matcher_names(SourceFile.of(SCRIPT, CATALOGUE, split=split)) == {"asked", "asked_by_asked", "elsewhere"}


def test_all_parts_of_a_file_count() -> None:
    other = sequence("asked", include("of_other_part"))
    file = SourceFile.of(f"{SCRIPT}// -----\n{other}", CATALOGUE, split=SplitMode.ALWAYS)
    assert matcher_names(file) == {"asked", "asked_by_asked", "elsewhere", "of_other_part"}


def test_nothing_matches_where_nothing_asks() -> None:
    assert matcher_names(SourceFile.of(SCRIPT.replace("foreach_match", "other"), CATALOGUE)) == frozenset()
