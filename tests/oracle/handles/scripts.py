"""Random payloads with scripts: what people write, and the mistakes with handles that they make.

A script is written while a machine executes it, so that what it does can be done, and it is known which handles are
stale. How often one of these is used nevertheless is decided once for each script.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from oracle.handles.consuming import CHANGING, CONSUMING
from oracle.handles.machine import OPERATION, Handle, Machine, Scope
from oracle.handles.navigation import NAVIGATION, READERS
from oracle.handles.payload import payload
from oracle.handles.regions import REGIONS

if TYPE_CHECKING:
    from oracle.handles.forms import Accepts, Form
    from oracle.handles.machine import Statement

_MISTAKES = (0.0, 0.0, 0.05, 0.1, 0.25)
_PATIENCE = 6
_AFTERWARDS = 2
"""How many more statements are written behind a mistake."""


@dataclass(frozen=True)
class HandleScript:
    """Script number `number` of those for `seed`, a module with its payload; `fails` is what is believed of it."""

    text: str
    seed: int
    number: int
    fails: bool

    @property
    def name(self) -> str:
        """What `--show` calls it."""
        return f"{self.seed}:{self.number}"


def handle_script(seed: int, number: int) -> HandleScript:
    """Return one script, always the same one for these numbers."""
    writer = _Writer(Random(f"{seed}:{number}"))
    return HandleScript(writer.text(), seed, number, writer.machine.has_failed)


def handle_scripts(seed: int, count: int) -> list[HandleScript]:
    """Return the first `count` scripts for `seed`."""
    return [handle_script(seed, number) for number in range(count)]


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.root = payload(random)
        self.machine = Machine()
        self.mistakes = random.choice(_MISTAKES)
        self.callees: list[str] = []
        self._names = 0

    def text(self) -> str:
        """Write the module."""
        payload_lines = [line for child in list(self.root.children) for line in child.lines(1)]
        self.machine.scopes.append(Scope(is_isolated=True))
        root = self.machine.define(Handle("%root", OPERATION, [self.root]))
        body = self.body(self.random.randrange(4, 14), depth=0)
        head = f"transform.named_sequence @__transform_main({root.name}: {OPERATION} {{transform.readonly}}) {{"
        script = [*self.callees, head, *indented([*body, "transform.yield"]), "}"]
        module = ["module attributes {transform.with_named_sequence} {", *payload_lines, *indented(script), "}", ""]
        return "\n".join(module)

    def body(self, length: int, depth: int) -> list[str]:
        """Write and execute statements, about `length`; return their lines."""
        return [line for statement in self.statements(length, depth) for line in statement.lines()]

    def statements(self, length: int, depth: int) -> list[Statement]:
        """Write and execute statements, about `length`."""
        found: list[Statement] = []
        remaining, attempts = length, length * _PATIENCE
        while remaining > 0 and attempts > 0:
            statement = self._statement(depth)
            attempts -= 1
            if statement is None:
                continue
            remaining -= 1
            had_failed = self.machine.has_failed
            self.machine.execute(statement)
            found.append(statement)
            if self.machine.has_failed and not had_failed:
                remaining = min(remaining, self.random.randrange(_AFTERWARDS + 1))
        return found

    def _statement(self, depth: int) -> Statement | None:
        operations = sum(1 for handle in self.machine.visible() if handle.is_operation)
        groups: list[tuple[tuple[Form, ...], float]] = [
            (NAVIGATION, 3.0 if operations < 4 else 1.5),
            (CONSUMING, 1.6),
            (READERS, 0.8),
            (CHANGING, 0.2),
            (REGIONS if depth < 2 else (), 0.5),
        ]
        forms = [(form, form.weight * weight / (len(group) or 1)) for group, weight in groups for form in group]
        (form,) = self.random.choices([form for form, _ in forms], [weight for _, weight in forms])
        return form.make(self)

    def pick(self, accepts: Accepts, kind: str = OPERATION) -> Handle | None:
        """Return a handle, now and then a stale one; None where there is none that would do."""
        known = [handle for handle in self.machine.visible() if accepts(handle) and _is_of(handle, kind)]
        stale = [handle for handle in known if handle.is_stale]
        fresh = [handle for handle in known if not handle.is_stale]
        if stale and self.random.random() < self.mistakes * 3:
            return self.random.choice(stale[-4:])
        return self.random.choice(fresh[-6:]) if fresh else None

    def new_name(self) -> str:
        """Return a name for a handle that is not in use."""
        self._names += 1
        return f"%{self._names}"


def _is_of(handle: Handle, kind: str) -> bool:
    return handle.is_operation if kind == OPERATION else handle.type == kind


def indented(lines: list[str]) -> list[str]:
    """Return `lines` one step to the right."""
    return [f"  {line}" for line in lines]
