"""Texts of strangers as tdls writes them into Markdown: ``python -m ide.markdown_samples`` prints some as JSON.

The tests of every renderer that shows such texts take them from here.
"""

from __future__ import annotations

import json
import random
import sys
from typing import TYPE_CHECKING

from tdls.ide.markdown import code, code_block, foreign

if TYPE_CHECKING:
    from collections.abc import Iterator

ATTACKS = [
    "[click](command:workbench.action.terminal.new)",
    "![x](https://evil.example/pixel.png)",
    "<img src=https://evil.example/pixel.png>",
    "<command:tdls.run>",
    "[x][1]\n\n[1]: command:tdls.run",
    "`` ` `` [x](command:y) ``",
    "`a` `[x](command:y)",
    "\\`[x](command:y)`",
    "\\\\[x](command:y)",
    "```\n```\n[x](command:y)",
    "```\ncode\n````\n[x](command:y)\n```\n[x](command:y)",
    "~~~\n```\n~~~\n[x](command:y)",
    "> ```\n[x](command:y)",
    "- ```\n[x](command:y)\n- `a\n- [x](command:y)`",
    "    indented\n[x](command:y)",
    "&#91;x](command:y)",
    "<!--\n-->[x](command:y)",
    "a\n\n\t[x](command:y)",
    "|a|\n|-|\n|[x](command:y)|",
    "| a | b |\n|---|---|\n| `[x](command:y)|` | `<img src=https://evil.example/p>|` |",
    "a\n:-\n`[x](command:y)|`",
    "a\n-:\n`[x](command:y)|`",
    "a\n|-\n`[x](command:y)|`",
    "see https://evil.example/ or http:/evil.example, ftp://evil.example and mailto:a@evil.example",
    "(www.evil.example) <https://evil.example> a@evil.example *https://evil.example*",
    "``[x](command:y)``",
    "`a**b\\` **a** `[x](command:y)**`",
    "",
    " ",
    "x\u2028[y](command:z)\r[y](command:z)",
    "~`![p](https://evil.example/p.png)` ~~a `b~~ ![p](https://evil.example/p.png)`",
    "xwww.a.b`c <img src=https://evil.example/q.png>` xhttps://evil.example`<b>`",
    "*a ``b ` * [x](command:y) ``c*",
    "*a `b* [x](command:y)` **a `b** ![p](https://evil.example/p.png)` _a `b_ <b>`",
    "a\n```\n<img src=https://evil.example/p>\n- \n```",
]
_PIECES = [
    "~",
    "~~",
    "*",
    "**",
    "_",
    "xwww.",
    "ahttps://b",
    "`![p](https://e/p)`",
    "(",
    "===",
    "|",
    ":-",
    "-|-",
    "https://x.yz",
    "a@b.cd",
    "``[x](y)``",
    "`",
    "``",
    "```",
    "~~~",
    "\\",
    "[",
    "](command:x)",
    "<b>",
    "-",
    ">",
    "!",
    "a",
    "&lt;",
]
_BLANKS = ["\n", "\n\n", " ", "    ", "", "", "\n- ", "\n> "]


def samples(count: int) -> Iterator[tuple[str, str]]:
    """Yield the attacks and `count` random texts, each as it is and in every form that tdls gives it."""
    chance = random.Random(7)
    texts = ("".join(_random_parts(chance)) for _ in range(count))
    for text in (*ATTACKS, *texts):
        yield text, foreign(text)
        yield text, f"x {code(text)} y {code('')} **a** {code(text)}, {code(' ')}\n\n{foreign(f'before {text} after')}"
        yield text, code_block(text)


def _random_parts(chance: random.Random) -> Iterator[str]:
    for _ in range(chance.randrange(1, 20)):
        yield chance.choice(_PIECES) + chance.choice(_BLANKS)


if __name__ == "__main__":
    json.dump([markdown for _, markdown in samples(int(sys.argv[1]))], sys.stdout)
