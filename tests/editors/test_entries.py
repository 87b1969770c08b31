"""Entries of tdls in other projects, and snippets of formats whose editors no test drives."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

from ruamel.yaml import YAML

import release
import tdls
from checkout.places import ROOT
from editors.documentation import snippet

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ENTRIES = Path(__file__).resolve().parents[2] / "integrations" / "editors"
MASON = ENTRIES / "mason" / "packages" / "tdls" / "package.yaml"
CATEGORIES = {"Compiler", "DAP", "Formatter", "LSP", "Linter", "Runtime"}


def test_the_package_for_mason() -> None:
    package = YAML(typ="safe").load(MASON.read_text(encoding="utf-8"))
    assert package["name"] == MASON.parent.name
    assert package["source"]["id"] == f"pkg:github/{release.address(ROOT)}@v{tdls.__version__}"
    assert [build["target"] for build in package["source"]["build"]] == ["unix", "win"]
    assert package["bin"] == {"tdls": "{{source.build.bin}}"}
    assert set(package["categories"]) <= CATEGORIES
    assert package["neovim"] == {"lspconfig": "tdls"}
    assert package["description"].endswith(".")
    assert package["homepage"].startswith("https://")
    assert package["licenses"]
    assert package["languages"] == ["MLIR"]


HELIX_KEYS = {"name", "scope", "file-types", "roots", "comment-tokens", "indent", "language-servers"}
"""The fields of Helix's `LanguageConfiguration` that the entry has: Helix refuses a file with an unknown one."""


def test_the_entry_for_helix_is_the_snippet() -> None:
    """Helix's own `languages.toml` has one table of servers, and a list of languages."""
    entry = tomllib.loads((ENTRIES / "helix" / "languages.toml").read_text(encoding="utf-8"))
    assert entry == tomllib.loads(snippet("Helix", "toml"))
    (language,) = entry["language"]
    assert set(language) == HELIX_KEYS
    assert set(language["indent"]) == {"tab-width", "unit"}


def test_helix() -> None:
    settings = tomllib.loads(snippet("Helix", "toml"))
    (language,) = settings["language"]
    assert language["language-servers"] == list(settings["language-server"])
    assert language["file-types"] == ["mlir"]
    assert settings["language-server"]["tdls"] == {"command": "tdls", "args": ["server"]}


def test_sublime_text() -> None:
    text = snippet("Sublime Text", "yaml")
    syntax = YAML(typ="safe").load(text.partition("---\n")[2])
    assert syntax["file_extensions"] == ["mlir"]
    client = json.loads(snippet("Sublime Text", "json"))["clients"]["tdls"]
    assert (client["command"], client["selector"]) == (["tdls", "server"], syntax["scope"])


def test_kate() -> None:
    language = ElementTree.fromstring(snippet("Kate", "xml").encode())
    server = json.loads(snippet("Kate", "json"))["servers"]["mlir"]
    assert server["command"] == ["tdls", "server"]
    assert re.fullmatch(server["highlightingModeRegex"], language.attrib["name"])
    assert language.attrib["extensions"] == "*.mlir"


def test_zed() -> None:
    servers = json.loads(snippet("Zed", "json"))["lsp"]
    assert servers["mlir-lsp-server"]["binary"]["arguments"] == ["server"]


def test_assistants() -> None:
    root = Path(__file__).resolve().parents[2]
    text = (root / "docs/editors.md").read_text("utf-8").partition("## Coding assistants")[2].partition("\n## ")[0]
    plugin, tools = (json.loads(found) for found in re.findall(r"```json\n(.*?)```", text, re.DOTALL))
    servers = json.loads((root / "integrations/assistants/opencode/opencode.json").read_text("utf-8"))["lsp"]
    assert servers["tdls"]["command"] == ["tdls", "server"]
    assert (plugin["tdls"]["extensionToLanguage"], tools["mcpServers"]["tdls"]["args"][0]) == ({".mlir": "mlir"}, "mcp")
