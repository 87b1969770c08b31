"""Entry point of ``tdls``.

Modules imported here are imported for every invocation, also for ``tdls --version`` alone.
"""

from __future__ import annotations

import signal
import sys

import tdls
from tdls.cli.console import streams

_EXIT_PIPE_CLOSED = 141


def main() -> int:
    """Run the command line of this process and return its exit status; never raises."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until there is something to unwind, an exception may get lost
    streams.prepare_streams()
    try:
        if sys.argv[1:] == ["--version"]:
            sys.stdout.write(f"tdls {tdls.__version__}\n")
            sys.stdout.flush()
            return 0
        if sys.argv[1:2] in (["check"], ["--check"]):
            from tdls.system import garbage_kept, imported_for_good

            with garbage_kept():
                from tdls.cli.checking.kept import plain, print_kept

                options, names = plain(sys.argv[2:])
                status = print_kept(options, names) if names else None
            if status is not None:
                return status
            with imported_for_good():  # also what is left at the end: the process ends with it
                if names:
                    from tdls.cli.checking.invocation import plain_invocation
                    from tdls.cli.console.signals import status_of

                    return status_of(plain_invocation(options, names).run)
                from tdls.cli.command_line import run_command_line

                return run_command_line(sys.argv[1:])
        from tdls.cli.command_line import run_command_line

        return run_command_line(sys.argv[1:])
    except streams.OutputClosedError:
        streams.abandon_output()
        return _EXIT_PIPE_CLOSED
    except streams.OutputLostError as error:
        from tdls.cli.console import console

        streams.abandon_output()
        console.complain(str(error))
        return console.EXIT_USAGE
    except Exception as error:
        import traceback

        from tdls.cli.console import console
        from tdls.system import shortage_in

        trace = traceback.format_exc()
        if isinstance(error, FileNotFoundError) and error.filename is None and shortage_in(trace) is None:
            # `os.getcwd` names no file
            console.complain("the current folder does not exist any more; change to another one")
            return console.EXIT_USAGE
        return console.report_internal_error("", trace)
