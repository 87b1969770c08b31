"""``tdls mcp`` by the client of the official SDK, over standard input and output."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from command_line import tdls
from processes import command_of, descendants, is_alive
from rpc.answers import eventually
from tools_at_hand import give_up, require_bindings, require_module

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    Calls = Callable[..., Awaitable[dict[str, Any]]]

SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %fill "seen" : !transform.any_op
    transform.yield
  }
  func.func @payload(%c: f32, %a: tensor<4xf32>) -> tensor<4xf32> {
    %x = linalg.fill ins(%c : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %x : tensor<4xf32>
  }
}
"""


class ToolFailedError(Exception):
    """A tool answered with an error."""


def conversation(folder: Path, talk: Callable[[Calls], Awaitable[None]], *options: str) -> None:
    """Start the server with `options` in `folder`, and let `talk` call its tools."""
    try:
        mcp = importlib.import_module("mcp")
    except ImportError as error:
        give_up(f"the SDK is not installed (pip install 'tdls[mcp]'): {error}")

    async def converse() -> None:
        server = mcp.StdioServerParameters(command=sys.executable, args=["-m", "tdls", "mcp", *options], cwd=folder)
        async with mcp.Client(server) as client:

            async def call(name: str, /, **arguments: Any) -> dict[str, Any]:
                answer = await client.call_tool(name, arguments)
                if answer.is_error:
                    raise ToolFailedError(answer.content[0].text)
                found: dict[str, Any] = answer.structured_content
                return found

            await talk(call)

    asyncio.run(converse())


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.mlir"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def test_scripts_are_checked_and_operations_explained(script: Path) -> None:
    async def talk(call: Calls) -> None:
        assert (await call("check", path=str(script)))["diagnostics"] == []
        text = SCRIPT.replace('annotate %fill "seen" : ', 'annotate %full "seen" : ')
        finding = (await call("check", path=str(script), text=text))["diagnostics"][0]
        assert finding["path"] == str(script)
        assert finding["range"]["start"]["line"] == 4
        assert finding["rule"] in (await call("explain_rule", rule=finding["code"]))["rules"][0]["name"]
        operation = (await call("explain_operation", name="transform.structured.match"))["operation"]
        assert operation["operands"][0]["name"] == "target"
        found = (await call("search_operations", words="tile reduction"))["operations"]
        assert "transform.structured.tile_reduction_using_for" in [known["name"] for known in found]

    conversation(script.parent, talk)


def test_refusals_of_a_command_are_errors_with_its_message(tmp_path: Path) -> None:
    async def talk(call: Calls) -> None:
        with pytest.raises(ToolFailedError, match=r"did you mean 'transform\.annotate'"):
            await call("explain_operation", name="transform.anotate")
        with pytest.raises(ToolFailedError, match=r"no-such\.mlir|unreadable"):
            await call("explain_rule", rule="no-such.mlir")
        assert (await call("check", path=str(tmp_path / "no.mlir")))["unreadable"]

    conversation(tmp_path, talk)


def test_paths_are_no_options(script: Path) -> None:
    async def talk(call: Calls) -> None:
        assert (await call("check", path="--fix"))["unreadable"][0]["path"] == "--fix"

    conversation(script.parent, talk)
    assert script.read_text(encoding="utf-8") == SCRIPT


def test_nothing_runs_without_consent(script: Path) -> None:
    async def talk(call: Calls) -> None:
        for tool in ("run", "state", "why_not_matched"):
            with pytest.raises(ToolFailedError, match=r"tdls mcp --runs"):
                await call(tool, path=str(script), line=4)

    conversation(script.parent, talk)


def test_runs_show_payload_states_and_matches(script: Path) -> None:
    require_bindings()

    async def talk(call: Calls) -> None:
        ended = (await call("run", path=str(script)))["runs"][0]
        assert ended["status"] == "success"
        assert "seen" in ended["text"]
        assert "linalg.fill" in str(await call("state", path=str(script), line=4))
        script.write_text(SCRIPT.replace('["linalg.fill"]', '["linalg.matmul"]'), encoding="utf-8")
        matches = (await call("why_not_matched", path=str(script)))["runs"][0]["matches"]
        assert "linalg.matmul" in matches["nothing"][0]["message"]

    conversation(script.parent, talk, "--runs")


def test_files_elsewhere_are_not_read(script: Path) -> None:
    (script.parent / "link").symlink_to("/")

    async def talk(call: Calls) -> None:
        for path in ("/", "..", "link", "a/../../b.mlir", "/" * 9_000, "a\0b"):
            for tool in ("check", "migrate", "run"):
                with pytest.raises(ToolFailedError, match=r"outside of the folder of the server|is no path"):
                    await call(tool, path=path, text="")
        with pytest.raises(ToolFailedError, match="outside of the folder of the server"):
            await call("run", path="script.mlir", payload="/etc/passwd")
        assert (await call("check", path="-"))["unreadable"]

    conversation(script.parent, talk, "--runs")


