"""Extracts run instructions from comments of a script: lit's ``RUN:`` lines and ``// tdls:`` directives.

Directives are ``library=... payload=... entry-point=...``. Continuation lines and substitutions are those of lit
(llvm/utils/lit/lit/TestRunner.py), pass pipelines those of mlir/lib/Pass/PassRegistry.cpp.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple, Struct, field
from tdls.syntax.layout import comments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.text.shell_words import Placed, ShellWord


_RUN = "RUN:"
_DIRECTIVE = re.compile(r"//+[ \t]*tdls:[ \t]*(?=[\w-]+=)")
_FILE = re.compile(r"(?:.*[/\\])?[^/\\]+\.(?:mlir|mlirbc|pdl|pdll)\Z")
_OWN_FILE = "%s"
_PIPELINE = "pass-pipeline"
_LIBRARIES = frozenset({"transform-library-paths", "transform-library", "library"})
_ENTRY_POINTS = frozenset({"entry-point", "transform-entry-point"})
_PAYLOADS = frozenset({"payload"})
_OPENERS = {"{": "}", "(": ")", "[": "]", "'": "'", '"': '"'}
_PASS = re.compile(r"[\w.-]+", re.ASCII)
_SUBSTITUTION = re.compile(r"%(?:%|\{[^{}]*\}|[A-Za-z])")


class Option(NamedTuple):
    """An option of a program or of a pass, without dashes; `value` is None if the option has none."""

    name: Placed
    value: Placed | None


class PassUse(NamedTuple):
    """What may be a pass in a command, with its options."""

    name: Placed
    options: tuple[Option, ...]


class RunLine(NamedTuple):
    """The command of one ``RUN:`` line and those that continue it.

    `commands` are the words of each program between ``|``, ``&&`` and ``;``, without redirections.
    """

    text: Placed
    commands: tuple[tuple[ShellWord, ...], ...]


class Instructions(Struct, frozen=True):
    """The run instructions in a text. Paths are as written: see `expand_path`."""

    libraries: tuple[Placed, ...] = ()
    """Files or folders with named sequences."""
    payloads: tuple[Placed, ...] = ()
    entry_points: tuple[Placed, ...] = ()
    """Names of named sequences, without ``@``."""
    files: tuple[Placed, ...] = ()
    """Other files that commands name."""
    splits_input: bool = False
    """True if a command processes the parts between ``// -----`` one by one."""
    verifies_diagnostics: bool = False


def instructions(text: str) -> Instructions:
    """Return the run instructions in the comments of `text`. Never raises."""
    if _RUN not in text and "tdls:" not in text:
        return Instructions()
    from tdls.text.shell_words import split_words

    collector = _Collector()
    for run_line in run_lines(text):
        for command in run_line.commands:
            collector.add_command(command)
    for comment in comments(text):
        directive = _DIRECTIVE.match(comment.text)
        if directive is not None:
            line = _placed(comment.text, comment.span.start).part(directive.end())
            collector.add_options(_named_option(word.value) for word in split_words(line))
    return collector.result()


def run_lines(text: str) -> list[RunLine]:
    """Return the ``RUN:`` lines of `text` in order; a line that ends in a backslash is joined with the next."""
    if _RUN not in text:
        return []
    lines: list[RunLine] = []
    pending: list[Placed] = []
    for comment in comments(text):
        start = comment.text.find(_RUN)
        if start < 0:
            continue
        line = _placed(comment.text, comment.span.start).part(start + len(_RUN)).stripped()
        if line.text.endswith("\\"):
            pending.append(line.part(0, -1))
            continue
        lines.append(_run_line([*pending, line]))
        pending.clear()
    return [*lines, _run_line(pending)] if pending else lines


def options_of(command: Sequence[ShellWord]) -> Iterator[Option]:
    """Yield the options of a program; an option that holds options of passes is replaced by these."""
    for index, word in enumerate(command):
        if not word.text.startswith("-"):
            continue
        body = word.value.part(len(word.text) - len(word.text.lstrip("-")))
        option = _named_option(body)
        if "{" in option.name.text:
            yield from _options_of_pipeline(body)
            continue
        if option.name.text == _PIPELINE:
            following = command[index + 1].value if index + 1 < len(command) else None
            yield from _options_of_pipeline(option.value or following)
        elif option.value is not None and "=" in option.value.text:
            yield from _options_of_pass(option.value)
        else:
            yield option


def passes_of(command: Sequence[ShellWord]) -> Iterator[PassUse]:
    """Yield the passes of a command, in its pipelines or as options, among other options of the program."""
    for index, word in enumerate(command):
        if not word.text.startswith("-"):
            continue
        option = _named_option(word.value.part(len(word.text) - len(word.text.lstrip("-"))))
        if option.name.text == _PIPELINE:
            following = command[index + 1].value if index + 1 < len(command) else None
            yield from _passes_of_pipeline(option.value or following)
        elif option.name.text:
            is_list = option.value is not None and "=" in option.value.text
            yield PassUse(option.name, tuple(_options_of_pass(option.value)) if option.value and is_list else ())


