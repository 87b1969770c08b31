"""The ``junit`` format: XML of test results; a file is a suite, a finding a failed test.

There is no standard; Jenkins, GitLab and others read this form (https://github.com/testmoapp/junitxml).
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from tdls.cli.rendering.checked import FAILING_LEVELS
from tdls.cli.rendering.formats import full
from tdls.cli.rendering.renderer import Renderer
from tdls.text.printable import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.cli.rendering.checked import CheckedFile, FingerprintedFinding, RenderOptions, SourceText, Tally

_TOOL = "tdls"


class JunitFormat(Renderer):
    """The format ``junit``; it is written at the end, since the document begins with the counts."""

    is_document = True

    def __init__(self, options: RenderOptions) -> None:
        super().__init__(options)
        self._suites: list[ElementTree.Element] = []

    def file(self, checked: CheckedFile) -> Iterator[str]:
        """Keep the suite for a file; yield nothing yet."""
        source = checked.source
        cases = [self._case(finding, source) for finding in checked.findings]
        self._suites.append(_suite(checked.name, cases or [_passed(checked.name, "no findings")]))
        yield from ()

    def end(self, tally: Tally) -> Iterator[str]:
        """Yield the document; unreadable files, crashes and failed rules are errors in it."""
        for name, message in tally.unreadable.items():
            self._suites.append(_suite(name, [_troubled(_passed(name, "unreadable"), "error", message)]))
        for name, crash in tally.crashes.items():
            message = crash.strip().splitlines()[-1]
            self._suites.append(_suite(name, [_troubled(_passed(name, "internal error"), "error", message)]))
        for rule, failed in tally.failures.items():
            case = _passed(failed.name, f"rule {rule}")
            self._suites.append(_suite(failed.name, [_troubled(case, "error", failed.failure.reason)]))
        counts = ("tests", "failures", "errors")
        totals = {name: str(sum(int(suite.get(name, "0")) for suite in self._suites)) for name in counts}
        root = ElementTree.Element("testsuites", {"name": _TOOL, **totals})
        root.extend(self._suites)
        ElementTree.indent(root)
        yield '<?xml version="1.0" encoding="UTF-8"?>\n'
        yield ElementTree.tostring(root, encoding="unicode") + "\n"

    def _case(self, finding: FingerprintedFinding, source: SourceText) -> ElementTree.Element:
        diagnostic = finding.diagnostic
        place = source.place(diagnostic.span.start)
        case = _passed(source.name, f"{diagnostic.rule} {place.removeprefix(source.shown_name)[1:]}")
        case.set("file", source.shown_name)
        case.set("line", str(source.lines.position(diagnostic.span.start).line + 1))
        text = full.render(diagnostic, source, self.options.open_source, False).strip("\n")
        if diagnostic.level in FAILING_LEVELS:
            return _troubled(case, "failure", diagnostic.message, diagnostic.level.value, text)
        ElementTree.SubElement(case, "system-out").text = printable_lines(text)
        return case


def _suite(name: str, cases: list[ElementTree.Element]) -> ElementTree.Element:
    numbers = {
        "tests": str(len(cases)),
        "failures": str(sum(case.find("failure") is not None for case in cases)),
        "errors": str(sum(case.find("error") is not None for case in cases)),
    }
    suite = ElementTree.Element("testsuite", {"name": printable(name), **numbers})
    suite.extend(cases)
    return suite


def _passed(path: str, name: str) -> ElementTree.Element:
    return ElementTree.Element("testcase", classname=printable(path), name=printable(name))


def _troubled(
    case: ElementTree.Element, kind: str, message: str, type_: str | None = None, text: str | None = None
) -> ElementTree.Element:
    trouble = ElementTree.SubElement(case, kind, message=printable_lines(message), type=type_ or kind)
    trouble.text = printable_lines(text if text is not None else message)
    return case
