"""The commands of ``tdls``, each imported when it is called, and what every way to fail has as its exit status."""

from __future__ import annotations

import _thread
import contextlib
import importlib
import signal
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, cast

import click

import tdls
from tdls.cli.console import console
from tdls.system import collect_garbage_rarely, imported_for_good

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_COMMANDS = {
    "check": "tdls.cli.commands.check",
    "check-python": "tdls.cli.commands.check_python",
    "versions": "tdls.cli.commands.versions",
    "run": "tdls.cli.commands.run",
    "trace": "tdls.cli.commands.trace",
    "dap": "tdls.cli.commands.dap",
    "parse": "tdls.cli.commands.parse",
    "catalogue": "tdls.cli.commands.catalogue",
    "explain": "tdls.cli.commands.explain",
    "config": "tdls.cli.commands.config",
    "allow": "tdls.cli.commands.allow",
    "deny": "tdls.cli.commands.deny",
    "clean": "tdls.cli.commands.clean",
    "doctor": "tdls.cli.commands.doctor",
    "server": "tdls.cli.commands.server",
    "completion": "tdls.cli.commands.completion",
}
_UNWINDING = 2.0
"""Seconds in which work is unwound."""
_OUT_OF_CALLBACK = 0.001
"""Seconds after which a signal is raised again that came in a callback."""
_HELP = """\
Checker, runner and language server for MLIR's Transform dialect.

\b
  tdls --check scripts/ tile.mlir     check directories and files
  tdls check-python plan.py           run a program and check the scripts that it builds
  tdls run tile.mlir                  what a script makes of its payload
  tdls trace tile.mlir                the same step by step: payload, handles, time
  tdls explain use-after-free         what a finding means and how to fix it
  tdls doctor                         what tdls found, and whether it can run scripts
  tdls server                         what editors start
"""


class _LazyGroup(click.Group):
    """Commands by name, each imported from the module of `_COMMANDS` that defines ``command``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _with_command(args))

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - signature of click
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        return _command(_COMMANDS[cmd_name])


def _command(module: str) -> click.Command:
    if module not in sys.modules:
        with imported_for_good():
            importlib.import_module(module)
    return cast("click.Command", sys.modules[module].command)


@click.command(
    cls=_LazyGroup, help=_HELP, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True
)
@click.option("--check", "check_", is_flag=True, help="Check PATH...; the same as the command 'check'.")
@click.version_option(tdls.__version__, prog_name="tdls", message="%(prog)s %(version)s")
def _group(check_: bool) -> None:
    del check_  # declared for the help only: `_with_command` turns it into the command


def run_command_line(arguments: list[str]) -> int:
    """Run a command line and return its exit status; streams are prepared.

    Raises OutputClosedError and OutputLostError, and whatever a mistake in tdls raises.
    """
    collect_garbage_rarely()
    with _unwound_by_signals():
        try:
            return _with_all_written(_run, arguments)
        except (KeyboardInterrupt, click.Abort):
            _end_children()
            return console.EXIT_INTERRUPTED
        except _TerminatedError as error:
            _end_children()
            return console.EXIT_OF_SIGNALS + error.signal


def _with_all_written(run: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Return what `run` returns or raises once all output is written; Python's own last attempt has no say."""
    try:
        return run(arguments)
    finally:
        console.write(())


def _run(arguments: list[str]) -> int:
    try:
        status = _group.main(arguments, prog_name="tdls", standalone_mode=False)
        return status if isinstance(status, int) else console.EXIT_CLEAN
    except click.ClickException as error:
        from tdls.text.printable import printable

        error.message = printable(error.message)  # type: ignore[misc]
        error.show()
        return console.EXIT_USAGE


class _TerminatedError(BaseException):
    """The system asks this process to end, by the signal with this number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.signal = number


@contextlib.contextmanager
def _unwound_by_signals() -> Iterator[None]:
    """Let requests to end unwind what is done inside, so that no file and no process stays behind.

    Before and after that they end the process as the system does.
    """
    request = _EndRequest()
    asking = {signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handled = [number for number in asking if signal.getsignal(number) is signal.SIG_DFL]
    original = sys.unraisablehook
    sys.unraisablehook = partial(request.not_raised, original)
    for number in handled:
        signal.signal(number, request.receive)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)
        sys.unraisablehook = original


class _EndRequest:
    """The request to end this process, which may come more than once: `timeout` sends its signal twice."""

    def __init__(self) -> None:
        self._received: float | None = None

    def receive(self, number: int, _frame: object) -> None:
        """Raise what unwinds the work; signals that come while that is done are no other request.

        One that comes later ends the process at once: the work does not let itself be unwound.
        """
        now = time.monotonic()
        if self._received is None:
            self._received = now
            raise KeyboardInterrupt if number == signal.SIGINT else _TerminatedError(number)
        if now - self._received > _UNWINDING:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    def not_raised(self, otherwise: Callable[[sys.UnraisableHookArgs], object], lost: sys.UnraisableHookArgs) -> None:
        """Ask again if the signal came in a callback, as imports have them, whose exceptions go nowhere."""
        error = lost.exc_value
        if not isinstance(error, (KeyboardInterrupt, _TerminatedError)):
            otherwise(lost)
            return
        number = error.signal if isinstance(error, _TerminatedError) else signal.SIGINT

        def again() -> None:
            time.sleep(_OUT_OF_CALLBACK)
            self._received = None
            _thread.interrupt_main(signal.Signals(number))

        _thread.start_new_thread(again, ())


def _end_children() -> None:
    """End the processes that check other files, without waiting for what they are at."""
    multiprocessing = sys.modules.get("multiprocessing")
    for child in multiprocessing.active_children() if multiprocessing is not None else ():
        child.terminate()


def _with_command(arguments: list[str]) -> list[str]:
    """Spell ``--check`` among the leading options as the command it stands for."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if "--check" not in options or (options[0] in _COMMANDS):
        return arguments
    position = options.index("--check")
    return ["check", *arguments[:position], *arguments[position + 1 :]]
