"""Hovers show documentation of projects as text only: no links, no images, no HTML."""

from __future__ import annotations

import random

import pytest
from markdown_it import MarkdownIt

from ide.with_cursor import URI, snapshot_of
from tdls.ide.hover.hover import hover
from tdls.ide.markdown import code, code_block, foreign

RENDERER = MarkdownIt("gfm-like", {"html": True}).enable(["table", "strikethrough", "linkify"])
assert RENDERER.linkify is not None
RENDERER.linkify.set({"fuzzy_link": False, "fuzzy_email": True})  # GitHub links no bare names of hosts
ACTIVE = {"link_open", "image", "html_inline", "html_block"}
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
    "",
    " ",
    "x\u2028[y](command:z)\r[y](command:z)",
]
PIECES = [
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
BLANKS = ["\n", "\n\n", " ", "    ", ""]


def active(markdown: str) -> set[str]:
    found: set[str] = set()
    for token in RENDERER.parse(markdown):
        found |= {inner.type for inner in (token, *(token.children or ()))} & ACTIVE
    return found


@pytest.mark.parametrize("text", ATTACKS)
def test_nothing_acts(text: str) -> None:
    assert not active(foreign(text))
    assert not active(foreign(f"before {text} after"))
    assert not active(f"{code('')} {code(text)} {code(' ')}")
    assert not active(code_block(text))


def test_an_empty_code_span_opens_none() -> None:
    assert not active(f"{code('')} {code('``[x](command:y)``')} {code(' ')}")


def test_nothing_acts_in_random_texts() -> None:
    chance = random.Random(7)
    for _ in range(3_000):
        text = "".join(chance.choice(PIECES) + chance.choice(BLANKS) for _ in range(chance.randrange(1, 20)))
        assert not active(foreign(text)), repr(text)
        assert not active(f"x {code(text)} y"), repr(text)
        assert not active(code_block(text)), repr(text)


def test_harmless_markdown_stays() -> None:
    text = "Some *text* with `code[0]`, a list:\n\n- one\n- two\n\n```mlir\n%0 = a.b [1]\n```\nand more"
    assert foreign(text) == text
    assert foreign("a \u202e b\x1b") == "a \\\\u202e b\\\\u001b"


def test_comments_of_a_workspace_do_nothing() -> None:
    comment = "// [x](command:y) ![z](https://evil.example/z.png)"
    text = f"{comment}\nfunc.func private @f()\n"
    found = hover(snapshot_of(text), URI, text.index("@f") + 1)
    assert found is not None
    assert "command:y" in found.markdown
    assert not active(found.markdown)


def test_names_of_a_workspace_do_nothing() -> None:
    evil = '"``[x](command:y)``"'
    text = f"""module {{
  // | `[x](command:y)|` |
  // |-|
  // | `[x](command:y)|` |
  transform.named_sequence @{evil}(%a: !transform.any_op {{transform.readonly, {evil} = ""}}) {{
    transform.include @{evil} failures(propagate) (%a) : (!transform.any_op) -> ()
    %b = transform.structured.match ops{{["", {evil}]}} in %a : (!transform.any_op) -> !transform.op<{evil}>
    transform.print %b {{name = {evil}}} : !transform.op<"">
    transform.yield
  }}
}}
"""
    snapshot = snapshot_of(text)
    hovers = {found.markdown for offset in range(len(text)) if (found := hover(snapshot, URI, offset)) is not None}
    assert any("command:y" in markdown for markdown in hovers)
    for markdown in hovers:
        assert not active(markdown.partition("[documentation](https://mlir.llvm.org/")[0]), markdown
