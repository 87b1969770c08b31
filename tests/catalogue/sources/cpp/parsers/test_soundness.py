"""What is said of the order of operands holds for every run of a parser: random parsers, run with random texts."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tdls.catalogue.model import Arity, OperandDefinition, OperationDefinition
from tdls.catalogue.sources.cpp import joined, read_sources

SINGLES, LISTS = ("a", "b", "c"), ("l", "m")
TO = "result.operands"
Statement = tuple[str, ...] | tuple[str, "list[Statement]", "list[Statement]"]
TEXTS = {
    "read": "if (parser.parseOperand({0})) return failure();",
    "maybe": "hasMore = parser.parseOptionalOperand({0});",
    "list": "if (parser.parseOperandList({0})) return failure();",
    "element": "if (parser.parseOperand({0}.emplace_back())) return failure();",
    "push": "{0}.push_back({1});",
    "append": "{0}.append({1}.begin(), {1}.end());",
    "resolve": f"if (parser.resolveOperand({{0}}, type, {TO})) return failure();",
    "both": f"if (parser.resolveOperands({{{{{{0}}, {{1}}}}}}, types, place, {TO})) return failure();",
    "all": f"if (parser.resolveOperands({{0}}, types, place, {TO})) return failure();",
    "each": f"for (auto one : {{0}}) if (parser.resolveOperand(one, type, {TO})) return failure();",
    "end": "return success();",
}
HEADS = {"if": "if (isOdd(result.name)) {", "while": "while (succeeded(parser.parseOptionalComma())) {"}


class EndError(Exception):
    """The parser returned, or does what no parser may do."""


@dataclass
class Run:
    """One run of a parser; operands are numbers, in the order of the text."""

    random: random.Random
    text: int = 0
    singles: dict[str, int] = field(default_factory=dict)
    lists: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in LISTS})
    operands: list[int] = field(default_factory=list)

    def next(self) -> int:
        self.text += 1
        return self.text - 1

    def single(self, name: str) -> int:
        if name not in self.singles:
            raise EndError("not read")
        return self.singles[name]

    def block(self, statements: list[Statement]) -> None:
        for statement in statements:
            self.statement(*statement)

    def statement(self, kind: str, *given: object) -> None:
        if kind in HEADS:
            then, otherwise = given
            if kind == "if":
                self.block(self.random.choice([then, otherwise]))  # type: ignore[list-item]
            else:
                for _ in range(self.random.randrange(3)):
                    self.block(then)  # type: ignore[arg-type]
            return
        self.simple(kind, *map(str, given))

    def simple(self, kind: str, name: str = "", other: str = "") -> None:
        if kind == "end":
            raise EndError("returned")
        if kind == "read" or (kind == "maybe" and self.random.random() < 0.5):
            self.singles[name] = self.next()
        elif kind == "list":
            self.lists[name] += [self.next() for _ in range(self.random.randrange(3))]
        elif kind == "element":
            self.lists[name].append(self.next())
        elif kind == "push":
            self.lists[name].append(self.single(other))
        elif kind == "append":
            self.lists[name] += list(self.lists[other])
        elif kind in ("resolve", "both"):
            self.operands += [self.single(operand) for operand in (name, other) if operand]
        elif kind in ("all", "each"):
            self.operands += self.lists[name]


def spelled(statements: list[Statement]) -> str:
    lines: list[str] = []
    for kind, *given in statements:
        if kind in HEADS:
            then, otherwise = given
            rest = f" else {{ {spelled(otherwise)} }}" if kind == "if" else ""  # type: ignore[arg-type]
            lines.append(f"{HEADS[kind]} {spelled(then)} }}{rest}")  # type: ignore[arg-type]
        else:
            lines.append(TEXTS[kind].format(*given))
    return "\n".join(lines)


def some_statement(choice: random.Random, depth: int) -> Statement:
    kind = choice.choice([*TEXTS, *(("if", "while") if depth < 2 else ())])
    if kind in HEADS:
        return kind, program(choice, depth + 1), program(choice, depth + 1)
    if kind == "end":
        return (kind,)
    if kind in ("list", "element", "all", "each"):
        return kind, choice.choice(LISTS)
    if kind == "append":
        return kind, *choice.sample(LISTS, 2)
    if kind == "push":
        return kind, choice.choice(LISTS), choice.choice(SINGLES)
    return (kind, *choice.sample(SINGLES, 2)) if kind == "both" else (kind, choice.choice(SINGLES))


def program(choice: random.Random, depth: int = 0) -> list[Statement]:
    return [some_statement(choice, depth) for _ in range(choice.randrange(1, 4))]


def plausible(choice: random.Random) -> list[Statement]:
    """A parser that reads some variables and resolves them in some order, with something else in between perhaps."""
    singles = choice.sample(SINGLES, choice.randrange(1, 4))
    lists = choice.sample(LISTS, choice.randrange(2))
    read: list[Statement] = [("read" if choice.random() < 0.8 else "maybe", name) for name in singles]
    for way, name in zip(choice.choices(("list", "element", "while"), k=len(lists)), lists, strict=True):
        repeated: list[Statement] = [("element", name)]
        read += [(way, repeated, [])] if way == "while" else [(way, name)]
    resolved: list[Statement] = [("resolve", name) for name in singles]
    resolved += [(choice.choice(["all", "each"]), name) for name in lists]
    choice.shuffle(read)
    choice.shuffle(resolved)
    found = [*read, *resolved]
    for number in range(len(found)):
        if choice.random() < 0.15:
            found[number] = ("if", [found[number]], [])
    for _ in range(choice.randrange(3)):
        found.insert(choice.randrange(len(found) + 1), some_statement(choice, 1))
    return found


@dataclass(frozen=True)
class Declared:
    """As `TableGenOperation`."""

    definition: OperationDefinition
    cpp_class: str = "MyOp"
    declares_effects: bool = False
    cpp_code: str = ""


def order_of(statements: list[Statement], operands: tuple[OperandDefinition, ...]) -> tuple[str, ...]:
    body = f"""
      OpAsmParser::UnresolvedOperand {", ".join(SINGLES)};
      SmallVector<OpAsmParser::UnresolvedOperand> {", ".join(LISTS)};
      {spelled(statements)}
    """
    text = (
        f"namespace transform {{ ParseResult MyOp::parse(OpAsmParser &parser, OperationState &result) {{ {body} }} }}"
    )
    definition = OperationDefinition("transform.my", operands=operands, custom_assembly=True)
    return joined(Declared(definition), read_sources({Path("a.cpp"): text}))[0].operand_order


def groups_of(run: Run, operands: tuple[OperandDefinition, ...]) -> list[str] | None:
    """The names of operands in the order of the text; None where it makes no operation, or one without some of them."""
    if sorted(run.operands) != list(range(run.text)):
        return None
    rest = len(run.operands) - sum(operand.arity is Arity.ONE for operand in operands)
    has_rest = any(operand.arity is not Arity.ONE for operand in operands)
    if rest < 0 or (rest and not has_rest):
        return None
    names = [operand.name for operand in operands for _ in range(1 if operand.arity is Arity.ONE else rest)]
    return [name for _, name in sorted(zip(run.operands, names, strict=True))]


@pytest.mark.parametrize("part", range(4))
def test_every_run_has_the_order_that_is_told(part: int) -> None:
    told = compared = 0
    for seed in range(part * 500, part * 500 + 500):
        choice = random.Random(seed)
        count = choice.randrange(2, 4)
        rest = choice.randrange(count + 2)
        operands = tuple(
            OperandDefinition(f"o{number}", arity=Arity.VARIADIC if number == rest else Arity.ONE)
            for number in range(count)
        )
        statements = plausible(choice)
        order = order_of(statements, operands)
        told += bool(order)
        for _ in range(20 if order else 0):
            run = Run(choice)
            try:
                run.block(statements)
            except EndError as ending:
                if str(ending) != "returned":
                    continue
            names = groups_of(run, operands)
            if names is not None:
                compared += 1
                assert names == sorted(names, key=order.index), (operands, spelled(statements))
    assert told > 30
    assert compared > 100
