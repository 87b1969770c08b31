"""Loads settings from ``tdls.toml``, ``[tool.tdls]`` of ``pyproject.toml``, the editor, and the command line."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tdls.files.boundary import boundary_of, real_path
from tdls.limits import EXTENDED_FILES
from tdls.settings.consent import NOTHING_TRUSTED, Consent, ConsentRequest, Trust, command_to_allow
from tdls.settings.keys import EXTEND, flat, keys
from tdls.settings.model import Settings, SettingsProblem
from tdls.settings.paths import (
    find_configuration,
    home_expanded,
    leads_out,
    named_files,
    named_libraries,
    table_of,
    text_or_problem,
)
from tdls.structs import Struct, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tdls.settings.consent import Trust
    from tdls.settings.layer import Layer

_KEYS = {".".join(path): (path, key) for path, key in flat(keys(()))}
_PROGRAMS = frozenset({"python.schedules", "python.payload"})
_LEADS_OUT = "leads out of the repository"
_FOUND_ANYWAY = frozenset({"bindings", "bindings:mlir", "bindings:torch_mlir", "bindings:iree.compiler"})
"""Values of `run.backend` for bindings that tdls searches for by itself, in its own Python."""


def consent_requests(layers: Sequence[Layer], root: Path) -> list[ConsentRequest]:
    """Return requests for the values in `layers` that the user has to allow; of a key, the last layer with it counts.

    `root` is the folder of the settings, see `ConsentRequest`. Values from editors and command lines need no consent.
    """
    requests = (
        _request(name, layers, root)
        for name, (_, key) in _KEYS.items()
        if key.reach or (key.is_path and name != EXTEND)
    )
    return [request for request in requests if request is not None]


def without(layers: Sequence[Layer], refused: Iterable[ConsentRequest]) -> Sequence[Layer]:
    """Return `layers` without the refused settings; values of lower layers do not take their place."""
    for path in (_KEYS[request.consent.key][0] for request in refused):
        layers = [layer._replace(keys=_without(layer.keys, path)) for layer in layers]
    return layers


def with_refusals(settings: Settings, refused: Iterable[ConsentRequest]) -> Settings:
    """Return `settings`, with the requests refused for backends and for Python programs in their `refused`."""
    refused = tuple(refused)
    of_backends = tuple(request for request in refused if request.consent.key.startswith("run."))
    of_programs = tuple(request for request in refused if request.consent.key in _PROGRAMS)
    if of_backends:
        choice = replace(settings.run.backend_choice, refused=of_backends)
        settings = replace(settings, run=replace(settings.run, backend_choice=choice))
    return replace(settings, python=replace(settings.python, refused=of_programs)) if of_programs else settings


def without_settings_of_users(layer: Layer, problems: list[SettingsProblem]) -> Layer:
    """Return the layer of a file without settings that are for users only; each such one is added to `problems`."""
    for name, (path, key) in _KEYS.items():
        if key.is_of_user and _value(layer.keys, path) is not None:
            message, advice = f"`{name}` does not count here", "it is for each user to say: set it in your editor"
            problems.append(SettingsProblem(message, advice, layer.file, layer.line(path)))
            layer = layer._replace(keys=_without(layer.keys, path))
    return layer


def _request(name: str, layers: Sequence[Layer], root: Path) -> ConsentRequest | None:
    path, key = _KEYS[name]
    layer = next((candidate for candidate in reversed(layers) if _value(candidate.keys, path) is not None), None)
    if layer is None or layer.file is None:
        return None
    value = _value(layer.keys, path)
    if not value or (name == "run.backend" and value in _FOUND_ANYWAY):
        return None
    boundary, patterns = boundary_of(root), [value] if isinstance(value, str) else value
    if key.is_path and not any(leads_out(layer.base, pattern, boundary) for pattern in patterns):
        return None
    reach = key.reach or _LEADS_OUT
    return ConsentRequest(Consent.of(layer.base, name, value), layer.file, layer.line(path), root, reach)


def problem_of(request: ConsentRequest) -> SettingsProblem:
    """Return the problem of a setting that is ignored since its path leads out of the repository without consent."""
    boundary = boundary_of(request.root)
    message = f"`{request.consent.key}` leads out of {boundary}, which is not allowed; it does not count"
    advice = f"look at it, then: {command_to_allow([request])}"
    return SettingsProblem(message, advice, request.file, request.line)


def is_about_paths(request: ConsentRequest) -> bool:
    """Whether the values of the setting are paths."""
    known = _KEYS.get(request.consent.key)
    return known is not None and known[1].is_path


class ExtensionGuard:
    """Decides whether a file with settings may read the file that it extends."""

    def __init__(self, root: Path | None, trust: Trust) -> None:
        """`root` is the folder of the settings; if it is None, all extended files are read."""
        self.root = root
        self.requests: list[ConsentRequest] = []
        self._trust = trust

    def may_extend(self, layer: Layer) -> bool:
        """Whether the file that `layer` extends may be read; the request for consent is added to `requests`."""
        request = _request(EXTEND, [layer], self.root) if self.root is not None else None
        if request is None:
            return True
        self.requests.append(request)
        return not self._trust.refused([request])


def _value(table: Mapping[str, Any], path: Iterable[str]) -> Any:
    value: Any = table
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _without(table: Mapping[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """Return a copy of `table` without the key at `path`."""
    name, *rest = path
    if not rest:
        return {other: value for other, value in table.items() if other != name}
    inner = table.get(name)
    return {**table, name: _without(inner, tuple(rest))} if isinstance(inner, dict) else dict(table)


SUFFIX = ".toml"
"""Suffix of files with settings; extended files may have any name."""
_NAMESPACE = "tdls"
_OF_THE_CLIENT = frozenset({"server", "trace", "trust-workspace"})
"""Keys of the editor's settings that are for the editor and the language server, not for files."""
_ERROR_LINE = re.compile(r"\(at line (\d+)")


