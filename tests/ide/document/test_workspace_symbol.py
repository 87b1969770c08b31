from __future__ import annotations

import pytest

from ide.with_cursor import snapshot_of
from tdls.ide.document.symbols import SymbolKind, workspace_symbols


def module(*names: str, head: str = "module") -> str:
    sequences = "".join(f"  transform.named_sequence @{name}() {{\n    transform.yield\n  }}\n" for name in names)
    return f"{head} attributes {{transform.with_named_sequence}} {{\n{sequences}}}\n"


SNAPSHOT = snapshot_of(
    module("tile", "match_tile", "retile", "TileAndFuse", "vectorize"),
    library=module("tile", "t_i_l_e", head="module @library"),
    payload="func.func @tail(%a: i32) {\n  return\n}\n",
)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("tile", ["@tile", "@tile", "@TileAndFuse", "@match_tile", "@retile", "@t_i_l_e"]),
        ("@TILE", ["@tile", "@tile", "@TileAndFuse", "@match_tile", "@retile", "@t_i_l_e"]),
        ("taf", ["@TileAndFuse"]),
        ("tl", ["@tail", "@tile", "@tile", "@retile", "@t_i_l_e", "@match_tile", "@TileAndFuse"]),
        ("vectorizer", []),
        ("library", ["@library"]),
    ],
)
def test_letters_in_order_closest_first(query: str, names: list[str]) -> None:
    assert [symbol.name for symbol in workspace_symbols(SNAPSHOT, query)] == names


def test_everything_is_found_without_letters_up_to_a_limit() -> None:
    everything = workspace_symbols(SNAPSHOT, "")
    assert len(everything) == 9
    assert workspace_symbols(SNAPSHOT, "", limit=4) == everything[:4]


def test_symbols_say_where_they_are() -> None:
    (first, second, *_) = workspace_symbols(SNAPSHOT, "tile")
    assert {first.container, second.container} == {"", "@library"}
    for symbol in workspace_symbols(SNAPSHOT, ""):
        text = SNAPSHOT.files[symbol.location.uri].text
        assert text[symbol.location.span.start : symbol.location.span.end] == symbol.name
    (tail,) = workspace_symbols(SNAPSHOT, "tail")
    assert tail.kind is SymbolKind.FUNCTION
