"""Paths and fingerprints of findings, for services that host repositories and compare runs."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.cli.rendering.checked import CheckedFile, FingerprintedFinding


def repository_path(name: str, variable: str | None = None) -> str:
    """Return the path of a file as repositories write it: with slashes, and relative where possible.

    The environment variable `variable` names the root of the checkout in a job of the service. Where it is not set,
    paths count from the current folder.
    """
    folder = os.environ.get(variable, "") if variable is not None else ""
    path = Path(os.path.normpath(name))
    if path.is_absolute() or folder:
        absolute = Path(os.path.abspath(path))  # noqa: PTH100 - links stay as they are written
        root = Path(folder) if folder else Path.cwd()
        path = absolute.relative_to(root) if absolute.is_relative_to(root) else path
    return path.as_posix()


def with_fingerprints(checked: CheckedFile, path: str) -> Iterator[tuple[FingerprintedFinding, str]]:
    """Yield the findings of the file `path`, each with a unique fingerprint in hexadecimal digits.

    Fingerprints stay the same while lines move: equal findings are numbered in their order.
    """
    seen: dict[tuple[str, ...], int] = {}
    for finding in checked.findings:
        number = seen[finding.fingerprint] = seen.get(finding.fingerprint, -1) + 1
        yield (
            finding,
            hashlib.sha256(
                "\0".join([path, *finding.fingerprint, str(number)]).encode("utf-8", "surrogatepass")
            ).hexdigest(),
        )
