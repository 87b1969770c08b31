"""Blocks of statements: written once, and executed by their operation any number of times."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle.handles.machine import Handle, Results, Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.handles.machine import Machine, Statement


@dataclass(eq=False)
class Body:
    """A block: its arguments with types, its statements, and the yielded handles."""

    arguments: list[tuple[str, str]]
    statements: list[Statement] = field(default_factory=list)
    yields: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    is_isolated: bool = False
    is_sequence: bool = False
    failure: str = ""
    """The last line, if that is an operation whose failure an enclosing operation or a caller suppresses."""

    def enter(self, machine: Machine, given: Sequence[Handle]) -> None:
        """Begin to execute it: its arguments stand for the same as the handles `given`."""
        machine.scopes.append(Scope(self.is_isolated, self.is_sequence))
        for (name, type_), handle in zip(self.arguments, given, strict=True):
            machine.define(Handle(name, type_, list(handle.nodes), list(handle.items)))

    def run(self, machine: Machine, given: Sequence[Handle]) -> Results:
        """Execute it and return the payload of the yielded handles, none if it fails at the end."""
        self.enter(machine, given)
        for statement in self.statements:
            if machine.has_failed:
                break
            machine.execute(statement)
        results = machine.give_away(self.yields) if not machine.has_failed and not self.failure else []
        machine.scopes.pop()
        return results

    def consumed_arguments(self) -> list[int]:
        """Return the numbers of the arguments that a statement in it consumes."""
        consumed: set[str] = set().union(*(statement.consumed() for statement in self.statements))
        return [number for number, (name, _) in enumerate(self.arguments) if name in consumed]

    def head(self) -> str:
        """Return the block's label with its arguments."""
        return f"^bb0({', '.join(f'{name}: {type_}' for name, type_ in self.arguments)}):"

    def lines(self) -> list[str]:
        """Return the lines of the statements and of the terminator."""
        lines = [line for statement in self.statements for line in statement.lines()]
        given = f" {', '.join(self.yields)} : {', '.join(self.types)}" if self.yields else ""
        failure = [self.failure] if self.failure else []
        return [f"  {line}" for line in [*lines, *failure, f"transform.yield{given}"]]