def test_arguments_are_bounded(script: Path) -> None:
    async def talk(call: Calls) -> None:
        with pytest.raises(ToolFailedError, match="more than 8,192 characters"):
            await call("search_operations", words="tile " * 24_000)

    conversation(script.parent, talk)


def test_no_module_of_the_folder_runs(script: Path) -> None:
    mark = script.with_name("mark")
    for name in ("tdls/__init__.py", "tdls/__main__.py", "json.py", "multiprocessing.py"):
        file = script.parent / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"open({str(mark)!r}, 'w')\n", encoding="utf-8")
    with served(script.parent) as server:
        ask(server, 2, "check", path="script.mlir")
        assert answer(server, 2)["result"]["structuredContent"]["diagnostics"] == []
    assert not mark.exists()


def test_half_characters_and_strange_names_are_answered(script: Path) -> None:
    if sys.platform == "linux":
        Path(script.parent, "\udcff.mlir").write_text(SCRIPT.replace("annotate", "anotate"), encoding="utf-8")
    with served(script.parent) as server:
        ask(server, 2, "check", path="\ud800.mlir")
        assert answer(server, 2)["result"]["structuredContent"]["unreadable"]
        ask(server, 3, "migrate", path="script.mlir", text=SCRIPT.replace("seen", "\ud800"))
        assert "annotate" in answer(server, 3)["result"]["structuredContent"]["text"]
        ask(server, 4, "check", path=".")
        assert answer(server, 4)["result"]["structuredContent"]["diagnostics"] or sys.platform != "linux"


LARGE = "".join(
    f"func.func @f{index}(%v0: f32) -> f32 {{\n"
    + "".join(f"  %v{number + 1} = arith.addf %v{number}, %v{number} : f32\n" for number in range(2_000))
    + "  return %v0 : f32\n}\n"
    for index in range(100)
)
"""A text whose check takes longer than these tests wait."""
SOON = 30.0
"""Seconds for what takes one at most, on a machine that is busy with other things."""


