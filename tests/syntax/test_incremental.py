"""Reading only what an edit touches gives what reading everything gives."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from syntax.tree_dump import dump
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.incremental import reparse
from tdls.syntax.parser import parse
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.syntax.tree import Member

SCRIPT = """\
// A library and an entry point.
!any = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @first(%root: !any {transform.readonly}) -> !any {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
    transform.yield %0 : !any
  }

  // The middle.
  transform.named_sequence @second(%root: !any {transform.readonly}) {
    transform.foreach %root : !any {
    ^bb0(%each: !any):
      transform.my.annotate %each { level = 3 : i64 } : !any
    }
    transform.yield
  }
  func.func private @payload(%arg0: memref<?xf32>) -> index
  module @nested {
    func.func @inner(%n: index) {
      scf.for %i = %n to %n step %n {
        "any.thing"(%i) : (index) -> ()
      }
      return
    }
  } loc(unknown)
}
"""
SNIPPETS = (
    "{", "}", "(", ")", "<", ">", "\n", " ", ":", ",", "=", '"', "//", "// x\n", "%0", "%0 = ", "^bb0:", "-> i32",
    "transform.yield", "func.func @f() { return }", "#a = 1\n", "loc(unknown)", "module {", '"a.b"() : () -> ()',
)  # fmt: skip


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue.shipped()


@pytest.mark.parametrize("seed", range(40))
def test_random_edits_give_the_tree_of_the_whole_text(seed: int, catalogue: Catalogue) -> None:
    random = Random(seed)
    tree = parse(SCRIPT, catalogue)
    for _ in range(6):
        start = random.randrange(len(tree.text) + 1)
        span = Span(start, min(len(tree.text), start + random.choice((0, 0, 1, 2, 5, 30))))
        tree = reparse(tree, span, random.choice(SNIPPETS), catalogue)
        assert dump(tree) == dump(parse(tree.text, catalogue)), tree.text


def test_an_edit_in_one_member_leaves_the_others_alone(catalogue: Catalogue) -> None:
    before = parse(SCRIPT, catalogue)
    place = SCRIPT.index("level = 3") + len("level = ")
    after = reparse(before, Span(place, place + 1), "42", catalogue)
    old, new = list(_leaves(before.members)), list(_leaves(after.members))
    changed = [index for index, (a, b) in enumerate(zip(old, new, strict=True)) if a is not b]
    assert [_symbol(new[index]) for index in changed] == ["second"]


def test_an_edit_in_a_nested_module_reaches_only_its_member(catalogue: Catalogue) -> None:
    before = parse(SCRIPT, catalogue)
    place = SCRIPT.index("any.thing")
    after = reparse(before, Span(place, place), "m", catalogue)
    old, new = list(_leaves(before.members)), list(_leaves(after.members))
    changed = [index for index, (a, b) in enumerate(zip(old, new, strict=True)) if a is not b]
    assert [_symbol(new[index]) for index in changed] == ["inner"]


def _symbol(member: Member) -> str | None:
    return member.operation.symbol_name if member.operation is not None else None


def _leaves(members: Sequence[tuple[int, Member]]) -> Iterator[Member]:
    for _, member in members:
        if member.children:
            yield from _leaves(member.children)
        else:
            yield member
