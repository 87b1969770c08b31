"""In a long operation, which is read in windows, requests tell what they tell where it is read as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.bindings import BindingDescriptions
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.changes.code_actions import code_actions
from tdls.ide.changes.rename import RenameError, rename
from tdls.ide.cursor.navigation import definition, document_highlight, references
from tdls.ide.hover.hover import hover
from tdls.ide.snapshot import Snapshot
from tdls.limits import EDITED_OPERATION
from tdls.structs import replace
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.limits import Limit

URI = "file:///a.mlir"
STEPS = "".join(f"    %q{n} = arith.mulf %{f'q{n - 1}' if n else 'c'}, %p : f32\n" for n in range(1_000))
TEXT = f"""\
func.func @f(%a: f32, %n: index) -> f32 {{
  %p, %zero = "my.values"(%a) : (f32) -> (f32, index)
  %r = scf.for %i = %zero to %n step %n iter_args(%c = %p) -> (f32) {{
{STEPS}    %last = arith.addf %q500, %q20 : f32
    scf.yield %last : f32
  }}
  return %r : f32
}}
"""


def snapshot_of(text: str, most: Limit | None = None) -> Snapshot:
    file = SourceFile.of(text, Catalogue.shipped(), most=most)
    return Snapshot({URI: file}, file.catalogue, BindingDescriptions.installed())


def in_windows(text: str) -> Snapshot:
    return snapshot_of(text, replace(EDITED_OPERATION, most=300))


@pytest.mark.parametrize("request_at", [definition, references, document_highlight])
@pytest.mark.parametrize("place", ["%q500,", "%q20 :", "%q998, %p", "%p :", "%c, ", "%zero to", "%r :", "%n step"])
def test_values_are_those_of_the_whole(request_at: Callable[[Snapshot, str, int], object], place: str) -> None:
    at = TEXT.index(place) + 1
    assert request_at(in_windows(TEXT), URI, at) == request_at(snapshot_of(TEXT), URI, at) != []


def test_values_are_described_and_not_renamed_in_part() -> None:
    at = TEXT.index("%q998, ") + 1
    shown = hover(in_windows(TEXT), URI, at)
    assert shown is not None
    assert "arith.mulf %q997" in shown.markdown
    with pytest.raises(RenameError, match="only the beginning is read"):
        rename(in_windows(TEXT), URI, at, "%other")


@pytest.mark.parametrize(("old", "new"), [("%q997, %p", "%qq997, %p"), ("addf %q500", "adf %q500")])
def test_repairs_are_those_of_the_whole(old: str, new: str) -> None:
    text = TEXT.replace(old, new, 1)
    place = FileSpan(text.index(new), text.index(new) + 1)
    repairs, others = (
        [(each.title, each.edits) for each in code_actions(snapshot, URI, place) if each.finding is not None]
        for snapshot in (in_windows(text), snapshot_of(text))
    )
    assert repairs == others != []
