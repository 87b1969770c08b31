"""``tdls config``: shows the settings for a file with their origins, checks them, and prints their schema."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tdls.cli.checking.configurations import Configurations, sentence
from tdls.cli.console import console
from tdls.cli.console.options import JSON, configuration_options, format_option, formats
from tdls.cli.rendering.checked import shown_file
from tdls.cli.rendering.json_text import json_text
from tdls.files.boundary import real_path
from tdls.settings.keys import flat, is_described, json_schema, keys
from tdls.settings.layer import selections_of
from tdls.settings.model import OFF
from tdls.settings.rule_codes import KNOWN_RULES, RULE_CODES
from tdls.settings.selection import decision
from tdls.settings.sources import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.settings.layer import Layer
    from tdls.settings.rule_codes import KnownRule
    from tdls.settings.sources import LoadedSettings, Overrides


class Setting(NamedTuple):
    """An effective setting. `place` is ``FILE:LINE`` (from 1), ``command line`` or ``default``."""

    key: tuple[str, ...]
    value: Any
    place: str


@click.group("config")
def command() -> None:
    """Show and check settings."""


_path_argument = click.argument(
    "path", required=False, type=click.Path(exists=True, path_type=Path), metavar="[PATH]", default="."
)


@command.command("show", short_help="Show the settings that hold, and where they come from.")
@_path_argument
@formats("toml", "json")
@configuration_options
def show(path: Path, format_: str, overrides: Overrides) -> int:
    """Show the settings that hold for PATH, a file or a folder, by default the current folder, and their origins.

    The output is a configuration file itself. Paths are as they are written: they count from the file that has them.
    """
    loaded = load_settings(real_path(path), RULE_CODES, overrides=overrides)
    settings = list(_settings(loaded))
    if format_ == "json":
        rows = [{"key": ".".join(row.key), "value": row.value, "from": row.place} for row in settings]
        document = {"file": str(loaded.file) if loaded.file is not None else None, "settings": rows}
        console.write([json_text(document, indent=2), "\n"])
    else:
        console.write_lines(_toml(settings))
    for problem in loaded.problems:
        console.complain(sentence(problem), level="warning")
    return console.EXIT_CLEAN


@command.command("check", short_help="Say what is wrong with the settings.")
@_path_argument
@format_option
@configuration_options
def check(path: Path, format_: str, overrides: Overrides) -> int:
    """Report mistakes in the settings that hold for PATH, a file or a folder, by default the current folder.

    Exit status: 0 nothing is wrong, 1 something is.
    """
    configured = Configurations((), overrides).of(path / "any.mlir" if os.path.isdir(path) else path)
    file = configured.loaded.file
    if format_ == JSON:
        document = {"file": str(file) if file is not None else None, "complaints": configured.complaints}
        console.write([json_text(document, indent=2), "\n"])
    elif not configured.complaints:
        console.write_lines([f"{shown_file(file) if file is not None else 'no file with settings'}: nothing is wrong"])
    else:
        console.write_lines(configured.complaints)
    return console.EXIT_FINDINGS if configured.complaints else console.EXIT_CLEAN


@command.command("schema", short_help="Print the JSON schema of tdls.toml.")
def schema() -> int:
    """Print the JSON schema of tdls.toml, for editors that check and complete TOML with it."""
    console.write([json.dumps(json_schema(RULE_CODES), indent=2), "\n"])
    return console.EXIT_CLEAN


def _settings(loaded: LoadedSettings) -> Iterator[Setting]:
    """Yield every setting, rules with the effect of the lists that select them."""
    rules = {rule.name: rule for rule in KNOWN_RULES}
    for key, definition in flat(keys(RULE_CODES)):
        setting = _last(key, loaded.layers)
        if key[0] == "rules":
            yield _of_rule(rules[key[1]], setting, loaded)
        elif setting is not None:
            is_refused = any(request.consent.key == ".".join(setting.key) for request in loaded.refused)
            yield setting._replace(place=f"{setting.place}, not allowed") if is_refused else setting
        elif is_described(definition.default):
            yield Setting(key, None, f"default, {definition.default[1:-1]}")
        else:
            yield Setting(key, definition.default, "default")


def _last(key: tuple[str, ...], layers: tuple[Layer, ...]) -> Setting | None:
    for layer in reversed(layers):
        value: Any = layer.keys
        for name in key:
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            return Setting(key, value, _place(layer, key))
    return None


def _of_rule(rule: KnownRule, setting: Setting | None, loaded: LoadedSettings) -> Setting:
    """Return the effective level of the rule: lists of rules may switch it off."""
    key = ("rules", rule.name)
    if setting is not None and setting.value == OFF:
        return setting
    decided = decision(rule, loaded.settings)
    level = setting.value if setting is not None else rule.level.value
    by_list, source = "", decided.source
    if source is not None:  # a list of rules decided
        layers = [layer for layer in loaded.layers if selections_of(layer.keys)]
        by_list = f"{_place(layers[source], (decided.key,))}, {decided.key}"
    if not decided.is_wanted:
        return Setting(key, OFF, by_list or "default, as it reports what is only possible")
    places = [setting.place if setting is not None else "", by_list]
    return Setting(key, level, ", ".join(filter(None, places)) or "default")


def _place(layer: Layer, key: tuple[str, ...]) -> str:
    if layer.file is None:
        return layer.origin
    line = layer.line(key)
    return f"{shown_file(layer.file)}:{line + 1}" if line is not None else shown_file(layer.file)


def _toml(settings: list[Setting]) -> Iterator[str]:
    """Yield a configuration file with a comment on the origin of each line."""
    table: tuple[str, ...] = ()
    lines = [
        (row, f"# {row.key[-1]} =" if row.value is None else f"{row.key[-1]} = {_value(row.value)}") for row in settings
    ]
    width = max(len(text) for _, text in lines)
    for row, text in lines:
        if row.key[:-1] != table:
            table = row.key[:-1]
            yield ""
            yield f"[{'.'.join(table)}]"
        yield f"{text:{width}}  # {row.place}"


def _value(value: Any) -> str:
    """Return a value in the syntax of TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)} = {_value(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
