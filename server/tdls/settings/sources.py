"""The sources of settings: ``tdls.toml``, ``[tool.tdls]`` of ``pyproject.toml``, and the editor."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdls.settings.layer import put_on_top, read_layer
from tdls.settings.model import Settings, SettingsProblem
from tdls.settings.paths import is_file
from tdls.settings.toml_places import line_of_key

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Collection

OWN_FILE = "tdls.toml"
SHARED_FILE = "pyproject.toml"
FILES = (OWN_FILE, SHARED_FILE)
_TABLE = ("tool", "tdls")
_NAMESPACE = "tdls"
_OF_THE_CLIENT = frozenset({"server", "trace"})
"""What editors keep beside the server's settings, for themselves."""
_ERROR_LINE = re.compile(r"\(at line (\d+)")


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """`file` is the configuration file that was used, None if there is none."""

    settings: Settings
    file: Path | None = None
    problems: tuple[SettingsProblem, ...] = ()


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
    start: Path | None, rule_names: Collection[str], *, client: object = None, client_base: Path | None = None
) -> LoadedSettings:
    """Return the settings for `start`, a file or folder: defaults, then its configuration file, then the editor's.

    `client` is the editor's object ``{"tdls": {...}}``, with paths that count from `client_base`. Never raises: what
    is wrong is left out and said in `problems`.
    """
    settings = Settings()
    problems: list[SettingsProblem] = []
    file = find_configuration(start) if start is not None else None
    if file is not None:
        settings = _with_file(settings, file, rule_names, problems)
    if client is not None:
        base = client_base or (file.parent if file is not None else Path.cwd())
        settings = _with_client(settings, client, base, rule_names, problems)
    return LoadedSettings(settings, file, tuple(problems))


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
        return None, SettingsProblem(f"cannot be read: {reason}", "check its permissions", file)


def _with_file(
    settings: Settings, file: Path, rule_names: Collection[str], problems: list[SettingsProblem]
) -> Settings:
    text, problem = _text(file)
    if text is None:
        problems += [problem] if problem is not None else []
        return settings
    try:
        document: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problems.append(_syntax_problem(file, error))
        return settings
    prefix = _TABLE if file.name == SHARED_FILE else ()
    for name in prefix:
        document = document.get(name, {})
    layer, found = read_layer(document, rule_names)
    for key, message, help_text in found:
        problems.append(SettingsProblem(message, help_text, file, line_of_key(text, (*prefix, *key))))
    return put_on_top(settings, layer, file.parent)


def _syntax_problem(file: Path, error: Exception) -> SettingsProblem:
    place = _ERROR_LINE.search(str(error))
    message = re.sub(r" \(at .*\)\Z", "", str(error)) or type(error).__name__
    line = int(place[1]) - 1 if place else None
    return SettingsProblem(f"is not TOML: {message}", "correct it there or just before", file, line)


def _with_client(
    settings: Settings, client: object, base: Path, rule_names: Collection[str], problems: list[SettingsProblem]
) -> Settings:
    own = client.get(_NAMESPACE) if isinstance(client, dict) else client
    if own is None:
        return settings
    if isinstance(own, dict):
        own = {name: value for name, value in own.items() if name not in _OF_THE_CLIENT}
    layer, found = read_layer(own, rule_names)
    problems += [SettingsProblem(message, help_text) for _, message, help_text in found]
    return put_on_top(settings, layer, base)
