"""``tdls server``."""

from __future__ import annotations

import logging
import os
import secrets
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn

import click

from tdls.cli.console import console
from tdls.cli.console.options import trust_option
from tdls.system.memory import imported_for_good
from tdls.text.numbers import integer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.lsp.server import TdlsServer
    from tdls.settings.consent import Trust

_TOKEN = "TDLS_SERVER_TOKEN"
_SHORTEST_TOKEN = 32


@click.command("server", short_help="Run the language server.")
@click.option(
    "--tcp",
    "address",
    metavar="HOST:PORT",
    help="Wait for one client on a TCP socket instead of speaking on standard input and output. "
    "HOST may be left out (':2087'); the loopback interface is used then. The client has to know the token "
    "that is printed on standard error, or what TDLS_SERVER_TOKEN says.",
)
@click.option(
    "--socket",
    "path",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Wait for one client on a Unix socket, in a folder that only you can enter.",
)
@click.option("--log-file", type=click.Path(dir_okay=False), help="Write a log to this file instead of standard error.")
@click.option(
    "--log-level", type=click.Choice(["error", "warning", "info", "debug"]), default="warning", show_default=True
)
@click.option("--stdio", is_flag=True, help="Speak on standard input and output; this is the default.")
@trust_option
def command(
    address: str | None, path: Path | None, log_file: str | None, log_level: str, stdio: bool, trust: Trust
) -> int:
    """Run the language server for an editor, on standard input and output.

    See docs/editors.md for how editors are set up to start it.

    Exit status: 0 after the editor ended it, 1 if the connection broke or was refused, 2 wrong usage, 130 or
    143 ended by a signal.
    """
    if [stdio, address is not None, path is not None].count(True) > 1:
        raise click.UsageError("--stdio, --tcp and --socket exclude each other")
    host, port = _parsed(address) if address is not None else ("", 0)
    token = _token() if address is not None else ""
    _log_to(log_file, log_level)
    output, greeting = None, None
    if address is None and path is None:
        from tdls.lsp.connection.greeting import greet

        output = reserved_output()
        greeting = greet(sys.stdin.fileno(), output)
    try:
        with imported_for_good():
            from tdls.lsp.connection.connection import serve_socket, serve_tcp
            from tdls.lsp.server import TdlsServer
    except ImportError as error:
        console.complain(f"the language server needs a package that is not installed ({error.name})")
        return console.EXIT_USAGE
    server = TdlsServer(trusts_workspace=trust.everything)
    if path is not None:
        return _to_the_end(server, str(path), lambda: serve_socket(server, path, _announce))
    if address is not None:
        tell = partial(_announce, token=token)
        return _to_the_end(server, address, lambda: serve_tcp(server, host, port, token, tell))
    return _to_the_end(server, "standard input", lambda: server.start_io(stdout=output, greeting=greeting))


def _to_the_end(server: TdlsServer, where: str, serve: Callable[[], None]) -> NoReturn:
    """Serve one client, and end this process with all that it started."""
    from tdls.system.ending import end_this_process, exit_on_signals

    exit_on_signals()
    status: int | None = None
    try:
        status = _status(where, serve)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else None
    finally:
        ended_well = console.EXIT_CLEAN if server.was_shut_down else console.EXIT_FINDINGS
        end_this_process(status if status is not None else ended_well, server.close)


def _status(where: str, serve: Callable[[], None]) -> int | None:
    """Serve, and return the exit status; None where it depends on how the editor went."""
    from tdls.lsp.connection.connection import NotServedError
    from tdls.lsp.connection.frames import BrokenFramingError

    try:
        serve()
    except BrokenFramingError as error:
        console.complain(f"the connection is given up: {error}")
        return console.EXIT_FINDINGS
    except NotServedError as error:
        console.complain(f"{where}: {error}")
        return console.EXIT_FINDINGS
    except OSError as error:
        console.complain(f"cannot listen on {where}: {error.strerror or error}")
        return console.EXIT_USAGE
    except Exception:
        import traceback

        console.report_internal_error("of the language server", traceback.format_exc())
        return console.EXIT_INTERNAL
    return None


def _announce(address: str, *, token: str = "") -> None:
    """Say on standard error where the server is; docs/language-server.md describes these lines."""
    sys.stderr.write(f"tdls server: listening on {address}\n")
    if token:
        sys.stderr.write(f"tdls server: token {token}\n")
    sys.stderr.flush()


def _token() -> str:
    """Return what the client has to know; whatever this process starts does not get to know it. Raises InputError."""
    given = os.environ.pop(_TOKEN, None)
    if given is not None and len(given) < _SHORTEST_TOKEN:
        raise console.InputError(f"{_TOKEN} has less than {_SHORTEST_TOKEN} characters")
    return given or secrets.token_urlsafe(_SHORTEST_TOKEN)


def reserved_output() -> BinaryIO:
    """Return standard output for the protocol alone: whatever else is printed goes to standard error."""
    reserved = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return reserved


def _parsed(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    number = integer(port)
    if number is None or not 0 <= number <= 65535:
        raise click.BadParameter(f"{address!r} is not HOST:PORT", param_hint="'--tcp'")
    return host.strip("[]") or "127.0.0.1", number


def _log_to(file: str | None, level: str) -> None:
    handler = logging.FileHandler(file, encoding="utf-8") if file is not None else logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    if level == "warning":
        logging.getLogger("pygls").setLevel(logging.ERROR)  # warns of every request that is cancelled too late