class Overrides(Struct, frozen=True):
    """The settings of a command line."""

    file: Path | None = None
    """The file that is used for all scripts, in place of those that are found above them."""
    isolated: bool = False
    """Whether all files with settings are ignored."""
    inline: tuple[str, ...] = ()
    """Texts of TOML, each with one key or several; they override all other sources."""
    trust: Trust = NOTHING_TRUSTED
    """The consent that is given for this process."""

    def with_target(self, version: str) -> Overrides:
        """Return these overrides, with `version` of LLVM as the target of scripts."""
        return replace(self, inline=(*self.inline, f"target-llvm = {json.dumps(version)}"))


_NO_OVERRIDES: Final = Overrides()


class LoadedSettings(Struct, frozen=True):
    """`file` is the configuration file that was used, or None; `layers` are in ascending precedence."""

    settings: Settings
    file: Path | None = None
    problems: tuple[SettingsProblem, ...] = ()
    layers: tuple[Layer, ...] = ()
    consent_requests: tuple[ConsentRequest, ...] = ()
    """Requests for the values in the layers that the user has to allow."""
    refused: tuple[ConsentRequest, ...] = ()
    """Those of the requests that the user has not allowed; their settings are ignored."""


def load_settings(
    start: Path | None,
    rules: Mapping[str, str],
    *,
    client: object = None,
    client_base: Path | None = None,
    overrides: Overrides = _NO_OVERRIDES,
) -> LoadedSettings:
    """Return the settings for `start`, a file or folder: defaults, its configuration file, the editor's, `overrides`.

    `rules` are the codes of all rules, by name. `client` is the editor's object ``{"tdls": {...}}``, whose paths are
    relative to `client_base`. Never raises: invalid settings are left out and reported in `problems`.
    """
    problems: list[SettingsProblem] = []
    file = overrides.file
    if file is None and start is not None and not overrides.isolated:
        file = find_configuration(start)
    guard = ExtensionGuard(file.parent if file is not None and overrides.file is None else None, overrides.trust)
    layers = _file_layers(file, rules, problems, guard) if file is not None else []
    if overrides.file is None:
        layers = [without_settings_of_users(layer, problems) for layer in layers]
    if client is not None:
        base = client_base or (file.parent if file is not None else Path.cwd())
        layers += _client_layers(client, base, rules, problems)
    for text in overrides.inline:
        layers += _inline_layers(text, rules, problems)
    requests = guard.requests + (consent_requests(layers, guard.root) if guard.root is not None else [])
    refused = overrides.trust.refused(requests)
    problems += map(problem_of, filter(is_about_paths, refused))
    settings = Settings()
    boundary = boundary_of(guard.root) if guard.root is not None else None
    if layers:
        from tdls.settings.layer import put_on_top
    for layer in without(layers, refused):
        root = boundary if layer.file is not None else None
        settings = put_on_top(settings, layer.keys, layer.base, root)
    settings = with_refusals(settings, refused)
    return LoadedSettings(settings, file, tuple(problems), tuple(layers), tuple(requests), tuple(refused))


def missing_files(loaded: LoadedSettings) -> Iterator[SettingsProblem]:
    """Yield a problem, with its place, for each path in settings that names no file."""
    settings = loaded.settings
    for name, find, patterns in (
        ("catalogues", named_files, settings.catalogues),
        ("libraries", named_libraries, settings.libraries),
        ("payload", named_files, settings.payload),
    ):
        layer = next((layer for layer in reversed(loaded.layers) if name in layer.keys), None)
        for pattern in patterns:
            line = _line_of_value(layer, name, pattern.pattern) if layer is not None else None
            for problem in find([pattern])[1]:
                yield problem._replace(file=layer.file if layer is not None else None, line=line)


