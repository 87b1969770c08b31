"""What each way to start tdls imports of it; `starts.json` has the modules of an earlier time, to tell which are new.

``PYTHONPATH=tests:tools python tests/checkout/test_starts.py`` writes that file again.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from rpc.client import LanguageClient

SCRIPT: Final = Path(__file__).parents[2] / "examples" / "stale_handle.mlir"
KNOWN: Final = Path(__file__).with_name("starts.json")
STARTED: Final = (sys.executable, "-v", "-m", "tdls")
MOST: Final = {"warm": 38, "cold": 243, "explain": 145, "--help": 11, "server": 393}
"""The modules that each start may import."""


def imported(start: str, folder: Path) -> list[str]:
    """Return the modules of tdls that a start imports; a script and a cache are in `folder`."""
    script = folder / "script.mlir"
    script.write_bytes(SCRIPT.read_bytes())
    environment = {**os.environ, "TDLS_CACHE_DIR": str(folder / "cache"), "TDLS_DATA_DIR": str(folder / "data")}
    if start == "server":
        errors = messages_of_server(script, environment)
    else:
        check = ["--check", str(script)]
        arguments = {"warm": check, "cold": check, "explain": ["explain", "TD301"]}.get(start, [start])
        for number in range(3):  # the first one scans what is installed, and keeps it
            if start == "cold":
                script.write_text(f"{SCRIPT.read_text('utf-8')}// {number}\n", "utf-8")
            errors = subprocess.run([*STARTED, *arguments], capture_output=True, env=environment, check=False).stderr
    return sorted(set(re.findall(r"^import '(tdls[^']*)'", errors.decode(), re.MULTILINE)))


def messages_of_server(script: Path, environment: dict[str, str]) -> bytes:
    """Return what Python says of its imports until the server has published the first finding in `script`."""
    document = {"uri": script.as_uri(), "languageId": "mlir", "version": 1, "text": script.read_text("utf-8")}
    with LanguageClient([*STARTED, "server"], folder=script.parent, environment=environment) as client:
        client.initialize({})
        client.notify("textDocument/didOpen", {"textDocument": document})
        while not client.notifications.get(timeout=60).params.get("diagnostics"):
            pass
    return bytes(client.stderr)


@pytest.mark.parametrize("start", MOST)
def test_a_start_imports_little(start: str, tmp_path: Path) -> None:
    modules = imported(start, tmp_path)
    new = sorted(set(modules) - set(json.loads(KNOWN.read_text("utf-8"))[start]))
    assert 0 < len(modules) <= MOST[start], f"{len(modules)} modules, of which these are new: {new}"
    if start == "warm":
        floors = ("tdls.analysis", "tdls.syntax", "tdls.semantic", "tdls.catalogue", "tdls.grammars")
        assert not [module for module in modules if module.startswith(floors)]


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        KNOWN.write_text(json.dumps({start: imported(start, Path(name)) for start in MOST}, indent=1) + "\n", "utf-8")
