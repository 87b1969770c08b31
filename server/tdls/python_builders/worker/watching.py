"""Observes the operations that a program makes with MLIR's bindings, in any package, from their import on."""

from __future__ import annotations

import contextlib
import importlib.abc
import inspect
import os
import sys
from functools import wraps
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdls.interpreter.mlir.worker.packages import installed_bindings
from tdls.python_builders.worker.collected import own_location, root_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from types import ModuleType

    from tdls.python_builders.worker.collected import Collected

_MOST_FRAMES = 100
"""Maximum number of calls in the location of an operation."""
_LIBRARIES = "_mlir_libs"
"""The folder that every package with the bindings has next to its module ``ir``."""
_MODULE = "builtin.module"
_SCRIPT_DIALECT = "transform."
_TRACING = "loc_tracebacks"
_EXT = ".dialects.ext"
_UPSTREAM = "mlir"
"""The package with the bindings in LLVM's own build."""


class Watching(importlib.abc.MetaPathFinder):
    """Finds modules by the other finders, and changes those of the bindings after their import."""

    def __init__(self, collected: Collected, *, renames: bool = False) -> None:
        """`renames`: where there is no package `mlir`, it means another package with the bindings."""
        self.ir: Any = None
        """The module ``ir`` of the bindings that were imported first."""
        self.traces = True
        """False once bindings were imported that do not record the calls that make an operation."""
        self.stand_in = ""
        """The package that `mlir` means where none of that name is installed, "" before `mlir` is imported."""
        self._renames = renames
        self._collected = collected
        self._tracing = contextlib.ExitStack()
        """Ends with this process."""
        self._changes: dict[str, Callable[[ModuleType], None]] = {
            "ir": self._watch_operations,
            "passmanager": lambda module: self._announce_calls(module.PassManager, "run"),
            "dialects.transform": self._collected.registered.watch_transform,
            "dialects.transform.interpreter": lambda module: self._announce_calls(module, "apply_named_sequence"),
        }

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of other finders for a module of the bindings, or None for all other modules."""
        if self._renames and fullname.partition(".")[0] == _UPSTREAM and self._is_renamed(fullname, path):
            return ModuleSpec(fullname, _RenamedLoader(self.stand_in))
        name = next((name for name in self._changes if fullname.endswith(f".{name}")), None)
        if name is None:
            return None
        spec = _found(self, fullname, path, target)
        if spec is not None and spec.loader is not None and _has_bindings(fullname.removesuffix(f".{name}")):
            spec.loader = _ChangingLoader(spec.loader, self._changes[name])
        return spec

    def _is_renamed(self, fullname: str, path: Sequence[str] | None) -> bool:
        """Whether a module of `mlir` is one of `stand_in`, which is chosen when `mlir` itself is imported."""
        if fullname != _UPSTREAM:
            return bool(self.stand_in) and find_spec(fullname.replace(_UPSTREAM, self.stand_in, 1)) is not None
        spec = _found(self, fullname, path, None)
        folders = (spec.submodule_search_locations or ()) if spec is not None and spec.origin is None else ()
        if spec is None or (folders and not any(os.path.isfile(Path(folder) / "ir.py") for folder in folders)):
            self.stand_in = next(iter(installed_bindings()), "")
        return bool(self.stand_in)

    def places_of_dialects(self, names: Collection[str]) -> dict[str, str]:
        """Return the module and name of the class of each dialect; "" for one that is not defined in Python."""
        classes = dialects_in_python()
        places = {each.DIALECT_NAMESPACE: f"{each.__module__}.{each.__qualname__}" for each in classes}
        return {name: places.get(name, "") for name in sorted(names)}

    def _watch_operations(self, ir: Any) -> None:
        self.ir = self.ir or ir
        self.traces = _trace(ir, self._tracing) and self.traces
        self._collected.registered.watch_operations(ir)
        self._collected.passes.watch_operations(ir)
        _follow(ir.Module, "create", lambda module, _: self._collected.hold(module.operation))
        _follow(ir.Module, "parse", lambda module, _: self._parsed(ir, module.operation))
        _follow(ir.Module, "parseFile", lambda module, _: self._collected.hold(module.operation))
        _follow(ir.Operation, "create", lambda operation, named: self._made(operation.operation, named))
        _follow(ir.Operation, "parse", lambda operation, _: self._parsed(ir, operation.operation))
        initialize = ir.OpView.__init__

        @wraps(initialize)
        def initialized(view: Any, *arguments: Any, **others: Any) -> None:
            initialize(view, *arguments, **others)
            self._made(view.operation, others)

        ir.OpView.__init__ = initialized

    def _announce_calls(self, owner: Any, name: str) -> None:
        """Print the modules around operations that are arguments of a function, before it changes them."""
        called = getattr(owner, name)

        @wraps(called)
        def announced(*arguments: Any, **named: Any) -> Any:
            for argument in (*arguments, *named.values()):
                operation = getattr(argument, "operation", None)
                if operation is not None:
                    self._collected.about_to_change(operation)
            return called(*arguments, **named)

        setattr(owner, name, announced)

    def _made(self, operation: Any, named: Mapping[str, Any]) -> None:
        """Keep a module, and a script that is not in one, and note which of the attributes in `named` it lacks.

        Views are also made of existing operations, when a program walks through them.
        """
        given = named.get("attributes") or ()
        self._collected.lose(operation, [name for name in given if name not in operation.attributes])
        name = operation.name
        if (name == _MODULE or name.startswith(_SCRIPT_DIALECT)) and root_of(operation) == operation:
            self._collected.hold(operation)

    def _parsed(self, ir: Any, operation: Any) -> None:
        """Keep an operation parsed from a text, at the location of the call, as places in the text mean nothing."""
        with contextlib.suppress(AttributeError):  # older bindings cannot change locations
            _relocate(operation, own_location(ir, operation.context))
        self._made(operation, {})


def dialects_in_python() -> list[Any]:
    """Return the classes of dialects that are defined with `dialects.ext`, in any package with bindings."""
    waiting = [module.Dialect for name, module in list(sys.modules.items()) if name.endswith(_EXT)]
    classes: list[Any] = []
    while waiting:
        subclasses = waiting.pop().__subclasses__()
        waiting += subclasses
        classes += subclasses
    return classes


class _RenamedLoader(importlib.abc.Loader):
    """Loads modules of `mlir` as those of another package, under both names."""

    def __init__(self, package: str) -> None:
        self._package = package

    def exec_module(self, module: ModuleType) -> None:
        """Put the other package's module in the place of `module`."""
        name = module.__name__.replace(_UPSTREAM, self._package, 1)
        sys.modules[module.__name__] = importlib.import_module(name)


