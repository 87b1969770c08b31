"""Grows a schedule operation by operation: each is run at once with all before it, and stays if that works.

In the end there may be an operation that uses a handle which something before it made invalid.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Protocol

from oracle.handles.schedules.operations import FORMS, LOOPS, OPERATION, PARAMETER, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oracle.handles.schedules.operations import Form

STEP = "step"
ALL = 0
"""The number of the step that looks at the whole payload, in the end; that of a handle is behind its name."""
_PAYLOADS = Path(__file__).with_name("payloads.mlir").read_text(encoding="utf-8").split("// -----\n")[1:]
_TYPES = {OPERATION: "!transform.any_op", VALUE: "!transform.any_value", PARAMETER: "!transform.param<i64>"}
_TYPES["type"] = "!transform.type"
_CHOICE = re.compile(r"<([^<>!]*\|[^<>!]*|lhs|rhs)>")
_WEIGHTS = {"linalg": 6.0, "scf": 4.0, "tensor": 1.5, "memref": 1.5, "func": 1.5, "arith": 0.2}
_RECENT = 7
_OF_RECENT = 0.7
_EMPTY = 0.3
"""Probability that an operation is kept although all its results are empty."""
_TRIES = 8
"""Maximum number of attempts for each operation."""
_WITH_MISTAKE = 0.6
_TRIES_FOR_MISTAKE = 25
_NESTED = (0.1, 0.03, 0.0)
"""Probability that an operation has a body, by depth."""


@dataclass(eq=False)
class Held:
    """A handle: its number, its type, and the names of its payload operations when it was made."""

    number: int
    type: str
    names: tuple[str, ...] = ()
    is_stale: bool = False

    @property
    def name(self) -> str:
        """Its name in the script."""
        return f"%{self.number}" if self.number else "%root"

    @property
    def is_looked_at(self) -> bool:
        """True if a step can print its payload."""
        return self.type not in (_TYPES[PARAMETER], _TYPES["type"])


class Trial(NamedTuple):
    """The result of a script: the payload of each handle, by number, and the payload at the end."""

    is_run: bool
    is_stale: bool
    """True if it failed for an invalid handle."""
    held: dict[int, list[str]]


class Interpreter(Protocol):
    """Runs scripts."""

    def run(self, text: str) -> Trial:
        """Run a script."""


@dataclass(eq=False)
class Block:
    """A body: arguments, operations, and yielded handles."""

    arguments: list[Held]
    members: list[Member] = field(default_factory=list)
    yields: list[Held] = field(default_factory=list)

    def lines(self, *, watched: bool) -> Iterator[str]:
        """Yield the lines of the body, with steps if it is `watched`."""
        if watched:
            yield from _steps(self.arguments)
        for member in self.members:
            yield from member.lines(watched=watched)
            if watched:
                yield from _steps(member.results)
        given = f" {_names(self.yields)} : {_type_list(self.yields)}" if self.yields else ""
        yield f"transform.yield{given}"

    def consumed(self) -> set[Held]:
        """Return the handles that are consumed in it."""
        return {held for member in self.members for held in member.consumed()}


@dataclass(eq=False)
class Member:
    """An operation; `head` is its text up to a body, if it has one. ``@@`` stands for the types of its results."""

    head: str
    operands: list[Held]
    results: list[Held] = field(default_factory=list)
    consumes: tuple[int, ...] = ()
    block: Block | None = None
    callee: Block | None = None
    tail: str = ""

    def lines(self, *, watched: bool) -> Iterator[str]:
        """Yield its lines."""
        made = f"{_names(self.results)} = " if self.results else ""
        arrow = f" -> {_grouped(self.results)}" if self.results else ""
        yield f"{made}transform.{self.head.replace('@@', arrow)}"
        if self.block is not None:
            if self.block.arguments:
                yield f"^bb0({', '.join(f'{held.name}: {held.type}' for held in self.block.arguments)}):"
            yield from (f"  {line}" for line in self.block.lines(watched=watched))
            yield self.tail

    def consumed(self) -> Iterator[Held]:
        """Yield the handles that it consumes."""
        yield from (self.operands[number] for number in self.consumes)
        if self.block is not None:
            inside = self.block.consumed()
            yield from inside
            yield from _outside(self.operands, self.block, inside)
        if self.callee is not None:
            yield from _outside(self.operands, self.callee, self.callee.consumed())


def _outside(operands: Sequence[Held], block: Block, inside: set[Held]) -> Iterator[Held]:
    for operand, argument in zip(operands, block.arguments, strict=False):
        if argument in inside:
            yield operand


def grown(name: str, interpreter: Interpreter) -> str:
    """Return the text of a schedule, always the same for a name."""
    return _Growth(Random(f"schedule {name}"), interpreter).text()


class _Growth:
    def __init__(self, random: Random, interpreter: Interpreter) -> None:
        self._random = random
        self._interpreter = interpreter
        payloads = random.sample(_PAYLOADS, random.choice((1, 1, 2, 3)))
        self._payload = "".join(payloads)
        self._root = Held(0, _TYPES[OPERATION], ("builtin.module",))
        self._main = Block([self._root])
        self._sequences: list[tuple[str, Block, bool]] = []
        self._last = 0
        self._present = {"func.func": 1.0}

    def text(self) -> str:
        self._try(None)
        self._grow(self._main, [self._root], self._random.randrange(9, 20), 0)
        if self._random.random() < _WITH_MISTAKE:
            self._mistake()
        return self._module(watched=False)

    def _module(self, *, watched: bool) -> str:
        lines = [
            line for name, block, is_matcher in self._sequences for line in _sequence(name, block, is_matcher, watched)
        ]
        lines += _sequence("__transform_main", self._main, False, watched)
        script = "".join(f"  {line}\n" for line in lines)
        payload = "".join(f"  {line}\n" for line in self._payload.splitlines())
        return f"module attributes {{transform.with_named_sequence}} {{\n{payload}{script}}}\n"

    def _try(self, member: Member | None) -> Trial:
        """Run the script as it is; note the payload of the results of `member`."""
        trial = self._interpreter.run(self._module(watched=True))
        if trial.is_run:
            for held in member.results if member is not None else ():
                held.names = tuple(sorted(set(trial.held.get(held.number, ()))))
            for held in member.block.arguments if member is not None and member.block is not None else ():
                held.names = tuple(sorted(set(trial.held.get(held.number, ()))))
            names = [name for name in trial.held.get(ALL, ()) if not name.startswith("transform.")]
            if names:
                self._present = {name: _WEIGHTS.get(name.partition(".")[0], 0.3) for name in dict.fromkeys(names)}
        return trial

    def _grow(self, block: Block, visible: list[Held], length: int, depth: int) -> None:
        tries = length * _TRIES
        while length > 0 and tries > 0:
            tries -= 1
            if self._random.random() < _NESTED[depth]:
                grown_one = self._nested(block, visible, depth)
            else:
                member = self._member(visible, stale_too=False)
                grown_one = member is not None and self._stays(block, visible, member)
            length -= grown_one

    def _stays(self, block: Block, visible: list[Held], member: Member) -> bool:
        """Add `member` to `block` if it runs."""
        block.members.append(member)
        trial = self._try(member)
        if trial.is_run and self._is_of_use(member):
            self._settle(visible, member)
            return True
        if trial.is_stale:
            for held in member.operands:
                held.is_stale = held.is_stale or held.number != 0
        block.members.pop()
        return False

    def _is_of_use(self, member: Member) -> bool:
        looked_at = [held for held in member.results if held.is_looked_at]
        return not looked_at or any(held.names for held in looked_at) or self._random.random() < _EMPTY

    def _settle(self, visible: list[Held], member: Member) -> None:
        for held in member.consumed():
            held.is_stale = True
        visible += member.results

    def _mistake(self) -> None:
        """End with an operation that uses an invalid handle, if one is found soon."""
        visible = [self._root, *(held for member in self._main.members for held in member.results)]
        for _ in range(_TRIES_FOR_MISTAKE):
            member = self._member(visible, stale_too=True)
            if member is None:
                continue
            self._main.members.append(member)
            if self._try(member).is_stale:
                return
            self._main.members.pop()

    # Single operations

    def _held(self, type_: str) -> Held:
        self._last += 1
        return Held(self._last, type_)

    def _pick(self, visible: Sequence[Held], pattern: str, *, stale_too: bool) -> Held | None:
        fitting = [held for held in visible if (stale_too or not held.is_stale) and _fits(held, pattern)]
        if stale_too:
            old = [held for held in fitting if held.is_stale]
            fitting = old if old and self._random.random() < 0.5 else fitting
        if len(fitting) > _RECENT and self._random.random() < _OF_RECENT:
            fitting = fitting[-_RECENT:]
        return self._random.choice(fitting) if fitting else None

    def _member(self, visible: list[Held], *, stale_too: bool) -> Member | None:
        for _ in range(8):
            kind = self._random.random()
            if kind < 0.05:
                member = self._combined(visible, stale_too=stale_too)
            else:
                (form,) = self._random.choices(FORMS, [form.weight for form in FORMS])
                member = self._written(form, visible, stale_too=stale_too)
            if member is not None:
                return member
        return None

    def _written(self, form: Form, visible: list[Held], *, stale_too: bool) -> Member | None:
        operands = [self._pick(visible, pattern, stale_too=stale_too) for pattern in form.operands]
        known = [held for held in operands if held is not None]
        if len(known) < len(operands) or (len(set(known)) < len(known) and form.consumes):
            return None
        text = _CHOICE.sub(lambda match: self._random.choice(match[1].split("|")), form.text)
        loops = 0
        if "{sizes}" in text:
            sizes = [self._random.choice((0, 2, 4, 4, 5, 8)) for _ in range(self._random.choice((1, 2, 2, 3)))]
            loops = sum(map(bool, sizes))
            text = text.replace("{sizes}", str(sizes))
        elif LOOPS in form.results:
            loops = 1
        if loops == 0 and LOOPS in form.results:
            return None
        while "{present}" in text:
            (name,) = self._random.choices(list(self._present), list(self._present.values()))
            text = text.replace("{present}", name, 1)
        kinds = [each for kind in form.results for each in ((OPERATION,) * loops if kind == LOOPS else (kind,))]
        results = [self._held(_TYPES.get(kind) or f'!transform.op<"{kind}">') for kind in kinds]
        if '"scf.for"]' in text and results and "op<" in results[0].type:
            results[0].type = '!transform.op<"scf.for">'
        text = text.format(*(held.name for held in known))
        types = f"({_type_list(known)}) -> {_grouped(results)}" if form.is_functional else _type_list(known)
        return Member(f"{text} : {types}", known, results, form.consumes)

    def _combined(self, visible: list[Held], *, stale_too: bool) -> Member | None:
        several = [self._pick(visible, ".*", stale_too=stale_too) for _ in range(2)]
        held, other = several
        if held is None or other is None:
            return None
        kind = self._random.choice(("merge", "merge", "cast", "constant", "replicate", "collect"))
        if kind == "constant":
            return Member("param.constant 4 : i64 -> !transform.param<i64>", [], [self._held(_TYPES[PARAMETER])])
        if kind == "replicate":
            text = f"replicate num({held.name}) {other.name} : {held.type}, {other.type}"
            return Member(text, [held, other], [self._held(other.type)])
        if kind == "collect":
            found = self._held(_TYPES[OPERATION])
            text = f"collect_matching @{self._matcher()} in {held.name} : ({held.type}) -> {found.type}"
            return Member(text, [held], [found])
        if kind == "merge" and held is not other and held.type == other.type:
            how = self._random.choice(("", "deduplicate "))
            return Member(
                f"merge_handles {how}{held.name}, {other.name} : {held.type}", [held, other], [self._held(held.type)]
            )
        if kind == "cast" and len(held.names) == 1:
            to = f'!transform.op<"{held.names[0]}">' if "op<" not in held.type else _TYPES[OPERATION]
            return Member(f"cast {held.name} : {held.type} to {to}", [held], [self._held(to)])
        return None

    def _matcher(self) -> str:
        """Write a sequence that matches operations of one name, and return its symbol."""
        (name,) = self._random.choices(list(self._present), list(self._present.values()))
        symbol = f"is_{name.replace('.', '_')}"
        if all(symbol != known for known, _, _ in self._sequences):
            candidate = self._held(_TYPES[OPERATION])
            match = Member(f'match.operation_name {candidate.name} ["{name}"] : {candidate.type}', [candidate])
            self._sequences.append((symbol, Block([candidate], [match], [candidate]), True))
        return symbol

    # Operations with a body

    def _nested(self, block: Block, visible: list[Held], depth: int) -> bool:
        held = self._pick(visible, ".*", stale_too=False)
        if held is None:
            return False
        kind = self._random.choice(
            ("foreach", "foreach", "include", "include", "include", "sequence", "alternatives", "match")
        )
        inside = Block([self._held(held.type)])
        inside.arguments[0].names = held.names
        sequences = list(self._sequences)
        member = self._with_body(kind, held, inside)
        block.members.append(member)
        if not self._try(member).is_run:
            block.members.pop()
            self._sequences = sequences
            return False
        is_open = kind in ("foreach", "sequence")
        around = [*visible, *inside.arguments] if is_open else list(inside.arguments)
        self._grow(inside, around, self._random.randrange(1, 5), depth + 1)
        self._give_away(member, inside, around[len(visible) :] if is_open else around)
        if not inside.members:
            block.members.pop()
            self._sequences = sequences
            return False
        self._settle(visible, member)
        return True

    def _with_body(self, kind: str, held: Held, inside: Block) -> Member:
        name, type_ = held.name, held.type
        if kind == "foreach":
            return Member(f"foreach {name} : {type_}@@ {{", [held], block=inside, tail="}")
        if kind == "sequence":
            return Member(f"sequence {name} : {type_}@@ failures(propagate) {{", [held], block=inside, tail="}")
        if kind == "alternatives":
            return Member(f"alternatives {name} : {type_}@@ {{", [held], block=inside, tail="}")
        symbol = f"part_{len(self._sequences)}"
        if kind == "match":
            inside.arguments[0].type, inside.arguments[0].names = _TYPES[OPERATION], ()
            matcher = self._matcher()
            self._sequences.append((symbol, inside, False))
            types = f"({self._root.type}) -> {_TYPES[OPERATION]}"
            text = f"foreach_match in {self._root.name} @{matcher} -> @{symbol} : {types}"
            return Member(text, [self._root], [self._held(_TYPES[OPERATION])], callee=Block([], inside.members))
        self._sequences.append((symbol, inside, False))
        how = self._random.choice(("propagate", "propagate", "suppress"))
        return Member(f"include @{symbol} failures({how}) ({name}) : ({type_})@@", [held], callee=inside)

    def _give_away(self, member: Member, inside: Block, own: Sequence[Held]) -> None:
        """Let the body return a handle, if that runs."""
        fitting = [held for held in own if not held.is_stale and held.is_looked_at and held not in inside.arguments]
        if member.results or not fitting or self._random.random() < 0.4:
            return
        inside.yields = [self._random.choice(fitting)]
        member.results = [self._held(inside.yields[0].type)]
        if not self._try(member).is_run:
            inside.yields, member.results = [], []


def _sequence(name: str, block: Block, is_matcher: bool, watched: bool) -> Iterator[str]:
    consumed = block.consumed()
    marks = ("consumed" if held in consumed else "readonly" for held in block.arguments)
    arguments = (
        f"{held.name}: {held.type} {{transform.{mark}}}" for held, mark in zip(block.arguments, marks, strict=True)
    )
    to = f" -> {_grouped(block.yields)}" if block.yields else ""
    yield f"transform.named_sequence @{name}({', '.join(arguments)}){to} {{"
    *members, last = block.lines(watched=watched and not is_matcher)
    yield from (f"  {line}" for line in members)
    if watched and name == "__transform_main" and block.arguments[0] not in consumed:
        yield from (f"  {line}" for line in _steps(block.arguments))
    yield f"  {last}"
    yield "}"


def _steps(several: Sequence[Held]) -> Iterator[str]:
    for held in several:
        if held.is_looked_at:
            yield f'"oracle.{STEP}"({held.name}) : ({held.type}) -> () loc("oracle":{held.number}:0)'


def _fits(held: Held, pattern: str) -> bool:
    if pattern.startswith("$"):
        return held.type == _TYPES[pattern[1:]]
    if held.type in (_TYPES[VALUE], _TYPES[PARAMETER], _TYPES["type"]):
        return False
    if pattern.startswith("="):
        return held.type == f'!transform.op<"{pattern[1:]}">'
    return bool(held.names) and all(re.fullmatch(pattern, name) for name in held.names)


def _names(several: Sequence[Held]) -> str:
    return ", ".join(held.name for held in several)


def _type_list(several: Sequence[Held]) -> str:
    return ", ".join(held.type for held in several)


def _grouped(several: Sequence[Held]) -> str:
    return several[0].type if len(several) == 1 else f"({_type_list(several)})"
