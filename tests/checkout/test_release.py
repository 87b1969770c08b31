"""A release has one version, and the workflow that publishes it is sound."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import release
import tdls
from checkout.places import ROOT
from integrations.support import validate, yaml_documents

if TYPE_CHECKING:
    from pathlib import Path

WORKFLOW, TESTS = (
    workflow
    for name in ("release", "ci")
    for workflow in yaml_documents((ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8"))
)
PAGE = (ROOT / "docs/development/releasing.md").read_text(encoding="utf-8")
JOBS: dict[str, Any] = WORKFLOW["jobs"]
STEPS = {
    step["id"]: step
    for job in (*JOBS.values(), *TESTS["jobs"].values())
    for step in job.get("steps", ())
    if "id" in step
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the files that a release changes, with a new change."""
    for name in {release.CHANGELOG, *release.ADDRESSED, *(mention.file for mention in release.MENTIONS)}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    changelog = tmp_path / release.CHANGELOG
    head = changelog.read_text(encoding="utf-8").partition(release.UNRELEASED)[0]
    text = f"{head}{release.UNRELEASED}\n### Added\n\n- A thing.\n\n## [0.0.1] - 2020-01-01\n\n- Another one.\n"
    changelog.write_text(text, encoding="utf-8")
    return tmp_path


def test_all_places_have_the_same_version() -> None:
    assert all(said == {tdls.__version__} for said in release.versions(ROOT).values())