class _ChangingLoader(importlib.abc.Loader):
    """Loads a module as `loader` does, and calls `change` with it."""

    def __init__(self, loader: Any, change: Callable[[ModuleType], None]) -> None:
        self._loader = loader
        self._change = change

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Execute `module`, and then change it."""
        self._loader.exec_module(module)
        self._change(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


def _found(own: object, fullname: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
    """Return the spec that the finders other than `own` find."""
    others = (finder for finder in sys.meta_path if finder is not own)
    return next((spec for finder in others if (spec := finder.find_spec(fullname, path, target)) is not None), None)


def _has_bindings(package: str) -> bool:
    """Return whether an imported package contains the bindings."""
    folders = getattr(sys.modules.get(package), "__path__", ())
    return any(os.path.isdir(Path(folder) / _LIBRARIES) for folder in folders)


def _trace(ir: Any, whole: contextlib.ExitStack) -> bool:
    """Make the calls that make an operation its location; return whether the bindings support that.

    Tracing lasts as long as `whole`. It replaces explicit locations where the bindings have that option, and makes the
    program's own use of ``loc_tracebacks`` a no-op.
    """
    tracing = getattr(ir, _TRACING, None)
    if tracing is None:
        return False
    known = inspect.signature(tracing).parameters
    options: dict[str, Any] = {"max_depth": _MOST_FRAMES} if "max_depth" in known else {}
    if "on_explicit_actn" in known:
        options["on_explicit_actn"] = ir.OnExplicitAction.USE_TRACEBACK
    whole.enter_context(tracing(**options))

    @contextlib.contextmanager
    def traced_anyway(*_arguments: Any, **_options: Any) -> Iterator[None]:
        yield

    setattr(ir, _TRACING, traced_anyway)
    return True


def _follow(owner: Any, name: str, then: Callable[[Any, Mapping[str, Any]], None]) -> None:
    """Call `then` with each value that the static method `name` of a class returns, and its named arguments."""
    made = getattr(owner, name, None)
    if made is None:
        return

    @wraps(made)
    def followed(*arguments: Any, **others: Any) -> Any:
        result = made(*arguments, **others)
        then(result, others)
        return result

    setattr(owner, name, staticmethod(followed))


def _relocate(operation: Any, location: Any) -> None:
    operation.location = location
    for region in operation.regions:
        for block in region:
            for inner in block.operations:
                _relocate(inner.operation, location)
