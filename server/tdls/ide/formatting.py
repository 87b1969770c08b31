"""Formatting of documents and ranges: white space only, and only where MLIR's printer has one style."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.formatter.formatter import Options, format_tokens
from tdls.ide.formatter.layout import Layout

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.text.diagnostic import TextEdit
    from tdls.text.span import Span


def format_text(text: str, catalogue: Catalogue, span: Span | None = None, *, tab_size: int = 2) -> list[TextEdit]:
    """Return the edits, in order, that put right the white space of `text` or of the lines that `span` touches.

    Tokens, comments and line breaks between them stay; a tab in an indentation counts up to the next multiple of
    `tab_size` columns. Sections with syntax errors are left alone.
    """
    from tdls.syntax.parser import parse

    return format_tokens(text, Layout.of_tree(parse(text, catalogue)), span, Options(tab_size))
