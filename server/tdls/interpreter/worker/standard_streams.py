"""The standard streams of a worker, which must not be those that its messages come and go by."""

from __future__ import annotations

import os

_INPUT, _OUTPUT = 0, 1


def taken_streams(printed: int) -> tuple[int, int]:
    """Return copies of standard input and output, for messages; what prints from now on writes to the file `printed`.

    Standard input is empty from now on.
    """
    requests, answers = os.dup(_INPUT), os.dup(_OUTPUT)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _INPUT)
    os.close(nothing)
    os.dup2(printed, _OUTPUT)
    return requests, answers
