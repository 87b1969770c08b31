"""The command line of tdls, which gets signals when certain functions are entered: ``python signal_at.py ARGUMENT...``.

`environment` says which signals, and where.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import FrameType

COMMAND = (sys.executable, __file__)
_VARIABLE = "TESTS_SIGNAL_AT"
AFTER = "after:"
WEAKREF_CALLBACK = "importlib._bootstrap>:cb"
"""Called for each imported module; Python ignores its exceptions."""


def environment(name: str, *places: str) -> dict[str, str]:
    """Return the variables that send the signal `name` at the first call of each of the `places`, in their order.

    A place is the end of a file's name, a colon and the name of a function; with `AFTER` before it, nothing is sent.
    """
    return {**os.environ, _VARIABLE: " ".join([name, *places])}


def _send_at(number: int, places: list[str]) -> None:
    left = [(file, function) for file, _, function in (place.rpartition(":") for place in places)]

    def look(frame: FrameType, event: str, _: Any) -> None:
        file, function = left[0]
        code = frame.f_code
        if event == "call" and code.co_name == function and code.co_filename.endswith(file.removeprefix(AFTER)):
            del left[0]
            if not left:
                sys.setprofile(None)
            if not file.startswith(AFTER):
                signal.raise_signal(number)

    sys.setprofile(look)


if __name__ == "__main__":
    name, *chosen = os.environ.pop(_VARIABLE).split()
    _send_at(signal.Signals[name], chosen)
    from tdls.cli.main import main

    sys.exit(main())
