"""Parses the passes that a tool like ``mlir-opt`` registers from its ``--help`` (LLVM's CommandLine.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import PassDefinition, PassOption
from tdls.catalogue.source import MemorySource
from tdls.structs import NamedTuple, replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.catalogue import Catalogue

_HEADING = "Compiler passes to run\n"
_OF_TOOL, _OF_CASE, _OF_PASS, _OF_OPTION = 2, 4, 6, 8
"""Indentation of options of the tool, of cases of enumerations, of passes and of their options, in columns."""
_PURPOSE = " - "
_KINDS = frozenset({"int", "long", "uint", "ulong", "string"})
"""Placeholders of numbers and strings; lists of these have the same."""


class ToolSource(MemorySource):
    """The passes and pipelines that a tool registers; it can run no others."""


class _Line(NamedTuple):
    """A line of the help: ``--name=<value>  -  purpose``."""

    indent: int
    name: str
    value: str
    purpose: str


def passes_in_help(text: str) -> list[PassDefinition]:
    """Return the passes and pipelines with their options in a tool's output for ``--help``; empty if it lists none.

    The type of an option's value is known only for integers and strings; an option without a value is a `bool`.
    """
    passes: list[PassDefinition] = []
    for line in _lines(text.partition(_HEADING)[2]):
        if line.indent == _OF_PASS:
            passes.append(PassDefinition(line.name, options=(), summary=line.purpose))
        elif line.indent == _OF_OPTION and passes:
            kind = "" if line.value and line.value not in _KINDS else line.value or "bool"
            option = PassOption(line.name, kind, summary=line.purpose)
            passes[-1] = replace(passes[-1], options=(*(passes[-1].options or ()), option))
        elif line.indent == _OF_CASE and passes and passes[-1].options:
            *others, last = passes[-1].options
            passes[-1] = replace(passes[-1], options=(*others, replace(last, cases=(*last.cases, line.name))))
        elif line.indent == _OF_TOOL:
            break
    return passes


def tool_source(name: str, passes: list[PassDefinition], upstream: Catalogue) -> ToolSource:
    """Return the passes of the tool `name` as a source over `upstream`; known ones keep its versions and origin."""
    found: list[PassDefinition] = []
    for each in passes:
        known = upstream.pass_definition(each.name)
        versions = known.versions if known is not None else ()
        source = known.source if known is not None else name
        found.append(replace(each, versions=versions, source=source))
    return ToolSource(name, passes=found)


def _lines(text: str) -> Iterator[_Line]:
    for line in text.split("\n"):
        stripped = line.lstrip(" ")
        if stripped.startswith("=") and len(line) - len(stripped) == _OF_CASE:
            yield _Line(_OF_CASE, stripped[1:].partition(" ")[0], "", "")
        elif stripped.startswith("--"):
            head, _, purpose = stripped[2:].partition(_PURPOSE)
            name, _, value = head.strip().partition("=")
            yield _Line(len(line) - len(stripped), name, value.strip("<>"), purpose.strip())
