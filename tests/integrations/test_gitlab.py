"""The job of the template for GitLab."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from integrations.support import PAGE, ROOT, run, snippet, validate, write_project, yaml_documents
from tools_at_hand import require_tool

if TYPE_CHECKING:
    from pathlib import Path

TEMPLATE = (ROOT / "integrations" / "gitlab" / "tdls.yml").read_text(encoding="utf-8")
SPECIFICATION, JOBS = yaml_documents(TEMPLATE)
INPUTS = SPECIFICATION["spec"]["inputs"]


def test_schemas() -> None:
    (pipeline,) = yaml_documents(snippet("yaml", "# .gitlab-ci.yml"))
    for document in (SPECIFICATION, JOBS, pipeline):
        validate(document, "vendor.gitlab-ci")


def test_inputs() -> None:
    (pipeline,) = yaml_documents(snippet("yaml", "# .gitlab-ci.yml"))
    assert set(re.findall(r"\$\[\[ inputs\.(\S+) \]\]", TEMPLATE)) == set(INPUTS)
    assert set(pipeline["include"][0]["inputs"]) < set(INPUTS)
    section = PAGE.partition("\n## GitLab\n")[2].partition("\n## ")[0]
    assert all(f"`{name}`" in section for name in INPUTS)


@pytest.mark.parametrize(("paths", "found"), [("bad good", 1), ("good", 0)])
def test_job(tmp_path: Path, paths: str, found: int) -> None:
    write_project(tmp_path)
    given = {name: described["default"] for name, described in INPUTS.items()} | {"paths": paths}
    _, check = JOBS["tdls"]["script"]
    script = re.sub(r"\$\[\[ inputs\.(\S+) \]\]", lambda match: str(given[match[1]]), check)
    bash = str(require_tool("bash", "Debian package bash"))
    done = run(bash, "-eo", "pipefail", "-c", script, folder=tmp_path, CI_PROJECT_DIR=str(tmp_path))
    assert done.returncode == found, done.stderr
    report = json.loads((tmp_path / JOBS["tdls"]["artifacts"]["reports"]["codequality"]).read_text(encoding="utf-8"))
    assert [finding["location"]["path"] for finding in report] == ["bad/script.mlir"] * found
