"""Paths in settings lead out of a repository only with the user's consent."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tdls.files.boundary import boundary_of
from tdls.settings.consent import Trust, allow
from tdls.settings.paths import named_files, named_folders
from tdls.settings.rule_codes import RULE_CODES
from tdls.settings.sources import LoadedSettings, Overrides, load_settings

if TYPE_CHECKING:
    from pathlib import Path

needs_links = pytest.mark.skipif(os.name == "nt", reason="making links needs a privilege on Windows")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TDLS_DATA_DIR", str(tmp_path / "data"))
    for folder in ("repository/.git", "repository/scripts", "repository/shared", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("repository/shared/a.mlir", "elsewhere/b.mlir"):
        (tmp_path / file).touch()
    (tmp_path / "elsewhere" / "settings.toml").write_text("[run]\ntimeout = 7\n", encoding="utf-8")
    return tmp_path / "repository"


def load(repository: Path, text: str, **overrides: object) -> LoadedSettings:
    (repository / "scripts" / "tdls.toml").write_text(text, encoding="utf-8")
    return load_settings(repository / "scripts", RULE_CODES, overrides=Overrides(**overrides))  # type: ignore[arg-type]


VALUES = {
    "libraries": '["../../elsewhere/b.mlir"]',
    "catalogues": '["../shared/a.json", "../../elsewhere/*.json"]',
    "payload": '"../../elsewhere/b.mlir"',
    "baseline": '"../../elsewhere/known.json"',
    "extend": '"../../elsewhere/settings.toml"',
    "project.definitions": '["*/../../../elsewhere"]',
    "project.include": '["/"]',
}


@pytest.mark.parametrize(("key", "value"), VALUES.items(), ids=VALUES.keys())
def test_paths_that_lead_out_need_consent(repository: Path, key: str, value: str) -> None:
    text = f"\n{key} = {value}\n"
    loaded = load(repository, text)
    assert loaded.settings == load(repository, "").settings
    (problem,) = load(repository, text).problems
    assert (problem.file, problem.line) == (repository / "scripts" / "tdls.toml", 1)
    assert problem.message == f"`{key}` leads out of {repository}, which is not allowed; it does not count"
    assert problem.help == f"look at it, then: tdls allow {repository / 'scripts'}"
    allow(loaded.refused)
    allowed = load(repository, text)
    assert (allowed.problems, allowed.refused) == ((), ())
    assert allowed.settings != loaded.settings
    assert load(repository, text, trust=Trust(everything=True)).settings == allowed.settings


def test_other_values_need_consent_again(repository: Path) -> None:
    allow(load(repository, "libraries = ['../../elsewhere/b.mlir']").refused)
    assert load(repository, "libraries = ['../../elsewhere/c.mlir']").refused


def test_paths_inside_count(repository: Path) -> None:
    loaded = load(repository, "libraries = ['../shared/*.mlir', '*.mlir']\nextend = '../scripts/../base.toml'\n")
    assert [each.message for each in loaded.problems] == ["extends `../scripts/../base.toml`, which is not a file"]
    assert named_files(loaded.settings.libraries)[0] == [repository / "scripts" / "../shared/a.mlir"]


def test_settings_that_the_user_names_may_lead_anywhere(repository: Path) -> None:
    text = "libraries = ['../../elsewhere/b.mlir']"
    loaded = load(repository, text, file=repository / "scripts" / "tdls.toml")
    assert (loaded.problems, len(named_files(loaded.settings.libraries)[0])) == ((), 1)
    inline = load(repository, "", inline=(f"libraries = ['{(repository.parent / 'elsewhere/b.mlir').as_posix()}']",))
    assert (inline.problems, len(named_files(inline.settings.libraries)[0])) == ((), 1)


@needs_links
def test_links_lead_out_as_well(repository: Path) -> None:
    (repository / "scripts" / "lib.mlir").symlink_to(repository.parent / "elsewhere" / "b.mlir")
    (repository / "scripts" / "folder").symlink_to(repository.parent / "elsewhere")
    assert load(repository, "libraries = ['lib.mlir']").refused
    assert load(repository, "baseline = 'folder/new.json'").refused
    (repository / "scripts" / "round").symlink_to(repository / "scripts" / "round")
    patterns = load(repository, "libraries = ['l*.mlir']\nproject.definitions = ['fold*']").settings
    files, (problem,) = named_files(patterns.libraries)
    assert (files, problem.message) == ([], "`l*.mlir` is a link that leads out of the repository")
    assert named_folders(patterns.project.definitions) == ([], [])


def test_the_repository_is_that_of_git_or_of_the_outermost_settings(repository: Path) -> None:
    assert boundary_of(repository / "scripts") == repository
    (repository / ".git").rmdir()
    assert boundary_of(repository / "scripts") == repository / "scripts"
    (repository / "tdls.toml").touch()
    assert boundary_of(repository / "scripts") == repository
