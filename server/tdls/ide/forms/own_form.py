"""A form that is read of an operation whose line is not: with the line's own values, or none at all.

The line and a form of the definition are compared piece by piece: values, symbols, types, strings, numbers, and lists.
All pieces of the line take the places of those of the form, in order; what has no place, or one too many, would change
what the line says.
"""

from __future__ import annotations

import re
from collections import defaultdict
from difflib import get_close_matches
from typing import TYPE_CHECKING

from tdls.catalogue.catalogue import Catalogue
from tdls.ide.forms.operation_page import example
from tdls.syntax.layout import comments
from tdls.syntax.parser.assembly.format import Literal, parse_format
from tdls.syntax.parser.parser import parse

if TYPE_CHECKING:
    from tdls.catalogue.model import OperationDefinition

_OPERATION = re.compile(r"transform\.[\w.]+", re.ASCII)
_PIECE = re.compile(
    r"""(?P<type>![\w$.]+(?:<[^<>]*>)?)|(?P<value>%[\w$.-]+(?:[:\#]\d+)?)|(?P<symbol>@[\w$.-]+)|(?P<list>\[[^\[\]]*\])
    |(?P<string>"[^"]*")|(?P<number>-?\b\d[\w.]*)|(?P<word>[A-Za-z_][\w.]*)""",
    re.ASCII | re.VERBOSE,
)
_NEARNESS = 0.8


def own_form(source: str) -> str:
    """Return a form of the operation in a line of a script, with all that the line says; empty if there is none."""
    line = source[: next((comment.span.start for comment in comments(source)), len(source))].strip()
    name = _OPERATION.search(line)
    catalogue = Catalogue.shipped()
    variants = catalogue.variants(name[0]) if name is not None and line.count("{") == line.count("}") else ()
    for variant in sorted(variants, key=lambda each: -len(each.versions)):
        for is_least in (True, False):
            form = _with_pieces(variant, example(variant, catalogue, is_least=is_least), line)
            tree = parse(form, catalogue)
            if form.split() != line.split() and form and not any(tree.problems()):
                (operation, *_) = tree.walk()
                if operation.result_types is None or operation.result_count == len(operation.result_types):
                    return form
    return ""


def _with_pieces(definition: OperationDefinition, template: str, line: str) -> str:
    """Return `template` with the pieces of `line` in place of its own, empty if they do not correspond."""
    types, place = _functional_type(line), _functional_type(template)
    functional = ""
    if types >= 0 and place >= 0:
        line, template, functional = line[:types].rstrip(": "), template[:place], line[types:]
    pieces, places = _pieces(line), _pieces(template)
    words, known = pieces.pop("word", []), places.pop("word", [])
    elements = parse_format(definition.assembly_format or "").elements
    required = [element.text for element in elements if isinstance(element, Literal)]
    unlike = [word for word in words if not get_close_matches(word, known, 1, _NEARNESS)]
    added = [word for word in known if word not in required and not get_close_matches(word, words, 1, _NEARNESS)]
    if unlike or added or any(len(pieces[kind]) != len(places[kind]) for kind in (*pieces, *places)):
        return ""
    left = {kind: iter(texts) for kind, texts in pieces.items()}
    return _PIECE.sub(lambda each: next(left.get(each.lastgroup or "", iter(())), each[0]), template) + functional


def _functional_type(text: str) -> int:
    """Return the offset of the functional type ``(types) -> types`` at the end of a line, or -1."""
    arrow = text.rfind("->")
    return text.rfind("(", 0, arrow) if arrow >= 0 else -1


def _pieces(text: str) -> defaultdict[str, list[str]]:
    pieces: defaultdict[str, list[str]] = defaultdict(list)
    for match in _PIECE.finditer(text):
        pieces[match.lastgroup or ""].append(match[0])
    return pieces
