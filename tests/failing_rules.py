"""The command line of tdls with rules that raise: a program that is started in place of ``tdls``, with `environment`.

Worker processes import it as well, so the rules fail there, too.
"""

from __future__ import annotations

import builtins
import os
import sys
from typing import TYPE_CHECKING

from tdls.analysis import rules
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding
    from tdls.analysis.rule import Rule

MESSAGE = "planted"
COMMAND = (sys.executable, __file__)
_VARIABLE = "TESTS_FAILING_RULES"


def failing(names: Iterable[str], error: type[Exception]) -> dict[str, Rule]:
    """Return the rules with these `names`, each of which raises an `error`."""

    def find(_context: Context) -> Iterator[Finding]:
        yield from ()
        raise error(MESSAGE)

    return {name: replace(rules.rule_of(name), find=find, check=None) for name in names}


def environment(names: Iterable[str], error: type[Exception]) -> dict[str, str]:
    """Return the variables with which the program lets the rules with these `names` raise an `error`, built-in."""
    return {**os.environ, _VARIABLE: " ".join([error.__name__, *names])}


if __name__ in ("__main__", "__mp_main__"):
    kind, *chosen = os.environ[_VARIABLE].split()
    rules.LOADED.update(failing(chosen, getattr(builtins, kind)))
    if __name__ == "__main__":
        from tdls.cli.main import main

        sys.exit(main())
