"""``tdls server``: serves the Language Server Protocol, and ends the process with all that it started."""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from tdls.cli.console import console
from tdls.cli.console.options import trust_option
from tdls.system import imported_for_good
from tdls.text.printable import printable_output

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.pages.state_page import StatePage
    from tdls.settings.consent import Trust


@click.command("server")
@click.option("--log-file", type=click.Path(dir_okay=False), help="Write a log to this file instead of standard error.")
@click.option(
    "--log-level", type=click.Choice(["error", "warning", "info", "debug"]), default="warning", show_default=True
)
@click.option(
    "--stdio",
    is_flag=True,
    expose_value=False,
    help="Does nothing: the server always speaks on standard input and output.",
)
@trust_option
def command(log_file: str | None, log_level: str, trust: Trust) -> int:
    """Run the language server for an editor, on standard input and output.

    See docs/editors.md for how editors are set up to start it.

    Exit status: 0 after the editor ended it, 1 if the connection broke, 2 wrong usage, 130 or 143 ended by a signal.
    """
    handler = (
        logging.FileHandler(log_file, encoding="utf-8") if log_file is not None else logging.StreamHandler(sys.stderr)
    )
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=log_level.upper(), handlers=[handler])
    if log_level == "warning":
        logging.getLogger("pygls").setLevel(logging.ERROR)  # warns of every request that is cancelled too late
    output = reserved_output()
    try:
        with imported_for_good():
            from tdls.lsp.requests.run_command import SHOW_STATE
            from tdls.lsp.server import TdlsServer
    except ImportError as error:
        console.complain(f"the language server needs a package that is not installed ({error.name})")
        return console.EXIT_USAGE
    server = TdlsServer(trusts_workspace=trust.everything)
    page: StatePage | None = None

    @server.command(SHOW_STATE)
    async def show_state(argument: Any = None) -> dict[str, Any]:
        nonlocal page
        from tdls.pages.state_page import StatePage

        page = page or StatePage(server.state)
        return await page.show(argument)

    from tdls.processes import end_this_process, exit_on_signals

    exit_on_signals()
    status: int | None = None
    try:
        status = _status(lambda: server.start_io(stdout=output))
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else None
    finally:
        ended_well = console.EXIT_CLEAN if server.protocol.is_shut_down else console.EXIT_FINDINGS
        end_this_process(status if status is not None else ended_well, server.close)


class _Formatter(logging.Formatter):
    """Writes foreign text in messages without control characters."""

    def format(self, record: logging.LogRecord) -> str:
        return printable_output(super().format(record))


def _status(serve: Callable[[], None]) -> int | None:
    """Serve, and return the exit status, or None if it depends on whether the editor sent a shutdown request."""
    from tdls.text.jsonrpc import BrokenFramingError

    try:
        serve()
    except BrokenFramingError as error:
        console.complain(f"the connection is given up: {error}")
        return console.EXIT_FINDINGS
    except Exception:
        import traceback

        return console.report_internal_error("of the language server", traceback.format_exc())
    return None


def reserved_output() -> BinaryIO:
    """Return standard output for the protocol alone: everything else that is printed goes to standard error."""
    reserved = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return reserved
