"""The server of tools: unknown names and arguments are answered with the closest known ones."""

from __future__ import annotations

from functools import wraps
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import TextContent, Tool

import tdls
from tdls.cli.commands.mcp.answers import as_text
from tdls.cli.commands.mcp.calls import CallError
from tdls.cli.commands.mcp.tools import Tools
from tdls.text.similarity import most_similar
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    _Tool = Callable[..., Awaitable[dict[str, Any]]]

_LONGEST_ERROR = 6_000
"""Maximum number of characters of an error."""
_INSTRUCTIONS = """\
Tools for MLIR Transform dialect scripts. Call check before and after each edit of a script, check_python for a Python \
program that builds one; explain_operation before writing an operation; run once check has no errors; why_not_matched \
if a match found nothing; steps and state to see payload and handles behind a line, try_steps what works there, \
session to try steps one by one. An answer with `more` can be asked on.\
"""
_NO_RUNS = "the user has not allowed runs: the server has to be started as `tdls mcp --runs`"


class Server(MCPServer):
    """A server whose answers are as short as tools make them."""

    def __init__(self, folders: Sequence[Path], *, may_run: bool, is_structured: bool = False) -> None:
        """`folders` are those whose files tools may read; without `may_run` tools that run something say why not."""
        self._is_structured = is_structured
        super().__init__("tdls", instructions=_INSTRUCTIONS, version=tdls.__version__, log_level="ERROR")
        tools = Tools(folders)
        always: list[_Tool] = [tools.check, tools.fix, tools.migrate, tools.versions]
        always += [tools.explain_rule, tools.explain_operation, tools.search_operations]
        runs: list[_Tool] = [tools.run, tools.steps, tools.state, tools.try_steps]
        runs += [tools.session, tools.why_not_matched, tools.compare]
        for tool in [*always, *runs, tools.check_python]:
            self.add_tool(_told(tool, is_refused=not may_run and tool not in always))

    async def list_tools(self) -> list[Tool]:
        """List the tools, described as briefly as possible: each conversation has them in its context."""
        tools = await super().list_tools()
        return [
            tool.model_copy(update={"input_schema": _brief(tool.input_schema), "output_schema": None}) for tool in tools
        ]

    async def call_tool(self, name: str, arguments: dict[str, Any], *context: Any) -> Any:
        """Call a tool. Raises ToolError."""
        tools = {tool.name: tool.input_schema for tool in await self.list_tools()}
        if name not in tools:
            raise ToolError(f"there is no tool `{name}`{_meant(name, list(tools))}")
        known = tools[name]["properties"]
        for argument in arguments:
            if argument not in known:
                raise ToolError(f"{name} has no argument `{argument}`{_meant(argument, list(known))}")
        for argument in tools[name].get("required", ()):
            if argument not in arguments:
                raise ToolError(f"{name} needs the argument `{argument}`: {known[argument]['description']}")
        answer: Any = await super().call_tool(name, arguments, *context)
        text = "" if self._is_structured else as_text(answer.structured_content)
        answer.content = [TextContent(type="text", text=text)] if text else []
        answer.structured_content = answer.structured_content if self._is_structured else None
        return answer


def _brief(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of arguments without titles, bounds, and defaults that are nothing."""
    properties = {}
    for name, each in schema["properties"].items():
        kinds = [kind["type"] for kind in each.get("anyOf", (each,)) if kind["type"] != "null"]
        told = {key: each[key] for key in ("description", "enum", "items") if key in each}
        properties[name] = {"type": kinds[0] if len(kinds) == 1 else kinds, **told}
    return {"type": "object", "properties": properties, "required": schema.get("required", [])}


def _meant(name: str, names: list[str]) -> str:
    close = most_similar(name, names)
    return f"; did you mean `{close}`?" if close is not None else f"; there are {enumerated(names)}"


def _told(tool: _Tool, *, is_refused: bool) -> _Tool:
    """Return a tool whose errors reach the assistant, and which says why it does nothing where it `is_refused`."""

    told_as = cleandoc(tool.__doc__ or "")

    @wraps(tool)
    async def told(**arguments: Any) -> dict[str, Any]:
        if is_refused:
            raise ToolError(_NO_RUNS)
        try:
            return await tool(**arguments)
        except CallError as error:
            raise ToolError(str(error)[:_LONGEST_ERROR]) from None

    told.__doc__ = f"{told_as}\nNeeds --runs." if is_refused else told_as
    return told
