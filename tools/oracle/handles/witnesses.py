"""Looks for payloads with which a script goes on where it failed: there the payload decides, and nothing is certain."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from oracle.handles.runs import run
from oracle.handles.variants import variants

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.handles.runs import Flag, Run
    from oracle.handles.scripts import HandleScript

_IN_A_ROUND = 12


def with_witness(scripts: Sequence[tuple[HandleScript, Flag]], rounds: int) -> set[str]:
    """Return the names of those scripts for which there is another payload with which no complaint comes.

    Each script failed with its own payload, as the flag says. With the other one, the consumed and used payload is
    executed with handles that stand for something. A round tries a dozen payloads.
    """
    found: set[str] = set()
    todo = [(script, flag, variants(script, rounds * _IN_A_ROUND)) for script, flag in scripts]
    for _ in range(rounds):
        several = [(script, flag, list(islice(others, _IN_A_ROUND))) for script, flag, others in todo]
        runs = iter(run([other for _, _, others in several for other in others]))
        for script, flag, others in several:
            fine = [_is_fine(next(runs), flag) for _ in others]
            found |= {script.name} if any(fine) else set()
        todo = [entry for entry in todo if entry[0].name not in found]
    return found


def _is_fine(run: Run, flag: Flag) -> bool:
    """Whether the use of `flag`, and the operation that invalidated the handle, were executed without an error."""
    if flag.consumed is not None and not _is_full(run, flag.consumed.place):
        return False
    complained = run.flag.uses if run.flag is not None else frozenset()
    return any(run.executed.get(use, (0, 0))[1] for use in flag.uses - complained)


def _is_full(run: Run, place: tuple[int, int]) -> bool:
    """Whether the operation at `place` was executed, and never with an empty handle."""
    counts = [counts for use, counts in run.executed.items() if use.place == place]
    return bool(counts) and all(full == executed for executed, full in counts)
