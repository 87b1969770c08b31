"""The tools of ``tdls mcp``: each calls a command and answers with what counts of its document.

Docstrings and descriptions of arguments are for assistants.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from tdls.cli.commands.mcp.answers import LONGEST_LINE, USUAL_TOKENS, Sources, fitted, flat
from tdls.cli.commands.mcp.calls import CallError, Calls
from tdls.cli.console import console
from tdls.cli.console.loading import STANDARD_INPUT, read_argument
from tdls.files.boundary import is_inside
from tdls.ide.changes.line_edits import line_edits
from tdls.ide.forms.own_form import own_form
from tdls.settings.llvm_versions import llvm_versions, version_name
from tdls.text.difference import line_edits as changed_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_PATH = 8_192
_Path = Annotated[str, Field(description="A script.")]
_Text = Annotated[str | None, Field(description="In its place.")]
_Payload = Annotated[str, Field(description="Its payload's file.")]
_Function = Annotated[str, Field(description="Function to show whole.")]
_Version = Annotated[
    str | int,
    Field(description="LLVM version.", json_schema_extra={"enum": [*map(version_name, llvm_versions())]}),
]
_Target = Annotated[str | int, Field(description="LLVM version.")]
_Offset = Annotated[int, Field(description="Items to skip.", ge=0)]
_Tokens = Annotated[int, Field(description="Of the answer.", ge=200, le=200_000)]
_WHOLE = 10_000
"""Tokens of answers that have no offset."""
_MOST_FORMS = 50
"""Maximum number of findings of an answer to write forms for."""
_FIRST_OPERATIONS = 3
"""Number of operations of a handle to show."""
_LINES = 20
"""Number of lines of a piece of payload."""
_ENTRY = re.compile(r"[\w.]+:\w+", re.ASCII)


class Tools:
    """The tools; each call is a process of its own, in which a command knows and may do what it always does."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """`folders` are those whose files tools may read."""
        self._folders = tuple(map(Path.absolute, folders))
        self._calls = Calls()

    async def check(
        self,
        path: Annotated[str, Field(description="A file or folder.")],
        text: _Text = None,
        target_llvm: _Target = "",
        offset: _Offset = 0,
        tokens: _Tokens = USUAL_TOKENS,
    ) -> dict[str, Any]:
        """Find mistakes in Transform dialect scripts and payload without running them.

        Findings have a place, its line, a message, help, notes with causes, and fixes as edits of whole lines, with a
        column in long lines. Errors and warnings are certain, hints possible. Without a fix, `form` is the line.
        """
        target = ["--target-llvm", str(target_llvm)] if target_llvm else []
        document = await self._calls.document(
            ["check", "--possible", *target, "--format", "json", *self._script(path, text)], text
        )
        return self._findings(document, path, text, tokens, offset)

    async def check_python(
        self,
        entry: Annotated[str, Field(description="As plan.py, or package.module:function.")],
        arguments: Annotated[list[str], Field(description="Of it.")] = [],  # noqa: B006 - never changed
        offset: _Offset = 0,
    ) -> dict[str, Any]:
        """Run a Python program, confined, and check the scripts that it builds: findings are at its calls."""
        named = entry if _ENTRY.fullmatch(entry) else self._inside(entry)
        document = await self._calls.document(
            ["check-python", "--possible", "--format", "json", "--", named, *arguments]
        )
        return self._findings(document, "", None, USUAL_TOKENS, offset)

    async def fix(
        self,
        path: _Path,
        text: _Text = None,
        unsafe: Annotated[bool, Field(description="Also ones that may change what it does.")] = False,
        answer_as: Annotated[Literal["edits", "text"], Field(description="The form.")] = "edits",
        offset: _Offset = 0,
        tokens: _Tokens = USUAL_TOKENS,
    ) -> dict[str, Any]:
        """Apply the fixes of check to a script: edits of lines, or the new text.

        `left` counts what is wrong after that, `unsafe_fixes` what further fixes are for.
        """
        before = self._read(path, text)
        options = ["--fix", *(["--unsafe-fixes"] if unsafe else []), "--quiet", "--format", "json"]
        ended = await self._calls.ended(["check", *options, *self._script(path, before)], before)
        try:
            document = json.loads(ended.complaint[ended.complaint.find("{") :])
        except ValueError:
            raise CallError(ended.complaint or f"tdls ended with status {ended.status}") from None
        counts = document["summary"]
        left = {"left": counts["errors"] + counts["warnings"]}
        left |= {} if unsafe else {"unsafe_fixes": sum(any(each["fixes"]) for each in document["diagnostics"])}
        return _rewritten(before, ended.output.decode("utf-8", "replace"), left, answer_as, tokens, offset)

    async def migrate(
        self,
        path: _Path,
        to: _Version = "main",
        text: _Text = None,
        answer_as: Annotated[Literal["edits", "text"], Field(description="The form.")] = "edits",
        offset: _Offset = 0,
        tokens: _Tokens = USUAL_TOKENS,
    ) -> dict[str, Any]:
        """Write a script as a version of LLVM does, where its meaning stays the same.

        `left` has what cannot be migrated, with the reason.
        """
        before = self._read(path, text)
        document = await self._calls.document(
            ["migrate", "--format", "json", "--to", str(to or "main"), *self._script(path, before)], before
        )
        file = document["files"][0]
        after = file.get("text", before)
        left = flat(
            [{"message": place["message"], "place": place} for place in file["left"]], self._sources(path, after)
        )
        return _rewritten(before, after, {"left": left}, answer_as, tokens, offset)

    async def versions(self, path: _Path, text: _Text = None, offset: _Offset = 0) -> dict[str, Any]:
        """Say which versions of LLVM a script fits, what keeps it from the others, and what migrate would change."""
        text = self._read(path, text)
        document = await self._calls.document(["versions", "--format", "json", *self._script(path, text)], text)
        if len(document["files"]) != 1:
            raise CallError(str(document.get("complaint", f"{path} is not a file with a script")))
        file = document["files"][0]
        by_place: dict[tuple[str, str], dict[str, Any]] = {}
        for version, findings in file.pop("findings").items():
            for finding in flat(findings, self._sources(path, text)):
                one = by_place.setdefault((finding["place"], finding["message"]), {"not_llvm": [], **finding})
                one["not_llvm"].append(version)
        return fitted(file, [("findings", list(by_place.values()))], offset=offset)

    async def explain_rule(
        self,
        rule: Annotated[str, Field(description="As use-after-free or TD301.")],
    ) -> dict[str, Any]:
        """Explain a rule, with a wrong example and a right one."""
        document = await self._calls.document(["explain", "--format", "json", "--", rule])
        return fitted({}, [("rules", document["rules"])], _WHOLE)

    async def explain_operation(
        self,
        name: Annotated[str, Field(description="As structured.fuse.")],
        llvm: _Target = "",
    ) -> dict[str, Any]:
        """Describe an operation: an example, operands with their effects, results, attributes."""
        version = ["--llvm", str(llvm)] if llvm else []
        ended = await self._calls.ended(["catalogue", "show", *version, "--", name])
        if ended.status != console.EXIT_CLEAN:
            raise CallError(ended.complaint)
        return fitted({}, [("operation", ended.output.decode("utf-8", "replace").splitlines())], _WHOLE)

    async def search_operations(
        self,
        words: Annotated[str, Field(description='As "tile reduction".')],
        offset: _Offset = 0,
    ) -> dict[str, Any]:
        """Find operations, and passes with their options, by words of their names and summaries."""
        document = await self._calls.document(["catalogue", "search", "--format", "json", "--", *words.split()])
        rows = [f"{known['name']}: {known['summary']}" for known in document["operations"]]
        passes = document["passes"]
        rows += [f"pass {each['name']} {{{' '.join(each['options'])}}}: {each['summary']}" for each in passes]
        similar = {"similar": document["similar"]} if document.get("similar") else {}
        return fitted(
            {"count": len(rows), **similar}, [("operations", [row.removesuffix(": ") for row in rows])], offset=offset
        )

    async def run(
        self,
        path: _Path,
        text: _Text = None,
        payload: _Payload = "",
        choices: Annotated[str, Field(description="Of knobs: a=1 b=2")] = "",
        function: _Function = "",
        offset: _Offset = 0,
        tokens: _Tokens = USUAL_TOKENS,
    ) -> dict[str, Any]:
        """Apply a script to its payload: MLIR's diagnostics, and how the payload has changed, by function."""
        emit = [] if function else ["--emit", "diff"]
        chosen = [f"--set={each}" for each in choices.split()]
        document = await self._run(["run", *emit, *chosen], path, text, payload)
        runs, sources = document["runs"], self._sources(path, text)
        diagnostics = [said for run in runs for said in flat(run["diagnostics"], sources)]
        status = {"status": ", ".join(dict.fromkeys(run["status"] for run in runs))}
        changes = [change for run in runs for change in run.get("changes", ())]
        texts = [run["text"] or "" for run in runs]
        head, shown = _function(texts, function) if function else _by_function(changes)
        shown_as = "function" if function else "payload"
        return fitted({**status, **head}, [("diagnostics", diagnostics), (shown_as, shown)], tokens, offset)

    async def steps(
        self,
        path: _Path,
        text: _Text = None,
        payload: _Payload = "",
        offset: _Offset = 0,
    ) -> dict[str, Any]:
        """List the steps of a run: number, place, time, lines of payload added and removed, new handles."""
        ended = await self._calls.ended(["trace", *self._payload(payload), *self._script(path, text)], text)
        if not ended.output:
            raise CallError(ended.complaint)
        lines = ended.output.decode("utf-8", "replace").splitlines()
        head = {"count": len(lines), "succeeded": ended.status == console.EXIT_CLEAN}
        said = ended.complaint.splitlines()
        return fitted(head, [("diagnostics", said), ("steps", lines)], offset=offset)

    async def state(
        self,
        path: _Path,
        line: Annotated[int, Field(description="From 1.")],
        execution: Annotated[int, Field(description="From 1.")] = 1,
        text: _Text = None,
        payload: _Payload = "",
        function: _Function = "",
        offset: _Offset = 0,
        tokens: _Tokens = USUAL_TOKENS,
    ) -> dict[str, Any]:
        """Show handles behind the operation in a line, and how that has changed the payload."""
        document = await self._run(["trace", "--at", f"{line}#{execution}"], path, text, payload)
        sources = self._sources(path, text)
        handles = [_handle(handle, sources) for handle in document["handles"]]
        texts = [document["payload"] or ""]
        head, shown = _function(texts, function) if function else _by_function(document["changes"] or [])
        head = {"title": document["title"], **head}
        parts = [("function", shown)] if function else [("handles", handles), ("payload", shown)]
        return fitted(head, parts, tokens, offset)

    async def try_steps(
        self,
        path: _Path,
        line: Annotated[int, Field(description="From 1.")],
        text: _Text = None,
        payload: _Payload = "",
        offset: _Offset = 0,
    ) -> dict[str, Any]:
        """List operations that work behind a line of a script: MLIR tries each on the live handles there."""
        *options, script = self._script(path, text)
        arguments = ["--format", "json", *self._payload(payload), *options, f"{script}:{line}"]
        document = await self._calls.document(["try", *arguments], text)
        return _steps(document, offset)

    async def session(
        self,
        payload: Annotated[str, Field(description="A file to open.")] = "",
        state: Annotated[str, Field(description="As 1.0.")] = "",
        text: Annotated[str, Field(description="Texts to run.")] = "",
        tries: Annotated[bool, Field(description="List what works.")] = False,
        offset: _Offset = 0,
    ) -> dict[str, Any]:
        """Try operations on a payload that stays loaded: each answer has a state, from which texts may go on.

        `text` runs from `state`, with `%root` and handles of texts before; without it `state` is shown.
        """
        if payload:
            opened = await self._calls.in_session("open", path=self._inside(payload))
            return fitted(_state(opened), [])
        if tries:
            return _steps(await self._calls.in_session("try", state=state), offset)
        method = {"method": "run", "text": text, "explain": True} if text else {"method": "show"}
        answer = await self._calls.in_session(**method, state=state, changes=True)
        said = [each["message"] for each in answer.get("diagnostics", ())]
        changes = answer.pop("changes", {"lines": ()})
        return fitted(_state(answer), [("diagnostics", said), ("payload", changes["lines"])], offset=offset)

    async def why_not_matched(
        self,
        path: _Path,
        text: _Text = None,
        payload: _Payload = "",
        offset: _Offset = 0,
    ) -> dict[str, Any]:
        """Run a script and explain its matches: why handles are empty, and at which condition matchers refused."""
        document = await self._run(["run", "--explain-matches", "--emit", "diff"], path, text, payload)
        runs, sources = document["runs"], self._sources(path, text)
        matches = [flat(run["matches"], sources) for run in runs if run["matches"] is not None]
        parts = {
            name: [each for part in matches for each in part.get(name, ())]
            for name in ("nothing", "matchers", "tables")
        }
        for table in parts["tables"]:
            table.pop("candidates", None)
        diagnostics = [said for run in runs for said in flat(run["diagnostics"], sources)]
        head: dict[str, Any] = {"counts": {name: len(part) for name, part in parts.items()}}
        unknown = [part["reason"] for part in matches if "reason" in part]
        head |= {"unknown": unknown} if unknown else {}
        return fitted(head, [("diagnostics", diagnostics), *parts.items()], offset=offset)

    async def compare(
        self,
        old: _Path,
        new: _Path,
        text: _Text = None,
        payload: _Payload = "",
        offset: _Offset = 0,
    ) -> dict[str, Any]:
        """Whether two scripts make the same of their payload, and from which step on they do not.

        `text` is that of `new`.
        """
        *options, last = self._script(new, text)
        arguments = [*self._payload(payload), *options, self._inside(old), last]
        document = await self._calls.document(["compare", "--format", "json", *arguments], text)
        pairs = flat(document["pairs"], self._sources(new, text))
        lines = [line for pair in pairs for line in pair.pop("difference", ())]
        return fitted({}, [("pairs", pairs), ("difference", [line.rstrip("\n") for line in lines])], offset=offset)

    # Arguments

    def _inside(self, path: str) -> str:
        """Return `path` as an argument. Raises CallError if it is not below the folders of the server."""
        if len(path) > _LONGEST_PATH or "\0" in path:
            raise CallError("this is not a path")
        if not self._may_read(path):
            folders = ", ".join(map(str, self._folders)) or "none: name it as `tdls mcp FOLDER`"
            raise CallError(f"{path} is outside of the folder of the server ({folders}); it reads no files elsewhere")
        return f".{os.sep}-" if path == STANDARD_INPUT else path

    def _may_read(self, path: str) -> bool:
        return any(is_inside(folder, Path(path)) for folder in self._folders)

    def _script(self, path: str, text: str | None) -> list[str]:
        """Return the arguments for a file, or for standard input in its place."""
        return ["--", self._inside(path)] if text is None else ["--stdin-filename", self._inside(path), "--", "-"]

    def _payload(self, path: str) -> list[str]:
        return ["--payload", self._inside(path)] if path else []

    def _read(self, path: str, text: str | None) -> str:
        if text is not None:
            return text
        try:
            return read_argument(self._inside(path))
        except console.InputError as error:
            raise CallError(error.message) from None

    def _sources(self, path: str = "", text: str | None = None) -> Sources:
        return Sources(self._may_read, path, text)

    async def _run(self, command: Sequence[str], path: str, text: str | None, payload: str) -> dict[str, Any]:
        options = ["--format", "json", *self._payload(payload)]
        return await self._calls.document([*command, *options, *self._script(path, text)], text)

    # Answers

    def _findings(
        self, document: dict[str, Any], path: str, text: str | None, tokens: int, offset: int
    ) -> dict[str, Any]:
        """Return the answer for a document of a check: counts, then findings, those that are only possible last.

        Errors of syntax are first, which may be the reason of others.
        """
        findings = flat(document["diagnostics"], self._sources(path, text))
        findings.sort(key=lambda finding: (finding["level"] == "hint", finding["rule"] != "syntax-error"))
        for finding in findings[offset : offset + _MOST_FORMS]:
            source = finding.get("source", "") if finding["level"] == "error" and "fixes" not in finding else ""
            if len(source) <= LONGEST_LINE and (form := own_form(source)):
                finding["form"] = form
        others = {name: document[name] for name in ("unreadable", "failed_rules", "complaint") if document.get(name)}
        counts = {name: count for name, count in document["summary"].items() if count or name == "errors"}
        if builders := counts.pop("builders", []):
            others["not_checked"] = f"what is built by {', '.join(builders)}: check_python runs a program for that"
        return fitted({"counts": counts, **others}, [("findings", findings)], tokens, offset)


