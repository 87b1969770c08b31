"""``tdls mcp`` by the client of the official SDK, over standard input and output."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from fork_server import tdls_command
from tools_at_hand import give_up, require_bindings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

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


def conversation(talk: Callable[[Calls], Awaitable[None]], *options: str) -> None:
    """Start the server with `options`, and let `talk` call its tools."""
    try:
        mcp = importlib.import_module("mcp")
    except ImportError as error:
        give_up(f"the SDK is not installed (pip install 'tdls[mcp]'): {error}")

    async def converse() -> None:
        server = mcp.StdioServerParameters(command=sys.executable, args=["-m", "tdls", "mcp", *options])
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

    conversation(talk)


def test_refusals_of_a_command_are_errors_with_its_message(tmp_path: Path) -> None:
    async def talk(call: Calls) -> None:
        with pytest.raises(ToolFailedError, match=r"did you mean 'transform\.annotate'"):
            await call("explain_operation", name="transform.anotate")
        with pytest.raises(ToolFailedError, match=r"no-such\.mlir|unreadable"):
            await call("explain_rule", rule="no-such.mlir")
        assert (await call("check", path=str(tmp_path / "no.mlir")))["unreadable"]

    conversation(talk)


def test_paths_are_no_options(script: Path) -> None:
    async def talk(call: Calls) -> None:
        assert (await call("check", path="--fix"))["unreadable"][0]["path"] == "--fix"

    conversation(talk)
    assert script.read_text(encoding="utf-8") == SCRIPT


def test_nothing_runs_without_consent(script: Path) -> None:
    async def talk(call: Calls) -> None:
        for tool in ("run", "state", "why_not_matched"):
            with pytest.raises(ToolFailedError, match=r"tdls mcp --runs"):
                await call(tool, path=str(script), line=4)

    conversation(talk)


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

    conversation(talk, "--runs")


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
        command = [*tdls_command(), "check", "--format", "json", "--stdin-filename", str(script), "--", "-"]
        done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
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
        with pytest.raises(ToolFailedError, match=r"no-such\.mlir"):
            await call("migrate", path=str(script.with_name("no-such.mlir")))

    conversation(talk)
