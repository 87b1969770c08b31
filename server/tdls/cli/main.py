"""The entry point of ``tdls``, which says at once what nothing has to be found out for.

What is imported here is imported for every invocation; ``typing`` alone would take as long as all the rest.
"""

from __future__ import annotations

import sys

import tdls
from tdls.cli.console import streams

_CHECKS = frozenset({"check", "--check"})
_EXIT_INTERRUPTED = 130
_EXIT_PIPE_CLOSED = 141


def main() -> int:
    """Run the command line of this process and return its exit status; never raises."""
    streams.prepare_streams()
    try:
        return _status(sys.argv[1:])
    except streams.OutputClosedError:
        streams.abandon_output()
        return _EXIT_PIPE_CLOSED
    except KeyboardInterrupt:
        return _EXIT_INTERRUPTED
    except streams.OutputLostError as error:
        from tdls.cli.console import console

        streams.abandon_output()
        console.complain(str(error))
        return console.EXIT_USAGE
    except Exception:
        import traceback

        from tdls.cli.console import console

        console.report_internal_error("", traceback.format_exc())
        return console.EXIT_INTERNAL


def _status(arguments: list[str]) -> int:
    """Run a command line and return its exit status. Raises what `run_command_line` raises."""
    if arguments == ["--version"]:
        sys.stdout.write(f"tdls {tdls.__version__}\n")
        sys.stdout.flush()
        return 0
    if _CHECKS.isdisjoint(arguments):
        return _run(arguments)
    from tdls.cli import repeated

    status = repeated.say_again(arguments)
    if status is not None:
        return status
    repeated.begin(arguments)
    status = _run(arguments)
    repeated.keep(arguments, status)
    return status


def _run(arguments: list[str]) -> int:
    from tdls.cli.command_line import run_command_line

    return run_command_line(arguments)
