"""One server process for each editor whose capabilities the client claims."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator  # noqa: TC003 - pytest-lsp reads the annotations when it runs
from pathlib import Path  # noqa: TC003

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, client_capabilities

from lsp.editor_client import EditorClient, make_editor_client
from lsp.opened import TIMEOUT, Opened
from lsp.workbench import SERVER
from rpc.client import LanguageClient, Mode

COOPERATION = "cooperation"
"""The marker of tests in which the client has to answer the server; its argument says which answer the test needs."""
OTHERS = ("neovim@v0.7.0", "neovim@v0.11.0", "emacs@v29.1")
EDITORS = ("visual_studio_code@v1.65.2", *(pytest.param(name, marks=pytest.mark.sample) for name in OTHERS))
CONFIG = ClientServerConfig(server_command=list(SERVER), client_factory=make_editor_client)


def pytest_configure(config: pytest.Config) -> None:
    """Let all clients answer as the option says."""
    config.addinivalue_line("markers", f"{COOPERATION}(reason): for a client that answers the server's requests")
    LanguageClient.default_mode = EditorClient.mode = Mode(config.getoption("--client"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip tests that need a client that answers if the client does not."""
    for item in items if Mode(config.getoption("--client")) is not Mode.FRIENDLY else ():
        needed = item.get_closest_marker(COOPERATION)
        if needed is not None:
            item.add_marker(pytest.mark.skip(reason=f"needs a client that answers: {needed.args[0]}"))


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the editor has open."""
    return tmp_path_factory.mktemp("workspace")


@pytest_lsp.fixture(config=CONFIG, scope="session", params=EDITORS)  # type: ignore[untyped-decorator]
async def client(client: EditorClient, request: pytest.FixtureRequest, workspace: Path) -> AsyncIterator[None]:
    """A client with the capabilities of an editor, connected to a server of its own."""
    capabilities = client_capabilities(request.param)
    folder = types.WorkspaceFolder(uri=workspace.as_uri(), name="workspace")
    await client.initialize_session(types.InitializeParams(capabilities=capabilities, workspace_folders=[folder]))
    await _read_installed_modules(client)
    yield
    await client.shutdown_session()


async def _read_installed_modules(client: EditorClient) -> None:
    """Wait until the server has read that: before, it calls nothing unknown."""
    document = Opened(client, "transform.yeld\n")
    deadline = time.monotonic() + TIMEOUT
    while not await document.diagnostics():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


@pytest.fixture(autouse=True)
def close_documents(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close the documents of a test, so that the next one begins with a server that knows no document."""
    client = request.getfixturevalue("client") if "client" in request.fixturenames else None
    yield
    if not isinstance(client, EditorClient):
        return
    for uri in client.opened:
        params = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        client.text_document_did_close(params)
    client.opened.clear()
