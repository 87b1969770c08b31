"""``tdls mcp`` by the client of the official SDK, over standard input and output."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cli.files import with_line_edits
from processes import command_of, descendants, is_alive
from rpc.answers import eventually
from rpc.tool_calls import answer, ask, send, served, told
from tools_at_hand import give_up, require_bindings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

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
        give_up(f"the SDK is not installed (pip install 'mcp>=2.0'): {error}")

    async def converse() -> None:
        server = mcp.StdioServerParameters(command=sys.executable, args=["-m", "tdls", "mcp", *options], cwd=folder)
        async with mcp.Client(server) as client:

            async def call(name: str, /, **arguments: Any) -> dict[str, Any]:
                answer = await client.call_tool(name, arguments)
                if answer.is_error:
                    raise ToolFailedError(answer.content[0].text)
                assert answer.structured_content is None
                found: dict[str, Any] = json.loads(answer.content[0].text)
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
        assert (await call("check", path=str(script)))["findings"] == []
        text = SCRIPT.replace('annotate %fill "seen" : ', 'annotate %full "seen" : ')
        finding = (await call("check", path=str(script), text=text))["findings"][0]
        assert finding["place"] == f"{script}:4:24"
        assert finding["source"] == 'transform.annotate %full "seen" : !transform.any_op'
        assert finding["fixes"][0]["edits"][0]["new"] == f"    {finding['source'].replace('full', 'fill')}"
        assert finding["rule"] in (await call("explain_rule", rule=finding["code"]))["rules"][0]["name"]
        for name in ("transform.structured.match", "structured.match", "match"):
            assert "transform.structured.match" in (await call("explain_operation", name=name))["operation"]
        found = (await call("search_operations", words="tile reduction"))["operations"]
        assert any(known.startswith("transform.structured.tile_reduction_using_for:") for known in found)
        tiling = "pass scf-parallel-loop-tiling {no-min-max-bounds=bool parallel-loop-tile-sizes=long}"
        assert tiling in (await call("search_operations", words="scf loop tiling"))["operations"]
        assert "amx.tile_zero" in (await call("search_operations", words="amx tile"))["operations"]
        assert (await call("search_operations", words="tile_redction_using_for"))["similar"]
        text = SCRIPT.replace('annotate %fill "seen" : ', 'annotate "seen" %fill : ')
        unread = (await call("check", path=str(script), text=text))["findings"][0]
        assert "fixes" not in unread
        again = text.replace(unread["source"], unread["form"])
        assert (await call("check", path=str(script), text=again))["counts"]["errors"] == 0
        finding = (await call("check", path="new.mlir", text="func.func @f() {\n  retrun\n}\n"))["findings"][0]
        assert finding["help"] == "did you mean `return`?"

    conversation(script.parent, talk)


def test_refusals_of_a_command_are_errors_with_its_message(tmp_path: Path) -> None:
    async def talk(call: Calls) -> None:
        with pytest.raises(ToolFailedError, match=r"did you mean 'transform\.annotate'"):
            await call("explain_operation", name="transform.anotate")
        with pytest.raises(ToolFailedError, match=r"no-such\.mlir|unreadable"):
            await call("explain_rule", rule="no-such.mlir")
        with pytest.raises(ToolFailedError, match="more than 8,192 characters"):
            await call("search_operations", words="tile " * 24_000)
        assert (await call("check", path=str(tmp_path / "no.mlir")))["unreadable"]
        for tool in ("fix", "migrate", "versions"):
            with pytest.raises(ToolFailedError, match=rf" {re.escape(str(tmp_path))}: is a directory\Z"):
                await call(tool, path=str(tmp_path))

    conversation(tmp_path, talk)


def test_sessions_go_on_from_any_state(script: Path) -> None:
    require_bindings()

    async def talk(call: Calls) -> None:
        state = (await call("session", payload=str(script)))["state"]
        match = (
            '%f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op'
        )
        live, _, handles, *_ = (await call("session", state=state, text=match)).values()
        assert handles[1:] == ["%f: 1 !transform.any_op"]
        for name in ("one", "two"):
            marked = await call("session", state=live, text=f'transform.annotate %f "{name}" : !transform.any_op')
            assert next(line for line in marked["payload"] if line.startswith("+")).count(" {") == 1
        assert (await call("session", state=state, text=match.replace("%root", "%f")))["outcome"] == "invalid"
        assert (await call("session", state=live, tries=True))["steps"]

    conversation(script.parent, talk, "--runs")


def test_nothing_runs_without_consent(script: Path) -> None:
    async def talk(call: Calls) -> None:
        for tool in ("run", "steps", "why_not_matched"):
            with pytest.raises(ToolFailedError, match=r"tdls mcp --runs"):
                await call(tool, path=str(script))

    conversation(script.parent, talk)


def test_runs_show_payload_states_and_matches(script: Path) -> None:
    require_bindings()

    async def talk(call: Calls) -> None:
        ended = await call("run", path=str(script))
        assert (ended["status"], ended["changed"]) == ("success", {"@payload": "+1 -1"})
        assert any(line.startswith("+") and "seen" in line for line in ended["payload"][0]["lines"])
        assert (await call("run", path=str(script), function="payload"))["lines"] == 4
        with pytest.raises(ToolFailedError, match="has no choice `tile`"):
            await call("run", path=str(script), choices="tile=4")
        state = await call("state", path=str(script), line=4)
        assert {handle["name"]: handle["holds"] for handle in state["handles"]}["%fill"] == "1 linalg.fill"
        assert state["changed"] == ended["changed"]
        assert "structured.match" in (await call("steps", path=str(script)))["steps"][0]
        text = SCRIPT.replace('["linalg.fill"]', '["linalg.matmul"]')
        assert (await call("run", path=str(script), text=text))["changed"] == {}
        matches = await call("why_not_matched", path=str(script), text=text)
        assert "linalg.matmul" in matches["nothing"][0]["message"]
        compared = await call("compare", old=str(script), new=str(script), text=text)
        assert compared["pairs"][0]["verdict"] == "different"

    conversation(script.parent, talk, "--runs")


def test_files_elsewhere_are_not_read(script: Path) -> None:
    (script.parent / "link").symlink_to("/")

    async def talk(call: Calls) -> None:
        for path in ("/", "..", "link", "a/../../b.mlir", "/" * 9_000, "a\0b"):
            for tool in ("check", "migrate", "run"):
                with pytest.raises(ToolFailedError, match=r"outside of the folder of the server|is not a path"):
                    await call(tool, path=path, text="")
        with pytest.raises(ToolFailedError, match="outside of the folder of the server"):
            await call("run", path="script.mlir", payload="/etc/passwd")
        for path in ("-", "--fix"):
            assert (await call("check", path=path))["unreadable"]

    conversation(script.parent, talk, "--runs")
    assert script.read_text(encoding="utf-8") == SCRIPT


def test_no_module_of_the_folder_runs(script: Path) -> None:
    mark = script.with_name("mark")
    for name in ("tdls/__init__.py", "tdls/__main__.py", "json.py", "multiprocessing.py"):
        file = script.parent / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"open({str(mark)!r}, 'w')\n", encoding="utf-8")
    with served(script.parent, "--structured") as server:
        ask(server, 2, "check", path="script.mlir")
        result = answer(server, 2)["result"]
    assert (result["content"], result["structuredContent"]["findings"]) == ([], [])
    assert not mark.exists()


def test_half_characters_and_strange_names_are_answered(script: Path) -> None:
    if sys.platform == "linux":
        Path(script.parent, "\udcff.mlir").write_text(SCRIPT.replace("annotate", "anotate"), encoding="utf-8")
    with served(script.parent) as server:
        ask(server, 2, "check", path="\ud800.mlir")
        assert told(server, 2)["unreadable"]
        ask(server, 3, "migrate", path="script.mlir", text=SCRIPT.replace("seen", "\ud800"))
        assert told(server, 3)["edits"] == []
        ask(server, 4, "check", path=".")
        assert told(server, 4)["findings"] or sys.platform != "linux"


LARGE = "".join(
    f"func.func @f{index}(%v0: f32) -> f32 {{\n"
    + "".join(f"  %v{number + 1} = arith.addf %v{number}, %v{number} : f32\n" for number in range(2_000))
    + "  return %v0 : f32\n}\n"
    for index in range(100)
)
"""A text whose check takes longer than these tests wait."""
SOON = 30.0
"""Seconds for what takes one at most, on a machine that is busy with other things."""


def close_input(server: subprocess.Popen[bytes]) -> None:
    assert server.stdin is not None
    server.stdin.close()


ENDS: dict[str, tuple[Callable[[subprocess.Popen[bytes]], None], int | None]] = {
    "closed input": (close_input, 0),
    "SIGTERM": (subprocess.Popen.terminate, 128 + signal.SIGTERM),
    "SIGINT": (lambda server: server.send_signal(signal.SIGINT), 128 + signal.SIGINT),
    "SIGKILL": (subprocess.Popen.kill, -9),
    "cancel": (lambda server: send(server, method="notifications/cancelled", params={"requestId": 2}), None),
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
            assert told(server, 3)["rules"]
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


def test_rewritten_scripts_are_edits_or_text(script: Path) -> None:
    old = LONG_SCRIPT.replace("@mark failures", "@mark  failures").replace(
        "tile_using_for %fill tile_sizes [2]", "tile_using_for %fill [2]"
    )
    new = old.replace("tile_using_for %fill [2]", "tile_using_for %fill tile_sizes [2]")

    async def talk(call: Calls) -> None:
        script.write_text(old, encoding="utf-8")
        misfit = (await call("versions", path=str(script)))["findings"][0]
        assert misfit["not_llvm"] == ["19", "20", "21", "22", "23", "main"]
        misspelt = LONG_SCRIPT.replace("annotate", "anotate")
        for name, before, after, arguments in (
            ("migrate", old, new, {"to": "22"}),
            ("fix", misspelt, LONG_SCRIPT, {"text": misspelt, "unsafe": True}),
        ):
            answer = await call(name, path=str(script), answer_as="text", **arguments)
            assert answer["text"] == after
            assert not answer["left"]
            answer = await call(name, path=str(script), **arguments)
            assert with_line_edits(before, answer["edits"]) == after
        assert (await call("fix", path=str(script), text=misspelt))["unsafe_fixes"] == 1
        assert script.read_text(encoding="utf-8") == old
        payload = "func.func @f() { return }"
        assert await call("migrate", path=str(script), text=payload) == {"changes": 0, "left": [], "edits": []}
        with pytest.raises(ToolFailedError, match=r"no-such\.mlir"):
            await call("migrate", path=str(script.with_name("no-such.mlir")))
        with pytest.raises(ToolFailedError, match=r"no-such\.mlir"):
            await call("versions", path=str(script.with_name("no-such.mlir")))

    conversation(script.parent, talk)


def test_a_program_that_builds_a_script_is_named(script: Path) -> None:
    program = script.with_name("plan.py")
    program.write_text(
        "from mlir.dialects import transform\ntransform.NamedSequenceOp('f', [], [])\n", encoding="utf-8"
    )

    async def talk(call: Calls) -> None:
        for _ in range(2):
            assert "check_python" in (await call("check", path="plan.py"))["not_checked"]
        assert "not_checked" not in await call("check", path="script.mlir")

    conversation(script.parent, talk)


def test_names_that_are_none_are_answered_with_those_that_are_meant(script: Path) -> None:
    async def talk(call: Calls) -> None:
        for name, arguments, meant in (
            ("explain_operations", {"name": "transform.yield"}, "explain_operation"),
            ("check", {"paht": "script.mlir"}, "path"),
            ("explain_operation", {"name": "tile_usng_for"}, "transform.structured.tile_using_for"),
            ("explain_rule", {"rule": "use-after-fre"}, "use-after-free"),
        ):
            with pytest.raises(ToolFailedError, match=f"did you mean ['`]{re.escape(meant)}"):
                await call(name, **arguments)
        with pytest.raises(ToolFailedError, match="`path`: A file"):
            await call("check")

    conversation(script.parent, talk)


def test_arguments_are_described(script: Path) -> None:
    with served(script.parent) as server:
        send(server, id=2, method="tools/list")
        listed = answer(server, 2)["result"]["tools"]
    tools = {tool["name"]: tool["inputSchema"]["properties"] for tool in listed}
    assert all(argument["description"] for arguments in tools.values() for argument in arguments.values())
    assert tools["migrate"]["to"]["enum"][-1] == "main"
    assert set(tools["run"]) == {"path", "text", "payload", "choices", "function", "offset", "tokens"}
    assert len(json.dumps(listed)) / 4 < 2_000, "every conversation has them in its context"


PAYLOAD = "".join(
    f"func.func @f{index}(%c: f32, %a: tensor<4xf32>) -> tensor<4xf32> {{\n"
    + "".join(f"  %value_{number} = arith.addf %c, %c : f32\n" for number in range(180))
    + "  %x = linalg.fill ins(%c : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>\n  return %x : tensor<4xf32>\n}\n"
    for index in range(30)
)
STEPS = "".join(
    f'    transform.annotate %fill "mark_{index}" : !transform.any_op\n'
    f'    %none_{index} = transform.structured.match ops{{["linalg.dot"]}} in %root\n'
    "      : (!transform.any_op) -> !transform.any_op\n"
    for index in range(70)
)
MANY_STEPS = f"""\
{SCRIPT[: SCRIPT.index("  func.func")]}
  transform.named_sequence @unused(%fill: !transform.any_op {{transform.readonly}}, %root: !transform.any_op) {{
{STEPS}
    transform.yield
  }}
}}
"""
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("check", {"path": "broken.mlir"}),
    ("check", {"path": "."}),
    ("fix", {"path": "broken.mlir", "unsafe": True}),
    ("fix", {"path": "broken.mlir", "answer_as": "text"}),
    ("migrate", {"path": "older.mlir"}),
    ("versions", {"path": "older.mlir"}),
    ("explain_rule", {"rule": "use-after-free"}),
    ("explain_operation", {"name": "match"}),
    ("search_operations", {"words": "a"}),
)
RUNS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("run", {"path": "script.mlir"}),
    ("run", {"path": "script.mlir", "function": "f3"}),
    ("steps", {"path": "script.mlir"}),
    ("state", {"path": "script.mlir", "line": 4}),
    ("state", {"path": "script.mlir", "line": 4, "function": "f3"}),
    ("why_not_matched", {"path": "script.mlir"}),
    ("compare", {"old": "script.mlir", "new": "other.mlir"}),
)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A folder with scripts and a payload of which every answer could be long."""
    assert len(MANY_STEPS) > 10_000
    assert len(PAYLOAD) > 200_000
    texts = {
        "script.mlir": MANY_STEPS,
        "other.mlir": MANY_STEPS.replace("mark", "park"),
        "broken.mlir": MANY_STEPS.replace("annotate", "anotate"),
        "older.mlir": MANY_STEPS.replace("structured.match", "structured.tile").replace("ops{", "{"),
        "payload.mlir": PAYLOAD,
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def asked(server: subprocess.Popen[bytes], number: int, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of a tool, after a look at its length."""
    ask(server, number, tool, **arguments)
    result: dict[str, Any] = answer(server, number)["result"]
    text = result["content"][0]["text"]
    assert not result.get("isError"), text
    assert len(text) / 4 <= 2_500, f"{tool} {arguments}: {len(text)} characters"
    assert len(re.findall(r"\w{1,5}|[^\w\s]{1,3}", text)) <= 2_500, f"{tool} {arguments}"
    assert "structuredContent" not in result
    found: dict[str, Any] = json.loads(text)
    return found


def test_no_answer_is_longer_than_it_helps(large: Path) -> None:
    with served(large) as server:
        for number, (tool, arguments) in enumerate(CALLS, 2):
            assert asked(server, number, tool, arguments)


def test_no_answer_about_a_run_is_longer_than_it_helps(large: Path) -> None:
    require_bindings()
    with served(large, "--runs") as server:
        for number, (tool, arguments) in enumerate(RUNS, 2):
            found = asked(server, number, tool, {**arguments, "payload": "payload.mlir"})
            if tool == "run" and "function" not in arguments:
                assert len(found["changed"]) > 5
                assert found["payload"][0]["function"] == "@f0"


def test_what_an_answer_leaves_out_can_be_asked_for(large: Path) -> None:
    places: list[str] = []
    with served(large) as server:
        for number in range(2, 30):
            found = asked(server, number, "check", {"path": "broken.mlir", "offset": len(places)})
            assert found["counts"]["errors"] == 71
            places += [finding["place"] for finding in found["findings"]]
            if "more" not in found:
                break
        ask(server, 40, "check", path="broken.mlir", tokens=100_000)
        everything = told(server, 40)["findings"]
    assert places == [finding["place"] for finding in everything]
    assert len(places) >= 71


def test_a_text_is_whole_or_left_out(script: Path) -> None:
    numbers = ", ".join(map(str, range(6_000)))
    literal = f"func.func @f() {{ %x = arith.constant dense<[{numbers}]> : tensor<6000xi64> return }}"
    text = f"{literal.replace('constant', 'constatn')}\n{SCRIPT}"
    asked = {"path": "script.mlir", "text": text, "unsafe": True, "answer_as": "text"}
    with served(script.parent) as server:
        ask(server, 2, "fix", **asked)
        offset, tokens = map(int, re.findall(r"=(\d+)", told(server, 2)["more"]))
        ask(server, 3, "fix", **asked, offset=offset, tokens=tokens)
        assert told(server, 3)["text"] == f"{literal}\n{SCRIPT}"