def test_the_address_of_the_repository_stands_where_a_move_changes_it() -> None:
    address = release.address(ROOT)
    files = subprocess.run(
        ["git", "grep", "-lF", "-e", address, "-e", f"/{address.split('/')[1]}@"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout.splitlines()
    assert sorted(files) == sorted(release.ADDRESSED)


def test_nothing_installs_a_name_that_nobody_has_registered() -> None:
    """Neither documents nor templates nor messages, in which pip and its like get a name in place of an address."""
    by_name = r"""(pip3?|pipx|uvx?|uv tool)( install| run)?( -[-\w]+)* ['"`]?tdls\b|pypi/tdls\b|['"]tdls(\[\w+\])?=="""
    asked = ["git", "grep", "-nIP", "-e", by_name, "--", ".", ":!tests", ":!tools/release.py"]
    found = subprocess.run(asked, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert (found.stdout == "") == (not release.IS_REGISTERED), found.stdout


def test_workflows_and_templates_pin_actions_by_hash() -> None:
    files = [*(ROOT / ".github/workflows").glob("*.yml"), ROOT / "action.yml", ROOT / "docs/continuous-integration.md"]
    uses = [line.strip(" -") for file in files for line in file.read_text("utf-8").splitlines() if " uses: " in line]
    own = ("uses: ./", f"uses: {release.address(ROOT)}@v")
    others = [line for line in uses if not line.startswith(own)]
    assert len(others) > 20
    assert [line for line in others if not re.fullmatch(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []


def test_a_move_changes_every_address(checkout: Path) -> None:
    old = release.address(ROOT)
    assert release.main(["move", "somebody/else"], checkout) == 0
    assert release.address(checkout) == "somebody/else"
    for file in release.ADDRESSED:
        text = (checkout / file).read_text(encoding="utf-8")
        assert old not in text
        assert "somebody/else" in text


def test_a_move_needs_an_address(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(["move", "nowhere"], checkout) == 1
    assert "OWNER/NAME" in capsys.readouterr().err


def test_pictures_of_pages_that_are_published_are_in_the_repository() -> None:
    raw = f"https://raw.githubusercontent.com/{release.address(ROOT)}/main/"
    for file in ("README.md", "vscode-extension/README.md"):
        text = (ROOT / file).read_text(encoding="utf-8")
        pictures = re.findall(r"!\[[^\]]*\]\(([^)]*)\)", text)
        assert pictures
        assert all((ROOT / picture.removeprefix(raw)).is_file() for picture in pictures), file


def test_the_changelog_has_the_form_that_releases_need() -> None:
    text = (ROOT / release.CHANGELOG).read_text(encoding="utf-8")
    headings = re.findall(r"^## .*$", text, re.MULTILINE)
    assert headings[0] == release.UNRELEASED.strip()
    assert all(re.fullmatch(r"## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading) for heading in headings[1:])
    kinds = set(re.findall(r"^### (.*)$", text, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_a_prepared_release_can_be_published(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {file: (checkout / file).read_text(encoding="utf-8").splitlines() for file in release.versions(checkout)}
    assert release.main(["prepare", "7.8.9"], checkout) == 0
    for file, lines in before.items():
        after = (checkout / file).read_text(encoding="utf-8").splitlines()
        changed = [new for old, new in zip(lines, after, strict=True) if old != new]
        assert changed
        assert all("7.8.9" in line for line in changed)
    assert release.main(["notes", "v7.8.9"], checkout) == 0
    assert capsys.readouterr().out == "### Added\n\n- A thing.\n"
    assert release.main(["prepare", "7.8.10"], checkout) == 1, "nothing is new since then"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["notes", "v9.9.9"], "the tag is v9.9.9, and server/tdls/__init__.py says"),
        (["notes", f"v{tdls.__version__}"], f"has no section [{tdls.__version__}]"),
        (["prepare", "next"], "'next' is no version"),
    ],
)
def test_trees_that_are_no_release(
    checkout: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert release.main(arguments, checkout) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("workflow", [WORKFLOW, TESTS], ids=["release", "ci"])
def test_schema_of_the_workflows(workflow: Any) -> None:
    validate(workflow, "vendor.github-workflows")


def test_the_workflow_follows_tags_and_tests_first() -> None:
    assert WORKFLOW["on"] == {"push": {"tags": ["v*.*.*"]}, "workflow_dispatch": None}
    for name in ("pypi", "marketplaces"):
        assert "tests" in JOBS[name]["needs"]
        assert JOBS[name]["environment"] == name
        assert JOBS[name]["if"] == "github.event_name == 'push'", "a dry run publishes nothing"
        assert f"`{name}`" in PAGE
    assert JOBS["tests"]["uses"] == "./.github/workflows/ci.yml"
    assert "workflow_call" in TESTS["on"]
    assert [name for name, job in JOBS.items() if "id-token" in job.get("permissions", {})] == [
        "pypi",
        "marketplaces",
    ]


def test_files_that_are_passed_on_are_made_before() -> None:
    made: dict[str, set[str]] = {}
    for name, job in JOBS.items():
        actions = [
            (step["uses"].partition("@")[0], step.get("with", {})) for step in job.get("steps", ()) if "uses" in step
        ]
        made[name] = {given["name"] for action, given in actions if action == "actions/upload-artifact"}
        taken = {given["name"] for action, given in actions if action.endswith("download-artifact") if "name" in given}
        needed = job.get("needs", [])
        needed = [needed] if isinstance(needed, str) else needed
        assert taken <= set().union(*(made[other] for other in needed))


@pytest.mark.skipif(os.name == "nt", reason="the workflow runs on Linux")
def test_scripts_of_the_workflow() -> None:
    scripts = {name: step["run"] for name, step in STEPS.items()}
    for script in scripts.values():
        done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    assert "npm run package" in scripts["extension"]
    for script in (scripts["visual-studio"], scripts["open-vsx"]):
        assert re.search(r"npx --yes \S+@\d+\.\d+\.\d+ publish .*--packagePath \*\.vsix", script)


def test_everything_is_tested() -> None:
    assert STEPS["tests"]["run"].splitlines()[-1] == ".ci/run"
    assert os.access(ROOT / ".ci/run", os.X_OK)


def test_a_tag_that_is_not_the_version_publishes_nothing() -> None:
    command = STEPS["notes"]["run"].split(" > ")[0].replace('"$GITHUB_REF_NAME"', "v99.0.0").split()
    done = subprocess.run([sys.executable, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the tag is v99.0.0" in done.stderr


def test_the_page_names_the_secrets() -> None:
    secrets = set(re.findall(r"(?:secrets|vars)\.(\w+)", str(WORKFLOW)))
    assert {secret for secret in secrets if f"`{secret}`" not in PAGE} == set()
