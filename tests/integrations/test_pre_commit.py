"""The hooks for pre-commit, which installs tdls from a clone of the repository."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from integrations.support import (
    ROOT,
    commit_all,
    dependencies_of_this_python,
    installed,
    run,
    snippet,
    tracked_files,
    write_project,
)
from tdls.analysis.rules import find_rule

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

URL, REVISION = "https://github.com/tdls-project/tdls", "v0.1.0"


def test_hooks(tmp_path: Path) -> None:
    project, clone = tmp_path / "project", tmp_path / "tdls"
    write_project(project)
    for file in tracked_files():  # with changes that are not committed yet
        (clone / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, clone / file)
    shown = snippet("yaml", "# .pre-commit-config.yaml")
    configuration = shown.replace(URL, clone.as_uri()).replace(REVISION, commit_all(clone))
    commit_all(project)
    done = pre_commit(project, configuration)
    assert done.returncode == 1
    assert "--> bad/script.mlir:" in done.stdout.replace("\\", "/")
    assert "(2 checked)" in done.stdout, "one process for all files"

    (project / "tdls.toml").write_text('exclude = ["bad/"]\n', encoding="utf-8")
    done = pre_commit(project, configuration)
    assert done.returncode == 0, done.stdout + done.stderr

    rule = find_rule("unused-suppression")
    assert rule is not None
    script = project / "good" / "script.mlir"
    script.write_text(rule.text.example_bad, encoding="utf-8")
    done = pre_commit(project, configuration.replace("tdls-check", "tdls-fix"))
    assert "files were modified by this hook" in done.stdout
    assert script.read_text(encoding="utf-8") == rule.text.example_good


def pre_commit(project: Path, configuration: str) -> subprocess.CompletedProcess[str]:
    """Run all hooks of a configuration on all files."""
    (project / ".pre-commit-config.yaml").write_text(configuration, encoding="utf-8")
    environment = {**dependencies_of_this_python(), "PRE_COMMIT_HOME": str(project.parent / "kept")}
    return run(installed("pre-commit"), "run", "--all-files", folder=project, **environment)
