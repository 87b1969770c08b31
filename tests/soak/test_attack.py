"""Every attack is survived while it is small; ``python -m soak.attack`` has them grow."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from command_line import STARTED, tdls
from rpc.answers import document_questions
from rpc.client import LanguageClient, ResponseError
from rpc.document import Document
from soak.attack.__main__ import ATTACKS
from soak.attack.assistants import CALLS, problems_of_tools
from soak.attack.checking import write
from soak.attack.generated import GENERATED
from soak.attack.model import SCRIPT
from soak.attack.readers import read
from soak.session import CAPABILITIES, questions_at

if TYPE_CHECKING:
    from rpc.client import Json
    from soak.attack.model import Attack

SIZE = 24
"""Enough for exponential work to be endless."""
PATIENCE = 60.0
_STRIDE = 211
"""The suite tries two of this number of generated attacks."""

REFUSALS = {-32803, -32802, -32801, -32800}
"""RequestFailed, ServerCancelled, ContentModified, RequestCancelled."""


def test_attacks_are_checked(tmp_path: Path) -> None:
    paths = []
    for number, attack in enumerate(ATTACKS):
        write(tmp_path / str(number), attack.files(SIZE))
        paths.append(str(Path(str(number), SCRIPT)))
    done = tdls("--check", "--format", "concise", *paths, folder=tmp_path)
    assert done.returncode in (1, 2), done.stderr
    assert "internal error" not in done.stderr


def test_a_server_answers_while_attacks_are_open(tmp_path: Path) -> None:
    with LanguageClient([*STARTED, "server"], folder=tmp_path) as client:
        client.initialize(CAPABILITIES, rootUri=tmp_path.as_uri())
        for number, attack in enumerate(ATTACKS):
            assert refused(client, tmp_path / str(number), attack) <= REFUSALS, attack.name
        assert client.shut_down(PATIENCE) == 0
    assert b"Traceback" not in client.stderr


def test_tools_of_assistants_survive_their_arguments() -> None:
    pytest.importorskip("mcp")
    calls = CALLS[::5]
    found = problems_of_tools(calls, sizes=(SIZE,))
    assert [problem for problem in found if "longer than" not in problem] == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each attack is tried in a forked process")
@pytest.mark.parametrize("part", range(2))
def test_generated_attacks_end_in_every_reader(part: int) -> None:
    sample = GENERATED[part * _STRIDE // 2 :: _STRIDE]
    found = {attack.name: read(attack, is_timed=False).problems for attack in sample}
    assert {name: problems for name, problems in found.items() if problems} == {}


def refused(client: LanguageClient, folder: Path, attack: Attack) -> set[int]:
    """Open an attack, ask everything, and return the codes of the errors that are the answers."""
    files = attack.files(SIZE)
    write(folder, files)
    document = Document(client, (folder / SCRIPT).as_uri(), files[SCRIPT])
    document.open()
    questions = [
        *document_questions(client, document),
        *questions_at(client, document, len(document.text) // 2),
    ]
    codes = {code for method, params in questions if (code := error_code(client, method, params))}
    document.close()
    return codes


def error_code(client: LanguageClient, method: str, params: Json) -> int:
    """Ask, and return the code of the error that is the answer; 0 if it is none."""
    try:
        client.call(method, params, timeout=PATIENCE)
    except ResponseError as error:
        return error.code
    return 0
