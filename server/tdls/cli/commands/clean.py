"""``tdls clean``: removes the user's caches."""

from __future__ import annotations

import click

from tdls.caching.user_cache import Cache, cache_place
from tdls.cli.console import console
from tdls.text.wording import counted


@click.command("clean")
def command() -> int:
    """Remove the caches: results of checks, grammars, and definitions of projects.

    Nothing is lost but time, and only files that tdls made are removed. They are in the folder tdls-cache, in the
    user's folder for caches or in the one that TDLS_CACHE_DIR names.
    """
    place = cache_place()
    if place.folder is None:
        raise console.InputError(f"there is no cache: {place.problem}")
    count, size = Cache(place).clear()
    console.write_lines([f"{place.folder}: removed {counted(count, 'file')}, {size / 1e6:.1f} MB"])
    return console.EXIT_CLEAN
