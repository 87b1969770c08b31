"""llvm-tblgen as the judge of how tdls reads TableGen."""

import sys
from pathlib import Path

_TOOLS = str(Path(__file__).resolve().parents[3] / "tools")
if _TOOLS not in sys.path:  # pytest has it there; ``python -m`` has not
    sys.path.append(_TOOLS)