def libraries_of(command: Sequence[ShellWord]) -> tuple[Placed, ...]:
    """Return the libraries that a command names."""
    collector = _Collector()
    collector.add_command(command)
    return collector.result().libraries


def expand_path(path: str, source: str, folder: str) -> str | None:
    """Return `path` with lit's substitutions for the file `source` in `folder`, or None if it uses any other."""
    known = {"%s": source, "%S": folder, "%p": folder, "%{fs-sep}": "/", "%%": "%"}
    if any(substitution not in known for substitution in _SUBSTITUTION.findall(path)):
        return None
    return _SUBSTITUTION.sub(lambda match: known[match[0]], path)


def _placed(text: str, start: int) -> Placed:
    from tdls.text.shell_words import Placed

    return Placed(text, tuple(range(start, start + len(text))))


def _run_line(lines: Sequence[Placed]) -> RunLine:
    from tdls.text.shell_words import Placed, split_words

    text = Placed.joined(lines)
    commands: list[list[ShellWord]] = [[]]
    redirects = False
    for word in split_words(text):
        if word.is_operator:
            redirects = "<" in word.text or ">" in word.text
            if not redirects:
                commands.append([])
        elif not redirects:
            commands[-1].append(word)
        else:
            redirects = False
    return RunLine(text, tuple(tuple(command) for command in commands if command))


def _named_option(text: Placed) -> Option:
    name, equals, _ = text.text.partition("=")
    return Option(text.part(0, len(name)), text.part(len(name) + 1) if equals else None)


def _options_of_pipeline(text: Placed | None) -> Iterator[Option]:
    """Yield the options of ``anchor(pass{name=value name=value},...)``."""
    position = 0
    while text is not None and (opener := text.text.find("{", position)) >= 0:
        position = _after_group(text.text, opener)
        yield from _options_of_pass(text.part(opener + 1, position - 1))


def _passes_of_pipeline(text: Placed | None) -> Iterator[PassUse]:
    """Yield the passes of ``anchor(pass{name=value},...)``; a name before ``(`` is that of an operation."""
    position = 0
    while text is not None and (match := _PASS.search(text.text, position)) is not None:
        position = match.end()
        options: tuple[Option, ...] = ()
        if text.text.startswith("{", position):
            end = _after_group(text.text, position)
            options = tuple(_options_of_pass(text.part(position + 1, end - 1)))
            position = end
        if not text.text.startswith("(", position):
            yield PassUse(text.part(*match.span()), options)


def _options_of_pass(text: Placed) -> Iterator[Option]:
    """Yield the options in ``name=value name={...}``; values lose their braces or quotes."""
    start = position = 0
    while position <= len(text.text):
        if position == len(text.text) or text.text[position].isspace():
            if position > start:
                name, value = _named_option(text.part(start, position))
                if value is not None and len(value.text) > 1 and _OPENERS.get(value.text[0]) == value.text[-1]:
                    value = value.part(1, -1)
                yield Option(name, value)
                yield from _options_of_pipeline(value)
            start = position = position + 1
        else:
            position = _after_group(text.text, position) if text.text[position] in _OPENERS else position + 1


def _after_group(text: str, opener: int) -> int:
    """Return the offset behind the partner of the bracket or quote at `opener`; the end of the text if it has none."""
    stack = [_OPENERS[text[opener]]]
    position = opener + 1
    while position < len(text) and stack:
        if text[position] == stack[-1]:
            stack.pop()
        elif text[position] in _OPENERS and stack[-1] not in "'\"":
            stack.append(_OPENERS[text[position]])
        position += 1
    return position


class _Collector(Struct):
    libraries: list[Placed] = field(default_factory=list)
    payloads: list[Placed] = field(default_factory=list)
    entry_points: list[Placed] = field(default_factory=list)
    files: list[Placed] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)

    def result(self) -> Instructions:
        return Instructions(
            tuple(self.libraries),
            tuple(self.payloads),
            tuple(self.entry_points),
            tuple(self.files),
            splits_input="split-input-file" in self.flags,
            verifies_diagnostics="verify-diagnostics" in self.flags,
        )

    def add_command(self, command: Sequence[ShellWord]) -> None:
        self.add_options(options_of(command))
        self._add_files(word.value for word in command[1:] if not word.text.startswith("-"))

    def add_options(self, options: Iterable[Option]) -> None:
        for name, value in options:
            self.flags.add(name.text)
            if value is None:
                continue
            if name.text in _LIBRARIES:
                self.libraries += _listed(value)
            elif name.text in _PAYLOADS:
                self.payloads += _listed(value)
            elif name.text in _ENTRY_POINTS:
                self.entry_points += [entry.part(entry.text.startswith("@")) for entry in _listed(value)]
            else:
                self._add_files(_listed(value))

    def _add_files(self, paths: Iterable[Placed]) -> None:
        self.files += [path for path in paths if path.text != _OWN_FILE and _FILE.match(path.text)]


def _listed(value: Placed) -> list[Placed]:
    return [item for part in value.split(",") if (item := part.stripped()).text]
