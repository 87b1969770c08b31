"""Starts a worker in any Python: ``python start_worker.py MODULE CONFIGURATION``, as `main` of that module takes it.

That Python needs no tdls installed, and must not get other packages from where tdls is. Python 3.7 and newer can read
this file, so that one which is too old for the rest can say so.
"""

from __future__ import annotations

import importlib
import json
import os
import struct
import sys
from pathlib import Path

_OLDEST = (3, 10)


def start(arguments: list[str]) -> int:
    """Say why this Python will not do, or be the worker that `arguments` name; return the exit status."""
    here = Path(__file__).resolve().parent
    sys.path = [entry for entry in sys.path if Path(entry or ".").resolve() != here]
    if sys.version_info < _OLDEST:
        version = ".".join(map(str, sys.version_info[:3]))
        body = json.dumps({"error": f"Python {version} is too old, 3.10 is needed"}).encode()
        os.write(1, struct.pack(">Q", len(body)) + body)
        return 1
    home = str(here.parents[2])
    sys.path.insert(0, home)
    import tdls  # noqa: F401

    sys.path.remove(home)
    status: int = importlib.import_module(arguments[0]).main(arguments[1:])
    return status


if __name__ == "__main__":
    sys.exit(start(sys.argv[1:]))
