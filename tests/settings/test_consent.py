"""A consent counts for one folder, key and value only."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock

from tdls.files.writing import NotWrittenError
from tdls.settings import consent
from tdls.settings.consent import Consent, ConsentRequest, ConsentStore, Trust, allow

if TYPE_CHECKING:
    from pathlib import Path

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="files have no permissions of that kind")


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data" / "tdls"
    monkeypatch.setenv("TDLS_DATA_DIR", str(folder))
    return folder


def store() -> ConsentStore:
    found = ConsentStore.of_user()
    assert found is not None
    return found


def question(folder: Path, value: object = "./opt", key: str = "run.backend") -> ConsentRequest:
    return ConsentRequest(Consent.of(folder, key, value), folder / "tdls.toml", 0, folder, "starts a program")


def test_nothing_is_allowed_at_first(tmp_path: Path, data_folder: Path) -> None:
    assert store().allowed() == frozenset()
    assert Trust().refused([question(tmp_path)]) == [question(tmp_path)]
    assert not data_folder.exists()


def test_consent_is_kept(tmp_path: Path) -> None:
    allow([question(tmp_path), question(tmp_path, ["one", "two"], "run.setup")])
    assert Trust().refused([question(tmp_path), question(tmp_path, ["one", "two"], "run.setup")]) == []


def test_another_value_key_or_folder_needs_consent_again(tmp_path: Path) -> None:
    allow([question(tmp_path)])
    others = [question(tmp_path, "./opt2"), question(tmp_path, key="run.python"), question(tmp_path / "below")]
    assert Trust().refused(others) == others


def test_the_folder_is_the_real_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to("real", target_is_directory=True)
    allow([question(link)])
    assert Trust().refused([question(tmp_path / "real")]) == []
    link.unlink()
    (tmp_path / "link").mkdir()
    assert Trust().refused([question(link)]) == [question(link)]


def test_values_are_plain_in_the_file_and_in_words(tmp_path: Path) -> None:
    asked = question(tmp_path, "\x1b[2J\u202e'\"")
    assert asked.consent.value.isascii()
    assert asked.consent.value.isprintable()
    allow([asked])
    assert Trust().refused([asked]) == []
    assert json.loads(store().file.read_text("ascii"))["allowed"][0]["value"] == "\x1b[2J\u202e'\""


def test_names_that_are_not_text(tmp_path: Path) -> None:
    asked = ConsentRequest(Consent(str(tmp_path) + "\udc80", "run.backend", '"x"'), tmp_path, None, tmp_path, "reads")
    allow([asked])
    assert Trust().refused([asked]) == []


def test_revoking(tmp_path: Path) -> None:
    allow([question(tmp_path), question(tmp_path, "other")])
    store().revoke([question(tmp_path).consent])
    assert store().allowed() == {question(tmp_path, "other").consent}


@POSIX
def test_the_file_is_for_the_user_alone(tmp_path: Path, data_folder: Path) -> None:
    allow([question(tmp_path)])
    assert stat.S_IMODE(store().file.stat().st_mode) == 0o600
    assert stat.S_IMODE(data_folder.stat().st_mode) == 0o700
    assert sorted(file.name for file in data_folder.iterdir()) == ["consent.json", "consent.lock"]


@POSIX
def test_a_file_that_others_can_write_allows_nothing(tmp_path: Path) -> None:
    allow([question(tmp_path)])
    store().file.chmod(0o666)
    assert store().allowed() == frozenset()


@pytest.mark.parametrize(
    "text",
    ["", "\0", "[]", "{", "[" * 100_000, '{"allowed": 1}', '{"allowed": [1, {"folder": 1, "key": "", "value": 1}]}'],
)
def test_a_damaged_file_allows_nothing(data_folder: Path, text: str, tmp_path: Path) -> None:
    data_folder.mkdir(parents=True, mode=0o700)
    store().file.write_text(text)
    store().file.chmod(0o600)
    assert store().allowed() == frozenset()
    allow([question(tmp_path)])
    assert store().allowed() == {question(tmp_path).consent}


def test_trusted_folders_need_no_store(tmp_path: Path) -> None:
    inside, outside = question(tmp_path / "project" / "sub"), question(tmp_path / "elsewhere")
    assert Trust(folders=(tmp_path / "project",)).refused([inside, outside]) == [outside]
    assert Trust(everything=True).refused([inside, outside]) == []


def test_a_relative_data_folder_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TDLS_DATA_DIR", "here")
    assert ConsentStore.of_user() is None


def test_concurrent_consent_of_many_processes_is_kept(tmp_path: Path) -> None:
    count, processes = 12, 4
    code = (
        "import sys\n"
        "from tdls.settings.consent import Consent, ConsentStore\n"
        "store = ConsentStore.of_user()\n"
        "sys.stdin.readline()\n"
        "for number in range(int(sys.argv[2])):\n"
        "    store.allow([Consent(sys.argv[1], f'key{number}', '1')])\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code, f"{tmp_path}/{number}", str(count)], stdin=subprocess.PIPE)
        for number in range(processes)
    ]
    for process in running:
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
    for process in running:
        with process:
            pass
        assert process.returncode == 0
    assert len(store().allowed()) == count * processes


def test_waiting_for_a_lock_ends(tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    allow([question(tmp_path)])
    monkeypatch.setattr(consent, "_PATIENCE", 0.0)
    with FileLock(data_folder / "consent.lock"), pytest.raises(NotWrittenError, match=r"consent\.lock"):
        allow([question(tmp_path, "./opt2")])
    assert Trust().refused([question(tmp_path)]) == []
