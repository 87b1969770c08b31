"""Validates one source of settings, a TOML table or a JSON object, and merges it over other sources."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tdls.limits import SETTINGS_ENTRIES
from tdls.settings.keys import Key, keys
from tdls.settings.llvm_versions import version_named
from tdls.settings.model import (
    OFF,
    Exclusion,
    FileIgnores,
    PathPattern,
    ProjectSettings,
    PythonSettings,
    RuleSelection,
    RunSettings,
    Schedule,
    Settings,
    SetupStep,
)
from tdls.settings.paths import home_expanded, leads_out, placed_command, placed_program, unusable_patterns
from tdls.settings.selection import specificity
from tdls.settings.toml import line_of_key
from tdls.structs import NamedTuple, replace
from tdls.text.level import Level
from tdls.text.similarity import most_similar

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tdls.settings.keys import Table


def unknown_selector(selector: str, rules: Mapping[str, str]) -> tuple[str, str] | None:
    """Return a problem and advice for a selector that names none of `rules` (codes by name); None if it names one."""
    if any(specificity(selector, name, code) for name, code in rules.items()):
        return None
    close = most_similar(selector, [*rules, *rules.values()])
    otherwise = "`tdls explain` lists all rules, and `all` stands for them"
    advice = f"did you mean `{close}`?" if close is not None else otherwise
    return f"there is no rule `{selector}`", advice


class Layer(NamedTuple):
    """One source of settings: its valid keys, and the folder that its paths are relative to.

    `file` is None for the editor and the command line. `text` is the file's text and `prefix` the table of the
    settings in it; both serve to find the lines of keys.
    """

    keys: Mapping[str, Any]
    base: Path
    origin: str
    file: Path | None = None
    text: str = ""
    prefix: tuple[str, ...] = ()

    def line(self, key: tuple[str, ...]) -> int | None:
        """Return the 0-based line of `key`, None where it is not known."""
        return line_of_key(self.text, (*self.prefix, *key)) if self.text else None


class KeyProblem(NamedTuple):
    """A problem of a key; `key` are the names of the tables around it and its own name."""

    key: tuple[str, ...]
    message: str
    help: str


_SELECTORS = ("select", "extend-select", "ignore")
_FILE_IGNORES = "per-file-ignores"
_PROGRAMS = {"backend": placed_command, "python": placed_program}
"""Settings that name a program, with the function that resolves its path."""


def read_layer(document: object, rules: Mapping[str, str]) -> tuple[dict[str, Any], list[KeyProblem]]:
    """Return the valid keys of `document`, and the problems of the others.

    `rules` are the codes of all rules, by name. A key with the value None counts as absent, since editors send None
    for settings that are not set.
    """
    problems: list[KeyProblem] = []
    sound = _checked(document, keys(rules), (), problems)
    _drop_unusable_patterns(sound, ("exclude",), problems)
    _drop_unusable_patterns(sound.get("project", {}), ("project", "exclude"), problems)
    for name in _SELECTORS:
        if name in sound:
            sound[name] = _known(sound[name], (name,), rules, problems)
    if _FILE_IGNORES in sound:
        sound[_FILE_IGNORES] = _checked_file_ignores(sound[_FILE_IGNORES], rules, problems)
    return sound, problems


def put_on_top(settings: Settings, layer: Mapping[str, Any], base: Path, root: Path | None = None) -> Settings:
    """Return `settings` with the values of `layer`, the valid keys of a source, whose paths are relative to `base`.

    Symbolic links may not lead out of `root`, unless it is None.
    """
    rules = {name: Level(level) if level != OFF else None for name, level in layer.get("rules", {}).items()}
    baseline, payload = layer.get("baseline"), layer.get("payload")  # "" stands for none
    return Settings(
        libraries=_paths(layer.get("libraries"), base, root, settings.libraries),
        payload=_paths([payload] if payload else None if payload is None else [], base, root, settings.payload),
        catalogues=_paths(layer.get("catalogues"), base, root, settings.catalogues),
        locations=_paths(layer.get("locations"), base, root, settings.locations),
        exclude=_exclusion(layer.get("exclude"), base, settings.exclude),
        rules=MappingProxyType({**settings.rules, **rules}),
        selection=(*settings.selection, *selections_of(layer)),
        file_ignores=(
            *settings.file_ignores,
            *(FileIgnores(base, each, tuple(codes)) for each, codes in layer.get(_FILE_IGNORES, {}).items()),
        ),
        baseline=base / home_expanded(baseline) if baseline else settings.baseline,
        target_llvm=(version_named(layer["target-llvm"]) if "target-llvm" in layer else settings.target_llvm),
        placeholders=tuple(layer.get("placeholders", settings.placeholders)),
        payload_syntax=layer.get("payload-syntax", settings.payload_syntax),
        inlay_hints=replace(settings.inlay_hints, **_arguments(layer.get("inlay-hints", {}))),
        code_lens=replace(settings.code_lens, **_arguments(layer.get("code-lens", {}))),
        format=replace(settings.format, **_arguments(layer.get("format", {}))),
        run=_run(settings.run, layer.get("run", {}), base),
        project=_project(settings.project, layer.get("project", {}), base, root),
        python=_python(settings.python, layer.get("python", {}), base),
    )


def selections_of(layer: Mapping[str, Any]) -> list[RuleSelection]:
    """Return the selection of rules in the valid keys of a source; empty if they select none."""
    select, extend, ignore = (layer.get(name) for name in _SELECTORS)
    if select is None and not extend and not ignore:
        return []
    return [RuleSelection(tuple(select) if select is not None else None, tuple(extend or ()), tuple(ignore or ()))]


def _checked(document: object, table: Table, key: tuple[str, ...], problems: list[KeyProblem]) -> dict[str, Any]:
    """Return the valid part of a table, and add the problems of the rest to `problems`."""
    if not isinstance(document, dict):
        problems.append(_unfit(key, "a table", document))
        return {}
    sound: dict[str, Any] = {}
    for name, value in document.items():
        expected = table.get(name)
        if value is None:
            continue
        if expected is None:
            problems.append(_unknown((*key, str(name)), table))
        elif not isinstance(expected, Key):
            sound[name] = _checked(value, expected, (*key, name), problems)
        elif expected.kind.accepts(value):
            sound[name] = value
        else:
            problems.append(_unfit((*key, name), expected.kind.description, value))
    return sound


def _drop_unusable_patterns(table: dict[str, Any], key: tuple[str, ...], problems: list[KeyProblem]) -> None:
    name = key[-1]
    for pattern in unusable_patterns(table.get(name, ())):
        table[name] = [other for other in table[name] if other != pattern]
        problems.append(KeyProblem(key, f"`{pattern}` is not a pattern", "write it as in a `.gitignore` file"))


def _checked_file_ignores(
    table: Mapping[str, list[str]], rules: Mapping[str, str], problems: list[KeyProblem]
) -> dict[str, list[str]]:
    unusable = unusable_patterns(table)
    for pattern in unusable:
        key = (_FILE_IGNORES, pattern)
        problems.append(KeyProblem(key, f"`{pattern}` is not a pattern", "write it as in a `.gitignore` file"))
    return {
        pattern: _known(selectors, (_FILE_IGNORES, pattern), rules, problems)
        for pattern, selectors in table.items()
        if pattern not in unusable
    }


def _known(
    selectors: list[str], key: tuple[str, ...], rules: Mapping[str, str], problems: list[KeyProblem]
) -> list[str]:
    """Return those of `selectors` that name a rule, and add the problems of the others to `problems`."""
    wrong = {selector: problem for selector in selectors if (problem := unknown_selector(selector, rules)) is not None}
    problems += (KeyProblem(key, message, advice) for message, advice in wrong.values())
    return [selector for selector in selectors if selector not in wrong]


def _unfit(key: tuple[str, ...], expected: str, value: object) -> KeyProblem:
    subject = f"`{'.'.join(key)}`" if key else "settings"
    if isinstance(value, list) and len(value) > SETTINGS_ENTRIES.most:
        message = f"{subject} has {len(value):,} entries, more than {SETTINGS_ENTRIES.most:,}, and does not count"
        return KeyProblem(key, message, "name fewer: a pattern stands for many files")
    if "\\x00" in repr(value):
        message = f"{subject} has a null character, and does not count"
        return KeyProblem(key, message, "write the path without it: no file has such a name")
    kinds = {dict: "a table", list: "a list", bool: "a switch"}
    is_number = type(value) in (int, float)
    shown = f'`"{value}"`' if isinstance(value, str) else f"`{value}`" if is_number else kinds.get(type(value), "this")
    return KeyProblem(key, f"{subject} cannot be {shown}", f"{subject} must be {expected}")


def _unknown(key: tuple[str, ...], table: Table) -> KeyProblem:
    noun = "rule" if key[0] == "rules" else "setting"
    close = most_similar(key[-1], table)
    known = ", ".join(f"`{name}`" for name in table)
    return KeyProblem(
        key,
        f"there is no {noun} `{'.'.join(key) if noun == 'setting' else key[-1]}`",
        f"did you mean `{close}`?" if close is not None else f"known here: {known}",
    )


def _paths(
    patterns: list[str] | None, base: Path, root: Path | None, others: tuple[PathPattern, ...]
) -> tuple[PathPattern, ...]:
    """Return the `patterns` of a source, else `others`.

    A pattern that leads out of `root` was allowed to; links in the paths of all other patterns may not leave `root`.
    """
    if patterns is None:
        return others
    leaving = {pattern for pattern in patterns if root is None or leads_out(base, pattern, root)}
    return tuple(PathPattern(base, pattern, None if pattern in leaving else root) for pattern in patterns)


def _exclusion(patterns: list[str] | None, base: Path, other: Exclusion | None) -> Exclusion | None:
    return Exclusion(base, tuple(patterns)) if patterns is not None else other


def _project(settings: ProjectSettings, table: Mapping[str, Any], base: Path, root: Path | None) -> ProjectSettings:
    return ProjectSettings(
        enabled=table.get("enabled", settings.enabled),
        definitions=_paths(table.get("definitions"), base, root, settings.definitions),
        include=_paths(table.get("include"), base, root, settings.include),
        exclude=_exclusion(table.get("exclude"), base, settings.exclude),
        bindings=table.get("bindings", settings.bindings),
    )


def _run(settings: RunSettings, table: Mapping[str, Any], base: Path) -> RunSettings:
    """An empty program counts as none, since editors send "" for settings that are not set."""
    rest = _arguments(table)
    programs = {name: rest.pop(name).strip() for name in _PROGRAMS if name in rest}
    choice: dict[str, Any] = {name: _PROGRAMS[name](text, base) if text else None for name, text in programs.items()}
    if "setup" in rest:
        choice["setup"] = tuple(SetupStep(base, name) for name in rest.pop("setup"))
    return replace(settings, backend_choice=replace(settings.backend_choice, **choice), **rest)


def _python(settings: PythonSettings, table: Mapping[str, Any], base: Path) -> PythonSettings:
    rest = _arguments(table)
    if "schedules" in rest:
        rest["schedules"] = tuple(_schedule(written, base) for written in rest["schedules"])
    if "payload" in rest:
        rest["payload"] = _schedule(rest["payload"], base) if rest["payload"] else None
    return replace(settings, **rest)


def _schedule(written: str | Mapping[str, Any], base: Path) -> Schedule:
    if isinstance(written, str):
        return Schedule(base, written)
    return Schedule(base, written["entry"], tuple(written.get("args", ())))


def _arguments(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("-", "_"): value for name, value in table.items()}
