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
from tdls.ide.operation_page import example
from tdls.syntax.parser.parser import parse

if TYPE_CHECKING:
    from tdls.catalogue.model import OperationDefinition

_OPERATION = re.compile(r"transform\.[\w.]+", re.ASCII)
_COMMENT = re.compile(r'//[^"\n]*$')
_TYPES = re.compile(r":?\s*(\((?:[^()\"]|\"[^\"]*\")*\)\s*->\s*[!(].*)$", re.DOTALL)
"""The functional type at the end of a line."""
_PIECE = re.compile(
    r"""(?P<type>![\w$.]+(?:<[^<>]*>)?)|(?P<value>%[\w$.-]+(?:[:\#]\d+)?)|(?P<symbol>@[\w$.-]+)|(?P<list>\[[^\[\]]*\])
    |(?P<string>"[^"]*")|(?P<number>-?\b\d[\w.]*)|(?P<word>[A-Za-z_][\w.]*)""",
    re.ASCII | re.VERBOSE,
)
_OPTIONAL = re.compile(r"oilist\s*\(.*\)|\([^()]*\)\s*\?|\(.*\)\s*:\s*\(.*\)\s*\?")
_KEYWORD = re.compile(r"`(\w+)`")
_NEARNESS = 0.8


def own_form(source: str) -> str:
    """Return a form of the operation in a line of a script, with all that the line says; empty if there is none."""
    line = _COMMENT.sub("", source).strip()
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
    types, place = _TYPES.search(line), _TYPES.search(template)
    if types is not None and place is not None:
        line, template, functional = line[: types.start()], template[: place.start(1)], types[1]
    else:
        functional = ""
    pieces, places = _pieces(line), _pieces(template)
    words, known = pieces.pop("word", []), places.pop("word", [])
    required = _KEYWORD.findall(_OPTIONAL.sub("", definition.assembly_format or ""))
    unlike = [word for word in words if not get_close_matches(word, known, 1, _NEARNESS)]
    added = [word for word in known if word not in required and not get_close_matches(word, words, 1, _NEARNESS)]
    if unlike or added or any(len(pieces[kind]) != len(places[kind]) for kind in (*pieces, *places)):
        return ""
    left = {kind: iter(texts) for kind, texts in pieces.items()}
    return _PIECE.sub(lambda each: next(left.get(each.lastgroup or "", iter(())), each[0]), template) + functional


def _pieces(text: str) -> defaultdict[str, list[str]]:
    pieces: defaultdict[str, list[str]] = defaultdict(list)
    for match in _PIECE.finditer(text):
        pieces[match.lastgroup or ""].append(match[0])
    return pieces
