"""``tdls allow``: shows and records the user's consent to settings of a folder that need it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tdls.cli.console import console
from tdls.cli.console.options import JSON, format_option
from tdls.cli.rendering.json_text import json_text
from tdls.files.boundary import real_path
from tdls.files.writing import NotWrittenError
from tdls.settings.consent import NO_FOLDER, ConsentStore, allow
from tdls.settings.rule_codes import RULE_CODES
from tdls.settings.sources import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command("allow")
@click.argument("folder", required=False, type=click.Path(exists=True, path_type=Path), metavar="[FOLDER]", default=".")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@click.option("--list", "lists", is_flag=True, help="Show all that is allowed anywhere, and allow nothing.")
@format_option
def command(folder: Path, yes: bool, lists: bool, format_: str) -> int:
    """Show which settings for FOLDER need consent, by default the current folder, and ask for it.

    Consent is kept by folder, key and value: another value needs another consent. 'tdls deny' takes it back.

    Exit status: 0 all is allowed, 1 the answer was no, 2 there is no terminal to ask at.
    """
    if format_ == JSON and not lists:
        raise click.UsageError("--format json is for --list")
    if lists:
        allowed = [consent._asdict() for consent in sorted(the_store().allowed())] if format_ == JSON else []
        console.write([json_text({"allowed": allowed}, indent=2), "\n"] if format_ == JSON else [])
        console.write_lines(_all_allowed(the_store()) if format_ != JSON else [])
        return console.EXIT_CLEAN
    loaded = load_settings(real_path(folder), RULE_CODES)
    for request in loaded.consent_requests:
        known = "not allowed yet" if request in loaded.refused else "allowed"
        console.write_lines([f"{request}  ({request.reach}; {known})"])
    if not loaded.consent_requests:
        console.write_lines([f"{real_path(folder)}: no settings that take consent"])
    if not loaded.refused:
        return console.EXIT_CLEAN
    if not yes and not sys.stdin.isatty():
        raise console.InputError(
            "nothing was allowed, without a terminal to ask at; look at it, then: tdls allow --yes"
        )
    if not yes and not click.confirm("Allow this?"):
        console.write(["nothing was allowed\n"])
        return console.EXIT_FINDINGS
    try:
        allow(loaded.refused)
    except NotWrittenError as error:
        raise console.InputError(f"{the_store().file}: {error}") from error
    console.write_lines([f"allowed, and kept in {the_store().file}"])
    return console.EXIT_CLEAN


def the_store() -> ConsentStore:
    """Return the store of the user's consents. Raises InputError if there is no folder for it."""
    store = ConsentStore.of_user()
    if store is None:
        raise console.InputError(NO_FOLDER)
    return store


def _all_allowed(store: ConsentStore) -> Iterator[str]:
    folder = ""
    for consent in sorted(store.allowed()):
        if consent.folder != folder:
            folder = consent.folder
            yield folder
        yield f"  {consent.key} = {consent.value}"
    if not folder:
        yield "nothing is allowed"
