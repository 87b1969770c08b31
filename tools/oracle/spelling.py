"""Other ways to write the same module: white space, comments, names, aliases, default dialect, locations.

Variants are guesses; `mlir-opt` decides which of them are the same module.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*)
  | (?P<string>"(?:[^"\\\n]|\\.)*")
  | (?P<value>%[\w$.-]+(?:\#\d+)?(?::\d+(?=\s*[=,]))?)
  | (?P<sigil>[@!#^][\w$.-]+(?:<(?:[^<>"\n]|"[^"\n]*"|->|<[^<>\n]*>)*>)?)
  | (?P<angle>[A-Za-z_][\w$.]*<(?:[^<>"\n]|"[^"\n]*"|->|<[^<>\n]*>)*>)
  | (?P<word>[\w$.]+)
  | (?P<arrow>->|::)
  | (?P<space>\s+)
  | (?P<mark>.)
    """,
    re.VERBOSE,
)
_LOOSE = frozenset("(){}[],=:")
_GAPS = (" ", "  ", "\n", "\n\n      ", "\t", " // a comment (with { brackets\n", "\r\n  ")


def tokens(text: str) -> list[str]:
    """Cut `text` into pieces that white space may stand between, white space and comments included."""
    return [match[0] for match in TOKEN.finditer(text)]


def variant(text: str, random: Random, *, keep_lines: bool = False) -> str:
    """Return `text` written in another way.

    With `keep_lines` no line is joined to another: a parser that lacks the format of an operation cannot find the next
    one on the same line.
    """
    rewrites = random.sample(_REWRITES, random.randrange(1, 4))
    for rewrite in sorted(rewrites, key=_REWRITES.index):
        text = rewrite(text, random)
    return _spaces(text, random, keep_lines=keep_lines) if random.random() < 0.5 else text


def _names(text: str, random: Random) -> str:
    """Give values other names."""
    names = sorted(set(re.findall(r"%([\w$.-]+)", text)))
    style = random.choice(("%{}.x", "%{}$_", "%v-{}", "%_{}", "%very.long-name${}"))
    numbered = {name: style.format(f"n{number}") for number, name in enumerate(names)}
    return re.sub(r"%([\w$.-]+)", lambda match: numbered[match[1]], text)


def _packs(text: str, random: Random) -> str:
    """Name every result of a pack instead of the pack, or some of them."""
    for name, count in re.findall(r"(%[\w$.-]+):(\d+) = ", text):
        if text.count(f"{name}:{count} = ") > 1:
            continue
        cut = random.randrange(1, int(count) + 1) if int(count) > 1 else 1
        rest = int(count) - cut
        first = f"{name}.f" if cut == 1 else f"{name}.f:{cut}"
        second = f", {name}.s:{rest}" if rest else ""
        text = text.replace(f"{name}:{count} = ", f"{first}{second} = ")

        def renumber(match: re.Match[str], name: str = name, cut: int = cut) -> str:
            number = int(match[1])
            return f"{name}.f#{number}" if number < cut else f"{name}.s#{number - cut}"

        text = re.sub(rf"{re.escape(name)}#(\d+)", renumber, text)
    return text


def _aliases(text: str, random: Random) -> str:
    """Define an alias for a type and an attribute and use them at some of the places."""
    pieces = re.split(r'(!transform\.any_op(?![\w<])|!transform\.op<"[^"]*">)', text)
    types: dict[str, str] = {}
    for index in range(1, len(pieces), 2):
        if random.random() < 0.7:
            pieces[index] = types.setdefault(pieces[index], f"!alias{len(types)}")
    definitions = "".join(f"{alias} = {type_}\n" for type_, alias in types.items())
    return definitions + "".join(pieces).replace("= 1 : i64", "= #one", 1) + "\n#one = 1 : i64\n"


def _short_names(text: str, random: Random) -> str:
    """Leave out `transform.` in sequences, where it is the default."""
    if "transform.sequence" not in text:
        return text
    head, _, tail = text.partition("failures(")
    short = re.sub(r"\btransform\.(\w+) ", lambda m: f"{m[1]} " if random.random() < 0.7 else m[0], tail)
    return f"{head}failures({short}"


def _quoted_attributes(text: str, random: Random) -> str:
    """Quote names in attribute dictionaries."""
    return re.sub(r"(?<=[{ ])(my\.\w+)(?=[ ,}])", lambda m: f'"{m[1]}"' if random.random() < 0.7 else m[0], text)


def _locations(text: str, random: Random) -> str:
    """Put locations at the end of operations that end on their line."""
    places = (
        'loc("f.mlir":1:2)',
        "loc(unknown)",
        'loc(fused["a", "b":3:4])',
        'loc("n"("f":1:1))',
        "loc(#place)",
    )

    def located(match: re.Match[str]) -> str:
        return f"{match[0]} {random.choice(places)}" if random.random() < 0.4 else match[0]

    pattern = re.compile(r"^ +(?:%[^=\n]* = )?[\w.]+ [^\n]*[\w>)](?=\n)", re.MULTILINE)
    return pattern.sub(located, text) + '\n#place = loc(callsite("callee" at "caller"))\n'


def _spaces(text: str, random: Random, *, keep_lines: bool) -> str:
    """Change white space and put comments wherever tokens may stand apart."""
    written = []
    for piece in tokens(text):
        if keep_lines and "\n" in piece:
            written.append(piece)
        elif piece.isspace():
            written.append(random.choice(_GAPS) if random.random() < 0.25 else piece)
        elif piece in _LOOSE and random.random() < 0.2:
            written.append(f"{random.choice(_GAPS)}{piece}{random.choice(_GAPS)}")
        else:
            written.append(piece)
    return "".join(written)


def _tight(text: str, random: Random) -> str:
    """Leave out white space before and after punctuation."""
    return re.sub(r"[ ]*([(),={}\[\]:])[ ]*(?=[^ ])", lambda m: m[1] if random.random() < 0.5 else m[0], text)


_REWRITES: tuple[Callable[[str, Random], str], ...] = (
    _packs,
    _names,
    _aliases,
    _short_names,
    _quoted_attributes,
    _locations,
    _tight,
)
