"""Placeholders of templates: what a program or a build fills in before the text is MLIR."""

from __future__ import annotations

import re

from tdls.text.span import Span

_OPAQUE_OR_PLACEHOLDER = re.compile(
    r"""
    "[^"\\\n]*(?:\\.[^"\\\n]*)*"?
    | //[^\r\n]*
    | (
        \{\{[ \t]*[A-Za-z_][^{}\n]*\}\}
        | \{%[^%\n]*%\}
        | \$\{[^{}\n]*\}
        | @[A-Z][A-Z0-9_]*@(?![\w".$])
        | (?<![\w$.%@!\#^-])__[A-Za-z]+[0-9]+__(?!\w)
    )
    """,
    re.VERBOSE | re.ASCII,
)
_SIGNS = ("{{", "{%", "${", "__")
"""Every placeholder has one of these, or begins as `_CAPITAL_SYMBOL`; most texts have none."""
_CAPITAL_SYMBOL = re.compile("@[A-Z]")


def first_placeholder(text: str) -> Span | None:
    """Return the place of the first placeholder outside of strings and comments; None if there is none.

    Known are ``{{name}}``, ``{% ... %}``, ``${name}``, ``@NAME@`` and ``__id0__``, none of which MLIR has.
    """
    if not any(sign in text for sign in _SIGNS) and _CAPITAL_SYMBOL.search(text) is None:
        return None
    found = (match for match in _OPAQUE_OR_PLACEHOLDER.finditer(text) if match[1] is not None)
    return next((Span(*match.span(1)) for match in found), None)
