"""Lets a project register its dialects, extensions and passes with the bindings, in the worker process."""

from __future__ import annotations

import importlib
import inspect
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_REGISTRY = "registry"


class SetupError(Exception):
    """A step of the setup failed; the message is one line for people."""


def run_setup(ir: Any, context: Any, steps: Iterable[Sequence[str]]) -> None:
    """Carry out `steps`, pairs of a folder where modules are looked for, too, and ``module`` or ``module:function``.

    `ir` is the module of the bindings. A function is called with `context`; with an empty ``DialectRegistry`` if that
    is what its first parameter is called; without arguments if it has no parameters. A registry that it fills or
    returns is appended to the context, which is the current one meanwhile. Raises SetupError.
    """
    for folder, name in steps:
        _carry_out(ir, context, folder, name)


def _carry_out(ir: Any, context: Any, folder: str, name: str) -> None:
    try:
        _import_and_call(ir, context, folder, name)
    except Exception as error:
        raise SetupError(f"{name}: {type(error).__name__}: {error}") from error


def _import_and_call(ir: Any, context: Any, folder: str, name: str) -> None:
    module_name, _, function_name = name.partition(":")
    if folder not in sys.path:
        sys.path.append(folder)
    module = importlib.import_module(module_name.strip())
    if function_name:
        _call(ir, context, getattr(module, function_name.strip()))


def _call(ir: Any, context: Any, function: Any) -> None:
    arguments = [context]
    registries: list[Any] = []
    parameters = _parameters(function)
    if parameters is not None and not parameters:
        arguments = []
    elif parameters is not None and parameters[0] == _REGISTRY:
        registries = arguments = [ir.DialectRegistry()]
    with context:
        returned = function(*arguments)
    if isinstance(returned, ir.DialectRegistry):
        registries = [*registries, returned]
    for registry in registries:
        context.append_dialect_registry(registry)


def _parameters(function: Any) -> list[str] | None:
    """Return the names of the parameters that have to be given, None if Python does not know them."""
    try:
        known = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [
        parameter.name
        for parameter in known
        if parameter.kind in positional or parameter.kind is inspect.Parameter.VAR_POSITIONAL
    ]
