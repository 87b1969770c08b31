"""Python programs that hold one script each, spelled in every way that Python has."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

MARKED = "%stale"
"""The operand of the mistake in each script, which occurs once."""
SCRIPT = """\
module attributes {{transform.with_named_sequence}} {{
  // a script with "quotes" in a comment
  transform.named_sequence @{name}(%handle: !transform.any_op {{transform.readonly}}) {{
    %loop = transform.structured.match ops{{["scf.for"]}} in %handle : (!transform.any_op) -> !transform.any_op
    transform.print %loop {{name = "é 𝄞 \\"loop\\""}} : !transform.any_op
    transform.loop.unroll %loop {{factor = {factor}}} : !transform.any_op
    transform.loop.peel %stale : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }}
}}
"""
BEFORE = ("", "x = 'é'; ", "w = '𝄞'; ", 'y = "transform."; ', "# 'comment\n", "z = (1,\n     2)\n")


class Spelled(NamedTuple):
    """A program, and the script that it makes when it runs."""

    program: str
    script: str
    spelling: str


def spelled(seed: int) -> Spelled:
    """Return a program that follows from `seed`."""
    chance = random.Random(seed)
    name, factor = f"sequence{chance.randrange(100)}", chance.randrange(2, 9)
    script = SCRIPT.format(name=name, factor=factor)
    spelling = chance.choice(sorted(_SPELLINGS))
    expression = _SPELLINGS[spelling](script, chance)
    before = "".join(chance.sample(BEFORE, chance.randrange(3)))
    program = f"import textwrap\nname, factor = {name!r}, {factor}\n{before}\ntext = f({expression})\n"
    return Spelled(chance.choice((program, program.replace("\n", "\r\n"))), script, spelling)


def _escaped(text: str, quote: str) -> str:
    return text.replace("\\", "\\\\").replace(quote, "\\" + quote)


def _triple(script: str, chance: random.Random) -> str:
    quote = chance.choice(('"""', "'''"))
    return f"{quote}\\\n{_escaped(script, quote)}{quote}"


def _raw(script: str, _: random.Random) -> str:
    return f"r'''{script}'''"


def _one_line(script: str, chance: random.Random) -> str:
    quote = chance.choice("\"'")
    return quote + _escaped(script, quote).replace("\n", "\\n") + quote


def _lines(script: str, chance: random.Random) -> str:
    return "\n    ".join(_one_line(line, chance) for line in script.splitlines(keepends=True))


def _commented(script: str, chance: random.Random) -> str:
    lines = [_one_line(line, chance) for line in script.splitlines(keepends=True)]
    return "(" + "\n    ".join(f'{line}  # "why" {number}' for number, line in enumerate(lines)) + "\n)"


def _added(script: str, chance: random.Random) -> str:
    return " + ".join(_one_line(line, chance) for line in script.splitlines(keepends=True))


def _indented(script: str, chance: random.Random) -> str:
    body = "".join(f"    {line}" for line in script.splitlines(keepends=True))
    return f"textwrap.dedent({_triple(body, chance)})"


def _filled(script: str, chance: random.Random) -> str:
    doubled = script.replace("{", "{{").replace("}", "}}")
    return "f" + _triple(_with_fields(doubled, "{name}", "{factor}"), chance)


def _formatted(script: str, chance: random.Random) -> str:
    return f"{_filled(script, chance)[1:]}.format(name=name, factor=factor)"


def _percent(script: str, chance: random.Random) -> str:
    doubled = script.replace("%", "%%")
    return _triple(_with_fields(doubled, "%(name)s", "%(factor)s"), chance) + " % {'name': name, 'factor': factor}"


def _with_fields(script: str, name: str, factor: str) -> str:
    return re.sub(r"(?<=factor = )\d", factor, re.sub(r"(?<=@)\w+(?=\()", name, script))


_SPELLINGS = {
    "triple": _triple,
    "raw": _raw,
    "one line": _one_line,
    "lines": _lines,
    "commented": _commented,
    "added": _added,
    "dedented": _indented,
    "f-string": _filled,
    "format": _formatted,
    "percent": _percent,
}


def value_of(program: str) -> str:
    """Run a program, and return the string that it makes."""
    made: list[str] = []
    exec(program, {"f": made.append})
    return made[0]
