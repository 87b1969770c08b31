"""The environment variables that processes get which run scripts: none that could hold a secret."""

from __future__ import annotations

import os
import re
from typing import Final

from tdls.interpreter.confinement.confinement import UNCONFINED

PASSED: Final = (
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "LOCALE_ARCHIVE",
    "TZ",
    "PYTHONPATH",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "NIX_LD",
    "NIX_LD_LIBRARY_PATH",
    "ASAN_OPTIONS",
    "LSAN_OPTIONS",
    "MSAN_OPTIONS",
    "TSAN_OPTIONS",
    "UBSAN_OPTIONS",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
    UNCONFINED,
)
"""What is passed on if it is set; ``*`` stands for any rest."""
MORE: Final = "TDLS_PASS_ENVIRONMENT"
"""The variable that names more of them, separated by commas."""
TEMPORARY: Final = ("TMPDIR", "TMP", "TEMP")
"""What names the folder for temporary files."""
_NAMES = re.compile("|".join(re.escape(name).replace(r"\*", ".*") for name in PASSED))


def reduced_environment(folder: str) -> dict[str, str]:
    """Return what a process gets that runs scripts; `folder` is its temporary folder."""
    named = {name.strip() for name in os.environ.get(MORE, "").split(",")}
    passed = {name: value for name, value in os.environ.items() if _NAMES.fullmatch(name) or name in named}
    return {**passed, **dict.fromkeys(TEMPORARY, folder)}
