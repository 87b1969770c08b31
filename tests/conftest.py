"""Fixtures and environment variables of all tests."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING

import hypothesis
import pytest

from command_line import STARTED
from preparation.reporting import (
    Compared,
    pytest_collection_modifyitems,
    pytest_ignore_collect,
    pytest_terminal_summary,
)
from rpc.client import Mode
from samples import configure, some
from tdls.system import collect_garbage_rarely, imported_for_good

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["pytest_collection_modifyitems", "pytest_ignore_collect", "pytest_terminal_summary"]

for _name in ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"):  # as containers set them
    os.environ.pop(_name, None)
os.environ["LLVM_DISABLE_SYMBOLIZATION"] = "1"  # names for the stack of a tool that crashes take longest

# For all generated texts. Which are slow to make depends on the machine; profile `others` tries others in each run.
hypothesis.settings.register_profile(
    "the-same", derandomize=True, database=None, deadline=None, suppress_health_check=list(hypothesis.HealthCheck)
)
hypothesis.settings.register_profile("others", hypothesis.settings.get_profile("the-same"), derandomize=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let more tests run, and all tests of `tests/lsp` with clients that do not answer."""
    parser.addoption("--all", action="store_true", help="large samples, soaks, proofs, editors, other clients, too")
    parser.addoption("--rest", action="store_true", help="only what --all adds")
    modes = [mode.value for mode in Mode]
    parser.addoption("--client", choices=modes, default=modes[0], help="how clients in tests/lsp answer the server")


def pytest_configure(config: pytest.Config) -> None:
    """Restore signals that a shell ignores for its background jobs, as tests send them to processes."""
    configure(config)
    same = hypothesis.settings.get_profile("the-same")
    hypothesis.settings.register_profile("these", same, max_examples=max(25, some(100)))
    hypothesis.settings.load_profile("these")
    collect_garbage_rarely()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Exclude ten thousand tests and their imports from garbage collection: they stay."""
    with imported_for_good():
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def _nothing_allowed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Consents of the user must not count; tests give those that they need."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TDLS_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        # Each process of the tests has a folder for data, in which a secret of its own would void the cache of others.
        patch.setenv("TDLS_CACHE_KEY", "the tests of tdls")
        yield


@pytest.fixture(scope="session")
def known_bindings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder with the definitions of MLIR's bindings, which take as long as the rest of a check; to copy."""
    folder, cache = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("known") / "cache"
    (folder / "empty.mlir").touch()
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    command = [*STARTED, "--check", "empty.mlir"]
    subprocess.run(command, cwd=folder, env={**environment, "TDLS_CACHE_DIR": str(cache)}, check=True)
    return cache


@pytest.fixture
def compared(record_property: Callable[[str, object], None]) -> Compared:
    """Note how many things of a kind a test has compared, which is printed at the end."""
    return record_property
