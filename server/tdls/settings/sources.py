"""The sources of settings: ``tdls.toml``, ``[tool.tdls]`` of ``pyproject.toml``, the editor, and the command line."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tdls.settings.keys import EXTEND
from tdls.settings.layer import put_on_top, read_layer
from tdls.settings.model import Settings, SettingsProblem
from tdls.settings.paths import home_expanded, is_file
from tdls.settings.toml_places import line_of_key

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Mapping

OWN_FILE = "tdls.toml"
SHARED_FILE = "pyproject.toml"
SUFFIX = ".toml"
"""Of files with settings; those that others extend may have any name."""
_TABLE = ("tool", "tdls")
_NAMESPACE = "tdls"
_OF_THE_CLIENT = frozenset({"server", "trace"})
"""What editors keep beside the server's settings, for themselves."""
_ERROR_LINE = re.compile(r"\(at line (\d+)")


@dataclass(frozen=True, slots=True)
class Overrides:
    """What a command line says about settings."""

    file: Path | None = None
    """The file that counts for all scripts, instead of those that are found above them."""
    isolated: bool = False
    """Whether no file counts."""
    inline: tuple[str, ...] = ()
    """Texts of TOML, each with a key or several; they win."""

    def with_target(self, version: int | str) -> Overrides:
        """Return these with scripts that are for this version of LLVM."""
        return replace(self, inline=(*self.inline, f"target-llvm = {version}"))


class Layer(NamedTuple):
    """One source of settings: its sound keys, and the folder that its paths count from.

    `file` is None for the editor and the command line; `text` and `prefix` tell where keys stand.
    """

    keys: Mapping[str, Any]
    base: Path
    origin: str
    file: Path | None = None
    text: str = ""
    prefix: tuple[str, ...] = ()

    def line(self, key: tuple[str, ...]) -> int | None:
        """Return the 0-based line of `key`, None where that is not known."""
        return line_of_key(self.text, (*self.prefix, *key)) if self.text else None


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """`file` is the configuration file that was used, None if there is none; the last one of `layers` wins."""

    settings: Settings
    file: Path | None = None
    problems: tuple[SettingsProblem, ...] = ()
    layers: tuple[Layer, ...] = field(default=(), compare=False)


def find_configuration(start: Path) -> Path | None:
    """Return the configuration file for `start`, a file or folder: that of the nearest folder which has one.

    Of two in one folder ``tdls.toml`` counts; a ``pyproject.toml`` counts only if it has a table ``[tool.tdls]``.
    """
    for folder in (start, *start.parents):
        own, shared = folder / OWN_FILE, folder / SHARED_FILE
        if is_file(own):
            return own
        if is_file(shared) and _mentions_tdls(shared):
            return shared
    return None


def load_settings(
    start: Path | None,
    rules: Mapping[str, str],
    *,
    client: object = None,
    client_base: Path | None = None,
    overrides: Overrides = Overrides(),
) -> LoadedSettings:
    """Return the settings for `start`, a file or folder: defaults, its configuration file, the editor's, `overrides`.

    `rules` are the codes of the rules that there are, by name. `client` is the editor's object ``{"tdls": {...}}``,
    with paths that count from `client_base`. Never raises: what is wrong is left out and said in `problems`.
    """
    problems: list[SettingsProblem] = []
    file = overrides.file
    if file is None and start is not None and not overrides.isolated:
        file = find_configuration(start)
    layers = _file_layers(file, rules, problems) if file is not None else []
    if client is not None:
        base = client_base or (file.parent if file is not None else Path.cwd())
        layers += _client_layers(client, base, rules, problems)
    for text in overrides.inline:
        layers += _inline_layers(text, rules, problems)
    settings = Settings()
    for layer in layers:
        settings = put_on_top(settings, layer.keys, layer.base)
    return LoadedSettings(settings, file, tuple(problems), tuple(layers))


def inline_problems(text: str, rules: Mapping[str, str]) -> list[SettingsProblem]:
    """Return what is wrong with a text of TOML on the command line."""
    problems: list[SettingsProblem] = []
    _inline_layers(text, rules, problems)
    return problems


