"""Requests that make no sense: each is refused with a reason, and the adapter goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dap.client import DebugClient, RequestFailedError
from dap.test_adapter import SCRIPT

if TYPE_CHECKING:
    from pathlib import Path

MOVES = (
    "configurationDone", "next", "stepIn", "stepOut", "continue", "stepBack", "reverseContinue", "pause", "stackTrace",
    "scopes", "variables", "evaluate", "exceptionInfo",
)  # fmt: skip
NO_FILES = {
    "with a NUL": "a\0b.mlir",
    "with a lone surrogate": "a\ud800.mlir",
    "a folder": ".",
    "a device": "/dev/null",
    "missing": "missing.mlir",
    "no text": 7,
}


@pytest.mark.parametrize("is_initialized", [False, True])
def test_nothing_moves_before_a_launch(tmp_path: Path, *, is_initialized: bool) -> None:
    with DebugClient(tmp_path) as client:
        if is_initialized:
            client.call("initialize", adapterID="tdls")
        for command in MOVES:
            with pytest.raises(RequestFailedError, match=r"nothing was launched|not known any more"):
                client.call(command, threadId=1)
        assert client.call("threads")["threads"]
        assert client.events == []


@pytest.mark.parametrize("key", ["script", "program", "payload"])
@pytest.mark.parametrize("path", NO_FILES.values(), ids=NO_FILES)
def test_missing_files_are_not_launched(tmp_path: Path, key: str, path: object) -> None:
    script = tmp_path / "script.mlir"
    script.write_text(SCRIPT, encoding="utf-8")
    arguments = {"script": str(script), key: path} if key == "payload" else {key: path}
    with DebugClient(tmp_path) as client:
        client.call("initialize", adapterID="tdls")
        with pytest.raises(RequestFailedError) as refused:
            client.call("launch", **arguments)
        assert "mistake in tdls" not in str(refused.value)
        with pytest.raises(RequestFailedError, match="nothing was launched"):
            client.call("next", threadId=1)


def test_a_second_launch_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    (tmp_path / "payload.mlir").write_text("module {}\n", encoding="utf-8")
    script = tmp_path / "script.mlir"
    script.write_text(SCRIPT, encoding="utf-8")
    with DebugClient(tmp_path) as client:
        client.begin({"script": str(script)})
        with pytest.raises(RequestFailedError, match="launched already"):
            client.call("launch", script=str(script))
        assert client.where() == "structured.match"


@pytest.mark.parametrize("value", [-1, "x", [1], {"a": 1}, 1.5])
@pytest.mark.parametrize(("command", "name"), [("stackTrace", "startFrame"), ("variables", "variablesReference")])
def test_arguments_of_a_wrong_kind_are_refused(tmp_path: Path, command: str, name: str, value: object) -> None:
    (tmp_path / "payload.mlir").write_text("module {}\n", encoding="utf-8")
    script = tmp_path / "script.mlir"
    script.write_text(SCRIPT, encoding="utf-8")
    with DebugClient(tmp_path) as client:
        client.begin({"script": str(script)})
        with pytest.raises(RequestFailedError) as refused:
            client.call(command, **{name: value})
        assert "mistake in tdls" not in str(refused.value)
        assert client.where() == "structured.match"
