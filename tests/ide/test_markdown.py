"""Hovers show documentation of projects as text only: no links, no images, no HTML."""

from __future__ import annotations

from markdown_it import MarkdownIt

from ide.markdown_samples import samples
from ide.with_cursor import URI, snapshot_of
from samples import some
from tdls.ide.hover.hover import hover
from tdls.ide.markdown import foreign

RENDERER = MarkdownIt("gfm-like", {"html": True}).enable(["table", "strikethrough", "linkify"])
assert RENDERER.linkify is not None
RENDERER.linkify.set({"fuzzy_link": False, "fuzzy_email": True})  # GitHub links no bare names of hosts
ACTIVE = {"link_open", "image", "html_inline", "html_block"}


def active(markdown: str) -> set[str]:
    found: set[str] = set()
    for token in RENDERER.parse(markdown):
        found |= {inner.type for inner in (token, *(token.children or ()))} & ACTIVE
    return found


def test_nothing_acts() -> None:
    for text, markdown in samples(some(10_000)):
        assert not active(markdown), repr(text)


def test_harmless_markdown_stays() -> None:
    text = (
        "Some *text*, **tile_sizes too** (_really_) with `code[0]` of tile_using_for, a list:\n\n- one\n- two\n\n"
        "* three\n\n```mlir\n%0 = a.b [1]\n```\nand more"
    )
    assert foreign(text) == text
    assert foreign("4 * 5 ~ a* `b*c` ~d") == "4 \\* 5 \\~ a\\* `b*c` \\~d"
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