def _mentions_tdls(file: Path) -> bool:
    """Tell whether a ``pyproject.toml`` has settings for tdls; one that cannot be parsed may have."""
    text, _ = _text(file)
    if text is None or "tdls" not in text:
        return False
    try:
        tool = tomllib.loads(text).get(_TABLE[0], {})
    except (tomllib.TOMLDecodeError, RecursionError):
        return bool(re.search(r"^\s*\[\s*tool\s*\.\s*tdls\b", text, re.MULTILINE))
    return isinstance(tool, dict) and _TABLE[1] in tool


def _text(file: Path) -> tuple[str | None, SettingsProblem | None]:
    try:
        return file.read_bytes().decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        return None, SettingsProblem(f"is not UTF-8 at byte {error.start}", "save it as UTF-8", file)
    except OSError as error:
        reason = error.strerror or str(error)
        return None, SettingsProblem(f"cannot be read: {reason}", "check its path and permissions", file)


def _file_layers(
    file: Path, rules: Mapping[str, str], problems: list[SettingsProblem], chain: tuple[Path, ...] = ()
) -> list[Layer]:
    """Return the layer of `file` behind those of the files that it extends; `chain` are the files that extend it."""
    text, problem = _text(file)
    if text is None:
        problems += [problem] if problem is not None else []
        return []
    try:
        document: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problems.append(_syntax_problem(file, error))
        return []
    prefix = _TABLE if file.name == SHARED_FILE else ()
    for name in prefix:
        document = document.get(name, {})
    keys, found = read_layer(document, rules)
    layer = Layer(keys, file.parent, "file", file, text, prefix)
    problems += (SettingsProblem(message, advice, file, layer.line(key)) for key, message, advice in found)
    return [*_extended(layer, file, rules, problems, (*chain, file.resolve())), layer]


def _extended(
    layer: Layer, file: Path, rules: Mapping[str, str], problems: list[SettingsProblem], chain: tuple[Path, ...]
) -> list[Layer]:
    """Return the layers of what `file` extends; its resolved path is the last one of `chain`."""
    written = layer.keys.get(EXTEND)
    if not written:
        return []
    other = Path(os.path.normpath(file.parent / home_expanded(written)))
    line = layer.line((EXTEND,))
    if other.resolve() in chain:
        path = " -> ".join(one.name for one in (*chain[chain.index(other.resolve()) :], other))
        problems.append(SettingsProblem(f"extends itself: {path}", "remove one `extend` of the circle", file, line))
        return []
    if not is_file(other):
        advice = f"check the path, which counts from {file.parent}"
        problems.append(SettingsProblem(f"extends `{written}`, which is no file", advice, file, line))
        return []
    return _file_layers(other, rules, problems, chain)


def _syntax_problem(file: Path | None, error: Exception) -> SettingsProblem:
    place = _ERROR_LINE.search(str(error))
    message = re.sub(r" \(at .*\)\Z", "", str(error)) or type(error).__name__
    line = int(place[1]) - 1 if place else None
    return SettingsProblem(f"is not TOML: {message}", "correct it there or just before", file, line)


def _client_layers(
    client: object, base: Path, rules: Mapping[str, str], problems: list[SettingsProblem]
) -> list[Layer]:
    own = client.get(_NAMESPACE) if isinstance(client, dict) else client
    if own is None:
        return []
    if isinstance(own, dict):
        own = {name: value for name, value in own.items() if name not in _OF_THE_CLIENT}
    keys, found = read_layer(own, rules)
    problems += (SettingsProblem(message, advice) for _, message, advice in found)
    return [Layer(keys, base, "editor")]


def _inline_layers(text: str, rules: Mapping[str, str], problems: list[SettingsProblem]) -> list[Layer]:
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problem = _syntax_problem(None, error)
        problems.append(problem._replace(help="write it as `KEY = VALUE`, with texts in quotes", line=None))
        return []
    keys, found = read_layer(document, rules)
    problems += (SettingsProblem(message, advice) for _, message, advice in found)
    if EXTEND in keys:
        problems.append(SettingsProblem(f"`{EXTEND}` counts in files only", "name the file instead"))
    return [Layer(keys, Path.cwd(), "command line")]
