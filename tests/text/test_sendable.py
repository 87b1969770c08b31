"""Values that are pickled, in compiled form, too."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from tdls.catalogue.model import SourcePlace
from tdls.syntax.parser.assembly.format import Operands, Results, parse_format
from tdls.text.diagnostic import Diagnostic, Fix, Level, Note, TextEdit
from tdls.text.span import FileSpan

FINDING = Diagnostic(
    "a-rule",
    Level.WARNING,
    "a message",
    FileSpan(1, 2),
    notes=(Note("a note", FileSpan(3, 4), Path("a.mlir")),),
    fixes=(Fix("a fix", (TextEdit(FileSpan(1, 2), "text"),), safe=True),),
)


@pytest.mark.parametrize(
    "value",
    [
        FINDING,
        SourcePlace(Path("a.td"), 1, 2),
        Operands(),
        parse_format("$target attr-dict (`a` $a^)? `:` type($target)"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_is_what_it_was(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value


def test_values_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        FINDING.message = "another one"  # type: ignore[misc]


def test_parts_without_fields_are_told_apart() -> None:
    assert len({Operands(), Results(), Operands()}) == 2
