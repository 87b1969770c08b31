"""Regular expressions of Python as JavaScript spells them, for tools that know only that.

Classes that JavaScript lacks are widened, so that a pattern that is linear there is linear here: a letter of any
alphabet is any character beyond ASCII.
"""

from __future__ import annotations

import importlib
import re
from typing import Any, Final

Node = tuple[Any, Any]
"""A kind and its value, as Python's own parser of regular expressions has them."""
_BEYOND_ASCII: Final = r"\xaa-\u167f\u1681-\u1fff\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\uffff"
"""Characters beyond ASCII that may be letters, without blanks."""
_LINE_ENDS: Final = r"\r\u2028\u2029"
"""Characters that end a line in JavaScript, but not in Python."""
_CATEGORIES: Final = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}
_PLACES: Final = {"AT_BOUNDARY": r"\b", "AT_NON_BOUNDARY": r"\B"}
_ASSERTIONS: Final = {("ASSERT", 1): "?=", ("ASSERT", -1): "?<=", ("ASSERT_NOT", 1): "?!", ("ASSERT_NOT", -1): "?<!"}


class Untranslatable(Exception):  # noqa: N818 - no error
    """A pattern uses a construct without a counterpart."""


def parsed(pattern: str | bytes, flags: int) -> Any:
    """Return the tree of `pattern` as Python's own parser sees it."""
    try:
        parser: Any = importlib.import_module("re._parser")
    except ModuleNotFoundError:  # before Python 3.11
        parser = importlib.import_module("sre_parse")
    return parser.parse(pattern, flags)


def alternatives(tree: Any) -> list[list[Node]]:
    """Return the alternatives of the whole pattern; one if it has no choice."""
    nodes = list(tree)
    if len(nodes) == 1 and str(nodes[0][0]) == "SUBPATTERN":
        return alternatives(nodes[0][1][3])
    if not nodes or str(nodes[-1][0]) != "BRANCH" or any(str(kind) == "BRANCH" for kind, _ in nodes[:-1]):
        return [nodes]
    return [[*nodes[:-1], *branch] for branch in nodes[-1][1][1]]


def javascript(nodes: Any, flags: int) -> tuple[str, str]:
    """Return pattern and flags of JavaScript for a sequence of nodes."""
    writer = _Writer(flags)
    written = writer.sequence(nodes)
    return written, ("i" if flags & re.IGNORECASE else "") + ("m" if flags & re.MULTILINE else "")


class _Writer:
    def __init__(self, flags: int) -> None:
        self.flags = flags
        self.left_out = _LINE_ENDS if flags & re.MULTILINE else ""

    def sequence(self, nodes: Any) -> str:
        return "".join(self.node(kind, value) for kind, value in nodes)

    def node(self, kind: Any, value: Any) -> str:
        name = str(kind)
        match name:
            case "LITERAL":
                return _character(value)
            case "NOT_LITERAL":
                return f"[^{_character(value)}{self.left_out}]"
            case "ANY":
                return r"[\s\S]" if self.flags & re.DOTALL else rf"[^\n{self.left_out}]"
            case "IN":
                return self.choice(value)
            case "BRANCH":
                return "(?:" + "|".join(self.sequence(branch) for branch in value[1]) + ")"
            case "SUBPATTERN":
                return f"({'?:' if value[0] is None else ''}{self.sequence(value[3])})"
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self.repeated(*value) + ("?" if name == "MIN_REPEAT" else "")
            case "AT":
                return self.place(str(value))
            case "ASSERT" | "ASSERT_NOT":
                return f"({_ASSERTIONS[name, value[0]]}{self.sequence(value[1])})"
            case "GROUPREF":
                return f"(?:\\{value})"
            case "FAILURE":
                return "[]"
            case _:
                raise Untranslatable(name)

    def choice(self, items: Any) -> str:
        negated = bool(items) and str(items[0][0]) == "NEGATE"
        chosen = "".join(map(self.choosable, items[1:] if negated else items))
        return f"[^{chosen}{self.left_out}]" if negated else f"[{chosen}]"

    def choosable(self, item: Node) -> str:
        name = str(item[0])
        if name == "LITERAL":
            return _character(item[1])
        if name == "RANGE":
            return f"{_character(item[1][0])}-{_character(min(item[1][1], 0xFFFF))}"
        if name != "CATEGORY":
            raise Untranslatable(name)
        word = _CATEGORIES[str(item[1])]
        return word + (_BEYOND_ASCII if word == r"\w" and not self.flags & re.ASCII else "")

    def repeated(self, least: int, most: Any, nodes: Any) -> str:
        bounds = {(0, "MAXREPEAT"): "*", (1, "MAXREPEAT"): "+", (0, "1"): "?"}
        most_text = str(most)
        counted = f"{{{least}{'' if most_text == str(least) else ',' if most_text == 'MAXREPEAT' else f',{most}'}}}"
        return f"(?:{self.sequence(nodes)}){bounds.get((least, most_text), counted)}"

    def place(self, name: str) -> str:
        is_multiline = bool(self.flags & re.MULTILINE)
        if name in _PLACES:
            return _PLACES[name]
        if name == "AT_BEGINNING":
            return "^"
        if name == "AT_END":
            return "$"
        if name == "AT_BEGINNING_STRING":
            return r"(?<![\s\S])" if is_multiline else "^"
        return r"(?![\s\S])" if is_multiline else "$"


def _character(code: int) -> str:
    if chr(code).isascii() and chr(code).isalnum():
        return chr(code)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{min(code, 0xFFFF):04x}"
