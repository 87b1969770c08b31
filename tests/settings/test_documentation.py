"""The page on configuration says all and nothing but what is so."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from tdls.analysis.rules import RULES
from tdls.settings.model import InlayHints, Settings
from tdls.settings.sources import load_settings

PAGE = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
NAMES = [rule.name for rule in RULES]
KEYS = re.findall(r"^\| `([\w.-]+)` \| (.+?) \|", PAGE, re.MULTILINE)
FOUND = ("found", "tdls's own")
"""Defaults that depend on what is installed."""


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_examples(tmp_path: Path) -> None:
    (tmp_path / "tdls.toml").write_text(block("toml"), encoding="utf-8")
    client = json.loads(block("json"))
    loaded = load_settings(tmp_path, NAMES, client=client, client_base=tmp_path)
    assert loaded.problems == ()
    assert loaded.settings.inlay_hints == InlayHints(consumed=False)


def test_defaults_of_the_table_change_nothing(tmp_path: Path) -> None:
    lines = [f"{key} = {default.strip('`')}" for key, default in KEYS if default.startswith("`")]
    (tmp_path / "tdls.toml").write_text("\n".join(lines), encoding="utf-8")
    loaded = load_settings(tmp_path, NAMES)
    assert loaded.problems == ()
    settings = replace(loaded.settings, exclude=None, project=replace(loaded.settings.project, exclude=None))
    assert settings == Settings()
    others = [key for key, default in KEYS if not default.startswith("`") and default not in FOUND]
    assert others == ["rules.NAME"]


def test_the_table_has_every_key(tmp_path: Path) -> None:
    (tmp_path / "tdls.toml").write_text(
        "x = 1\n[inlay-hints]\nx = 1\n[code-lens]\nx = 1\n[format]\nx = 1\n[run]\nx = 1\n[project]\nx = 1",
        encoding="utf-8",
    )
    known = " ".join(problem.help for problem in load_settings(tmp_path, NAMES).problems)
    names = {name for key, _ in KEYS for name in key.split(".")} - {"NAME"}
    assert set(re.findall(r"`([\w-]+)`", known)) == names
