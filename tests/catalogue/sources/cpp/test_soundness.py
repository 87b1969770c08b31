"""The effects read from a body of ``getEffects`` hold for every run of it: random bodies, run with random answers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.catalogue.model import (
    Arity,
    AttributeDefinition,
    HandleEffect,
    OperandDefinition,
    OperationDefinition,
    PayloadEffect,
    ResultDefinition,
    handle_effect,
)
from tdls.catalogue.sources.cpp import read_sources, with_effects

if TYPE_CHECKING:
    import random

OPERATION = OperationDefinition(
    "transform.my.op",
    operands=(
        OperandDefinition("target"),
        OperandDefinition("anchor", arity=Arity.OPTIONAL),
        OperandDefinition("sizes", arity=Arity.VARIADIC),
    ),
    results=(ResultDefinition("fused"),),
    attributes=(
        AttributeDefinition("keep", "UnitAttr", optional=True),
        AttributeDefinition("deep", "BoolAttr", default="false"),
    ),
)
RANGES = {"all": "getOperation()->getOpOperands()", "element": "element"}
CONDITIONS = {"keep": "getKeep()", "deep": "getDeep()", "anchor": "getAnchor()", "odd": "odd()"}
HEAD = "void OpOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {"


class ReturnedError(Exception):
    """The body returned."""


@dataclass
class Run:
    """One run: attributes and counts of values of the operation, and the effects on each value."""

    attributes: dict[str, str]
    counts: dict[str, int]
    chance: random.Random
    done: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    payload: set[str] = field(default_factory=set)
    element: tuple[str, int] | None = None

    def values(self, name: str) -> list[tuple[str, int]]:
        if name == "element" and self.element is not None:
            return [self.element]
        names = list(self.counts) if name == "all" else [name]
        return [(name, number) for name in names for number in range(self.counts[name])]


@dataclass(frozen=True)
class Call:
    helper: str
    target: str

    def text(self, in_loop: bool) -> str:
        target = "target" if self.target == "element" and not in_loop else self.target
        spelled = RANGES.get(target, f"get{target.title()}Mutable()")
        return f"{self.helper}({spelled}, effects);"

    def run(self, run: Run) -> None:
        target = "target" if self.target == "element" and run.element is None else self.target
        for value in run.values(target):
            done = run.done.setdefault(value, set())
            done |= {"read", "free"} if self.helper == "consumesHandle" else {"read"}


@dataclass(frozen=True)
class Payload:
    helper: str

    def text(self, _in_loop: bool) -> str:
        return f"{self.helper}(effects);"

    def run(self, run: Run) -> None:
        run.payload |= {"read", "write"} if self.helper == "modifiesPayload" else {"read"}


@dataclass(frozen=True)
class Return:
    def text(self, _in_loop: bool) -> str:
        return "return;"

    def run(self, _run: Run) -> None:
        raise ReturnedError


@dataclass(frozen=True)
class If:
    condition: str
    negated: bool
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]

    def text(self, in_loop: bool) -> str:
        condition = "!" * self.negated + CONDITIONS[self.condition]
        return f"if ({condition}) {{ {spelled(self.then, in_loop)} }} else {{ {spelled(self.otherwise, in_loop)} }}"

    def run(self, run: Run) -> None:
        holds = {
            "keep": "keep" in run.attributes,
            "deep": run.attributes.get("deep") == "true",
            "anchor": run.counts["anchor"] > 0,
            "odd": run.chance.random() < 0.5,
        }[self.condition]
        run_all(self.then if holds != self.negated else self.otherwise, run)


@dataclass(frozen=True)
class Each:
    values: str
    body: tuple[Statement, ...]

    def text(self, _in_loop: bool) -> str:
        values = RANGES.get(self.values, f"get{self.values.title()}Mutable()")
        return f"for (OpOperand &element : {values}) {{ {spelled(self.body, True)} }}"

    def run(self, run: Run) -> None:
        outer = run.element
        for value in run.values(self.values):
            run.element = value
            run_all(self.body, run)
        run.element = outer


Statement = Call | Payload | Return | If | Each


def spelled(statements: tuple[Statement, ...], in_loop: bool = False) -> str:
    return " ".join(statement.text(in_loop) for statement in statements)


def run_all(statements: tuple[Statement, ...], run: Run) -> None:
    for statement in statements:
        statement.run(run)


def blocks(inner: st.SearchStrategy[Statement]) -> st.SearchStrategy[tuple[Statement, ...]]:
    return st.lists(inner, max_size=3).map(tuple)


TARGETS = st.sampled_from(["target", "anchor", "sizes", "all", "element"])
LEAVES: st.SearchStrategy[Statement] = st.one_of(
    st.builds(Call, st.sampled_from(["consumesHandle", "onlyReadsHandle"]), TARGETS),
    st.builds(Payload, st.sampled_from(["modifiesPayload", "onlyReadsPayload"])),
    st.just(Return()),
)
STATEMENTS: st.SearchStrategy[Statement] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(If, st.sampled_from(list(CONDITIONS)), st.booleans(), blocks(inner), blocks(inner)),
        st.builds(Each, st.sampled_from(["target", "anchor", "sizes", "all"]), blocks(inner)),
    ),
    max_leaves=12,
)
BODIES = st.lists(STATEMENTS, min_size=1, max_size=5).map(tuple)
EXPECTED = {HandleEffect.CONSUMES: {"read", "free"}, HandleEffect.READS: {"read"}, HandleEffect.NONE: set[str]()}


@pytest.mark.sample
@given(BODIES, st.randoms(use_true_random=False))
def test_computed_effects_hold_for_every_run(body: tuple[Statement, ...], chance: random.Random) -> None:
    facts = read_sources({Path("a.cpp"): f"{HEAD} {spelled(body)} }}"}).of("OpOp")
    assert facts is not None
    assert facts.effects is not None
    definition = with_effects(OPERATION, facts.effects)[0]
    for _ in range(8):
        attributes = {name: value for name, value in (("keep", ""), ("deep", "true")) if chance.random() < 0.5}
        run = Run(
            attributes, {"target": 1, "anchor": chance.randint(0, 1), "sizes": chance.choice([0, 1, 2, 3])}, chance
        )
        with suppress(ReturnedError):
            run_all(body, run)
        for operand in definition.operands:
            effect = handle_effect(definition, operand, attributes)
            for value in run.values(operand.name):
                assert effect is HandleEffect.UNKNOWN or run.done.get(value, set()) == EXPECTED[effect]
        assert not run.payload or definition.payload_effect is not PayloadEffect.NONE
        assert "write" not in run.payload or definition.payload_effect is not PayloadEffect.READS
