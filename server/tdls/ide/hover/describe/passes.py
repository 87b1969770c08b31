"""What is known of a pass that a script runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.hover.describe.origin import origin_text
from tdls.ide.markdown.foreign import foreign
from tdls.ide.markdown.pieces import code, code_block, paragraphs, section

if TYPE_CHECKING:
    from tdls.catalogue.model import PassDefinition, PassOption


def pass_text(definition: PassDefinition) -> str:
    """Return Markdown about a pass: what it does, what it runs on, and its options."""
    return paragraphs(
        code_block(f'"{definition.name}"'),
        f"{foreign(definition.summary.rstrip('.'))}." if definition.summary else "",
        f"A pass that runs on {code(definition.runs_on)}." if definition.runs_on else "",
        section("Options", map(option_line, definition.options or ())),
        foreign(definition.description),
        origin_text(definition),
    )


def option_line(option: PassOption) -> str:
    """Return name, type, default and purpose of an option in one line."""
    parts = [code(option.name)]
    if option.type:
        parts.append(f"{'a list of ' if option.is_list else ''}{code(option.type)}")
    if option.default:
        parts.append(f"default {code(option.default)}")
    line = f"{parts[0]}: {', '.join(parts[1:])}" if len(parts) > 1 else parts[0]
    return f"{line} · {foreign(option.summary)}" if option.summary else line
