"""Masks Python programs as MLIR text: keeps the scripts in their strings and blanks everything around them.

The mask of a program is as long as the program, has its line breaks, and is blank outside of scripts, so an offset in
the mask is the same offset in the program. An escape becomes its character, padded with blanks where these do no harm.
A hole, which the running program fills in, becomes a plausible token. Each script begins behind a `SEPARATOR`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from tdls.structs import Struct
from tdls.syntax.embedded.python_literals import StringFilling, string_constants
from tdls.syntax.embedded.templates import Around, HoleKind, filler, kind_of_hole
from tdls.syntax.layout import SEPARATOR, unpaired, without_opaque
from tdls.text.diagnostic import TextEdit
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.embedded.python_literals import PythonLiteral, StringConstant
    from tdls.text.span import Span

_FORMAT_FIELD = re.compile(r"\{\{|\}\}|(\{[\w.\[\]]*(?:![rsa])?(?::[^{}\n]*)?\})", re.ASCII)
_PERCENT_FIELD = re.compile(
    r"%%|(%(?:\(\w{1,60}\))?[#0 +-]{0,4}[\d*]{0,4}(?:\.[\d*]{1,4})?[diouxXeEfFgGcrsa])", re.ASCII
)
_BRACES = re.compile(rf"{_FORMAT_FIELD.pattern}|([{{}}])", re.ASCII)


def filling_by_content(text: str) -> StringFilling:
    """Guess the filling of a stored string from doubled signs, since MLIR has neither ``%%`` nor ``{{``."""
    if "%%" in text:
        return StringFilling.PERCENT
    braces = [(match[0], match[2]) for match in _BRACES.finditer(text)] if "{{" in text else []
    is_format = bool(braces) and not any(alone for _, alone in braces)
    return StringFilling.FORMAT if is_format else StringFilling.NOTHING


def holes_in(text: str, span: Span, filling: StringFilling) -> Iterator[tuple[int, int, bool]]:
    """Yield the start and end of each hole and each doubled sign in `span`, and whether it is a hole.

    Yields nothing if no sign is special in the string.
    """
    pattern = {StringFilling.FORMAT: _FORMAT_FIELD, StringFilling.PERCENT: _PERCENT_FIELD}.get(filling)
    for match in pattern.finditer(text, span.start, span.end) if pattern is not None else ():
        yield match.start(), match.end(), match[1] is not None


MARK = "transform."
"""A text that every script contains."""
_OTHER_LANGUAGE = re.compile(r"\s*%%(?!(?:capture|prun|time|timeit)\b)")
"""The beginning of a notebook's cell that is not Python, such as ``%%bash``."""
_OF_LINE = re.compile(r"[^\r\n]+")
_PIECE = re.compile(
    r'(\\(?:\r\n|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S]))|"|//|\r\n|[\r\n]|[^\\"/\r\n]+|.'
)
_RAW_PIECE = re.compile(r'()(?:\\"|"|//|\r\n|[\r\n]|[^\\"/\r\n]+|.)')
_LINE_END, _RAW_LINE_END = re.compile(r"\\n|[\r\n]"), re.compile(r"[\r\n]")
_DOUBLED = re.compile(r"\{\{|\}\}")
_NO_TEXT = str.maketrans("\v\f", "  ")
_SCRIPT = re.compile(r"\btransform\.(?:named_sequence\b|sequence\b|with_named_sequence\b)")
_MODULE = re.compile(r"\bmodule\b")
_FRAGMENT = re.compile(r'^[ \t]*(?:%[\w%:, \t]+=[ \t]*)?"?transform\.[a-z_]+(?:\.[a-z_]+)*"?[ \t(]', re.MULTILINE)


_PLACEHOLDER = re.compile(r"[@%$#<{_-]{0,4}\w{2,60}[@%$#>}_-]{0,4}", re.ASCII)
_MOST_REPLACED = 32
"""The most words that a program replaces to look for."""


class Hole(Struct, frozen=True):
    """A part of a script that the running program fills in."""

    span: FileSpan
    kind: HoleKind
    is_named: bool
    """False if another hole with the same text may be filled differently."""

    @property
    def is_name(self) -> bool:
        """True if the replacing text is a name that no script has."""
        return self.kind in (HoleKind.NAME, HoleKind.TYPE, HoleKind.VALUE) and self.span.end - self.span.start > 2


class EmbeddedScript(Struct, frozen=True):
    """A string that holds operations of the transform dialect."""

    literals: tuple[PythonLiteral, ...]
    filling: StringFilling
    holes: tuple[Hole, ...]
    is_fragment: bool
    """True if the string has no sequence or is cut off, so that its surroundings are not known."""
    is_module: bool
    """True if the string seems to contain its own module."""

    @property
    def is_guessed(self) -> bool:
        """True if the mask may differ much from the text that the program builds."""
        return self.is_fragment or not all(hole.is_named or hole.kind is HoleKind.NUMBER for hole in self.holes)

    @property
    def span(self) -> FileSpan:
        """The range from the first quote to the last."""
        return FileSpan(self.literals[0].span.start, self.literals[-1].span.end)


class MaskedProgram(Struct, frozen=True):
    """A program, its mask, and the scripts in it."""

    source: str
    """The program."""
    text: str
    """Its mask."""
    scripts: tuple[EmbeddedScript, ...]
    """In the order of the text."""

    def holds_script_at(self, offset: int) -> bool:
        """Whether `offset` is in, or at the end of, the body of a script's literal, and in no hole."""
        script = self.script_at(offset)
        if script is None or any(hole.span.start < offset < hole.span.end for hole in script.holes):
            return False
        return any(literal.body.start <= offset <= literal.body.end for literal in script.literals)

    def script_at(self, offset: int) -> EmbeddedScript | None:
        """Return the script whose string contains `offset` or ends there, or None."""
        index = bisect_right(self.scripts, offset, key=lambda script: script.span.start) - 1
        script = self.scripts[index] if index >= 0 else None
        return script if script is not None and offset <= script.span.end else None


def masked_program(source: str) -> MaskedProgram:
    """Return the mask of a Python program. Never raises; takes linear time."""
    blank = _OF_LINE.sub(lambda run: " " * len(run[0]), source)
    if MARK not in source or _OTHER_LANGUAGE.match(source) is not None:
        return MaskedProgram(source, blank, ())
    characters = list(blank)
    scripts = []
    constants = string_constants(source)
    replaced = _replaced(source, constants)
    for constant in constants:
        script = _script(source, constant, replaced)
        if script is not None:
            scripts.append(script.placed(characters))
    return MaskedProgram(source, "".join(characters), tuple(scripts))


def _replaced(source: str, constants: list[StringConstant]) -> tuple[str, ...]:
    """Return the words that the program replaces in strings and that look like no word of MLIR: with a capital.

    The longest is the first.
    """
    written = (constant.literals[0] for constant in constants if constant.is_replaced and len(constant.literals) == 1)
    texts = (source[literal.body.start : literal.body.end] for literal in written)
    words = {text for text in texts if _PLACEHOLDER.fullmatch(text) and any(sign.isupper() for sign in text)}
    return tuple(sorted(words, key=lambda word: (-len(word), word)))[:_MOST_REPLACED]


def _script(source: str, constant: StringConstant, replaced: tuple[str, ...]) -> _Mask | None:
    """Return the mask of a string that is a script or a fragment, or None for others."""
    if constant.is_statement or any(literal.is_bytes for literal in constant.literals):
        return None
    written = "\n".join(source[literal.body.start : literal.body.end] for literal in constant.literals)
    if MARK not in written or _is_abridged(written) or '"""' in written or "'''" in written:
        return None  # for people, or itself a program
    has_fields = any(literal.has_fields for literal in constant.literals)
    is_script = _SCRIPT.search(written) is not None and ("{{" if has_fields else "{") in written
    if not is_script and (_FRAGMENT.search(written) is None or not (":" in written or "%" in written)):
        return None
    if constant.filling is StringFilling.NOTHING and not has_fields:
        constant.filling = filling_by_content(written)
    return _Mask(source, constant, replaced, is_fragment=not is_script)


def _is_abridged(text: str) -> bool:
    """Whether code is left out of a text for people, as in ``transform.sequence { ... }``."""
    return "..." in text and any("..." in line.partition("//")[0].split() for line in text.splitlines())


class _Mask:
    """Builds the mask of one string's literals, piece by piece in the order of the text."""

    def __init__(self, source: str, constant: StringConstant, replaced: tuple[str, ...], *, is_fragment: bool) -> None:
        self._source = source
        self._replaced = replaced
        self._literals = constant.literals
        self._filling = constant.filling
        self._is_fragment = is_fragment
        self._runs: list[tuple[int, str]] = []
        """Offsets and texts of the mask's non-blank parts."""
        self._holes: list[Hole] = []
        self._line = ""
        """The string's content since its last line break."""
        self._is_quoted = False
        """True inside a string of the script."""
        self._is_escaped = False
        """True behind a backslash in that string."""
        self._comment: int | None = None
        """The offset at which the current comment began, or None outside of comments."""
        self._ended_comment: int | None = None
        """The offset of a comment that an escaped line break ended, in this line of the program."""
        self._is_hidden = False
        """True in a comment that continues in another line of the program."""
        self._is_readable = True

    def placed(self, characters: list[str]) -> EmbeddedScript:
        """Write the mask of the string into the program's mask `characters`."""
        for index, literal in enumerate(self._literals):
            if index > 0:
                self._resume(self._literals[index - 1].body.end, literal.body.start)
            self._read(literal, index)
        characters[self._literals[0].span.start] = SEPARATOR
        for at, text in self._runs:
            characters[at : at + len(text)] = text
        first, last = self._literals[0], self._literals[-1]
        text = "".join(characters[first.span.start : last.span.end])
        is_whole = not any(map(any, unpaired(without_opaque(text))))  # else a partner is in another string
        is_fragment = self._is_fragment or not self._is_readable or not is_whole
        is_module = _MODULE.search(self._source, *self._literals[0].span) is not None
        return EmbeddedScript(tuple(self._literals), self._filling, tuple(self._holes), is_fragment, is_module)

    def _resume(self, end: int, start: int) -> None:
        """Continue the string at `start` after `end`: the source between them becomes blanks or lines in the mask."""
        if self._comment is None and (
            self._is_quoted or (_is_word(self._line[-1:]) and _is_word(self._source[start : start + 1]))
        ):
            self._is_readable = False
        if _RAW_LINE_END.search(self._source, end, start) is not None:
            self._ended_comment = None
            self._is_hidden = self._comment is not None

    def _read(self, literal: PythonLiteral, index: int) -> None:
        at = literal.body.start
        for start, end, is_hole in self._specials(literal):
            self._plain(literal, at, start)
            if is_hole:
                self._hole(literal, index, start, end)
            else:
                self._put(start + 1, self._source[start])
            at = end
        self._plain(literal, at, literal.body.end)

    def _specials(self, literal: PythonLiteral) -> Iterator[tuple[int, int, bool]]:
        """Yield holes and doubled signs: start, end, and whether it is a hole."""
        if not literal.has_fields:
            yield from self._specials_without_fields(literal)
            return
        at = literal.body.start
        for start, end in (*literal.fields, (literal.body.end, literal.body.end)):
            for doubled in _DOUBLED.finditer(self._source, at, start):
                yield doubled.start(), doubled.end(), False
            if start < end:
                yield start, end, True
            at = end

    def _specials_without_fields(self, literal: PythonLiteral) -> Iterator[tuple[int, int, bool]]:
        holes = list(holes_in(self._source, literal.body, self._filling))
        for word in self._replaced:
            at = literal.body.start
            while (at := self._source.find(word, at, literal.body.end)) >= 0:
                holes.append((at, at + len(word), True))
                at += len(word)
        at = literal.body.start
        for start, end, is_hole in sorted(holes, key=lambda special: (special[0], -special[1])):
            if start >= at:
                yield start, end, is_hole
                at = end

    def _plain(self, literal: PythonLiteral, start: int, end: int) -> None:
        pattern = _RAW_PIECE if literal.is_raw else _PIECE
        for piece in pattern.finditer(self._source, start, end):
            if piece[1]:
                self._escape(piece.start(), piece[0])
            elif piece[0] == '"':
                self._quote(piece.start(), 1)
            elif piece[0][0] in "\r\n":
                self._end_line()
                self._ended_comment = None
            else:
                self._text(piece.start(), piece[0])

    def _text(self, at: int, text: str) -> None:
        if text == "//" and not self._is_quoted and self._comment is None:
            self._put(at, text)
            self._comment = at
        else:
            self._put(at, text.translate(_NO_TEXT))

    def _escape(self, at: int, escape: str) -> None:
        sign = escape[1]
        if sign == "n":
            self._end_line()
        elif sign == '"':
            self._quote(at, 2)
        elif sign == "\\":
            self._is_escaped = self._is_quoted and not self._is_escaped
            is_escaped = self._is_escaped
            self._put(at + 1, sign)
            self._is_escaped = is_escaped
        elif sign == "'":
            self._put(at + 1, sign)
        elif sign in "\r\n":
            self._resume(at, at + len(escape))
        elif sign not in "rt" and self._is_quoted:
            self._put(at, "_" * len(escape))

    def _quote(self, at: int, length: int) -> None:
        """Begin or end a string of the script, so that blanks of an escaped quote stay outside of it."""
        if self._comment is not None:
            self._put(at + length - 1, '"')
            return
        is_end = self._is_quoted or self._is_escaped
        was_escaped = self._is_escaped
        self._put(at if is_end else at + length - 1, '"')
        if not was_escaped:
            self._is_quoted = not self._is_quoted

    def _end_line(self) -> None:
        """Begin a line in the string."""
        if not self._is_hidden:
            self._ended_comment = self._comment
        self._comment, self._is_hidden, self._is_quoted, self._is_escaped, self._line = None, False, False, False, ""

    def _put(self, at: int, text: str) -> None:
        self._is_escaped = False
        self._line += text
        if self._is_hidden or not text.strip():
            return
        if self._ended_comment is not None:
            while self._runs and self._runs[-1][0] >= self._ended_comment:
                self._runs.pop()
            self._ended_comment = None
        self._runs.append((at, text))

    def _hole(self, literal: PythonLiteral, index: int, start: int, end: int) -> None:
        written = self._source[start:end]
        kind = kind_of_hole(Around(self._line, self._ahead(literal, index, end), self._is_quoted))
        self._put(start, filler(written, kind))
        self._line += "_"
        if _RAW_LINE_END.search(written) is not None:
            self._is_readable &= kind in (HoleKind.OPERATIONS, HoleKind.NUMBER)
            self._resume(start, end)
        is_named = literal.has_fields or any(sign.isalpha() for sign in written[1:-1])
        self._holes.append(Hole(FileSpan(start, end), kind, is_named))

    def _ahead(self, literal: PythonLiteral, index: int, at: int) -> str:
        """Return the rest of the string's line, or as much of it as determines the kind of a hole."""
        rest = self._source[at : literal.body.end]
        line = (_RAW_LINE_END if literal.is_raw else _LINE_END).split(rest, maxsplit=1)
        if len(line) > 1 or index + 1 == len(self._literals):
            return line[0]
        following = self._literals[index + 1].body
        return line[0] + self._source[following.start : min(following.end, following.start + 20)]


def _is_word(sign: str) -> bool:
    return sign != "" and (sign.isalnum() or sign in "_.%@!")


def written_edit(program: MaskedProgram, edit: TextEdit) -> TextEdit | None:
    """Convert an edit of the mask to the program, or None unless a single literal contains it and can express it."""
    script = program.script_at(edit.span.start)
    literals = script.literals if script is not None else ()
    before = (literal for literal in literals if literal.body.start <= edit.span.start)
    literal = next((each for each in before if edit.span.end <= each.body.end), None)
    if script is None or literal is None:
        return None
    if any(hole.span.start < edit.span.end and edit.span.start < hole.span.end for hole in script.holes):
        return None
    new_text = _written(edit.new_text, literal, script)
    return TextEdit(edit.span, new_text) if new_text is not None else None


def _written(text: str, literal: PythonLiteral, script: EmbeddedScript) -> str | None:
    """Escape `text` for `literal`, or None if the literal cannot express it."""
    is_long = len(literal.quote) > 1
    if literal.is_raw:
        return text if _is_plain(text, literal) else None
    text = text.replace("\\", "\\\\")
    text = text.replace(literal.quote, f"\\{literal.quote}") if not is_long else text.replace('"""', '\\"\\"\\"')
    text = text if is_long else text.replace("\n", "\\n")
    if literal.has_fields or script.filling is StringFilling.FORMAT:
        return text.replace("{", "{{").replace("}", "}}")
    return text.replace("%", "%%") if script.filling is StringFilling.PERCENT else text


def _is_plain(text: str, literal: PythonLiteral) -> bool:
    if literal.has_fields and ("{" in text or "}" in text):
        return False
    return literal.quote not in text and (len(literal.quote) > 1 or "\n" not in text)
