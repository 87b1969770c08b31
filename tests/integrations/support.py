"""Snippets of ``docs/continuous-integration.md``, and projects in which tests run them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import jsonschema
from check_jsonschema import builtin_schemas
from ruamel.yaml import YAML

from tdls.analysis.rules import find_rule
from tools_at_hand import give_up, require_tool

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "continuous-integration.md").read_text(encoding="utf-8")
USE_AFTER_FREE = find_rule("use-after-free")
assert USE_AFTER_FREE is not None
BAD, GOOD = USE_AFTER_FREE.text.example_bad, USE_AFTER_FREE.text.example_good


def snippet(language: str, beginning: str = "") -> str:
    """Return the only code block of the page in `language` that begins with `beginning`."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (block,) = (block for block in blocks if block.startswith(beginning))
    return str(block)


def yaml_documents(text: str) -> list[Any]:
    """Return the documents of a YAML text."""
    return list(YAML(typ="safe").load_all(text))


def validate(document: object, schema: str) -> None:
    """Compare `document` with a schema that services publish, as check-jsonschema names it."""
    jsonschema.Draft7Validator(builtin_schemas.get_builtin_schema(schema)).validate(document)


def write_project(folder: Path) -> None:
    """Write a good script in one folder and a bad one in another."""
    for name, text in (("good", GOOD), ("bad", BAD)):
        (folder / name).mkdir(parents=True)
        (folder / name / "script.mlir").write_text(text, encoding="utf-8")


def installed(program: str) -> str:
    """Return the path of a program in this Python's folder of scripts, or else on the search path."""
    own = shutil.which(program, path=sysconfig.get_path("scripts"))
    return own or str(require_tool(program, "pip install '.[dev]'"))


def run(*command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in `folder`, with this Python's folder of scripts first on the search path."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    variables = {**os.environ, "PATH": path, "PYTHONUTF8": "1", **environment}
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, encoding="utf-8", check=False)


def tracked_files() -> list[Path]:
    """Return the files of this checkout that git knows, relative to its root."""
    listed = run("git", "ls-files", "-z", folder=ROOT)
    if listed.returncode != 0:
        give_up("this is no checkout of git")
    return [path for name in listed.stdout.split("\0")[:-1] if (ROOT / (path := Path(name))).is_file()]


def commit_all(repository: Path) -> str:
    """Make `repository` a git repository with all its files in a commit, and return the revision."""
    identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.com"]
    for arguments in (["init", "-q"], ["add", "--all", "--force"], [*identity, "commit", "-q", "-m", "All"]):
        done = run("git", *arguments, folder=repository)
        assert done.returncode == 0, done.stderr
    return run("git", "rev-parse", "HEAD", folder=repository).stdout.strip()


def dependencies_of_this_python() -> dict[str, str]:
    """Return variables with which pip installs a project without the network, as its dependencies are in sight."""
    return {
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_IGNORE_INSTALLED": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
    }
