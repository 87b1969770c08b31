"""The workflow that compares the newest wheel with the facts is valid, and its command has these options."""

from __future__ import annotations

import re
import subprocess
import sys

from checkout.places import ROOT
from integrations.support import validate, yaml_documents

(WORKFLOW,) = yaml_documents((ROOT / ".github/workflows/snapshot.yml").read_text(encoding="utf-8"))
STEPS = {step["id"]: step["run"] for step in WORKFLOW["jobs"]["snapshot"]["steps"] if "id" in step}


def test_the_workflow_is_valid() -> None:
    validate(WORKFLOW, "vendor.github-workflows")


def test_the_command_has_the_options() -> None:
    command, _, _ = STEPS["compare"].partition(" | ")
    program, tool, *arguments = command.split()
    help_text = subprocess.run(
        [sys.executable, tool, "--help"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    ).stdout
    assert program == "python"
    assert set(re.findall(r"--[\w-]+", " ".join(arguments))) <= set(re.findall(r"--[\w-]+", help_text))
