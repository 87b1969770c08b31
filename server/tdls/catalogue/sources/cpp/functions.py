"""Finds functions and classes in C++ code, and expands macros that define functions with effects."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from tdls.catalogue.sources.cpp.tokens import CppToken, arguments, closing, tokens, top_level
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_KEYWORDS = ("class", "struct", "union")
_PARENTHESES_BEFORE_NAME = frozenset(("alignas", "__attribute__", "__declspec"))


class Class(Struct, frozen=True):
    """A class as its head is written: ``class A::B : public C::D<E>`` has the names (A, B) and the base ``D``."""

    names: tuple[str, ...]
    bases: tuple[str, ...] = ()


def class_of(words: Sequence[str]) -> Class | None:
    """Return the class of a head, the words before a brace, or None for other words."""
    outside = outside_templates(words)
    keyword = next((index for index in outside if words[index] in _KEYWORDS), None)
    if keyword is None or (keyword and words[keyword - 1] == "enum"):
        return None
    names: tuple[str, ...] = ()
    for index in (index for index in outside if index > keyword):
        word, before = words[index], words[index - 1]
        if word == ":":
            return Class(names, _bases(words[index + 1 :]))
        if word == "=" or (word == "(" and before not in _PARENTHESES_BEFORE_NAME and not before.isupper()):
            return None
        if word.isidentifier() and word != "final":
            names = (*names, word) if before == "::" else (word,)
    return Class(names)


def outside_templates(words: Sequence[str]) -> list[int]:
    """Return the indices of the words outside of brackets, with ``<`` and ``>`` as brackets."""
    found: list[int] = []
    angles = 0
    for index, word in top_level(words):
        if word == "<":
            angles += 1
        elif word == ">":
            angles = max(0, angles - 1)
        elif not angles:
            found.append(index)
    return found


def _bases(words: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the classes behind the colon, without namespaces and template arguments."""
    found: list[str] = []
    for base in arguments(words):
        path = base[: base.index("<")] if "<" in base else base
        if path and path[-1].isidentifier():
            found.append(path[-1])
    return tuple(found)


_STRUCTURE = re.compile(r"[{};]")
_BRACES = re.compile(r"[{}]")
_MOST_SCOPES = 100
"""Maximum nesting of namespaces and classes; a file with more is read up to there."""
_MOST_DECLARED = 100
"""Maximum number of imported namespaces in one scope."""
_ACCESS = frozenset(("public", "protected", "private"))


class Function(Struct, frozen=True):
    """A function with a body. Offsets are 0-based in the file."""

    path: tuple[str, ...]
    """Names of classes and namespaces as written at the function, without template arguments, then its own name."""
    scope: tuple[str, ...]
    """Names of the namespaces and classes around it; unnamed ones are left out."""
    imported: tuple[tuple[str, ...], ...]
    """Namespaces of the ``using namespace`` before it."""
    name_offset: int
    parameters: tuple[CppToken, ...]
    body_start: int
    """The offset behind the opening brace."""
    body_end: int
    """The offset of the closing brace."""

    @property
    def name(self) -> str:
        """The name without classes and namespaces."""
        return self.path[-1]


class _CppScope(Struct):
    names: tuple[str, ...] = ()
    imported: tuple[tuple[str, ...], ...] = ()


def definitions(code: str) -> Iterator[Function | Class]:
    """Yield all functions and classes of blanked code outside of function bodies.

    Never raises; an unclosed body extends to the end of the code.
    """
    scopes = [_CppScope()]
    start = position = 0
    while (match := _STRUCTURE.search(code, position)) is not None:
        position = match.end()
        if match[0] == "}":
            if len(scopes) > 1:
                scopes.pop()
        elif match[0] == ";":
            _import_namespace(code[start : match.start()], scopes[-1])
        else:
            header = tokens(code, start, match.start())
            words = [token.text for token in header]
            found, outer = class_of(words), scopes[-1]
            inner = found.names if found is not None else _namespace(words)
            if found is not None:
                yield found
            if len(scopes) > _MOST_SCOPES:
                return
            if inner is not None:
                scopes.append(_CppScope((*outer.names, *inner), outer.imported))
            else:
                end = _matching(code, match.start())
                function = _function(header, outer, position, end)
                if function is not None:
                    yield function
                position = min(end + 1, len(code))
        start = position


def _import_namespace(declaration: str, scope: _CppScope) -> None:
    """Add ``using namespace a::b`` to the scope."""
    if "using" not in declaration:
        return
    words = [token.text for token in tokens(declaration, 0, len(declaration))]
    starts = (index + 2 for index, pair in enumerate(pairwise(words)) if pair == ("using", "namespace"))
    path = tuple(word for word in words[next(starts, len(words)) :] if word != "::")
    is_path = bool(path) and all(map(str.isidentifier, path))
    if is_path and path not in scope.imported and len(scope.imported) < _MOST_DECLARED:
        scope.imported += (path,)


def _matching(code: str, opening: int) -> int:
    """Return the offset of the brace that closes the one at `opening`; the end of the code if it stays open."""
    depth = 0
    for match in _BRACES.finditer(code, opening):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return len(code)


def _namespace(words: list[str]) -> tuple[str, ...] | None:
    """Return the names of a namespace from the words before its brace, or None for other words."""
    if "namespace" in words:
        return tuple(word for word in words[words.index("namespace") + 1 :] if word.isidentifier() and word != "inline")
    if len(words) >= 2 and words[-2] == "extern" and words[-1].startswith('"'):
        return ()
    return None


def _function(header: list[CppToken], scope: _CppScope, body_start: int, body_end: int) -> Function | None:
    """Return the function with the declaration `header`, or None for other tokens."""
    while len(header) > 1 and header[0].text in _ACCESS and header[1].text == ":":
        header = header[2:]
    words = [token.text for token in header]
    outside = outside_templates(words)
    if any(words[index] == "=" and words[index - 1] != "operator" for index in outside if index):
        return None
    name = next((index for index in outside if _is_function_name(words, index)), None)
    close = len(words) if name is None else closing(words, name + 1)
    if name is None or close == len(words):
        return None
    parameters = tuple(header[name + 2 : close])
    path = _path(words, name)
    return Function(path, scope.names, scope.imported, header[name].offset, parameters, body_start, body_end)


def _is_function_name(words: list[str], index: int) -> bool:
    """Whether the word is a name before a parenthesis, and no macro."""
    is_called = words[index].isidentifier() and words[index + 1 : index + 2] == ["("]
    return is_called and not words[index].isupper()


def _path(words: list[str], last: int) -> tuple[str, ...]:
    """Return (a, B, f) for ``a::B<T>::f``, given the index of ``f``."""
    names = [words[last]]
    index = last - 1
    while index > 0 and words[index] == "::":
        index -= 1
        if words[index] == ">":
            index = _template_begin(words, index) - 1
        if index < 0 or not words[index].isidentifier() or words[index] in ("return", "else"):
            break
        names.append(words[index])
        index -= 1
    return tuple(reversed(names))


def _template_begin(words: list[str], end: int) -> int:
    depth = 0
    for index in range(end, -1, -1):
        depth += {">": 1, "<": -1}.get(words[index], 0)
        if depth == 0:
            return index
    return 0
