"""The page on configuration lists all settings and no others, with their defaults."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from jsonschema import Draft7Validator

from tdls.settings.keys import flat, is_described, json_schema, keys
from tdls.settings.model import InlayHints, Settings
from tdls.settings.rule_codes import RULE_CODES
from tdls.settings.sources import load_settings
from tdls.structs import replace

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCUMENTATION = Path(__file__).parents[2] / "docs"
PAGE = (DOCUMENTATION / "configuration.md").read_text(encoding="utf-8")
SCHEMA = DOCUMENTATION / "tdls.schema.json"
EXTENSION = DOCUMENTATION.parent / "vscode-extension"
OWN_WORDS = ("payload-syntax", "run.live", "run.refresh")
"""Settings that the extension describes in words of its own, since its values or their defaults differ."""
KEYS = re.findall(r"^\| `([\w.-]+)` \| (.+?) \|", PAGE, re.MULTILINE)
FOUND = ("all", "found", "tdls's own")
"""Defaults that depend on installed programs."""


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_examples(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for folder in (tmp_path / ".git", project):
        folder.mkdir()
    (project / "tdls.toml").write_text(block("toml"), encoding="utf-8")
    client = json.loads(block("json"))
    loaded = load_settings(project, RULE_CODES, client=client, client_base=project)
    assert loaded.problems == ()
    assert loaded.settings.inlay_hints == InlayHints(consumed=True)


def test_defaults_of_the_table_change_nothing(tmp_path: Path) -> None:
    of_users = {".".join(path) for path, key in flat(keys([])) if key.is_of_user}
    lines = [
        f"{key} = {default.strip('`')}" for key, default in KEYS if default.startswith("`") and key not in of_users
    ]
    (tmp_path / "tdls.toml").write_text("\n".join(lines), encoding="utf-8")
    loaded = load_settings(tmp_path, RULE_CODES)
    assert loaded.problems == ()
    settings = replace(loaded.settings, exclude=None, project=replace(loaded.settings.project, exclude=None))
    assert settings == Settings()
    others = [key for key, default in KEYS if not default.startswith("`") and default not in FOUND]
    assert others == ["rules.NAME"]


def test_the_table_has_every_key() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert rows == [
        f"| `{'.'.join(path)}` | {shown(key.default)} | {key.meaning} |" for path, key in flat(keys(["NAME"]))
    ]


MANIFEST = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
DESCRIPTIONS = {
    name: entry["markdownDescription"]
    for group in MANIFEST["contributes"]["configuration"]
    for name, entry in group["properties"].items()
}


def key_of(name: str) -> str:
    """Return the key in `tdls.toml` of a setting of the extension."""
    return re.sub(r"[A-Z]", lambda letter: f"-{letter[0].lower()}", name.removeprefix("tdls."))


def test_no_workspace_that_is_not_trusted_chooses_programs_or_names_paths_in_the_editor() -> None:
    guarded = {".".join(path) for path, key in flat(keys([])) if key.reach or key.is_path}
    restricted = MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    own = {"tdls.python"}  # starts the server
    assert set(restricted) == own | {name for name in DESCRIPTIONS if key_of(name) in guarded}
    assert set(restricted) <= DESCRIPTIONS.keys()


def test_the_settings_of_the_extension_say_the_same() -> None:
    meanings = {".".join(path): re.sub(r", see \[.*?\]\(.*?\)", "", key.meaning) for path, key in flat(keys([]))}
    compared = 0
    for name, description in DESCRIPTIONS.items():
        key = key_of(name)
        if key in meanings and key not in OWN_WORDS:
            compared += 1
            assert description.startswith(f"{meanings[key][0].upper()}{meanings[key][1:]}."), name
    assert compared > 20


def shown(default: object) -> str:
    return str(default)[1:-1] if is_described(default) else f"`{json.dumps(default)}`"


def test_the_list_of_consent_has_every_key() -> None:
    rows = re.findall(r"^- `([\w.-]+)` (.+)$", PAGE, re.MULTILINE)
    assert rows == [(".".join(path), key.reach) for path, key in flat(keys([])) if key.reach]


def test_the_schema_in_the_repository_is_current() -> None:
    expected = json.dumps(json_schema(RULE_CODES), indent=2) + "\n"
    assert SCHEMA.read_text(encoding="utf-8") == expected, "run `tdls config schema > docs/tdls.schema.json`"


def test_the_schema_accepts_settings_that_the_reader_accepts() -> None:
    schema = json_schema(RULE_CODES)
    validator = Draft7Validator(schema)
    Draft7Validator.check_schema(schema)
    assert list(validator.iter_errors(tomllib.loads(block("toml")))) == []
    assert list(validator.iter_errors(json.loads(block("json"))["tdls"])) == []
    for path, key in flat(keys(RULE_CODES)):
        for value in (True, 0, 1, -1, 1.5, "x", "off", "save", [], ["all"], [1], {}, {"a": ["all"]}, {"a": 1}):
            document: object = value
            for name in reversed(path):
                document = {name: document}
            assert validator.is_valid(document) == key.kind.accepts(value), (path, value)
