"""The rule `template-placeholder`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.file.prefilter import template_in
from tdls.analysis.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report the first placeholder of a section."""
    template = template_in(context.section)
    if template is not None:
        message = "this text is a template: nothing is reported that a placeholder can change"
        help_text = "check the text that is made of it, too"
        yield Finding(RULE.name, RULE.level, message, template.first, help=help_text)


RULE: Final = Rule("template-placeholder", find=find, once_per_file=True)
