"""Where the bindings (a development version of LLVM 24) do other things than LLVM 22, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """What differs in the scripts whose names begin with `scripts`.

    `kinds` are all the differing results that `oracle.run_agreement.differences` names; there LLVM 22 has the text
    `older`, and not `newer`, with the bindings it is the other way round. "" says nothing.
    """

    scripts: str
    kinds: frozenset[str]
    older: str
    newer: str
    reason: str


_TEXTS = frozenset({"module", "payload"})

DIFFERENCES = (
    Difference(
        "loops: unroll [copies] [100]",
        _TEXTS,
        older="%c100 = arith.constant 100 : index",
        newer="",
        reason="a loop that is unrolled completely leaves no constant of its new step behind",
    ),
)


def difference_of(script: str) -> Difference | None:
    """Return what is known to differ for the script with that name."""
    return next((known for known in DIFFERENCES if script.startswith(known.scripts)), None)
