"""One source of settings, a table of TOML or an object of JSON: checked, and put on top of other sources."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tdls.settings.model import Exclusion, PathPattern, ProjectSettings, RunSettings, Settings, SetupStep
from tdls.settings.paths import placed_command, placed_program, unusable_patterns
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from pathlib import Path

OFF = "off"
RULE_LEVELS = (OFF, *(level.value for level in Level))
REFRESH = (OFF, "save", "type")


class KeyProblem(NamedTuple):
    """What is wrong with a key, which is given by the names of the tables around it and its own."""

    key: tuple[str, ...]
    message: str
    help: str


class _Kind(NamedTuple):
    """What values a key takes."""

    description: str
    accepts: Callable[[object], bool]


_Schema: TypeAlias = "Mapping[str, _Kind | _Schema]"
_SWITCH = _Kind("`true` or `false`", lambda value: isinstance(value, bool))
_NUMBER = _Kind("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool))
_LEVEL = _Kind(" or ".join(f'`"{level}"`' for level in RULE_LEVELS), lambda value: value in RULE_LEVELS)
_COUNT = _Kind("a whole number above 0", lambda value: isinstance(value, int) and _is_positive(value))
_SECONDS = _Kind("a number above 0", lambda value: _is_positive(value))
_TEXT = _Kind("a text", lambda value: isinstance(value, str))
_REFRESH = _Kind(" or ".join(f'`"{mode}"`' for mode in REFRESH), lambda value: value in REFRESH)
_TEXTS = _Kind(
    'a list of texts, such as `["first", "second"]`',
    lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
)
_PROGRAMS = {"backend": placed_command, "python": placed_program}
"""Settings that name a program, and how its path is resolved."""


def read_layer(document: object, rule_names: Collection[str]) -> tuple[dict[str, Any], list[KeyProblem]]:
    """Return the keys of `document` that are sound, and what is wrong with the others.

    A key with the value None counts as absent: so editors say that nothing is set.
    """
    schema: _Schema = {
        "libraries": _TEXTS,
        "catalogues": _TEXTS,
        "exclude": _TEXTS,
        "rules": dict.fromkeys(rule_names, _LEVEL),
        "inlay-hints": {"types": _SWITCH, "operand-names": _SWITCH, "consumed": _SWITCH},
        "code-lens": {"references": _SWITCH, "run": _SWITCH},
        "run": {
            "backend": _TEXT,
            "python": _TEXT,
            "setup": _TEXTS,
            "timeout": _SECONDS,
            "memory": _COUNT,
            "refresh": _REFRESH,
            "keep-script": _SWITCH,
        },
        "project": {
            "enabled": _SWITCH,
            "definitions": _TEXTS,
            "include": _TEXTS,
            "exclude": _TEXTS,
            "bindings": _SWITCH,
        },
        "format": {"indent": _NUMBER},
    }
    problems: list[KeyProblem] = []
    sound = _checked(document, schema, (), problems)
    _drop_unusable_patterns(sound, ("exclude",), problems)
    _drop_unusable_patterns(sound.get("project", {}), ("project", "exclude"), problems)
    return sound, problems


def put_on_top(settings: Settings, layer: Mapping[str, Any], base: Path) -> Settings:
    """Return `settings` with what the sound keys of a source say; its relative paths count from the folder `base`."""
    rules = {name: Level(level) if level != OFF else None for name, level in layer.get("rules", {}).items()}
    return Settings(
        libraries=_paths(layer.get("libraries"), base, settings.libraries),
        catalogues=_paths(layer.get("catalogues"), base, settings.catalogues),
        exclude=_exclusion(layer.get("exclude"), base, settings.exclude),
        rules=MappingProxyType({**settings.rules, **rules}),
        inlay_hints=replace(settings.inlay_hints, **_arguments(layer.get("inlay-hints", {}))),
        code_lens=replace(settings.code_lens, **_arguments(layer.get("code-lens", {}))),
        run=_run(settings.run, layer.get("run", {}), base),
        project=_project(settings.project, layer.get("project", {}), base),
    )


def _checked(document: object, schema: _Schema, key: tuple[str, ...], problems: list[KeyProblem]) -> dict[str, Any]:
    """Return the sound part of a table, and add what is wrong with the rest to `problems`."""
    if not isinstance(document, dict):
        problems.append(_unfit(key, "a table", document))
        return {}
    sound: dict[str, Any] = {}
    for name, value in document.items():
        expected = schema.get(name)
        if value is None:
            continue
        if expected is None:
            problems.append(_unknown((*key, str(name)), schema))
        elif not isinstance(expected, _Kind):
            sound[name] = _checked(value, expected, (*key, name), problems)
        elif expected.accepts(value):
            sound[name] = value
        else:
            problems.append(_unfit((*key, name), expected.description, value))
    return sound


def _drop_unusable_patterns(table: dict[str, Any], key: tuple[str, ...], problems: list[KeyProblem]) -> None:
    name = key[-1]
    for pattern in unusable_patterns(table.get(name, ())):
        table[name] = [other for other in table[name] if other != pattern]
        problems.append(KeyProblem(key, f"`{pattern}` is no pattern", "write it as in a `.gitignore` file"))


def _unfit(key: tuple[str, ...], expected: str, value: object) -> KeyProblem:
    subject = f"`{'.'.join(key)}`" if key else "settings"
    return KeyProblem(key, f"{subject} cannot be {_shown(value)}", f"{subject} must be {expected}")


def _unknown(key: tuple[str, ...], schema: _Schema) -> KeyProblem:
    what = "rule" if key[0] == "rules" else "setting"
    close = get_close_matches(key[-1], schema, 1)
    known = ", ".join(f"`{name}`" for name in schema)
    return KeyProblem(
        key,
        f"there is no {what} `{'.'.join(key) if what == 'setting' else key[-1]}`",
        f"did you mean `{close[0]}`?" if close else f"known here: {known}",
    )


def _shown(value: object) -> str:
    kinds = {dict: "a table", list: "a list", bool: "a switch", int: "a number", float: "a number"}
    return f'`"{value}"`' if isinstance(value, str) else kinds.get(type(value), "this")


def _paths(patterns: list[str] | None, base: Path, others: tuple[PathPattern, ...]) -> tuple[PathPattern, ...]:
    return tuple(PathPattern(base, pattern) for pattern in patterns) if patterns is not None else others


def _exclusion(patterns: list[str] | None, base: Path, other: Exclusion | None) -> Exclusion | None:
    return Exclusion(base, tuple(patterns)) if patterns is not None else other


def _project(settings: ProjectSettings, table: Mapping[str, Any], base: Path) -> ProjectSettings:
    return ProjectSettings(
        enabled=table.get("enabled", settings.enabled),
        definitions=_paths(table.get("definitions"), base, settings.definitions),
        include=_paths(table.get("include"), base, settings.include),
        exclude=_exclusion(table.get("exclude"), base, settings.exclude),
        bindings=table.get("bindings", settings.bindings),
    )


def _run(settings: RunSettings, table: Mapping[str, Any], base: Path) -> RunSettings:
    """An empty name of a program stands for none: so editors say that nothing is set."""
    rest = _arguments(table)
    programs = {name: rest.pop(name).strip() for name in _PROGRAMS if name in rest}
    choice: dict[str, Any] = {name: _PROGRAMS[name](text, base) if text else None for name, text in programs.items()}
    if "setup" in rest:
        choice["setup"] = tuple(SetupStep(base, name) for name in rest.pop("setup"))
    return replace(settings, backend_choice=replace(settings.backend_choice, **choice), **rest)


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < inf


def _arguments(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("-", "_"): value for name, value in table.items()}