@contextmanager
def served(folder: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a server whose messages tests write themselves."""
    require_module("mcp")
    start = "import sys; from tdls.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-I", "-c", start, "mcp", *options]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        send(server, id=1, method="initialize", params=client)
        answer(server, 1)
        send(server, method="notifications/initialized")
        try:
            yield server
        finally:
            server.kill()


def send(server: subprocess.Popen[bytes], **message: Any) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()


def ask(server: subprocess.Popen[bytes], number: int, tool: str, **arguments: Any) -> None:
    send(server, id=number, method="tools/call", params={"name": tool, "arguments": arguments})


def answer(server: subprocess.Popen[bytes], number: int) -> dict[str, Any]:
    assert server.stdout is not None
    for line in server.stdout:
        message: dict[str, Any] = json.loads(line)
        if message.get("id") == number:
            return message
    raise AssertionError("the server ended")


def close_input(server: subprocess.Popen[bytes]) -> None:
    assert server.stdin is not None
    server.stdin.close()


def cancel(server: subprocess.Popen[bytes]) -> None:
    send(server, method="notifications/cancelled", params={"requestId": 2})


ENDS: dict[str, tuple[Callable[[subprocess.Popen[bytes]], None], int | None]] = {
    "closed input": (close_input, 0),
    "SIGTERM": (subprocess.Popen.terminate, 128 + signal.SIGTERM),
    "SIGINT": (lambda server: server.send_signal(signal.SIGINT), 128 + signal.SIGINT),
    "SIGKILL": (subprocess.Popen.kill, -9),
    "cancel": (cancel, None),
}
"""How a call ends early, and the exit status of the server, None if it stays."""


def calls(server: subprocess.Popen[bytes]) -> list[int]:
    return [process for process in descendants(server.pid) if "spawn_main" in command_of(process)]


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("end", ENDS)
def test_a_call_ends_at_once(script: Path, end: str) -> None:
    action, status = ENDS[end]
    script.with_name("large.mlir").write_text(LARGE, encoding="utf-8")
    with served(script.parent) as server:
        ask(server, 2, "check", path="large.mlir")
        assert eventually(lambda: bool(calls(server)), SOON)
        started = calls(server)
        action(server)
        assert eventually(lambda: not any(map(is_alive, started)), SOON)
        if status is None:
            ask(server, 3, "explain_rule", rule="TD302")
            assert answer(server, 3)["result"]["structuredContent"]["rules"]
        else:
            assert server.wait(SOON) == status


LONG_SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_fill(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.fill"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "seen" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops = transform.structured.tile_using_for %fill tile_sizes [2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.include @mark failures(propagate) (%tiled) : (!transform.any_op) -> ()
    %same = transform.foreach_match in %root @is_fill -> @mark : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @payload(%c: f32, %a: tensor<4xf32>) -> tensor<4xf32> {
    %x = linalg.fill ins(%c : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %x : tensor<4xf32>
  }
}
"""
BROKEN = {
    "an operation is misspelled": ("transform.annotate", "transform.anotate"),
    "an operation has its former name": ("tile_using_for %fill tile_sizes [2]", "tile %fill [2]"),
    "a handle is misspelled": ("(%tiled) :", "(%tild) :"),
    "a handle has no percent sign": ("tile_using_for %fill", "tile_using_for fill"),
    "a handle is stale": ("(%tiled) :", "(%fill) :"),
    "a payload operation is misspelled": ('["linalg.fill"]} in', '["linalg.fil"]} in'),
    "the payload has no such operation": ('["linalg.fill"]} in', '["linalg.matmul"]} in'),
    "a sequence is misspelled": ("include @mark", "include @marc"),
    "the module has no marker": (" attributes {transform.with_named_sequence}", ""),
    "an argument has no mark": ("@mark(%op: !transform.any_op {transform.readonly})", "@mark(%op: !transform.any_op)"),
    "an argument has the wrong mark": ("{transform.consumed}", "{transform.readonly}"),
    "a type is missing": ('"seen" : !transform.any_op', '"seen"'),
    "a type is wrong": ("(%tiled) : (!transform.any_op)", "(%tiled) : (!transform.any_value)"),
    "a result has no name": ("%tiled, %loops =", "%tiled ="),
    "a result has no type": ("-> (!transform.any_op, !transform.any_op)", "-> !transform.any_op"),
    "a keyword is misspelled": ("tile_sizes", "tile_size"),
    "a case of an enumeration is misspelled": ("propagate", "propogate"),
    "an equals sign is missing": ("%same =", "%same"),
    "an arrow is misspelled": ("@is_fill -> @mark", "@is_fill => @mark"),
    "a bracket is not closed": ('["linalg.fill"]} in', '["linalg.fill"} in'),
    "a terminator is missing": ("!transform.any_op\n    transform.yield\n", "!transform.any_op\n"),
}
"""Mistakes in the long script: the right text, and the wrong one."""


def with_edits(text: str, edits: list[dict[str, Any]]) -> str:
    for edit in sorted(edits, key=lambda edit: -edit["range"]["start"]["offset"]):
        start, end = (edit["range"][side]["offset"] for side in ("start", "end"))
        text = text[:start] + edit["new_text"] + text[end:]
    return text


def with_name_of_help(text: str, finding: dict[str, Any]) -> str:
    """The text with the name that the help of a finding quotes in place of the one in its message."""
    said, meant = (re.findall(r"`([^`]+)`", finding[part] or "") for part in ("message", "help"))
    if len(meant) != 1:
        return text
    begin = finding["range"]["start"]["offset"]
    return text[:begin] + text[begin:].replace(said[-1], meant[0], 1)


def test_broken_scripts_are_repaired_by_the_answers_alone(script: Path) -> None:
    def checked(text: str) -> list[dict[str, Any]]:
        """Return the diagnostics of the tool `check`, which are those of this command."""
        done = tdls("check", "--format", "json", "--stdin-filename", str(script), "--", "-", text=text)
        found: list[dict[str, Any]] = json.loads(done.stdout)["diagnostics"]
        return found

    def repaired(text: str) -> str:
        for _ in range(6):
            findings = [found for found in checked(text) if found["level"] in ("error", "warning")]
            if not findings:
                return text
            fixes = [fix for found in findings for fix in found["fixes"]]
            text = with_edits(text, fixes[0]["edits"]) if fixes else with_name_of_help(text, findings[0])
        raise AssertionError(f"{findings}\n{text}")

    assert repaired(LONG_SCRIPT) == LONG_SCRIPT
    for kind, (right, wrong) in BROKEN.items():
        broken = LONG_SCRIPT.replace(right, wrong, 1)
        assert broken != LONG_SCRIPT, kind
        mended = repaired(broken)
        assert mended.split() == LONG_SCRIPT.split(), f"{kind}\n{mended}"


def test_migrated_text_is_an_answer(script: Path) -> None:
    old = LONG_SCRIPT.replace("@mark failures", "@mark  failures").replace(
        "tile_using_for %fill tile_sizes [2]", "tile_using_for %fill [2]"
    )

    async def talk(call: Calls) -> None:
        script.write_text(old, encoding="utf-8")
        answer = await call("migrate", path=str(script), to="22")
        assert answer["text"] == LONG_SCRIPT.replace("@mark failures", "@mark  failures")
        assert script.read_text(encoding="utf-8") == old
        assert answer["left"] == []
        payload = "func.func @f() { return }"
        assert await call("migrate", path=str(script), text=payload) == {"text": payload, "left": []}
        with pytest.raises(ToolFailedError, match=r"no-such\.mlir"):
            await call("migrate", path=str(script.with_name("no-such.mlir")))

    conversation(script.parent, talk)
