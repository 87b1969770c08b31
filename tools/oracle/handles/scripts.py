"""Random payloads with scripts as people write them, with their mistakes about handles.

A script is written while a machine executes it, so that each step is possible, and it is known which handles are
stale. How often one of these is used nevertheless is decided once for each script.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from oracle.handles.bodies import Body
from oracle.handles.calls import CALLS
from oracle.handles.changing import CHANGING, PASSES
from oracle.handles.combining import COMBINING
from oracle.handles.consuming import CONSUMING
from oracle.handles.copies import Copy
from oracle.handles.machine import OPERATION, Handle, Machine
from oracle.handles.matching import MATCHING
from oracle.handles.navigation import NAVIGATION
from oracle.handles.payload import payload
from oracle.handles.reading import READING
from oracle.handles.regions import REGIONS
from oracle.handles.values import VALUES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.handles.calls import Callee
    from oracle.handles.forms import Accepts, Form
    from oracle.handles.machine import Statement

_SEQUENCE = "  transform.named_sequence "
_MISTAKES = (0.0, 0.0, 0.05, 0.15, 0.25, 0.35)
_PATIENCE = 6
_TRIES = 6
"""Maximum number of forms of a kind that are tried, one after the other, if they cannot be written now."""
_BY_ANOTHER_NAME = 0.3
_OF_THE_BLOCK = 0.6
"""Probability that a handle of the innermost block is chosen first: bodies of loops use their block arguments."""
_DEPTH = 2
_AFTERWARDS = 2
"""Number of statements that are written after a mistake."""


@dataclass(frozen=True)
class HandleScript:
    """A module with a payload and a script; `fails` is the writer's expectation.

    `library` is another file, which is loaded before; "" for none. Its lines are counted on behind those of `text`.
    """

    name: str
    text: str
    fails: bool = False
    library: str = ""

    @property
    def placed_library(self) -> str:
        """The text of `library` behind as many empty lines as `text` has: a place in it is no place in `text`."""
        return "\n" * len(self.text.splitlines()) + self.library if self.library else ""

    def on_payload(self, payload: str) -> HandleScript:
        """Return a generated script with another payload, one line, and all that it does at the same places as before.

        Scripts that are written otherwise keep their payload.
        """
        first, *lines = self.text.split("\n")
        end = next((number for number, line in enumerate(lines) if line.startswith(_SEQUENCE)), 0)
        if not end:
            return self
        return replace(self, text="\n".join([first, payload, *[""] * (end - 1), *lines[end:]]))


def handle_script(seed: int, number: int) -> HandleScript:
    """Return one script, always the same one for these numbers."""
    writer = _Writer(Random(f"{seed}:{number}"))
    return writer.script(f"{seed}:{number}")


def handle_scripts(seed: int, count: int) -> list[HandleScript]:
    """Return the first `count` scripts for `seed`."""
    return [handle_script(seed, number) for number in range(count)]


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.machine = Machine(payload(random))
        self.mistakes = random.choice(_MISTAKES)
        self.is_in_alternatives = self.is_in_library = self.is_in_patterns = False
        self.library: list[str] = []
        self.preloaded: list[str] = []
        self.matchers: set[str] = set()
        self.actions: list[str] = []
        self.callees: list[Callee] = []
        self._names = 0
        self._depth = 0

    def script(self, name: str) -> HandleScript:
        """Write the module, and a library where it calls into one."""
        text = self._text()
        library = _module([f"  {line}" for line in self.preloaded]) if self.preloaded else ""
        return HandleScript(name, text, self.machine.has_failed, library)

    def _text(self) -> str:
        payload_lines = [line for child in list(self.machine.payload.children) for line in child.lines(1)]
        main = Body([("%root", OPERATION)], is_isolated=True)
        main.enter(self.machine, [Handle("%root", OPERATION, [self.machine.payload])])
        main.statements = self._statements(self.random.randrange(4, 14))
        mark = "transform.consumed" if main.consumed_arguments() else "transform.readonly"
        head = f"transform.named_sequence @__transform_main(%root: {OPERATION} {{{mark}}}) {{"
        script = [f"  {line}" for line in [*self.library, head, *main.lines(), "}"]]
        return _module([*payload_lines, *script])

    def body(
        self,
        given: Sequence[Handle],
        ends: int,
        *,
        is_isolated: bool = False,
        is_sequence: bool = False,
        begin: Statement | None = None,
    ) -> Body:
        """Write a block; see `Maker.body`."""
        arguments = [(self.new_name(), handle.type) for handle in given]
        body = Body(arguments, is_isolated=is_isolated, is_sequence=is_sequence)
        kept = self.machine
        copy = Copy(kept)
        self.machine, given = copy.machine, [copy.handle(handle) for handle in given]
        self._depth += 1
        body.enter(self.machine, given)
        if begin is not None:
            begin.operands[0] = body.arguments[0][0]
            self.machine.execute(begin)
            body.statements.append(begin)
        body.statements += self._statements(self.random.randrange(1, 5))
        for _ in range(ends):
            handle = self.pick(lambda handle: bool(handle.nodes))
            if handle is not None and not (is_sequence and (handle.is_consumed or handle.name in body.yields)):
                body.yields.append(handle.name)
                body.types.append(handle.type)
        self._depth -= 1
        self.machine = kept
        return body

    def _statements(self, length: int) -> list[Statement]:
        """Write and execute statements, about `length`."""
        found: list[Statement] = []
        remaining, attempts = length, length * _PATIENCE
        while remaining > 0 and attempts > 0:
            statement = self._statement()
            attempts -= 1
            if statement is None:
                continue
            had_failed = self.machine.has_failed
            if not self._executes(statement):
                continue
            remaining -= 1
            found.append(statement)
            if self.machine.has_failed and not had_failed:
                remaining = min(remaining, self.random.randrange(_AFTERWARDS + 1))
        return found

    def _executes(self, statement: Statement) -> bool:
        """Execute `statement`; return False where it does not apply, and nothing has happened then."""
        kept = Copy(self.machine).machine
        self.machine.execute(statement)
        if self.machine.has_misfired:
            self.machine = kept
            return False
        return True

    def _statement(self) -> Statement | None:
        nested = 1 / 4**self._depth if self._depth < _DEPTH else 0.0
        operations = sum(1 for handle in self.machine.visible() if handle.is_operation)
        groups: list[tuple[tuple[Form, ...], float]] = [
            (NAVIGATION, 2.2 if operations < 4 else 1.1),
            (COMBINING, 0.5),
            (VALUES, 0.3),
            ((*CONSUMING, *PASSES), 1.5),
            (READING, 0.8),
            (CHANGING, 0.25),
            ((*REGIONS, *CALLS, *CALLS), 0.6 * nested),
            (MATCHING, 0.2 * nested),
        ]
        (group,) = self.random.choices([group for group, _ in groups], [weight for _, weight in groups])
        tried = self.random.choices(group, [form.weight for form in group], k=_TRIES)
        return next((made for form in tried if (made := form.make(self)) is not None), None)

    def pick(self, accepts: Accepts, kind: str = OPERATION) -> Handle | None:
        """Return a handle, now and then a stale one; None where there is none that would do."""
        known = [handle for handle in self.machine.visible() if accepts(handle) and _is_of(handle, kind)]
        stale = [handle for handle in known if handle.is_stale]
        fresh = [handle for handle in known if not handle.is_stale and not handle.is_dangling]
        if stale and self.random.random() < self.mistakes * 3:
            return self._of_stale(stale)
        own = [handle for handle in fresh if handle.name in self.machine.scopes[-1].handles]
        if own and self.random.random() < _OF_THE_BLOCK:
            return self.random.choice(own[-6:])
        return self.random.choice(fresh[-6:]) if fresh else None

    def _of_stale(self, stale: list[Handle]) -> Handle:
        """Return one of `stale`; more often one that was consumed by another name."""
        others = [handle for handle in stale if not handle.is_consumed]
        return self.random.choice(others[-4:] if others and self.random.random() < _BY_ANOTHER_NAME else stale[-4:])

    def new_name(self) -> str:
        """Return a name for a handle that is not in use."""
        self._names += 1
        return f"%{self._names}"


def _module(lines: Sequence[str]) -> str:
    return "\n".join(["module attributes {transform.with_named_sequence} {", *lines, "}", ""])


def _is_of(handle: Handle, kind: str) -> bool:
    return handle.is_operation if kind == OPERATION else handle.type == kind
