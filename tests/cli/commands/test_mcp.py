"""``tdls mcp`` by the client of the official SDK, over standard input and output."""

from __future__ import annotations

import asyncio
import importlib
import sys
from typing import TYPE_CHECKING, Any

import pytest

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


def test_what_a_command_refuses_is_an_error_with_its_message(tmp_path: Path) -> None:
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


BROKEN = {
    "misspelled operation": ("transform.annotate", "transform.anotate"),
    "former name": (
        'transform.annotate %fill "seen" : !transform.any_op',
        "%t, %l = transform.structured.tile %fill [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)",
    ),
    "misspelled handle": ('annotate %fill "', 'annotate %fil "'),
    "misspelled payload operation": ('["linalg.fill"]', '["linalg.fil"]'),
    "marker is missing": ("module attributes {transform.with_named_sequence} {", "module {"),
}


def test_broken_scripts_are_repaired_by_the_answers_alone(script: Path) -> None:
    async def repaired(call: Calls, text: str) -> str:
        for _ in range(4):
            diagnostics = (await call("check", path=str(script), text=text))["diagnostics"]
            fixes = [fix for found in diagnostics if found["level"] != "hint" for fix in found["fixes"]]
            if not fixes:
                break
            for edit in sorted(fixes[0]["edits"], key=lambda edit: -edit["range"]["start"]["offset"]):
                start, end = (edit["range"][side]["offset"] for side in ("start", "end"))
                text = text[:start] + edit["new_text"] + text[end:]
        assert [found for found in diagnostics if found["level"] in ("error", "warning")] == [], text
        return text

    async def talk(call: Calls) -> None:
        for kind, (right, wrong) in BROKEN.items():
            broken = SCRIPT.replace(right, wrong)
            assert broken != SCRIPT, kind
            mended = await repaired(call, broken)
            assert mended != broken, kind
            if kind != "former name":
                assert mended == SCRIPT, kind
            else:
                assert "tile_using_for %fill tile_sizes [2]" in mended

    conversation(talk)
