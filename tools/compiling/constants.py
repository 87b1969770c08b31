"""Constants of modules, which are compiled as such.

A name in capitals is assigned once, and never from elsewhere. Said to be `Final`, it is part of the compiled code;
otherwise each use looks into the module's dictionary. mypy, which runs first, finds what is assigned again.
"""

from __future__ import annotations

import re

_FUTURE = "from __future__ import annotations\n"
_IMPORT = "from __future__ import annotations; from typing import Final as _Final\n"
"""On the same line, so that all others keep their numbers."""
_CONSTANT = re.compile(r"^(_?[A-Z][A-Z0-9_]*) = (?!TypeVar\(|NamedTuple\()", re.MULTILINE)
_ANNOTATED = re.compile(r"^(_?[A-Z][A-Z0-9_]*): (?!Final|TypeAlias)([^=\n]+) = ", re.MULTILINE)


def with_final_constants(code: str) -> str:
    """Return the code of a module with its constants declared as such; its lines stay where they are."""
    if _FUTURE not in code:
        return code
    declared = _CONSTANT.sub(r"\1: _Final = ", _ANNOTATED.sub(r"\1: _Final[\2] = ", code))
    return declared.replace(_FUTURE, _IMPORT, 1)
