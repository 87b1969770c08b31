"""Check what is to be published, away from a checkout: ``python3 tools/check_packages.py FOLDER``.

The folder has a source package, wheels and packages of the extension. Each kind is judged as far as that is possible
without publishing (``twine check``, and what marketplaces ask of a manifest), and what fits this machine is installed
in an environment of its own and used. Needs Python 3.10 or later and pip. Exits with 1 where anything fails.
"""

from __future__ import annotations

import json
import os
import platform
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
        _extensions(sorted(folder.glob("*.vsix")))
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
    """Install what fits this Python, each in an environment of its own, and check a script with it."""
    for package in packages:
        if _fits(package):
            with tempfile.TemporaryDirectory() as home:
                python = _environment(Path(home), str(package.resolve()))
                _finds_the_mistake([python, "-m", "tdls"], Path(home), {})
                print(f"ok {package.name} is installed and finds a mistake")


def _fits(package: Path) -> bool:
    if package.suffix != ".whl":
        return True
    *_, version, _, tags = package.stem.split("-")
    is_own = version == f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return tags == "any" or (is_own and any(map(_is_of_this_machine, tags.split("."))))


def _is_of_this_machine(tag: str) -> bool:
    system = {"darwin": "macosx", "win32": "win"}.get(sys.platform, "linux")
    return system in tag and tag.endswith(platform.machine().lower())


def _extensions(packages: list[Path]) -> None:
    if not any(package.name == "tdls.vsix" for package in packages):
        raise RefusedError("there is no tdls.vsix, which fits everywhere")
    for package in packages:
        with zipfile.ZipFile(package) as archive, tempfile.TemporaryDirectory() as home:
            target = _judged(package, archive)
            archive.extractall(home)
            _serves(Path(home) / "extension", target)
        print(f"ok {package.name} has all that marketplaces want, and its server finds a mistake")


def _judged(package: Path, archive: zipfile.ZipFile) -> str:
    """Return the target of a package, "" for all. Raises RefusedError for what a marketplace would refuse."""
    manifest = json.loads(archive.read(_MANIFEST))
    missing = [key for key in _NEEDED if not manifest.get(key)]
    names = set(archive.namelist())
    missing += [name for name in ("readme.md", "changelog.md", "LICENSE.txt") if f"extension/{name}" not in names]
    if missing or manifest.get("private"):
        raise RefusedError(f"{package.name}: {', '.join(missing) or 'it is private'}")
    identity = ET.fromstring(archive.read("extension.vsixmanifest")).find("vsix:Metadata/vsix:Identity", _NAMESPACE)
    target = identity.get("TargetPlatform", "") if identity is not None else ""
    has_compiled = any(name.startswith("extension/compiled/") for name in names)
    if bool(target) != has_compiled or package.name != (f"tdls-{target}.vsix" if target else "tdls.vsix"):
        raise RefusedError(f"{package.name}: its target is {target!r}, and it has compiled parts: {has_compiled}")
    return target


def _serves(extension: Path, target: str) -> None:
    folders = [extension / "server"]
    compiled = extension / "compiled" / f"cp{sys.version_info[0]}{sys.version_info[1]}"
    if target == _own_target() and compiled.is_dir():
        folders.insert(0, compiled)
    paths = os.pathsep.join(map(str, folders))
    _finds_the_mistake([sys.executable, "-S", "-m", "tdls"], extension.parent, {"PYTHONPATH": paths})


def _own_target() -> str:
    system = {"darwin": "darwin", "win32": "win32"}.get(sys.platform, "linux")
    return f"{system}-{'arm64' if platform.machine() in ('arm64', 'aarch64') else 'x64'}"


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
