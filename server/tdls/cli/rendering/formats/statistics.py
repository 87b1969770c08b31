"""``--statistics``: the number of findings by rule, the largest first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tdls.cli.rendering.formats.full import summary
from tdls.cli.rendering.renderer import Renderer
from tdls.settings.rule_codes import RULE_CODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.cli.rendering.checked import CheckedFile, RenderOptions, Tally


class StatisticsFormat(Renderer):
    """A table with a line for each rule."""

    def __init__(self, options: RenderOptions) -> None:
        super().__init__(options)
        self._counts: Counter[str] = Counter()
        self._fixable: Counter[str] = Counter()

    def file(self, checked: CheckedFile) -> Iterator[str]:
        """Count; yield nothing yet."""
        self._counts.update(finding.diagnostic.rule for finding in checked.findings)
        self._fixable.update(finding.diagnostic.rule for finding in checked.findings if finding.diagnostic.fixes)
        yield from ()

    def end(self, tally: Tally) -> Iterator[str]:
        """Yield the table: count, code, name, and how many have a fix; then the summary."""
        width = max((len(name) for name in self._counts), default=0)
        digits = max((len(str(count)) for count in self._counts.values()), default=0)
        for name, count in sorted(self._counts.items(), key=lambda item: (-item[1], item[0])):
            fixable = f"{self._fixable[name]} with a fix" if self._fixable[name] else ""
            yield f"{count:{digits}}  {RULE_CODES.get(name, ''):5}  {name:{width}}  {fixable}".rstrip() + "\n"
        if not self.options.quiet:
            yield summary(tally)
