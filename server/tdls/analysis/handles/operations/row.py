"""The meaning of one transform operation, which both runs, the explanations of searches and the rules read.

The definition of an operation without a row is its meaning: relations of its results, effects, criteria of a search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.relations import by_relations
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.analysis.refusals.target import Unmet
    from tdls.catalogue.catalogue import Catalogue
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Operation


class Meaning(NamedTuple):
    """The effects of an operation in a run without payload, and on a known payload."""

    binds: Callable[[AbstractRun, Operation], None] = by_relations
    """Runs its body and binds its results to sets, without payload."""
    evaluates: Callable[[PayloadRun, Operation], None] | None = None
    """Executes it on the known payload; None: by its effect."""
    refuses: Callable[[PayloadRun, Operation], None] | None = None
    """Fails where `apply` refuses its operands on the known payload, before it is executed."""
    unmet: Callable[[Operation, PayloadOperation, Catalogue], Unmet | None] | None = None
    """Tests one payload operation of its handle; None for one that it accepts, or may accept."""
    repeats_body: bool = False
    """True if its body is run once for each operation of its handles."""
    counts: str = ""
    """Words for the number that its result holds, in messages."""
