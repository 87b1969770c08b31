"""The ``sarif`` format: SARIF 2.1.0, as code scanning services read it.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import tdls
from tdls.cli.rendering.in_repository import repository_path, with_fingerprints
from tdls.cli.rendering.json_text import json_text
from tdls.cli.rendering.renderer import Renderer
from tdls.settings.rule_codes import RULE_CODES
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.cli.rendering.checked import CheckedFile, FingerprintedFinding, RenderOptions, SourceText, Tally
    from tdls.text.diagnostic import Fix, Note
    from tdls.text.span import FileSpan

VERSION = "2.1.0"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
_CHECKOUT = "GITHUB_WORKSPACE"
"""Variable with the root of the checkout in a job of GitHub; without it, paths count from the current folder."""
_FINGERPRINT = "tdls/v1"
_LEVELS = {Level.ERROR: "error", Level.WARNING: "warning", Level.REMARK: "note", Level.HINT: "note"}


class SarifFormat(Renderer):
    """The format ``sarif``: one log with one run, and the rules that its results are of."""

    is_document = True

    def __init__(self, options: RenderOptions) -> None:
        super().__init__(options)
        self._artifacts: list[str] = []
        self._results: list[str] = []
        self._rules: dict[str, int] = {}
        """The indices of the rules with results, by name."""

    def file(self, checked: CheckedFile) -> Iterator[str]:
        """Keep the results; yield nothing yet."""
        source, path = checked.source, repository_path(checked.name, _CHECKOUT)
        findings = list(with_fingerprints(checked, path))
        self._results += [json_text(self._result(finding, source, fingerprint)) for finding, fingerprint in findings]
        self._artifacts.append(checked.name)
        yield from ()

    def end(self, tally: Tally) -> Iterator[str]:
        """Yield the tool with its rules, the results, the checked files, and the outcome of the check."""
        yield f'{{\n  "$schema": "{SCHEMA}",\n  "version": "{VERSION}",\n  "runs": [\n    {{\n'
        yield f'      "tool": {json_text(_tool(self._rules))},\n      "columnKind": "unicodeCodePoints",\n'
        results = ",\n        ".join(self._results)
        yield f'      "results": [\n        {results}\n      ],\n' if results else '      "results": [],\n'
        artifacts = [
            {"location": _location(name), "roles": ["analysisTarget"], "sourceLanguage": "mlir"}
            for name in self._artifacts
        ]
        yield f'      "artifacts": {json_text(artifacts)},\n'
        yield f'      "invocations": [{json_text(_invocation(tally))}]\n    }}\n  ]\n}}\n'

    def _result(self, finding: FingerprintedFinding, source: SourceText, fingerprint: str) -> dict[str, Any]:
        diagnostic = finding.diagnostic
        location = _physical(source, diagnostic.span)
        location["artifactLocation"]["index"] = len(self._artifacts)
        text = diagnostic.message if diagnostic.help is None else f"{diagnostic.message}\n{diagnostic.help}"
        result: dict[str, Any] = {
            **self._rule_reference(diagnostic.rule),
            "level": _LEVELS[diagnostic.level],
            "message": {"text": text},
            "locations": [{"physicalLocation": location}],
            "partialFingerprints": {_FINGERPRINT: fingerprint},
        }
        if diagnostic.notes:
            notes = enumerate(diagnostic.notes)
            result["relatedLocations"] = [self._related(number, note, source) for number, note in notes]
        if diagnostic.fixes:
            result["fixes"] = [_fix(fix, source) for fix in diagnostic.fixes]
        return result

    def _rule_reference(self, name: str) -> dict[str, Any]:
        """Return the members of a result that identify its rule: code and index, or only a name of none."""
        if name not in RULE_CODES:
            return {"ruleId": name}
        return {"ruleId": RULE_CODES[name], "ruleIndex": self._rules.setdefault(name, len(self._rules))}

    def _related(self, number: int, note: Note, source: SourceText) -> dict[str, Any]:
        where = source if note.path is None else source.other(note.path)
        place = {"artifactLocation": _location(str(note.path))} if where is None else _physical(where, note.span)
        return {"id": number, "physicalLocation": place, "message": {"text": note.message}}


def _tool(rules: Iterable[str]) -> dict[str, Any]:
    driver = {
        "name": "tdls",
        "informationUri": "https://github.com/tdls-project/tdls",
        "version": tdls.__version__,
        "semanticVersion": tdls.__version__,
        "shortDescription": {"text": "Checker for scripts of MLIR's Transform dialect"},
        "rules": list(map(_rule, rules)),
    }
    return {"driver": driver}


def _rule(name: str) -> dict[str, Any]:
    from tdls.analysis.rules import rule_of

    rule = rule_of(name)
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": f"{rule.text.summary}."},
        "fullDescription": {"text": rule.text.documentation.strip()},
        "help": {"text": f"{rule.text.summary}.\n\n{rule.text.documentation.strip()}", "markdown": rule.markdown()},
        "defaultConfiguration": {"level": _LEVELS[rule.level], "enabled": rule.level is not Level.HINT},
    }


def _fix(fix: Fix, source: SourceText) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(source, edit.span), "insertedContent": {"text": edit.new_text}} for edit in fix.edits
    ]
    return {
        "description": {"text": fix.title},
        "artifactChanges": [{"artifactLocation": _location(source.name), "replacements": replacements}],
        "properties": {"safe": fix.safe},
    }


def _physical(source: SourceText, span: FileSpan) -> dict[str, Any]:
    return {"artifactLocation": _location(source.name), "region": _region(source, span)}


def _region(source: SourceText, span: FileSpan) -> dict[str, int]:
    """Return a region with its end exclusive, in code points as `columnKind` says."""
    start, end = source.lines.position(span.start), source.lines.position(span.end)
    return {
        "startLine": start.line + 1,
        "startColumn": start.column + 1,
        "endLine": end.line + 1,
        "endColumn": end.column + 1,
        "charOffset": span.start,
        "charLength": span.end - span.start,
    }


def _location(name: str) -> dict[str, Any]:
    """Return the location of a file: relative to the root of the checkout where possible, else absolute."""
    path = repository_path(name, _CHECKOUT)
    if os.path.isabs(path):  # noqa: PTH117
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(os.fsencode(path)), "uriBaseId": _ROOT}


def _invocation(tally: Tally) -> dict[str, Any]:
    troubles = [
        *tally.unreadable.items(),
        *((name, crash.strip().splitlines()[-1]) for name, crash in tally.crashes.items()),
        *((failed.name, f"rule {rule} failed: {failed.failure.reason}") for rule, failed in tally.failures.items()),
    ]
    return {
        "executionSuccessful": not troubles,
        "toolExecutionNotifications": [
            {
                "level": "error",
                "message": {"text": message},
                "locations": [{"physicalLocation": {"artifactLocation": _location(name)}}],
            }
            for name, message in troubles
        ],
        "toolConfigurationNotifications": [
            {"level": "warning", "message": {"text": complaint}} for complaint in tally.complaints
        ],
    }
