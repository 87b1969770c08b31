"""``tdls config``: the settings in force, their sources, and their mistakes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest

from tdls.cli.main import main
from tdls.settings.keys import json_schema
from tdls.settings.rule_codes import RULE_CODES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("base.toml").write_text("libraries = ['lib.mlir']\n\n[rules]\nuse-after-free = 'error'\n", encoding="utf-8")
    Path("lib.mlir").write_text("", encoding="utf-8")
    Path("tdls.toml").write_text(
        "extend = 'base.toml'\nignore = ['unknown-symbol']\n[run]\ntimeout = 5\n", encoding="utf-8"
    )


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["tdls", "config", *arguments])
        status = main()
        return (status, *capsys.readouterr())

    return run


def shown(config: Run, *arguments: str) -> dict[str, tuple[object, str]]:
    status, output, _ = config("show", "--format", "json", *arguments)
    assert status == 0
    return {row["key"]: (row["value"], row["from"]) for row in json.loads(output)["settings"]}


def test_every_setting_says_where_it_comes_from(config: Run) -> None:
    rows = shown(config, "--config", "run.memory=7")
    assert rows["libraries"] == (["lib.mlir"], "base.toml:1")
    assert rows["rules.use-after-free"] == ("error", "base.toml:4")
    assert rows["rules.unknown-symbol"] == ("off", "tdls.toml:2, ignore")
    assert rows["rules.syntax-error"] == ("error", "default")
    assert rows["rules.possibly-invalidated-handle"] == ("off", "default, as it reports what is only possible")
    assert rows["run.timeout"] == (5, "tdls.toml:4")
    assert rows["run.memory"] == (7, "command line")
    assert rows["run.backend"] == (None, "default, found")
    assert shown(config, "--isolated")["libraries"] == ([], "default")


def test_shown_settings_are_a_configuration(config: Run) -> None:
    status, output, _ = config("show")
    assert status == 0
    assert "timeout = 5" in output
    document = tomllib.loads(output)
    schema = json.loads(config("schema")[1])
    assert schema == json_schema(RULE_CODES)
    jsonschema.validate(document, schema)
    Path("copy.toml").write_text(output, encoding="utf-8")
    before, after = shown(config), shown(config, "--config", "copy.toml")
    assert {key: value for key, (value, _) in before.items()} == {key: value for key, (value, _) in after.items()}


def test_sound_settings(config: Run) -> None:
    assert config("check") == (0, "tdls.toml: nothing is wrong\n", "")
    Path("base.toml").write_text("ignore = []\n", encoding="utf-8")
    assert shown(config)["rules.unknown-symbol"] == ("off", "tdls.toml:2, ignore")
    assert config("check", "--isolated")[1] == "no file with settings: nothing is wrong\n"


def test_unsound_settings(config: Run) -> None:
    Path("lib.mlir").unlink()
    Path("base.toml").write_text("libraries = ['lib.mlir']\ncatalogues = ['tdls.toml']\nx = 1\n", encoding="utf-8")
    status, output, _ = config("check")
    assert status == 1
    assert "base.toml:3: there is no setting `x`" in output
    assert "base.toml:1: `lib.mlir` names no file" in output
    assert "tdls.toml:1:1: is not JSON" in output
    assert "warning: " in config("show")[2]
