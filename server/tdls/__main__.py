"""Entry point of ``python -m tdls``: the same as the command ``tdls``."""

from __future__ import annotations

import os
import sys


def _forget_current_folder() -> None:
    """Remove the start folder from the module search path, unless it is the folder that contains tdls."""
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - loaded already
    first = sys.path[0] if sys.path else home
    if os.path.exists(first) and os.path.samefile(first, ".") and not os.path.samefile(first, home):  # noqa: PTH121
        del sys.path[0]


if __name__ == "__main__":
    _forget_current_folder()
    from tdls.cli.main import main

    sys.exit(main())
