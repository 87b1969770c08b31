"""``--watch``: checks again whenever a file changes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tdls.cli.console import console
from tdls.files.boundary import real_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tdls.settings.sources import Overrides

_SUFFIXES = frozenset({".mlir", ".toml", ".json", ".td", ".cpp", ".h", ".py"})
"""Suffixes of scripts, libraries, settings, and files that define operations."""
_PAUSE = 200
"""Milliseconds after which the watcher reports that nothing has changed; its first report means that it has begun."""


def run_and_watch(run: Callable[[], int], names: Iterable[str], overrides: Overrides, written: Iterable[Path]) -> int:
    """Call `run` once changes are being watched, and after each change of a file that it may read.

    `names` are the files and folders of the command line, `written` the files that `run` writes itself. Ends with a
    KeyboardInterrupt. Raises InputError if the package that watches files is not installed, or a file does not exist.
    """
    watch = _watcher()
    paths = [Path(name) for name in names]
    if not all(os.path.exists(path) for path in paths):
        raise console.InputError("--watch looks at files and folders; one of those that are named does not exist")
    named = {real_path(path) for path in paths}
    own = {real_path(path) for path in written}
    folders = set(_folders(paths, overrides))
    is_deep = any(os.path.isdir(path) for path in paths)
    is_first = True
    for changes in watch(*folders, watch_filter=None, recursive=is_deep, rust_timeout=_PAUSE, yield_on_timeout=True):
        changed = {real_path(name) for _, name in changes} - own
        if is_first or any(
            path in named or (path.suffix in _SUFFIXES and not path.name.startswith(".")) for path in changed
        ):
            _again(run)
        is_first = False
    raise KeyboardInterrupt


def _watcher() -> Any:
    try:
        from watchfiles import watch
    except ImportError as error:
        message = "--watch needs the package watchfiles, which is not installed: pip install watchfiles"
        raise console.InputError(message) from error
    return watch


def _folders(paths: Iterable[Path], overrides: Overrides) -> Iterator[Path]:
    """Yield the folders of scripts, and of the settings, libraries and catalogues that apply to them."""
    from tdls.cli.checking.configurations import Configurations
    from tdls.settings.paths import named_files, named_libraries

    configurations = Configurations((), overrides)
    for path in paths:
        yield path if os.path.isdir(path) else path.parent
        configured = configurations.of(path / "any.mlir" if os.path.isdir(path) else path)
        yield from (layer.file.parent for layer in configured.loaded.layers if layer.file is not None)
        libraries, _ = named_libraries(configured.settings.libraries)
        catalogues, _ = named_files(configured.settings.catalogues)
        yield from (file.parent for file in (*libraries, *catalogues))


def _again(run: Callable[[], int]) -> None:
    """Call `run` on an empty screen; errors in the input are shown, since the next change may correct them."""
    if sys.stdout.isatty():
        click.clear()
    try:
        run()
    except console.InputError as error:
        console.complain(error.message)
    console.write(())
    console.complain("waiting for changes; an interrupt (ctrl-c) ends this", level="note")
