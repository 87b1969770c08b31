"""Whether a script is run on what is written beside it, or on a file, as that is written: what comments say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.semantic.run_lines import instructions, options_of, run_lines
from tdls.semantic.transform_dialect import ENTRY_POINT
from tdls.syntax.sections.section_facts import SectionFact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.syntax.sections.sections import Section
    from tdls.text.shell_words import ShellWord

_INTERPRETER = "transform-interpreter"
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
"""Options of the interpreter that make it begin elsewhere."""


@SectionFact
def may_change_payload(section: Section) -> bool:
    """Tell whether comments in a section say that scripts are run on something else than what is written beside."""
    if "RUN:" not in section.text and "tdls:" not in section.text:
        return False
    said = instructions(section.text)
    if said.payloads:
        return True
    return not _begin_with_script(section, _OWN_FILE)


@SectionFact
def may_change_other_payload(section: Section) -> bool:
    """Tell whether comments in a section of a script say that it is run on something else than a file as it is.

    That is so where a command runs it on the file that it stands in, or where runs begin at another entry point.
    """
    if "RUN:" not in section.text and "tdls:" not in section.text:
        return False
    if any(entry.text != ENTRY_POINT for entry in instructions(section.text).entry_points):
        return True
    return not _begin_with_script(section, None)


def _begin_with_script(section: Section, file: str | None) -> bool:
    """Tell whether all commands that run scripts begin with that, on `file`; None: on one that is not their own."""
    commands = [command for line in run_lines(section.text) for command in line.commands]
    running = [command for command in commands if any(_INTERPRETER in word.text for word in command)]
    if not running:
        return all(_is_check(command) for command in commands)
    return all(_begins_with_script(command, file) for command in running)


def _is_check(command: Sequence[ShellWord]) -> bool:
    return command[0].text.rpartition("/")[2] == "FileCheck"


def _begins_with_script(command: Sequence[ShellWord], file: str | None) -> bool:
    """Tell whether a command runs the interpreter on `file`, None: on another one than its own, and does that first."""
    if any(option.name.text in _OTHERWISE for option in options_of(command)):
        return False
    files = [word.text for word in command[1:] if not word.text.startswith("-") and "(" not in word.text]
    if _OWN_FILE in files if file is None else files not in ([], [file]):
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
