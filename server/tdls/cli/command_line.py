"""The commands of ``tdls``, each imported when it is called, and the exit status of each way to fail."""

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
    "check": ("check", "Check files, directories or standard input."),
    "check-python": ("check_python", "Run Python programs, and check the scripts that they build."),
    "versions": ("versions", "Say which versions of LLVM scripts fit."),
    "migrate": ("migrate", "Write scripts as a version of LLVM does."),
    "run": ("run", "Run a script and print what becomes of its payload."),
    "trace": ("trace", "Show what each step of a script does to payload and handles."),
    "compare": ("compare", "Tell whether two scripts make the same of a payload."),
    "reduce": ("reduce", "Make a failing script and its payload smaller."),
    "dap": ("dap", "Run a debug adapter over recorded runs."),
    "parse": ("parse", "Print the syntax tree of a file."),
    "catalogue": ("catalogue", "Show the known operations, and handle catalogue files."),
    "explain": ("explain", "Explain a rule, or list all rules."),
    "config": ("config", "Show and check settings."),
    "allow": ("allow", "Let the settings of a folder start the programs that they name."),
    "deny": ("deny", "Take back what 'tdls allow' has allowed."),
    "clean": ("clean", "Remove what is kept to be faster the next time."),
    "doctor": ("doctor", "Show what tdls found, and whether it can run scripts."),
    "server": ("server", "Run the language server."),
    "mcp": ("mcp", "Run a server of the Model Context Protocol."),
    "skill": ("skill", "Print instructions for coding assistants."),
    "completion": ("completion", "Print what makes a shell complete tdls."),
}
"""The module of each command, which defines ``command``, and its summary for the help."""
_UNWINDING = 2.0
"""Seconds in which the work may unwind after a signal; a later signal ends the process."""
_OUT_OF_CALLBACK = 0.001
"""Seconds after which a signal that arrived in a callback is raised again."""
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
    """Command group that imports each command when it is called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _with_command(args))

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - signature of click
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        file, summary = _COMMANDS[cmd_name]
        module = f"tdls.cli.commands.{file}"
        if module not in sys.modules:
            with imported_for_good():
                importlib.import_module(module)
        command = cast("click.Command", sys.modules[module].command)
        command.short_help = summary
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])


@click.command(
    cls=_LazyGroup, help=_HELP, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True
)
@click.option("--check", "check_", is_flag=True, help="Check PATH...; the same as the command 'check'.")
@click.version_option(tdls.__version__, prog_name="tdls", message="%(prog)s %(version)s")
def _group(check_: bool) -> None:
    del check_  # declared for the help only: `_with_command` turns it into the command


def run_command_line(arguments: list[str]) -> int:
    """Run a command line and return its exit status; the streams have to be prepared.

    Raises OutputClosedError and OutputLostError, and any exception that a mistake in tdls causes.
    """
    collect_garbage_rarely()
    with _unwound_by_signals():
        try:
            return _run(arguments)
        except (KeyboardInterrupt, click.Abort):
            _end_children()
            return console.EXIT_INTERRUPTED
        except _TerminatedError as error:
            _end_children()
            return console.EXIT_OF_SIGNALS + error.signal


def _run(arguments: list[str]) -> int:
    try:
        status = _group.main(arguments, prog_name="tdls", standalone_mode=False)
        return status if isinstance(status, int) else console.EXIT_CLEAN
    except click.ClickException as error:
        from tdls.text.printable import printable

        error.message = printable(error.message)  # type: ignore[misc]
        error.show()
        return console.EXIT_USAGE
    finally:
        console.write(())  # Python's own flush at exit could change the status


class _TerminatedError(BaseException):
    """The system requests the end of this process, by the signal `number`."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.signal = number


@contextlib.contextmanager
def _unwound_by_signals() -> Iterator[None]:
    """Let SIGINT, SIGTERM and SIGHUP unwind the work inside, so that no file and no process stays behind.

    Before and after that, they end the process by default.
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
        """Raise the exception that unwinds the work; signals during the next `_UNWINDING` seconds are ignored.

        A later signal ends the process at once: the work did not unwind.
        """
        now = time.monotonic()
        if self._received is None:
            self._received = now
            raise KeyboardInterrupt if number == signal.SIGINT else _TerminatedError(number)
        if now - self._received > _UNWINDING:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    def not_raised(self, otherwise: Callable[[sys.UnraisableHookArgs], object], lost: sys.UnraisableHookArgs) -> None:
        """Raise the signal again if its exception was lost in a callback, as imports have them."""
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
    """End the worker processes, without waiting for the files that they are checking."""
    multiprocessing = sys.modules.get("multiprocessing")
    for child in multiprocessing.active_children() if multiprocessing is not None else ():
        child.terminate()


def _with_command(arguments: list[str]) -> list[str]:
    """Replace ``--check`` among the leading options by the command ``check``."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if "--check" not in options or (options[0] in _COMMANDS):
        return arguments
    position = options.index("--check")
    return ["check", *arguments[:position], *arguments[position + 1 :]]
