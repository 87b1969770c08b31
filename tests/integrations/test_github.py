"""The action for GitHub: its steps, in the shell that GitHub starts for them."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from integrations.support import BAD, PAGE, ROOT, installed, run, snippet, validate, write_project, yaml_documents
from tools_at_hand import require_bindings, require_tool

if TYPE_CHECKING:
    import subprocess

(ACTION,) = yaml_documents((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["id"]: step for step in ACTION["runs"]["steps"] if "id" in step}
FAKE_PYTHON = """\
#!/bin/sh
[ "$2" != venv ] || { mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; }
echo "$*" >> "$PYTHON_LOG"
"""


@dataclass
class Job:
    """A run of the action with its inputs, as far as its steps in shells go; values of expressions by expression."""

    folder: Path
    values: dict[str, str] = field(default_factory=dict)

    def give(self, **inputs: str) -> None:
        """Set the inputs, the others have their defaults."""
        (self.folder / "temporary").mkdir()
        self.values["runner.temp"] = str(self.folder / "temporary")
        for name, described in ACTION["inputs"].items():
            self.values[f"inputs.{name}"] = inputs.pop(name, described["default"])
        assert not inputs

    def do(self, step: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a step, and take its outputs."""
        script, output = self.folder / "step.sh", self.folder / "output"
        script.write_text(STEPS[step]["run"], encoding="utf-8")
        output.write_text("", encoding="utf-8")
        environment |= {name: self.evaluate(value) for name, value in STEPS[step]["env"].items()}
        environment |= {"RUNNER_TEMP": self.values["runner.temp"], "GITHUB_OUTPUT": str(output)}
        bash = [str(require_tool("bash", "Debian package bash")), "--noprofile", "--norc", "-eo", "pipefail"]
        done = run(*bash, str(script), folder=self.folder, **environment)
        for line in output.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            self.values[f"steps.{step}.outputs.{name}"] = value
        return done

    def evaluate(self, text: str) -> str:
        """Replace the expressions in `text`."""
        return re.sub(r"\$\{\{ (\S+) \}\}", lambda match: self.values[match[1]], text)


@pytest.fixture
def job(tmp_path: Path) -> Job:
    write_project(tmp_path)
    return Job(tmp_path, {"steps.install.outputs.tdls": installed("tdls")})


def test_schemas() -> None:
    validate(ACTION, "vendor.github-actions")
    validate(workflow(), "vendor.github-workflows")


def test_the_page_names_the_inputs() -> None:
    step = workflow()["jobs"]["tdls"]["steps"][-1]
    assert set(step["with"]) < set(ACTION["inputs"])
    assert all(f"| `{name}` |" in PAGE for name in ACTION["inputs"])


def workflow() -> Any:
    """Return the workflow that the page shows."""
    return yaml_documents(snippet("yaml", "# .github"))[0]


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for Python is a script for a shell")
@pytest.mark.parametrize(
    ("version", "package"), [("", "/actions/tdls v1"), ("0.1.0", "git+https://github.com/tdls-project/tdls@v0.1.0")]
)
def test_install(job: Job, version: str, package: str) -> None:
    python = job.folder / "python"
    python.write_text(FAKE_PYTHON, encoding="utf-8")
    python.chmod(0o755)
    job.give(version=version)
    job.values["steps.python.outputs.python-path"] = str(python)
    log = job.folder / "log"
    done = job.do("install", GITHUB_ACTION_PATH="/actions/tdls v1", PYTHON_LOG=str(log))
    assert done.returncode == 0, done.stderr
    assert log.read_text(encoding="utf-8").rstrip().endswith(f" --disable-pip-version-check {package}")
    assert job.values["steps.install.outputs.tdls"] == str(job.folder / "temporary" / "tdls" / "bin" / "tdls")


def test_findings(job: Job) -> None:
    job.give()
    done = job.do("check", GITHUB_WORKSPACE=str(job.folder))
    assert done.returncode == 1
    line = BAD.splitlines().index("    transform.structured.vectorize %matmul : !transform.any_op") + 1
    assert done.stdout.startswith(f"::warning title=tdls (use-after-free),file=bad/script.mlir,line={line},")
    sarif = Path(job.values["steps.check.outputs.sarif-file"]).read_text(encoding="utf-8")
    (result,) = json.loads(sarif)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "bad/script.mlir"


@pytest.mark.parametrize(
    ("inputs", "status"),
    [
        ({"paths": "good"}, 0),
        ({"paths": "good\nbad"}, 1),
        ({"paths": "bad", "args": "--exit-zero"}, 0),
        ({"args": "--config 'rules.use-after-free = \"off\"' "}, 0),
        ({"paths": "'no such folder'"}, 2),
    ],
)
def test_words(job: Job, inputs: dict[str, str], status: int) -> None:
    job.give(**inputs)
    done = job.do("check")
    assert done.returncode == status, done.stderr


def test_unclosed_quote(job: Job) -> None:
    job.give(args="'--exit-zero")
    done = job.do("check")
    assert (done.returncode != 0, "quote" in done.stderr, done.stdout) == (True, True, ""), "nothing was checked"


@pytest.mark.parametrize(("known", "posted"), [("", "repos/o/r/issues/5/"), ("7", "--method PATCH repos/o/r/issues/")])
def test_compare(job: Job, known: str, posted: str) -> None:
    require_bindings()
    table, log, programs = job.folder / "summary", job.folder / "log", job.folder
    (programs / "gh").write_text(f'#!/bin/sh\necho "$*" >> "{log}"\n[ "$2" != --paginate ] || echo {known}\n')
    (programs / "gh").chmod(0o755)
    (job.folder / "payload.mlir").write_text("module {\n}\n", encoding="utf-8")
    job.give(compare="good/script.mlir bad/script.mlir --payload payload.mlir")
    job.values["github.event.pull_request.number"] = "5"
    path = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    done = job.do("compare", GITHUB_STEP_SUMMARY=str(table), GITHUB_REPOSITORY="o/r", **path)
    assert done.returncode == 0, done.stderr
    assert "**`good/script.mlir` (OLD) and `bad/script.mlir` (NEW)** on 1 payload" in table.read_text(encoding="utf-8")
    assert f"api {posted}comments" in log.read_text(encoding="utf-8").splitlines()[-1]


def test_steps_use_existing_inputs() -> None:
    """The other steps name outputs of the steps here, and inputs."""
    known = {f"inputs.{name}" for name in ACTION["inputs"]} | {"steps.check.outputs.sarif-file", "runner.temp"}
    known |= {"steps.python.outputs.python-path", "steps.install.outputs.tdls", "steps.compare.outputs.table"}
    named = set(re.findall(r"\b(?:inputs|steps|runner)\.[\w.-]+", json.dumps(ACTION)))
    assert named == known
