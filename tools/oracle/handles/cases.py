"""The cases in which findings may differ from a run, each with its reason.

Whether a mismatch is one of these cases follows from facts: of the script, of its run, or of its runs on other
payloads. Every other mismatch is a mistake of the analysis or of this comparison.
"""

from __future__ import annotations

from enum import Enum


class Case(Enum):
    """A reason, in words."""

    EMPTY = "certain, but something that the consuming operation got was empty: what is certain takes for granted that\
 handles stand for something"
    SILENCED = "certain, but the failure is silenceable and silenced: by `failures(suppress)`, by another alternative,\
 or by a `foreach_match` that goes on"
    BLIND = "certain, but a sequence that is called consumes something that its argument is read only for: the\
 interpreter checks handles of the sequence that it is in, and no others"
    LATER = "certain in a later iteration, and the run ended in an earlier one for another reason"
    EARLIER = "only possible: the same use went well in an earlier iteration, so that it takes a second operation to\
 fail, and there may be just one"
    PAYLOAD = "only possible: with another payload the same consumption and the same use go well"
    NESTS = "only possible: the name of an operation does not tell how many loops it becomes, one in the other"
    ORDER = "only possible: which operation a handle is split off for depends on the order of the payload"
    MATCHERS = "only possible: of matchers and actions, no more is followed than matchers that ask for a name"
    OUTSIDE = "only possible: the parent of an operation may be around all that the script is applied to"
    AGAIN = (
        "missed: whether operations that something is looked for in, or parents of several, are in each other is not\
 always known, and so not whether they find one operation twice"
    )
    ITSELF = "missed: what is found in an operation may be that operation itself, which is not what people look for"
