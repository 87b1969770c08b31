"""Plain data as text: equal values have equal texts, and different values have different ones."""

from __future__ import annotations

import re

from tdls.caching.digest import spelled
from tdls.catalogue.model import Arity, HandleEffect, OperandDefinition, OperationDefinition
from tdls.structs import replace

OPERATION = OperationDefinition(
    "a.b", (OperandDefinition("x"),), traits=frozenset({"One", "Two", "Three"}), summary="s"
)


def test_sets_are_spelled_in_one_order() -> None:
    assert len({spelled(replace(OPERATION, traits=frozenset(order))) for order in (("a", "b"), ("b", "a"))}) == 1


def test_each_field_counts_that_is_not_left_out() -> None:
    changed = [
        replace(OPERATION, name="a.c"),
        replace(OPERATION, operands=()),
        replace(OPERATION, operands=(OperandDefinition("x", arity=Arity.OPTIONAL),)),
        replace(OPERATION, operands=(OperandDefinition("x", effect=HandleEffect.CONSUMES),)),
        replace(OPERATION, traits=frozenset({"One", "Two"})),
        replace(OPERATION, summary="t"),
    ]
    assert len({*map(spelled, changed), spelled(OPERATION)}) == len(changed) + 1
    assert spelled(changed[-1], {"summary"}) == spelled(OPERATION, {"summary"})


def test_names_that_look_alike_differ() -> None:
    values = [
        "1",
        1,
        ("1",),
        ("1", ""),
        "('1',)",
        None,
        "None",
        re.compile("1"),
        re.compile("1", re.ASCII),
        frozenset("1"),
    ]
    assert len(set(map(spelled, values))) == len(values)
