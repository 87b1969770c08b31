"""``tdls server``."""

from __future__ import annotations

import logging
import os
import sys
from typing import BinaryIO

import click

from tdls.cli import console


@click.command("server", short_help="Run the language server.")
@click.option(
    "--tcp",
    "address",
    metavar="HOST:PORT",
    help="Wait for one client on a TCP socket instead of speaking on standard input and output. "
    "HOST may be left out (':2087'); the loopback interface is used then.",
)
@click.option("--log-file", type=click.Path(dir_okay=False), help="Write a log to this file instead of standard error.")
@click.option(
    "--log-level", type=click.Choice(["error", "warning", "info", "debug"]), default="warning", show_default=True
)
@click.option("--stdio", is_flag=True, help="Speak on standard input and output; this is the default.")
def command(address: str | None, log_file: str | None, log_level: str, stdio: bool) -> int:
    """Run the language server for an editor, on standard input and output.

    See docs/editors.md for how editors are set up to start it.

    Exit status: 0 after the editor ended it, 1 if the connection broke, 2 wrong usage.
    """
    if stdio and address is not None:
        raise click.UsageError("--stdio and --tcp exclude each other")
    _log_to(log_file, log_level)
    try:
        from tdls.lsp.server import TdlsServer
    except ImportError as error:
        console.complain(f"the language server needs a package that is not installed ({error.name})")
        return console.EXIT_USAGE
    server = TdlsServer()
    if address is None:
        server.start_io(stdout=_reserved_output())
        return console.EXIT_CLEAN if server.was_shut_down else console.EXIT_FINDINGS
    host, port = _parsed(address)
    try:
        server.start_tcp(host, port)
    except OSError as error:
        console.complain(f"cannot listen on {host}:{port}: {error.strerror or error}")
        return console.EXIT_USAGE
    return console.EXIT_CLEAN


def _reserved_output() -> BinaryIO:
    """Return standard output for the protocol alone: whatever else is printed goes to standard error."""
    reserved = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return reserved


def _parsed(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise click.BadParameter(f"{address!r} is not HOST:PORT", param_hint="'--tcp'")
    return host.strip("[]") or "127.0.0.1", int(port)


def _log_to(file: str | None, level: str) -> None:
    handler = logging.FileHandler(file, encoding="utf-8") if file is not None else logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    if level == "warning":
        logging.getLogger("pygls").setLevel(logging.ERROR)  # warns of every request that is cancelled too late
