"""Where matches are split by position, and what stands for them."""

from __future__ import annotations

import pytest

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.actions.by_attribute.refusal import NotRewrittenError
from tdls.ide.actions.by_attribute.tags import NameTag
from tdls.ide.actions.by_attribute.written_split import WrittenSplit, split_at

ANY = "!transform.any_op"
MATCH = f'    %all = transform.structured.match ops{{["linalg.fill"]}} in %root\n        : ({ANY}) -> {ANY}\n'
SPLIT = f"    %a, %b = transform.split_handle %all : ({ANY}) -> ({ANY}, {ANY})\n"
BEGIN = f"transform.named_sequence @main(%root: {ANY} {{transform.readonly}}) {{\n"
END = "    transform.yield\n}\n"


def split_in(body: str) -> WrittenSplit:
    text = f"{BEGIN}{body}{END}"
    split = split_at(SourceFile.of(text, Catalogue.shipped()), text.index("split_handle"))
    assert split is not None
    return split


def reason(body: str) -> str:
    with pytest.raises(NotRewrittenError) as raised:
        split_in(body).check()
    return str(raised.value)


def test_it_is_found_at_the_match_and_where_it_is_split() -> None:
    text = f"{BEGIN}{MATCH}{SPLIT}{END}"
    file = SourceFile.of(text, Catalogue.shipped())
    assert [split_at(file, text.index(place)) is not None for place in ("%all =", "%a,", "@main", "yield")] == [
        True, True, False, False,
    ]  # fmt: skip


def test_matches_stand_where_the_match_stood() -> None:
    split = split_in(f"{MATCH}    transform.print %root : {ANY}\n{SPLIT}")
    split.check()
    text = split.context.file.text
    for edit in sorted(
        split.edits([NameTag("tag", "a"), NameTag("tag", "b")]), key=lambda edit: edit.span, reverse=True
    ):
        text = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
    matches = (f'    %{name} = transform.structured.match attributes {{tag = "{name}"}} in %root' for name in "ab")
    typed = "".join(f"{match} : ({ANY}) -> {ANY}\n" for match in matches)
    assert text == f"{BEGIN}{typed}    transform.print %root : {ANY}\n{END}"


def test_a_match_that_something_else_uses_stays() -> None:
    split = split_in(f"{MATCH}{SPLIT}    transform.print %all : {ANY}\n")
    split.check()
    match, removed = split.edits([NameTag("tag", "a"), NameTag("tag", "b")])
    assert match.new_text.startswith(f"{MATCH.strip()}\n    %a = transform.structured.match attributes")
    assert (removed.new_text, split.handles_that_go) == ("", [])


def test_reasons() -> None:
    generic = f'    %all = "transform.structured.match"(%root) <{{ops = ["linalg.fill"]}}> : ({ANY}) -> {ANY}\n{SPLIT}'
    assert reason(generic) == "`transform.structured.match`, as it is written here, cannot ask for attributes"
