"""The messages of all rules on one page, each as found in the rule's own example."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.fixing import with_tried_fixes
from tdls.catalogue.catalogue import Catalogue
from tdls.cli.rendering.checked import SourceText, open_source
from tdls.cli.rendering.formats.full import render
from tdls.syntax.sections.boundaries import SplitMode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.rule import Rule

_HEAD = """\
# Messages

What is said in the bad example of each rule, with the titles of the fixes that editors offer.
"""


def messages_page(rules: Sequence[Rule]) -> Iterator[str]:
    """Yield the page of `rules`, whose examples are checked meanwhile."""
    yield _HEAD
    for rule in rules:
        yield f"\n## {rule.name} ({rule.code}, {rule.level.value})\n\n"
        yield "".join(_messages(rule)) or "Not in its example alone.\n"


def _messages(rule: Rule) -> Iterator[str]:
    if rule.found_by_runs:
        yield f"With `{rule.command}` only, in the words of the run.\n"
        return
    if rule.rests_on_other_files:
        return
    catalogue = Catalogue.shipped().at(rule.target_llvm)
    file = SourceFile.of(rule.text.example_bad, catalogue, split=SplitMode.NEVER)
    for finding in findings_in_file(file):
        message = render(finding, SourceText(f"{rule.name}.mlir", file.text), open_source, coloured=False)
        titles = [fix.title for fix in with_tried_fixes(file, finding).fixes]
        yield "".join(["```text\n", message.rstrip("\n"), *(f"\nfix: {title}" for title in titles), "\n```\n"])