def _line_of_value(layer: Layer, name: str, value: str) -> int | None:
    """Return the 0-based line with a value of the list `name`, else that of its key, None where that is not known."""
    begin = layer.line((name,))
    if begin is None:
        return None
    lines = enumerate(layer.text.splitlines())
    return next((number for number, line in lines if number >= begin and value in line), begin)


def inline_problems(text: str, rules: Mapping[str, str]) -> list[SettingsProblem]:
    """Return the problems of a text of TOML on the command line."""
    problems: list[SettingsProblem] = []
    _inline_layers(text, rules, problems)
    return problems


def _file_layers(
    file: Path, rules: Mapping[str, str], problems: list[SettingsProblem], guard: ExtensionGuard
) -> list[Layer]:
    """Return the layers of the files that `file` extends, one after the other, then its own."""
    layers: list[Layer] = []
    extended: Path | None = file
    while extended is not None:
        layer = _file_layer(extended, rules, problems, leads_anywhere=guard.root is None or bool(layers))
        if layer is None:
            break
        layers.insert(0, layer)
        extended = _extended(layers, problems) if guard.may_extend(layer) else None
    return layers


def _file_layer(
    file: Path, rules: Mapping[str, str], problems: list[SettingsProblem], *, leads_anywhere: bool
) -> Layer | None:
    """Return the layer of one file, or None if it cannot be read; see `text_or_problem`."""
    from tdls.settings.layer import Layer, read_layer
    from tdls.settings.toml import parsed

    text, problem = text_or_problem(file, leads_anywhere=leads_anywhere)
    if text is None:
        problems += [problem] if problem is not None else []
        return None
    try:
        document: Any = parsed(text)
    except ValueError as error:
        problems.append(_syntax_problem(file, error))
        return None
    prefix = table_of(file)
    for name in prefix:
        document = document.get(name, {})
    keys, mistakes = read_layer(document, rules)
    layer = Layer(keys, file.parent, "file", file, text, prefix)
    problems += (SettingsProblem(message, advice, file, layer.line(key)) for key, message, advice in mistakes)
    return layer


def _extended(layers: Sequence[Layer], problems: list[SettingsProblem]) -> Path | None:
    """Return the file that the first of `layers` extends, if it can; the others are of the files that extend that."""
    layer = layers[0]
    written = layer.keys.get(EXTEND)
    if not written:
        return None
    other = Path(os.path.normpath(layer.base / home_expanded(written)))
    chain = [real_path(each.file) for each in reversed(layers) if each.file is not None]
    if real_path(other) in chain:
        path = " -> ".join(link.name for link in (*chain[chain.index(real_path(other)) :], other))
        message, advice = f"extends itself: {path}", "remove one `extend` of the circle"
    elif len(chain) >= EXTENDED_FILES.most:
        message = f"is the {len(chain)}th file that extends another one for these settings"
        advice = f"extend at most {EXTENDED_FILES.most} files in a row"
    elif not os.path.isfile(other):
        message, advice = f"extends `{written}`, which is not a file", f"check the path, which counts from {layer.base}"
    else:
        return other
    problems.append(SettingsProblem(message, advice, layer.file, layer.line((EXTEND,))))
    return None


def _syntax_problem(file: Path | None, error: Exception) -> SettingsProblem:
    place = _ERROR_LINE.search(str(error))
    message = str(error).partition(" (at ")[0] or type(error).__name__
    line = int(place[1]) - 1 if place else None
    return SettingsProblem(f"is not TOML: {message}", "correct it there or just before", file, line)


def _client_layers(
    client: object, base: Path, rules: Mapping[str, str], problems: list[SettingsProblem]
) -> list[Layer]:
    own = client.get(_NAMESPACE) if isinstance(client, dict) else client
    if own is None:
        return []
    from tdls.settings.layer import Layer, read_layer

    if isinstance(own, dict):
        own = {name: value for name, value in own.items() if name not in _OF_THE_CLIENT}
    keys, mistakes = read_layer(own, rules)
    problems += (SettingsProblem(message, advice) for _, message, advice in mistakes)
    return [Layer(keys, base, "editor")]


def _inline_layers(text: str, rules: Mapping[str, str], problems: list[SettingsProblem]) -> list[Layer]:
    from tdls.settings.layer import Layer, read_layer
    from tdls.settings.toml import parsed

    try:
        document = parsed(text)
    except ValueError as error:
        problem = _syntax_problem(None, error)
        problems.append(problem._replace(help="write it as `KEY = VALUE`, with texts in quotes", line=None))
        return []
    keys, mistakes = read_layer(document, rules)
    problems += (SettingsProblem(message, advice) for _, message, advice in mistakes)
    if EXTEND in keys:
        problems.append(SettingsProblem(f"`{EXTEND}` counts in files only", "name the file instead"))
    return [Layer(keys, Path.cwd(), "command line")]
