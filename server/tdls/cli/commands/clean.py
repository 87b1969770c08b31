"""``tdls clean``: removes the user's caches."""

from __future__ import annotations

import click

from tdls.caching.store import Store
from tdls.caching.user_cache import cache_folder
from tdls.cli.console import console
from tdls.text.wording import counted


@click.command("clean", short_help="Remove what is kept to be faster the next time.")
def command() -> int:
    """Remove the caches: results of checks, grammars, and definitions of projects.

    Nothing is lost but time. The folder is that of the user for caches, or TDLS_CACHE_DIR.
    """
    folder, store = cache_folder(), Store.of_user()
    if folder is None or store is None:
        raise console.InputError("there is no folder for caches; TDLS_CACHE_DIR may name one, with its whole path")
    count, size = store.clear()
    for file in folder.iterdir():
        if file.is_file():
            count, size = count + 1, size + file.stat().st_size
            file.unlink(missing_ok=True)
    console.write_lines([f"{folder}: removed {counted(count, 'file')}, {size / 1e6:.1f} MB"])
    return console.EXIT_CLEAN
