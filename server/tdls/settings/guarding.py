"""Settings of a project's files that somebody has to allow before they count, or that only the user may say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tdls.settings.consent import Consent, ConsentRequest, command_to_allow
from tdls.settings.keys import EXTEND, flat, keys
from tdls.settings.model import SettingsProblem
from tdls.settings.paths import boundary_of, leads_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tdls.settings.consent import Trust
    from tdls.settings.layer import Layer
    from tdls.settings.model import Settings

_KEYS = {".".join(path): (path, key) for path, key in flat(keys(()))}
_PROGRAMS = frozenset({"python.schedules", "python.payload"})
_LEADS_OUT = "leads out of the repository"
_FOUND_ANYWAY = frozenset({"bindings", "bindings:mlir", "bindings:torch_mlir", "bindings:iree.compiler"})
"""Values of `run.backend` for bindings that tdls looks for itself, in its own Python."""


def asked(layers: Sequence[Layer], root: Path) -> list[ConsentRequest]:
    """Return what somebody has to allow of what `layers` say; of a key, what the last one says that has it.

    `root` is the folder of the settings, see `ConsentRequest`. What editors and command lines say needs nobody's leave.
    """
    found = (
        _request(name, layers, root)
        for name, (_, key) in _KEYS.items()
        if key.reach or (key.is_path and name != EXTEND)
    )
    return [request for request in found if request is not None]


def without(layers: Sequence[Layer], refused: Iterable[ConsentRequest]) -> Sequence[Layer]:
    """Return `layers` without the settings that are refused: what stands below does not come in their place."""
    for path in (_KEYS[request.consent.key][0] for request in refused):
        layers = [layer._replace(keys=_without(layer.keys, path)) for layer in layers]
    return layers


def with_refusals(settings: Settings, refused: Iterable[ConsentRequest]) -> Settings:
    """Return `settings`, of which those that start something know what was refused of them."""
    refused = tuple(refused)
    of_backends = tuple(request for request in refused if request.consent.key.startswith("run."))
    of_programs = tuple(request for request in refused if request.consent.key in _PROGRAMS)
    if of_backends:
        choice = replace(settings.run.backend_choice, refused=of_backends)
        settings = replace(settings, run=replace(settings.run, backend_choice=choice))
    return replace(settings, python=replace(settings.python, refused=of_programs)) if of_programs else settings


def without_settings_of_users(layer: Layer, problems: list[SettingsProblem]) -> Layer:
    """Return the layer of a file without what only users may say; that it does not count is added to `problems`."""
    for name, (path, key) in _KEYS.items():
        if key.is_of_user and _value(layer.keys, path) is not None:
            message, advice = f"`{name}` does not count here", "it is for each user to say: set it in your editor"
            problems.append(SettingsProblem(message, advice, layer.file, layer.line(path)))
            layer = layer._replace(keys=_without(layer.keys, path))
    return layer


def _request(name: str, layers: Sequence[Layer], root: Path) -> ConsentRequest | None:
    path, key = _KEYS[name]
    layer = next(
        (candidate for candidate in reversed(layers) if _value(candidate.keys, path) is not None),
        None,
    )
    if layer is None or layer.file is None:
        return None
    value = _value(layer.keys, path)
    if not value or (name == "run.backend" and value in _FOUND_ANYWAY):
        return None
    if key.is_path and not _leads_out(value, layer.base, root):
        return None
    reach = key.reach or _LEADS_OUT
    return ConsentRequest(Consent.of(layer.base, name, value), layer.file, layer.line(path), root, reach)


def _leads_out(value: str | list[str], base: Path, root: Path) -> bool:
    boundary = boundary_of(root)
    return any(leads_out(base, pattern, boundary) for pattern in ([value] if isinstance(value, str) else value))


def problem_of(request: ConsentRequest) -> SettingsProblem:
    """Return that a setting with a path does not count since nobody has allowed that it leads out of the repository."""
    boundary = boundary_of(request.root)
    message = f"`{request.consent.key}` leads out of {boundary}, which nobody has allowed; it does not count"
    advice = f"look at it, then: {command_to_allow([request])}"
    return SettingsProblem(message, advice, request.file, request.line)


def is_about_paths(request: ConsentRequest) -> bool:
    """Tell whether the setting has paths."""
    known = _KEYS.get(request.consent.key)
    return known is not None and known[1].is_path


class ExtensionGuard:
    """Decides which files with settings may be read since others extend them."""

    def __init__(self, root: Path | None, trust: Trust) -> None:
        """`root` is the folder of the settings; without one all that is extended is read."""
        self.root = root
        self.asked: list[ConsentRequest] = []
        self._trust = trust

    def may_extend(self, layer: Layer) -> bool:
        """Tell whether what the file of `layer` extends may be read; what has to be allowed for that is in `asked`."""
        request = _request(EXTEND, [layer], self.root) if self.root is not None else None
        if request is None:
            return True
        self.asked.append(request)
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
