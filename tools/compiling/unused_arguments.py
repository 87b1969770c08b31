"""Arguments that a function takes since all of its kind do, and says with `del` that it does not need.

mypyc keeps the arguments of a generator in an object, of which it deletes nothing.
"""

from __future__ import annotations

import re

_DELETION = re.compile(r"^( +)del \w+(?:, \w+)*$", re.MULTILINE)


def without_deletions(code: str) -> str:
    """Return the code of a module in which no name is deleted; its lines stay where they are."""
    return _DELETION.sub(r"\1pass", code)
