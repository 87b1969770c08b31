"""The rule `failed-build`; `python_builders/findings.py` reports it of programs that build scripts."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.analysis.rules.checking import failed_run
from tdls.text.level import Level

RULE: Final = Rule(
    code="TD402",
    name="failed-build",
    level=Level.ERROR,
    summary="a Python program does not get as far as to build its script",
    documentation="""\
`tdls check-python` runs programs to check the scripts that they build. An exception, an exit status that
is not 0, a crash, and too much time, memory or output are errors at the call that failed; an exception
of MLIR is at the call that made the operation. What fails after all scripts were built, such as a
compilation for a device that is not there, is a hint only: the scripts are checked as usual.

**Fix:** the notes have the calls and causes. If the program needs something that the confinement
denies, check the function that builds the script in place of the whole program.
""",
    example_bad=failed_run.RULE.example_bad,
    example_good=failed_run.RULE.example_good,
    found_by_runs="tdls check-python",
)
