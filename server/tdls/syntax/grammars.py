"""The grammars of `grammar/`: where they are, and the parsers lark makes of them."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lark import Lark


def grammar_text(name: str) -> str:
    """Return the text of the grammar `name` (without ``.lark``), from the wheel or from the checkout.

    Raises FileNotFoundError if the installation is incomplete.
    """
    packaged = resources.files("tdls") / "grammar" / f"{name}.lark"
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    checkout = Path(__file__).resolve().parents[3] / "grammar" / f"{name}.lark"
    return checkout.read_text(encoding="utf-8")


@cache
def parser(name: str, start: tuple[str, ...]) -> Lark:
    """Return the LALR parser of the grammar `name` with the given start rules.

    Its tables are kept in the user's cache folder, since building them takes longer than using them.
    """
    import lark

    text = grammar_text(name)
    options = {"parser": "lalr", "start": list(start), "propagate_positions": True, "maybe_placeholders": True}
    cache = _cache_file(name, text, start, lark.__version__)
    if cache is not None:
        try:
            return lark.Lark(text, cache=str(cache), **options)
        except OSError:
            pass
    return lark.Lark(text, **options)


def _cache_file(name: str, text: str, start: tuple[str, ...], lark_version: str) -> Path | None:
    import platformdirs

    key = hashlib.sha256(repr((text, start, lark_version)).encode()).hexdigest()[:16]
    try:
        folder = Path(platformdirs.user_cache_dir("tdls", appauthor=False)) / "grammar"
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder / f"{name}-{key}.lark-cache"
