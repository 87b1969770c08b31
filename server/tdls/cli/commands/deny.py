"""``tdls deny``: revokes consent given with ``tdls allow``."""

from __future__ import annotations

from pathlib import Path

import click

from tdls.cli.commands.allow import the_store
from tdls.cli.console import console
from tdls.files.boundary import real_path
from tdls.files.writing import NotWrittenError
from tdls.settings.rule_codes import RULE_CODES
from tdls.settings.sources import load_settings


@click.command("deny")
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[FOLDER]", default=".")
@click.option("--all", "everything", is_flag=True, help="Take back what was allowed anywhere.")
def command(folder: Path, everything: bool) -> int:
    """Take back the consent to settings of FOLDER, by default the current folder, and to those they extend.

    The folder need not be there any more.
    """
    store = the_store()
    allowed = store.allowed()
    taken = set(allowed)
    if not everything:
        real = real_path(folder)
        requested = {request.consent for request in load_settings(real, RULE_CODES).consent_requests}
        taken = {consent for consent in allowed if consent in requested or consent.folder == str(real)}
    try:
        store.revoke(taken)
    except NotWrittenError as error:
        raise console.InputError(f"{store.file}: {error}") from error
    console.write_lines(
        f"no longer allowed in {consent.folder}: {consent.key} = {consent.value}" for consent in sorted(taken)
    )
    if not taken:
        console.write_lines(["nothing was allowed" if everything else f"{real_path(folder)}: nothing was allowed"])
    return console.EXIT_CLEAN
