"""The formats that other programs read, as these programs understand them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from tdls.analysis.rules import all_rules
from tdls.cli.checking.file import Checker, CheckSettings
from tdls.cli.checking.reports import Report, rendered
from tdls.cli.checking.targets import CheckTarget
from tdls.cli.rendering.checked import CheckedFile, FingerprintedFinding, RenderOptions, Tally
from tdls.cli.rendering.formats.sarif import SCHEMA
from tdls.cli.rendering.renderer import FORMATS
from tdls.settings.sources import Overrides
from tdls.text.diagnostic import Diagnostic, Fingerprint, Note
from tdls.text.level import Level
from tdls.text.span import FileSpan

SARIF_SCHEMA = json.loads(Path(__file__).with_name("sarif.schema.json").read_text(encoding="utf-8"))
ALONE = Overrides(isolated=True, inline=("project.enabled = false",))
CHECKER = Checker(CheckSettings(overrides=ALONE, possible=True))
EVERY_RULE = [CHECKER.check(CheckTarget(f"{rule.code}.mlir", None, rule.text.example_bad)) for rule in all_rules()]
CLEAN = CheckedFile("clean.mlir")
NASTY = CheckedFile(
    "odd name, 100%:\n.mlir",
    "a\x0bb <é>\r\n\U0001f600 ]]> &",
    (
        FingerprintedFinding(
            Diagnostic(
                "no-such-rule",
                Level.ERROR,
                "50% of\r\n'::x,y' \x00 \ud800 ]]>",
                FileSpan(9, 11),
                (Note("elsewhere", FileSpan(0, 1), Path("/nowhere/lib.mlir")), Note("here", FileSpan(0, 1))),
            ),
            Fingerprint("no-such-rule", "", "a"),
        ),
    ),
)


def output(format_: str, *results: CheckedFile, tally: Tally | None = None) -> str:
    options = RenderOptions()
    return "".join(rendered(results, [Report(format_)], options, tally if tally is not None else Tally()))


def run_of(document: str) -> dict[str, Any]:
    log = json.loads(document)
    jsonschema.validate(log, SARIF_SCHEMA)
    assert log["$schema"] == SCHEMA
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


@pytest.mark.parametrize("results", [[], [CLEAN], EVERY_RULE, [NASTY], [CLEAN, *EVERY_RULE, NASTY]])
def test_sarif_follows_its_schema(results: list[CheckedFile]) -> None:
    troubles = Tally(unreadable={"a b.mlir": "not UTF-8"}, crashes={"c.mlir": "Traceback\nOops: x"})
    for tally in (Tally(), troubles):
        run = run_of(output("sarif", *results, tally=tally))
        assert len(run["results"]) == sum(len(checked.findings) for checked in results)
        assert [unquote(artifact["location"]["uri"]) for artifact in run["artifacts"]] == [
            result.name for result in results
        ]
        assert run["invocations"][0]["executionSuccessful"] == (tally is not troubles)


def test_sarif_says_all_of_a_finding() -> None:
    for checked in EVERY_RULE:
        run = run_of(output("sarif", CLEAN, checked))
        results, rules = run["results"], run["tool"]["driver"]["rules"]
        for result, (diagnostic, _) in zip(results, checked.findings, strict=True):
            rule = rules[result["ruleIndex"]]
            assert (result["ruleId"], rule["name"]) == (rule["id"], diagnostic.rule)
            place = result["locations"][0]["physicalLocation"]
            assert place["artifactLocation"]["index"] == 1
            assert text_of(place["region"], checked.text) == checked.text[slice(*diagnostic.span)]
            assert len(result.get("relatedLocations", ())) == len(diagnostic.notes)
            fixes = [fix["artifactChanges"][0]["replacements"] for fix in result.get("fixes", ())]
            expected = [[edit.new_text for edit in fix.edits] for fix in diagnostic.fixes]
            assert [[edit["insertedContent"]["text"] for edit in edits] for edits in fixes] == expected


def text_of(region: dict[str, int], text: str) -> str:
    """Return the span of a region's lines and columns, in code points; its offsets have to agree."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    start = starts[region["startLine"] - 1] + region["startColumn"] - 1
    end = starts[region["endLine"] - 1] + region["endColumn"] - 1
    assert (region["charOffset"], region["charLength"]) == (start, end - start)
    return text[start:end]


