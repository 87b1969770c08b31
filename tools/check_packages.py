"""Check packages before they are published, away from a checkout: ``python3 tools/check_packages.py FOLDER``.

The folder has a source package, a wheel and the package of the extension. Each is judged as far as that is possible
without publishing (``twine check``, and the rules of marketplaces for a manifest), installed in an environment of its
own and used. Needs Python 3.10 or later and pip. Exits with 1 where anything fails.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

EXAMPLE = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %root {factor = 4} : !transform.any_op
    transform.annotate %root "again" : !transform.any_op
    transform.yield
  }
}
"""
_FINDING = "was consumed by"
_MANIFEST = "extension/package.json"
_NAMESPACE = {"vsix": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
_NEEDED = ("name", "publisher", "version", "license", "repository", "bugs", "homepage", "icon", "engines")


class RefusedError(Exception):
    """A package is not as it has to be; the message says why."""


def main(arguments: list[str]) -> int:
    """Check the packages of the folder that is named."""
    if len(arguments) != 1:
        print(__doc__)
        return 2
    folder = Path(arguments[0])
    packages = sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")])
    try:
        _twine(packages)
        _each_installed(packages)
        _extension(folder / "tdls.vsix")
    except (RefusedError, subprocess.CalledProcessError, OSError) as error:
        print(f"FAILED {error}")
        return 1
    return 0


def _twine(packages: list[Path]) -> None:
    if not packages:
        raise RefusedError("there is no package for PyPI")
    with tempfile.TemporaryDirectory() as home:
        python = _environment(Path(home), "twine")
        _run(python, "-m", "twine", "check", "--strict", *map(str, packages))


def _each_installed(packages: list[Path]) -> None:
    """Install each in an environment of its own, and check a script with it."""
    for package in packages:
        with tempfile.TemporaryDirectory() as home:
            python = _environment(Path(home), str(package.resolve()))
            _finds_the_mistake([python, "-m", "tdls"], Path(home), {})
            print(f"ok {package.name} is installed and finds a mistake")


def _extension(package: Path) -> None:
    if not package.is_file():
        raise RefusedError(f"there is no {package.name}")
    with zipfile.ZipFile(package) as archive, tempfile.TemporaryDirectory() as home:
        _judge(package, archive)
        archive.extractall(home)
        server = {"PYTHONPATH": str(Path(home) / "extension" / "server")}
        _finds_the_mistake([sys.executable, "-S", "-m", "tdls"], Path(home), server)
    print(f"ok {package.name} has all that marketplaces want, and its server finds a mistake")


def _judge(package: Path, archive: zipfile.ZipFile) -> None:
    """Raise RefusedError for a package that a marketplace would refuse, or that does not fit every system."""
    manifest = json.loads(archive.read(_MANIFEST))
    missing = [key for key in _NEEDED if not manifest.get(key)]
    names = set(archive.namelist())
    missing += [name for name in ("readme.md", "changelog.md", "LICENSE.txt") if f"extension/{name}" not in names]
    if missing or manifest.get("private"):
        raise RefusedError(f"{package.name}: {', '.join(missing) or 'it is private'}")
    identity = ET.fromstring(archive.read("extension.vsixmanifest")).find("vsix:Metadata/vsix:Identity", _NAMESPACE)
    target = identity.get("TargetPlatform") if identity is not None else None
    if target:
        raise RefusedError(f"{package.name}: it is for {target} only")


def _finds_the_mistake(tdls: list[str], folder: Path, environment: dict[str, str]) -> None:
    script = folder / "script.mlir"
    script.write_text(EXAMPLE, encoding="utf-8")
    own = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder), "PYTHONSAFEPATH": "1", **environment}
    done = subprocess.run(
        [*tdls, "--check", str(script)],
        cwd=folder,
        env={**os.environ, **own},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if _FINDING not in done.stdout:
        raise RefusedError(f"{' '.join(tdls)} does not find the mistake: {done.stdout}{done.stderr}")


def _environment(folder: Path, requirement: str) -> str:
    """Return a Python of its own that has `requirement`."""
    place = folder / "environment"
    venv.create(place, with_pip=True)
    python = str(place / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    _run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", requirement)
    return python


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
