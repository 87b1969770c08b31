"""Which operands a parser has read, which variables hold them, and in which order they become the operation's."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class UnclearError(Exception):
    """What a parser does with operands is not understood."""


@dataclass(eq=False, slots=True)
class Read:
    """One call that reads an operand, or several (`many`). `certain`: it is always made, and what it reads is kept."""

    many: bool
    certain: bool


@dataclass(eq=False, slots=True)
class Holder:
    """A variable with the operands that it holds, in order; None where that is not known.

    An element of a list stands for all of them, one after the other, and is used once.
    """

    is_list: bool
    content: Sequence[Read] | None = ()
    is_element: bool = False


@dataclass(slots=True)
class ParsedOperands:
    """The operands of one text: `read` is the order in which they stand there, `resolved` that of the operation."""

    read: list[Read] = field(default_factory=list)
    resolved: list[Read] = field(default_factory=list)
    has_alternatives: bool = False
    """Are there several ways to resolve, of which one is taken?"""
    _uncertain: int = 0
    _forbidden: int = 0
    _loops: list[int] = field(default_factory=list)
    """For each loop around, how many calls had read operands before it."""

    def read_into(self, holder: Holder, *, many: bool = False, optional: bool = False) -> None:
        """Read an operand into a variable, or one or many to the end of a list."""
        if self._forbidden or holder.content is None or holder.is_element or (many and not holder.is_list):
            raise UnclearError
        found = Read(many, not (self._uncertain or optional))
        self.read.append(found)
        holder.content = (*holder.content, found) if holder.is_list else (found,)

    def move(self, holder: Holder, to: Holder, *, first: bool = False) -> None:
        """Add what a variable holds to a list, at its end or as what comes `first`."""
        found = self._taken(holder)
        if not to.is_list or to.content is None or not set(to.content).isdisjoint(found):
            raise UnclearError
        if first and self._loops:
            raise UnclearError
        to.content = (*found, *to.content) if first else (*to.content, *found)

    def resolve(self, holder: Holder) -> None:
        """Make what a variable holds operands of the operation."""
        found = self._taken(holder)
        if not set(self.resolved).isdisjoint(found):
            raise UnclearError
        self.resolved += found

    def _taken(self, holder: Holder) -> Sequence[Read]:
        found = holder.content
        if self._forbidden or found is None:
            raise UnclearError
        for read in found if self._uncertain else ():
            read.certain = False
        if holder.is_element and len(self._loops) == 1:
            holder.content = None
        elif self._loops and (holder.is_list or not self._is_read_in_loop(found)):
            raise UnclearError
        return found

    def _is_read_in_loop(self, reads: Iterable[Read]) -> bool:
        return set(self.read[self._loops[-1] :]).issuperset(reads)

    def element_of(self, holder: Holder) -> Holder:
        """Return the variable that stands for the elements of a list, one after the other, in a loop over it."""
        if self._loops or not holder.is_list:
            raise UnclearError
        return Holder(is_list=False, content=holder.content, is_element=True)

    @property
    def is_uncertain(self) -> bool:
        """May what is done now be left out?"""
        return bool(self._uncertain)

    def begin_rest(self) -> None:
        """All that follows may be left out, until `end_rest`."""
        self._uncertain += 1
        self.has_alternatives |= bool(self.resolved)

    def end_rest(self, times: int) -> None:
        """What follows is no longer left out for what began the rest so many times."""
        self._uncertain -= times

    @contextmanager
    def uncertain(self, is_uncertain: bool = True) -> Iterator[None]:
        """What is done meanwhile may be left out."""
        self._uncertain += is_uncertain
        yield
        self._uncertain -= is_uncertain

    @contextmanager
    def untouched(self) -> Iterator[None]:
        """Operands are not to be read or used meanwhile, since nobody knows when that is."""
        self._forbidden += 1
        yield
        self._forbidden -= 1

    @contextmanager
    def repeated(self, holders: Iterable[Holder]) -> Iterator[None]:
        """What is done meanwhile is done any number of times. `holders` are the variables there are."""
        before = len(self.read)
        self._loops.append(before)
        with self.uncertain():
            yield
        self._loops.pop()
        found = self.read[before:]
        if len(found) > 1:
            raise UnclearError
        for read in found:
            read.many = True
            for holder in holders:
                if not holder.is_list and holder.content is not None and read in holder.content:
                    holder.content = None