def _steps(document: dict[str, Any], offset: int) -> dict[str, Any]:
    steps = [f"{step['text']}  // {step['effect']}" for step in document["steps"]]
    return fitted(
        {"tried": document["tried"], "untried": document["untried"]}, [("steps", steps)], USUAL_TOKENS, offset
    )


def _state(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the state of a session in a few words, and why there is none."""
    live = [f"{each['name']}: {each['count']} {each['type']}" for each in answer.get("handles", ())]
    told = ("state", "outcome", "reason", "explanation", "detail", "printed")
    return {name: answer[name] for name in told if answer.get(name)} | (
        {"handles": live} if "handles" in answer else {}
    )


def _handle(handle: dict[str, Any], sources: Sources) -> dict[str, Any]:
    """Return a handle in a few words, with the first operations that it holds."""
    names = ", ".join(f"{count} {name}" for name, count in handle["names"].items())
    since = f" since step {handle['since']}" if handle["since"] is not None else ""
    holds = names or ("nothing" if handle["count"] == 0 else "?")
    live = handle["liveness"] == "live"
    items = flat(handle["items"][:_FIRST_OPERATIONS], sources)
    return {"name": handle["name"], "holds": holds if live else f"{handle['liveness']}{since}", "first": items}


def _by_function(changes: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], list[Any]]:
    """Return how many lines of each function have changed, and the changes in pieces."""
    counts: dict[str, Counter[str]] = {}
    for change in changes:
        counts.setdefault(change["function"], Counter()).update(line[0] for line in change["lines"])
    pieces = [
        {"function": change["function"], "lines": change["lines"][at : at + _LINES]}
        for change in changes
        for at in range(0, len(change["lines"]), _LINES)
    ]
    return {"changed": {name: f"+{count['+']} -{count['-']}" for name, count in counts.items()}}, pieces


def _rewritten(
    before: str, after: str, head: dict[str, Any], answer_as: str, tokens: int, offset: int
) -> dict[str, Any]:
    """Return the answer for a text that was rewritten."""
    edits = line_edits(before, ((*span, new) for span, new in changed_lines(before, after)))
    head = {"changes": len(edits), **head}
    if answer_as == "text":
        answer = fitted(head, [("text", after.split("\n"))], tokens, offset)
        return {**answer, "text": "\n".join(answer["text"])}
    return fitted(head, [("edits", edits)], tokens, offset)


def _function(payloads: Sequence[str], name: str) -> tuple[dict[str, Any], list[Any]]:
    """Return the number of lines of a function of a payload, and the lines. Raises CallError if there is none."""
    lines = "\n".join(payloads).split("\n")
    symbols = (f"@{name.lstrip('@')}(", f'@"{name.lstrip("@")}"(')
    heads = (at for at, line in enumerate(lines) if line.endswith("{") and any(each in line for each in symbols))
    begin = next(heads, None)
    if begin is None:
        raise CallError(f"the payload has no function `{name}`")
    end = f"{lines[begin][: len(lines[begin]) - len(lines[begin].lstrip())]}}}"
    last = next((at for at in range(begin, len(lines)) if lines[at].rstrip() == end), begin)
    return {"lines": last + 1 - begin}, lines[begin : last + 1]
