"""Pages about rules that editors can open: written to the user's cache folder when they are first linked to."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import tdls
from tdls.caching.user_cache import cache_folder

if TYPE_CHECKING:
    from tdls.analysis.rule import Rule


@cache
def rule_page(rule: Rule) -> str | None:
    """Return the URI of the rule's page; None where it cannot be written."""
    cache = cache_folder()
    if cache is None:
        return None
    folder = cache / f"rules-{tdls.__version__}"
    page = folder / f"{rule.name}.md"
    text = rule.markdown()
    try:
        if not page.is_file() or page.read_text(encoding="utf-8") != text:
            folder.mkdir(parents=True, exist_ok=True)
            page.write_text(text, encoding="utf-8")
    except OSError:
        return None
    return page.as_uri()
