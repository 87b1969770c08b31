"""The meaning of one transform operation, which both runs, the explanations of searches and the rules read.

The definition of an operation without a row is its meaning: relations of its results, effects, criteria of a search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.relations import by_relations

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.catalogue.catalogue import Catalogue
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Operation


class Unmet(NamedTuple):
    """The reason why an operation finds nothing for one payload operation of its handle, or refuses it."""

    message: str
    help: str | None = None
    """The property that the payload operation has instead."""
    nearness: float = 0.0
    """Degree to which the payload operation has the requested property: larger is nearer."""


class Meaning(NamedTuple):
    """The effects of an operation in a run without payload, and on a known payload."""

    binds: Callable[[AbstractRun, Operation], None] = by_relations
    """Runs its body and binds its results to sets, without payload."""
    evaluates: Callable[[PayloadRun, Operation], None] | None = None
    """Executes it on the known payload, and fails where `apply` refuses that payload; None: by its effect."""
    unmet: Callable[[Operation, PayloadOperation, Catalogue], Unmet | None] | None = None
    """Tests one payload operation of its handle; None for one that it accepts, or may accept."""
    repeats_body: bool = False
    """True if its body is run once for each operation of its handles."""
    counts: str = ""
    """Words for the number that its result holds, in messages."""
