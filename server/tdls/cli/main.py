"""The entry point of ``tdls``.

What is imported here is imported for every invocation, also for ``tdls --version`` alone.
"""

from __future__ import annotations

import sys

import tdls
from tdls.cli.console import streams

_EXIT_INTERRUPTED = 130
_EXIT_PIPE_CLOSED = 141


def main() -> int:
    """Run the command line of this process and return its exit status; never raises."""
    streams.prepare_streams()
    try:
        if sys.argv[1:] == ["--version"]:
            sys.stdout.write(f"tdls {tdls.__version__}\n")
            sys.stdout.flush()
            return 0
        from tdls.cli.command_line import run_command_line

        return run_command_line(sys.argv[1:])
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
