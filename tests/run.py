"""Set up everything and run the tests: ``python3 tests/run.py [OPTION...] [PYTEST ARGUMENT...]``.

Needs nothing but Python 3.10 or later. Creates ``.venv`` in the checkout, installs tdls with its development
tools into it, installs Debian's MLIR tools and shells where that is possible, with ``--all`` also editors, and runs
the style checks, the type checker, the import contract and the tests. Exits with 1 when any of them failed, with 2
when the set-up failed or the arguments are wrong. Older Pythons can read this file, too: it prints that they are too
old.
"""

import sys

if sys.version_info < (3, 10):  # noqa: UP036
    version = ".".join(map(str, sys.version_info[:3]))
    print("== Python 3.10 or later is needed, this is " + version + " (" + sys.executable + "):")
    print("   start this with a newer one, or name it in the variable PYTHON for verify.mjs")
    sys.exit(2)

from preparation.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
