"""`tools/check_packages.py` reports packages of the extension that a marketplace would refuse."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tdls
from tools_at_hand import require_module

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = ROOT / "vscode-extension" / "package.json"
IDENTITY = (
    '<PackageManifest xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">'
    "<Metadata><Identity {}/></Metadata></PackageManifest>"
)


@pytest.mark.sample
def test_packages_for_pypi_are_built_and_pass_the_check(tmp_path: Path) -> None:
    """As the release workflow builds and checks them; of a copy, since that leaves files."""
    for module in ("build", "twine"):
        require_module(module)
    source = tmp_path / "source"
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".git", ".venv", "node_modules", "dist", "__pycache__", ".*_cache")
    )
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path / "dist"), str(source)]
    done = subprocess.run(build, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    version = tdls.__version__
    built = sorted(path.name for path in (tmp_path / "dist").iterdir())
    assert built == [f"tdls-{version}-py3-none-any.whl", f"tdls-{version}.tar.gz"]
    check = [sys.executable, "-m", "twine", "check", "--strict", *map(str, (tmp_path / "dist").iterdir())]
    done = subprocess.run(check, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2


@pytest.fixture(scope="module")
def check_packages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_packages", ROOT / "tools" / "check_packages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def package(path: Path, *, target: str = "", **changes: object) -> Path:
    manifest = json.loads(MANIFEST.read_text(encoding="utf-8")) | changes
    identity = IDENTITY.format(f'TargetPlatform="{target}"' if target else "")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("extension/package.json", json.dumps(manifest))
        archive.writestr("extension.vsixmanifest", identity)
        for name in ("readme.md", "changelog.md", "LICENSE.txt"):
            archive.writestr(f"extension/{name}", "")
    return path


def test_package_with_all_that_is_needed(check_packages: ModuleType, tmp_path: Path) -> None:
    file = package(tmp_path / "tdls.vsix")
    with zipfile.ZipFile(file) as archive:
        check_packages._judge(file, archive)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"repository": None}, "repository"),
        ({"private": True}, "it is private"),
        ({"target": "linux-x64"}, "it is for linux-x64 only"),
    ],
)
def test_packages_that_are_refused(
    check_packages: ModuleType, tmp_path: Path, changes: dict[str, object], why: str
) -> None:
    file = package(tmp_path / "tdls.vsix", **changes)  # type: ignore[arg-type]
    with zipfile.ZipFile(file) as archive, pytest.raises(check_packages.RefusedError, match=why):
        check_packages._judge(file, archive)
