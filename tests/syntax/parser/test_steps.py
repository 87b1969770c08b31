"""Damage that is nested or repeated is read in steps that grow with the length of the text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pytest

from steps import steps
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.expected.at_cursor import expected_at
from tdls.syntax.parser.parser import parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.syntax.tree import Tree

MOST_GROWTH = 2.3
"""By which factor steps may grow when the text gets twice as long."""
MOST_STEPS = 3_000_000
"""Most of them search for a slip of the keyboard, which is done in small operations only."""


@dataclass(frozen=True)
class Nested:
    """Operations of which each is in the region of the one before; `opening` has the number of the level for ``N``."""

    opening: str
    closing: str

    def text(self, levels: int, separator: str) -> str:
        opening = separator.join(self.opening.replace("N", str(level)) for level in range(levels))
        return separator.join([opening, '"a.leaf"() : () -> ()', *[self.closing] * levels, ""])


NESTED = {
    "generic, never closed": Nested('"a.bN"() ({', ""),
    "generic, without type": Nested('"a.bN"() ({', "})"),
    "generic, with half a type": Nested('"a.bN"() ({', "}) : () ->"),
    "generic, with a broken dictionary": Nested('"a.bN"() ({', "}) {a = } : () -> ()"),
    "generic, sound": Nested('"a.bN"() ({', "}) : () -> ()"),
    "generic, with two regions": Nested('"a.bN"() ({}, {', "})"),
    "known and generic": Nested('"scf.execute_region"() ({', "}) : () ->"),
    "known functions in the generic form": Nested('"func.func"() ({', "})"),
    "module with junk behind it": Nested("module {", "} : i32"),
    "sequence with junk behind it": Nested("transform.sequence failures(propagate) {", "} : i32"),
    "sequence with an argument that nobody knows": Nested("transform.named_sequence @sN(%a: ) {", "} junk"),
    "function with junk behind it": Nested("func.func @f(%a: i32) {", "} : ()"),
    "loop with junk behind it": Nested("scf.for %iN = %a to %b step %c {", "} : ()"),
    "conditions with a broken second region": Nested("scf.if %a {} else {", "} -> i32"),
    "switch with a broken case": Nested("scf.index_switch %a case 2 {", "}"),
    "alternatives": Nested("transform.alternatives %a : !transform.any_op {} , {", "} junk"),
    "foreach": Nested("transform.foreach %a : !transform.any_op {^bb0(%bN: !t):", "} -> "),
    "expression": Nested("emitc.expression %a : (i32) -> i32 {", "} junk"),
    "unknown, sound": Nested("foreign.op {", "}"),
    "unknown, with arguments": Nested("foreign.for %iN = %a {", "} : (i32"),
    "one after the other": Nested('"a.bN"() ({ "func.func"() ({ module {', "} : i32 }) })"),
}


def grows_linearly(read: Callable[[int], object], size: int) -> bool:
    """Whether it does; tables and facts, which are made once, are made before steps are counted."""
    read(3)
    small, middle, large = (steps(partial(read, times)) for times in (size, 2 * size, 4 * size))
    return large - middle <= MOST_GROWTH * (middle - small)


@pytest.mark.parametrize("separator", [" ", "\n"], ids=["one line", "a line each"])
@pytest.mark.parametrize("production", NESTED.values(), ids=NESTED)
def test_nested_operations_are_read_a_bounded_number_of_times(production: Nested, separator: str) -> None:
    """If each level were read twice, 24 of them would take longer than anybody waits."""
    text = production.text(24, separator)
    parse(production.text(1, separator), Catalogue.shipped())
    assert steps(lambda: parse(text, Catalogue.shipped()), MOST_STEPS) <= MOST_STEPS
    assert steps(lambda: expected_at(text, len(text), Catalogue.shipped()), MOST_STEPS) <= MOST_STEPS


REPEATED = {
    "lines of colons": ": \n",
    "values and colons": "%a : \n",
    "results that are never defined": "%a, %b:2,\n",
    "open types": "(!a.b<",
    "open types of operations": " : (!transform.x.y<",
    "open types on lines": ": (!transform.x.y<\n",
    "arrows": "->()",
    "arrows of types": " : (!p)->()",
}


@pytest.mark.parametrize("head", ["", "a.b ", '"a.b"() : (!p)', "%x = transform.get_parent_op %y : (!p)"])
@pytest.mark.parametrize("repeated", REPEATED.values(), ids=REPEATED)
def test_repeated_elements_are_read_and_completed_in_linear_time(head: str, repeated: str) -> None:
    def complete(times: int) -> None:
        text = head + repeated * times
        expected_at(text, len(text), Catalogue.shipped())

    assert grows_linearly(lambda n: parse(head + repeated * n, Catalogue.shipped()), 700)
    assert grows_linearly(complete, 700)


def names(tree: Tree) -> list[str]:
    return [operation.name for operation in tree.walk()]


def messages(tree: Tree) -> list[str]:
    return [problem.message for problem in tree.problems()]


def test_thousands_of_arrows_or_colons_are_one_error() -> None:
    tree = parse('"a.b"() : (!p)' + "->()" * 5_000 + '\n"a.c"() : () -> ()\n', Catalogue.shipped())
    assert names(tree) == ["a.b", "a.c"]
    assert messages(tree) == ["expected the end of the type, found `->`"]
    assert messages(parse(": \n" * 5_000, Catalogue.shipped())) == ["expected an operation, found `:`"]


@pytest.mark.parametrize(("text", "bracket"), [("func.func private @f(tensor<4xf32)", "<"), ("some.use [1, 2", "[")])
def test_an_unclosed_bracket_is_not_found_in_place_of_itself(text: str, bracket: str) -> None:
    assert messages(parse(text, Catalogue.shipped())) == [f"expected a closing bracket for this `{bracket}`"]


def test_operations_in_nested_damage_are_found_once() -> None:
    """The regions of operations that do not follow their format are kept, with their contents."""
    levels = 20
    tree = parse(NESTED["generic, without type"].text(levels, "\n"), Catalogue.shipped())
    assert names(tree) == [*[f"a.b{level}" for level in range(levels)], "a.leaf"]
    assert len(messages(tree)) == levels


def test_members_of_a_broken_container_are_found_once() -> None:
    tree = parse("module {\n  func.func @f() {\n    return %a %b\n  }\n} : i32\n", Catalogue.shipped())
    member = tree.members[0]
    assert [child.operation.name for child in member.children if child.operation] == ["func.func"]


def test_arguments_of_a_broken_function_keep_their_attributes() -> None:
    head = "transform.named_sequence @s(%a: !transform.any_op {transform.readonly}) {\n  transform.yield\n}"
    (argument,) = next(parse(f"{head} : i32\n", Catalogue.shipped()).walk()).regions[0].blocks[0].arguments
    assert [attribute.name for attribute in argument.attributes] == ["transform.readonly"]
