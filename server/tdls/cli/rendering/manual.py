"""The page of a rule as a page of the manual, for ``man``: man(7) from the little Markdown that such pages use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SECTION = 7
"""Where manuals have conventions: a rule is neither a command nor a file."""
_TITLE = re.compile(r"# (\S+) \((.*)\)")
_MARKED = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|(?<!\w)\*([^*]+)\*(?!\w)|\[([^\[\]]+)\]\([^()]+\)")
_ITEM = "- "


def render(markdown: str, version: str) -> Iterator[str]:
    """Yield the lines of the page; `markdown` is what `Rule.markdown` gives, `version` that of tdls."""
    head, summary, rest = markdown.split("\n\n", 2)
    title = _TITLE.match(head)
    name, kind = title.groups() if title is not None else (head.lstrip("# "), "")
    yield f'.TH "{_plain(name)}" {SECTION} "" "tdls {version}" "Rules of tdls"\n'
    yield f".SH NAME\n{_plain(name)} \\- {_inline(summary.rstrip('.'))}\n"
    yield f".SH DESCRIPTION\n{_plain(kind)}\n"
    for is_code, block in _blocks(rest):
        yield from _code(block) if is_code else _text(block)


def _blocks(markdown: str) -> Iterator[tuple[bool, list[str]]]:
    """Yield paragraphs and, with True, blocks of code, as lines."""
    lines: list[str] = []
    is_code = False
    for line in markdown.splitlines():
        is_fence = line.startswith("```")
        if is_fence or (not line.strip() and not is_code):
            if lines:
                yield is_code, lines
            lines = []
            is_code ^= is_fence
        else:
            lines.append(line)
    if lines:
        yield is_code, lines


def _code(lines: list[str]) -> Iterator[str]:
    yield ".PP\n.RS 2\n.nf\n"
    yield from (f"{_guarded(_plain(line))}\n" for line in lines)
    yield ".fi\n.RE\n"


def _text(lines: list[str]) -> Iterator[str]:
    if lines[0].startswith("#"):
        yield f".SH {_plain(lines[0].lstrip('# ').upper())}\n"
        return
    if not lines[0].startswith(_ITEM):
        yield ".PP\n"
    for line in _joined(lines):
        if line.startswith(_ITEM):
            yield ".IP \\(bu 2\n"
        yield f"{_guarded(_inline(line.removeprefix(_ITEM)))}\n"


def _joined(lines: list[str]) -> Iterator[str]:
    """Yield one line for each item of a list or the whole paragraph: marks may go over line ends."""
    current = ""
    for line in lines:
        if line.startswith(_ITEM) and current:
            yield current
            current = ""
        current = f"{current} {line.strip()}" if current else line
    yield current


def _inline(text: str) -> str:
    pieces: list[str] = []
    end = 0
    for match in _MARKED.finditer(text):
        code, strong, emphasised, link = match.groups()
        font = "I" if emphasised is not None else "B"
        pieces += [_plain(text[end : match.start()]), f"\\f{font}{_plain(code or strong or emphasised or link)}\\fR"]
        end = match.end()
    return "".join([*pieces, _plain(text[end:])])


def _plain(text: str) -> str:
    return (
        text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq").replace("`", "\\(ga").replace("'", "\\(aq")
    )


def _guarded(line: str) -> str:
    """A line that begins with a dot would be a request."""
    return f"\\&{line}" if line.startswith(".") else line
