"""Tells from RUN lines and comments whether a run begins with the script on the payload as it is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.semantic.run_lines import instructions, options_of, passes_of, run_lines
from tdls.semantic.transform_dialect import ENTRY_POINT
from tdls.syntax.sections.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.syntax.sections.sections import Section
    from tdls.text.shell_words import ShellWord

_INTERPRETER = "transform-interpreter"
_OF_MLIR = re.compile(r"transform(?:-dialect)?-interpreter")
_XDSL = "xdsl-opt"
"""A tool whose interpreter has the name of MLIR's, and other rules."""
_PIPELINE = re.compile(
    r"(?:builtin\.module\()?(?:transform-preload-library\{[^{}]*\},)*transform-interpreter(?![\w-])", re.ASCII
)
_BEFORE = frozenset({
    "allow-unregistered-dialect",
    "no-implicit-module",
    "split-input-file",
    "transform-dialect-check-uses",
    "transform-preload-library",
    "verify-diagnostics",
    "verify-each",
})  # fmt: skip
"""Options and passes that leave the payload as it is."""
_HARMLESS = ("mlir-", "debug", "o", "verify-")
_OWN_FILE = "%s"
_OTHERWISE = frozenset({"debug-payload-root-tag", "entry-point"})
"""Interpreter options that change the payload root or the entry point."""


@Fact
def may_change_payload(section: Section) -> bool:
    """Whether comments in a section name another payload file, or commands that change the payload first."""
    if "RUN:" not in section.text and "tdls:" not in section.text:
        return False
    if instructions(section.text).payloads:
        return True
    return not _begin_with_script(section, _OWN_FILE)


@Fact
def may_change_other_payload(section: Section) -> bool:
    """Whether comments in a script's section say that it is not run on another file as written.

    That holds if a command runs it on its own file, changes the payload first, or begins at another entry point.
    """
    if "RUN:" not in section.text and "tdls:" not in section.text:
        return False
    if any(entry.text != ENTRY_POINT for entry in instructions(section.text).entry_points):
        return True
    return not _begin_with_script(section, None)


@Fact
def uses_other_interpreter(section: Section) -> bool:
    """Whether commands in a section apply passes, and none of them is MLIR's interpreter."""
    commands = [command for line in run_lines(section.text) for command in line.commands]
    if any(_OF_MLIR.search(word.text) for command in commands for word in command if command[0].text != _XDSL):
        return False
    tools = (each for each in commands if each[0].text.rpartition("/")[2].lower() != "filecheck")
    passes = (use.name.text for command in tools for use in passes_of(command))
    return any(name not in _BEFORE and not name.startswith(_HARMLESS) for name in passes)


def _begin_with_script(section: Section, file: str | None) -> bool:
    """Whether all commands that run scripts do so first, on `file`; None: on a file other than their own."""
    lines = [line.commands for line in run_lines(section.text)]
    running = [
        (command, bool(index))
        for commands in lines
        for index, command in enumerate(commands)
        if any(_INTERPRETER in word.text for word in command)
    ]
    if not running:
        return all(command[0].text.rpartition("/")[2] == "FileCheck" for commands in lines for command in commands)
    return all(_begins_with_script(command, file, is_behind=is_behind) for command, is_behind in running)


def _begins_with_script(command: Sequence[ShellWord], file: str | None, *, is_behind: bool) -> bool:
    """Whether a command runs the interpreter first, on `file`; None: on a file other than its own.

    One that `is_behind` another command, and names no file, reads what the other one writes.
    """
    if any(option.name.text in _OTHERWISE for option in options_of(command)):
        return False
    files = [word.text for word in command[1:] if not word.text.startswith("-") and "(" not in word.text]
    if (is_behind and not files) or (_OWN_FILE in files if file is None else files not in ([], [file])):
        return False
    for word in command[1:]:
        name, _, value = word.text.lstrip("-").partition("=")
        if name == "pass-pipeline":
            return _PIPELINE.match(value.strip("'\"")) is not None
        if name == _INTERPRETER:
            return True
        if word.text.startswith("-") and name not in _BEFORE and not name.startswith(_HARMLESS):
            return False
    return False
