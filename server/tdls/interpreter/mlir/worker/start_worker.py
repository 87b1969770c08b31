"""Starts a worker in any Python: ``python start_worker.py MODULE CONFIGURATION`` calls `main` of that module.

That Python need not have tdls, and must not see other packages next to tdls's. Python 3.7 and newer can parse this
file, so that a version that is too old for the rest can report it.
"""

from __future__ import annotations

import importlib
import json
import os
import struct
import sys
import tempfile
from pathlib import Path

_OLDEST = (3, 10)


def start(arguments: list[str]) -> int:
    """Run the worker named by `arguments`, or report that this Python is too old; return the exit status."""
    here = Path(__file__).resolve().parent
    sys.path = [entry for entry in sys.path if Path(entry or ".").resolve() != here]
    if sys.version_info < _OLDEST:
        version = ".".join(map(str, sys.version_info[:3]))
        body = json.dumps({"error": f"Python {version} is too old, 3.10 is needed"}).encode() + b"\n"
        os.write(1, struct.pack(">Q", len(body)) + body)
        return 1
    home = str(here.parents[3])
    sys.path.insert(0, home)
    import tdls  # noqa: F401

    sys.path.remove(home)
    tempfile.tempdir = os.environ.get("TMPDIR")  # Python tries a folder with a file, which a kill would leave behind
    status: int = importlib.import_module(arguments[0]).main(arguments[1:])
    return status


if __name__ == "__main__":
    sys.exit(start(sys.argv[1:]))
