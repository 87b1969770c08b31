"""The entry point of ``tdls``, which says at once what nothing has to be found out for.

What is imported here is imported for every invocation; ``typing`` alone would take as long as all the rest.
"""

from __future__ import annotations

import sys

import tdls
from tdls.cli.console import streams


def main() -> int:
    """Run the command line of this process and return its exit status; never raises."""
    streams.prepare_streams()
    arguments = sys.argv[1:]
    if arguments == ["--version"] and _is_said(f"tdls {tdls.__version__}\n"):
        return 0
    from tdls.cli.command_line import run_command_line

    return run_command_line(arguments)


def _is_said(text: str) -> bool:
    """Write `text` to standard output; tell whether that was possible, and nothing else has to be said."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (streams.OutputClosedError, streams.OutputLostError, KeyboardInterrupt):
        return False
    return True
