"""``python -m tdls`` is ``tdls``."""

from __future__ import annotations

import sys

from tdls.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
