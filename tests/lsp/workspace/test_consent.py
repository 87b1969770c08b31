"""The server starts programs that settings of files name with the user's consent only, and requests it once."""

from __future__ import annotations

import stat
import sys
from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from rpc.answers import eventually

if TYPE_CHECKING:
    from pathlib import Path

    from rpc.client import Json, Notification

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
SCRIPT = """module attributes {transform.with_named_sequence} {
  func.func @f() { return }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) { transform.yield }
}
"""
SETTINGS = '[run]\nbackend = "./trap"\n'
ASKS = {"window": {"showMessage": {}, "showDocument": {"support": True}}, "workspace": {"configuration": True}}
TELLS: Json = {"workspace": {"configuration": True}}
ASKED = "window/showMessageRequest"
ALLOW = "Allow for this folder"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose settings name a program: it leaves one mark for a run, another one for the list of its passes."""
    monkeypatch.setenv("TDLS_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TDLS_UNCONFINED", "1")  # the program would not get as far as to leave its mark
    folder = tmp_path / "project"
    folder.mkdir()
    folder.joinpath("tdls.toml").write_text(SETTINGS, encoding="utf-8")
    trap = folder / "trap"
    marks = f"if [ \"$1\" = --help ]; then touch '{folder / 'asked'}'; else touch '{folder / 'mark'}'; fi"
    trap.write_text(f"#!/bin/sh\n{marks}\nexit 1\n", encoding="utf-8")
    trap.chmod(stat.S_IRWXU)
    return folder


def was_started(project: Path) -> bool:
    mark = project / "mark"
    found = mark.exists()
    mark.unlink(missing_ok=True)
    return found


def run(bench: Workbench, project: Path, **arguments: Json) -> Json:
    uri = (project / "a.mlir").as_uri()
    argument = {"uri": uri, "show": False, **arguments}
    return bench.client.call("workspace/executeCommand", {"command": "tdls.run", "arguments": [argument]}, timeout=60)


def opened(bench: Workbench, project: Path) -> Workbench:
    (project / "a.mlir").write_text(SCRIPT, encoding="utf-8")
    bench.open(SCRIPT, uri=(project / "a.mlir").as_uri())
    return bench


def questions(bench: Workbench) -> list[Json]:
    return [request["params"] for request in bench.client.asked if request["method"] == ASKED]


def messages(bench: Workbench) -> list[str]:
    """Return a list that gets the later messages to the user."""
    shown: list[str] = []
    take = bench.client.on_notification

    def listen(notification: Notification) -> None:
        if notification.method == "window/showMessage":
            shown.append(notification.params["message"])
        take(notification)

    bench.client.on_notification = listen
    return shown


def test_the_refusal_is_the_answer(project: Path) -> None:
    with opened(Workbench(more=ASKS, folders=[project]), project) as bench:
        outcome = run(bench, project)
        assert outcome["status"] == "refused"
        assert outcome["payloadUri"] is None
        place = {"uri": (project / "tdls.toml").as_uri(), "line": 2}
        assert outcome["refused"] == [{**place, "setting": "run.backend", "value": "./trap"}]
        assert outcome["detail"].endswith(f"tdls allow {project}")
        status = bench.client.call("tdls/status", {"uri": (project / "a.mlir").as_uri()})
        assert (status["backend"], status["problem"]) == (None, outcome["detail"])
        assert not was_started(project)
        assert not (project / "asked").exists()


def test_consent_is_requested_once(project: Path) -> None:
    with opened(Workbench(more=ASKS, folders=[project]), project) as bench:
        bench.client.choice = "Not now"
        assert run(bench, project)["status"] == "refused"
        assert eventually(lambda: len(questions(bench)) == 1)
        assert run(bench, project)["status"] == "refused"
        (question,) = questions(bench)
        assert [action["title"] for action in question["actions"]] == [ALLOW, "Not now"]
        assert f'{project / "tdls.toml"}:2: run.backend = "./trap": this starts a program' in question["message"]
        assert not was_started(project)


@pytest.mark.cooperation("people say that the tool may run")
def test_yes_is_kept_and_the_script_is_run(project: Path) -> None:
    with opened(Workbench(more=ASKS, folders=[project]), project) as bench:
        bench.client.choice = ALLOW
        assert run(bench, project, show=True)["status"] == "refused"
        assert eventually(lambda: was_started(project))
    with opened(Workbench(more=ASKS, folders=[project]), project) as bench:
        assert run(bench, project)["status"] != "refused"
        assert was_started(project)
        assert questions(bench) == []


def test_editors_without_questions_get_the_command(project: Path) -> None:
    with opened(Workbench(more=TELLS, folders=[project]), project) as bench:
        told = messages(bench)
        assert run(bench, project)["status"] == "refused"
        assert run(bench, project)["status"] == "refused"
        (message,) = told
        assert message.endswith(f"tdls allow {project}")
        assert not was_started(project)


def test_consent_given_meanwhile_counts_and_denied_consent_does_not(project: Path) -> None:
    from tdls.settings.consent import ConsentStore
    from tdls.settings.sources import load_settings

    store = ConsentStore.of_user()
    assert store is not None
    consents = [question.consent for question in load_settings(project, {}).consent_requests]
    with opened(Workbench(more=TELLS, folders=[project]), project) as bench:
        assert run(bench, project)["status"] == "refused"
        store.allow(consents)
        assert run(bench, project)["status"] != "refused"
        assert was_started(project)
        store.revoke(consents)
        assert run(bench, project)["status"] == "refused"
        assert not was_started(project)


def test_the_editor_may_trust_its_folders(project: Path) -> None:
    inner = project / "scripts"
    inner.mkdir()
    trust = {"tdls": {"trust-workspace": True}}
    with opened(Workbench(more=TELLS, folders=[project], options=trust), project) as bench:
        assert run(bench, project)["status"] != "refused"
        assert was_started(project)
    was_started(project)  # by a run after a pause, which the trusted server may have begun before its end
    with opened(Workbench(more=TELLS, folders=[inner], options=trust), project) as bench:
        assert run(bench, project)["status"] == "refused"
        assert not was_started(project)


def test_trust_may_come_and_go(project: Path) -> None:
    with opened(Workbench(more=TELLS, folders=[project]), project) as bench:
        assert run(bench, project)["status"] == "refused"
        bench.configure({"trust-workspace": True})
        assert run(bench, project)["status"] != "refused"
        bench.configure({"trust-workspace": False})
        assert run(bench, project)["status"] == "refused"


def test_a_server_may_trust_everything(project: Path) -> None:
    with opened(Workbench(more=TELLS, arguments=["--trust-workspace"]), project) as bench:
        assert run(bench, project)["status"] != "refused"
        assert was_started(project)


def test_a_file_cannot_say_that_it_is_trusted_or_when_things_run(project: Path) -> None:
    text = f'trust-workspace = true\n{SETTINGS}refresh = "type"\n'
    (project / "tdls.toml").write_text(text, encoding="utf-8")
    with opened(Workbench(more=TELLS, folders=[project]), project) as bench:
        told = messages(bench)
        assert run(bench, project)["status"] == "refused"
        bench.client.notify("workspace/didChangeConfiguration", {"settings": None})
        assert run(bench, project)["status"] == "refused"
        assert any("there is no setting `trust-workspace`" in message for message in told)
        assert any("`run.refresh` does not count here" in message for message in told)


def test_programs_of_the_editor_need_no_consent(project: Path) -> None:
    with opened(Workbench(more=TELLS, folders=[project]), project) as bench:
        bench.configure({"run": {"backend": "./trap"}})
        assert run(bench, project)["status"] != "refused"
        assert was_started(project)
