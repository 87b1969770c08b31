"""Finds the holes of templates: parts of a script that another program replaces before MLIR reads it.

`Template.read` is the text with a plausible token of the same length in place of each hole: offsets stay as they are.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from enum import Enum
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_HOLES = r"""
    \{\{[-~]?[ \t]*[A-Za-z_.$\#/^>!&(][^{}\n]*\}\}
    | \{%[^%\n]*%\} | \{\#[^\#\n]*\#\} | <%[^%\n]*%>
    | \$\{[^{}\n]*\} | \$\([A-Za-z_]\w*\) | (?<![\w$.%@!\#^-])\$[A-Za-z_]\w*
    | %\([A-Za-z_]\w*\)[dirs](?!\w)
    | @[A-Z][A-Z0-9_]*@(?:(?=x)|(?![\w".$]))
    | %[A-Z][A-Z0-9_]*%(?![\w$.-]) | %%[A-Za-z_]\w*%% | \#\#[A-Za-z_]\w*\#\# | \#\{[^{}\n]*\}
    | (?<![\w$.">-])<<[ \t]*[A-Za-z_]\w*[ \t]*>>
    | (?:(?<=[\[=])|(?<=[\[=][ ]))__[A-Za-z]\w*__(?!\w)
"""
_DIRECTIVE = r"(?:(?<=\n)|\A)[ \t]*\#(?:if|ifdef|ifndef|elif|else|endif|define|undef|include)\b(?![ \t]*=)[^\n]*"
_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"?'
_OPAQUE_OR_HOLE = re.compile(rf"{_STRING} | //[^\r\n]* | ({_HOLES} | {_DIRECTIVE})", re.VERBOSE | re.ASCII)
_IN_STRING = re.compile(rf"//[^\r\n]* | {_STRING}", re.VERBOSE | re.ASCII)
_HOLE = re.compile(_HOLES, re.VERBOSE | re.ASCII)
_LETTERS = (string.ascii_letters + string.digits).encode()
_SIGNS = (
    *("{{", "{%", "{#", "<%", "${", "$(", "$", "%(", "%%", "##", "#{", "<<", "__"),
    *("#if", "#e", "#def", "#undef", "#inc"),
)
_BARE_SIGNS = [(sign, sign.encode().rstrip(_LETTERS)) for sign in _SIGNS]  # most of a large text is letters
_CAPITALS = re.compile("@[A-Z]"), re.compile("%[A-Z]")
_CHOOSING_WORDS = frozenset(
    ("if", "else", "elif", "end", "endif", "for", "each", "range", "with", "block", "define", "template")
)

_LINE_BREAK = re.compile(r"[\r\n]")
_NO_WORD = re.compile(r"\W", re.ASCII)
_NUMBER_BEFORE = frozenset("=[<")
_SIGILS = frozenset("%@!#^$.-_")


class HoleKind(Enum):
    """The kind of text that a hole probably stands for, by its context."""

    NAME = "name"
    """A part of a word, of a name, or of a quoted string."""
    NUMBER = "number"
    TYPE = "type"
    VALUE = "value"
    OPERATIONS = "operations"
    """Any code: the hole has lines of its own."""


class Around(NamedTuple):
    """The context of a hole: the text of its line before and after it."""

    before: str
    after: str
    is_quoted: bool


class TemplateHole(NamedTuple):
    """A hole at its place in the text; `kind` is the probable kind of its replacement."""

    span: Span
    kind: HoleKind


class Template(NamedTuple):
    """A text with holes outside of its strings and comments."""

    holes: tuple[TemplateHole, ...]
    """In the order of the text, those in strings first."""
    first: Span
    """The first hole outside of strings."""
    read: str
    """The text with a plausible token in place of each hole."""
    has_control: bool
    """True if a hole decides whether or how often the text behind it is used."""
    names: dict[str, str]
    """The text of each hole that a name in `read` stands for, by that name."""


def template_of(text: str, placeholders: tuple[str, ...] = ()) -> Template | None:
    """Return the holes of `text`, or None if it has none outside of strings and comments.

    A text that MLIR may read where it stands, such as the attribute name ``__id0__``, is no hole unless it has one of
    the shapes `placeholders`: a text in which ``*`` stands for a name.
    """
    own = [span for shape in placeholders for span in _of_shape(shape, text)]
    without_letters = text.encode("utf-8", "surrogatepass").translate(None, _LETTERS)
    may_have_hole = any(bare in without_letters and sign in text for sign, bare in _BARE_SIGNS)
    if not (own or may_have_hole or any(capital.search(text) for capital in _CAPITALS)):
        return None
    read_first = list(_OPAQUE_OR_HOLE.finditer(text))
    in_strings, own = _in_strings_and_outside(own, read_first)
    spans = sorted((*own, *(Span(*match.span(1)) for match in read_first if match[1] is not None)))
    if not spans:
        return None
    holes = [TemplateHole(span, HoleKind.NAME) for span in (*_holes_in_strings(text), *in_strings)]
    pieces, names = [], {}
    line = ""
    at = 0
    for span in spans:
        between = text[at : span.start]
        line = between.rpartition("\n")[2] if "\n" in between else line + between
        written = text[span.start : span.end]
        after = text[span.end : span.end + _NEAR].partition("\n")[0]
        kind = kind_of_hole(Around(line[-_NEAR:], after, is_quoted=False))
        read = filler(written, kind)
        pieces += [between, read]
        line += "_"
        at = span.end
        holes.append(TemplateHole(span, kind))
        if kind in (HoleKind.NAME, HoleKind.TYPE, HoleKind.VALUE):
            names[read] = written
    has_control = any(_is_control(text[span.start : span.end].lstrip()) for span in spans)
    return Template(tuple(holes), spans[0], "".join([*pieces, text[at:]]), has_control, names)


def _is_control(hole: str) -> bool:
    if hole.startswith("{{"):
        inner = hole[2:].lstrip("-~ \t")
        return inner[:1] in "#/^>!" or inner.replace("}", " ").split()[0] in _CHOOSING_WORDS
    is_directive = hole.startswith("#") and hole[1:2].isalpha()
    return is_directive or hole.startswith(("{%", "{#")) or (hole.startswith("<%") and not hole.startswith("<%="))


_NEAR = 300
"""Number of code points before and after a hole that decide its kind."""


def _holes_in_strings(text: str) -> Iterator[Span]:
    for match in _IN_STRING.finditer(text):
        if match[0].startswith('"') and (hole := _HOLE.search(match[0])) is not None:
            yield Span(match.start() + hole.start(), match.start() + hole.end())


_NAME = re.compile("[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*", re.ASCII)
"""The texts of ``*`` in the shape of a placeholder: neighbouring underscores belong to the shape."""
_WORD = re.compile(r"\w", re.ASCII)


def _of_shape(shape: str, text: str) -> Iterator[Span]:
    """Yield the places in `text` of a placeholder: a text in which one ``*``, if any, stands for a name.

    A place neither begins nor ends inside a word, so no part of the text is compared twice.
    """
    prefix, star, suffix = shape.partition("*")
    at = -1
    while (at := text.find(prefix, at + 1)) >= 0:
        if _divides_word(text, at):
            continue
        end = at + len(prefix)
        if star:
            name = _NAME.match(text, end)
            if name is None:
                continue
            end = name.end()
        if text.startswith(suffix, end) and not _divides_word(text, end + len(suffix)):
            yield Span(at, end + len(suffix))


def _divides_word(text: str, at: int) -> bool:
    return at > 0 and _WORD.match(text, at - 1) is not None and _WORD.match(text, at) is not None


def _in_strings_and_outside(own: list[Span], others: list[re.Match[str]]) -> tuple[list[Span], list[Span]]:
    """Return the spans that lie in strings, and those that overlap neither each other nor any of `others`."""
    starts = [match.start() for match in others]
    in_strings, outside = [], []
    at = 0
    for span in sorted(own):
        index = bisect_right(starts, span.start) - 1
        if index >= 0 and span.start < others[index].end():
            if others[index][0].startswith('"'):
                in_strings.append(span)
        elif span.start >= at and not (index + 1 < len(starts) and starts[index + 1] < span.end):
            outside.append(span)
            at = span.end
    return in_strings, outside


def kind_of_hole(around: Around) -> HoleKind:
    """Guess the kind of a hole from its context."""
    before, after = around.before, around.after
    if around.is_quoted:
        return HoleKind.NAME
    if not before.strip() and not after.strip():
        return HoleKind.OPERATIONS
    if any(sign.isalnum() or sign in _SIGILS for sign in before[-1:] + after[:1]):
        return HoleKind.NAME
    last = before.rstrip()[-1:]
    if last in (":", ">") or (last in ("(", ",") and " : " in before.rpartition("=")[2]):
        return HoleKind.TYPE
    if last in _NUMBER_BEFORE or (last == "," and before.rfind("[") > max(before.rfind("]"), before.rfind("("))):
        return HoleKind.NUMBER
    return HoleKind.VALUE if last in ("(", ",") else HoleKind.NAME


def filler(written: str, kind: HoleKind) -> str:
    """Return the text that replaces the hole `written` in the mask, with its length and its line breaks.

    Equal holes get equal text.
    """
    if kind is HoleKind.OPERATIONS:
        read = " " * len(written)
    elif kind is HoleKind.NUMBER:
        read = "1".ljust(len(written))
    else:
        sign = {HoleKind.TYPE: "!", HoleKind.VALUE: "%"}.get(kind, "")
        read = sign + "_" + _NO_WORD.sub("_", written)[len(sign) + 1 :]
    if _LINE_BREAK.search(written) is None:
        return read
    return "".join(old if old in "\r\n" else new for old, new in zip(written, read, strict=True))