def test_sarif_describes_the_rules_with_findings() -> None:
    assert run_of(output("sarif"))["tool"]["driver"]["rules"] == []
    described = {rule["name"]: rule for rule in run_of(output("sarif", *EVERY_RULE))["tool"]["driver"]["rules"]}
    found = {finding.diagnostic.rule for checked in EVERY_RULE for finding in checked.findings}
    assert described.keys() == found & {rule.name for rule in all_rules()}
    for rule in all_rules():
        if rule.name in described:
            assert described[rule.name]["help"]["markdown"] == rule.markdown()
            assert described[rule.name]["defaultConfiguration"]["enabled"] == (rule.level is not Level.HINT)


def test_places_outside_of_the_folder_are_absolute(tmp_path: Path) -> None:
    checked = CheckedFile(str(tmp_path / "a b.mlir"))
    (artifact,) = run_of(output("sarif", checked))["artifacts"]
    assert artifact["location"] == {"uri": (tmp_path / "a b.mlir").as_uri()}


COMMAND = re.compile(r"::(error|warning|notice) ([^:\n]*)::(.*)")


def test_github_commands_are_escaped() -> None:
    """Every finding is one line; escapes can be read back."""
    lines = output("github", NASTY).splitlines()
    match = COMMAND.fullmatch(lines[0])
    assert len(lines) == 1
    assert match is not None
    properties = dict(item.split("=", 1) for item in match[2].split(","))
    assert unescaped(properties["file"]) == NASTY.name
    assert (match[1], properties["line"], properties["col"], properties["endColumn"]) == ("error", "2", "1", "2")
    assert unescaped(match[3]).startswith("50% of\n'::x,y'")


def unescaped(text: str) -> str:
    for escaped, character in (("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escaped, character)
    return text


def test_github_has_a_command_for_every_level() -> None:
    commands = output("github", *EVERY_RULE).splitlines()
    levels = [finding.diagnostic.level for checked in EVERY_RULE for finding in checked.findings]
    kinds = {Level.ERROR: "error", Level.WARNING: "warning", Level.REMARK: "notice", Level.HINT: "notice"}
    assert [line.split(" ", 1)[0] for line in commands] == [f"::{kinds[level]}" for level in levels]


def test_paths_count_from_the_checkout_of_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scripts").mkdir()
    monkeypatch.chdir(tmp_path / "scripts")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
    checked = EVERY_RULE[0]
    (artifact,) = run_of(output("sarif", checked))["artifacts"]
    assert artifact["location"]["uri"] == f"scripts/{checked.name}"
    assert f"file=scripts/{checked.name}," in output("github", checked)
    assert json.loads(output("gitlab", checked))[0]["location"]["path"] == f"scripts/{checked.name}"


def test_gitlab_report_has_the_required_members() -> None:
    report = json.loads(output("gitlab", *EVERY_RULE, NASTY))
    assert len(report) == sum(len(checked.findings) for checked in [*EVERY_RULE, NASTY])
    for issue in report:
        assert issue.keys() == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert issue["location"]["positions"]["begin"]["line"] >= 1
    assert json.loads(output("gitlab", CLEAN)) == []


def test_fingerprints_differ_and_stay_when_lines_move() -> None:
    text = next(rule.text.example_bad for rule in all_rules() if rule.name == "use-after-free")
    twice = text.replace(
        "    transform.yield",
        2 * "    transform.structured.vectorize %matmul : !transform.any_op\n" + "    transform.yield",
    )
    before, after = (
        [
            issue["fingerprint"]
            for issue in json.loads(output("gitlab", CHECKER.check(CheckTarget("a.mlir", None, given))))
        ]
        for given in (twice, f"// a comment\n\n{twice}")
    )
    assert before == after
    assert len(set(before)) == len(before) == 3


@pytest.mark.parametrize("format_", FORMATS)
def test_nothing_found_is_a_whole_document(format_: str) -> None:
    text = output(format_)
    if format_ in {"json", "sarif", "gitlab"}:
        json.loads(text)
    else:
        assert text == ("no findings in 0 files\n" if format_ == "full" else "")


def test_lines_of_json() -> None:
    lines = output("jsonl", *EVERY_RULE).splitlines()
    document = json.loads(output("json", *EVERY_RULE))
    assert list(map(json.loads, lines)) == document["diagnostics"]
