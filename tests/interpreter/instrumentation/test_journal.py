"""The journal of an observed run is readable after every kind of end."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from tdls.interpreter.confinement.reports import ReportError
from tdls.interpreter.instrumentation.execution_trace import Bend
from tdls.interpreter.instrumentation.journal import Journal, Moment, Writer, open_files

BENDS = [Bend(0, True, False, None), Bend(0, False, False, None), Bend(0, False, True, None)]
HANDLES = [1, 1, 0]
MOMENT = Moment(1, 0, 2, {"größe.a": 2}, [("größe.a", 'loc("x":1:2)')])


def written_to(journal: Journal) -> Writer:
    """Return the writer of the files of `journal`, as in the process that runs the script."""
    message = journal.message()
    open_files(message)
    return Writer.of(message)


def test_nothing_was_written() -> None:
    with Journal(BENDS, HANDLES) as journal:
        record = journal.record()
    assert (record.executing, record.passed, record.moments) == ((), [0, 0, 0], [])
    assert (record.is_disturbed, record.is_stopped) == (False, False)


def test_journal_entries() -> None:
    with Journal(BENDS, HANDLES) as journal:
        writer = written_to(journal)
        assert [writer.pass_point(point) for point in (0, 1, 1)] == [0, 0, 1]
        writer.note(MOMENT)
        writer.disturb()
        writer.stop()
        record = journal.record()
    assert (record.executing, record.passed, record.moments) == ((1,), [1, 2, 0], [MOMENT])
    assert (record.is_disturbed, record.is_stopped) == (True, True)


def test_nothing_is_executed_behind_the_end() -> None:
    with Journal(BENDS, HANDLES) as journal:
        writer = written_to(journal)
        writer.pass_point(0)
        writer.finish()
        assert journal.record().executing == ()


def test_moment_that_was_cut_off() -> None:
    with Journal(BENDS, HANDLES) as journal:
        writer = written_to(journal)
        writer.note(MOMENT)
        with Path(journal.folder.file("moments")).open("ab") as file:
            file.write(b'[1, 0, 2, {"a"')
        assert journal.record().moments == [MOMENT]


def test_files_are_gone_in_the_end() -> None:
    with Journal(BENDS, HANDLES) as journal:
        written_to(journal)
        folder = Path(journal.folder.path)
    assert not folder.exists()


BROKEN = {
    "cut off": ("marks", b"\0" * 100),
    "something else": ("marks", b"#loc = loc(unknown)\n"),
    "no such point": ("marks", struct.pack("<3q", 0, 0, 4) + bytes(8 * 34)),
    "negative": ("marks", struct.pack("<3q", 0, 0, -1) + bytes(8 * 34)),
    "no JSON": ("moments", b"module {\n}\n"),
    "deep": ("moments", b"[" * 100_000 + b"\n"),
    "long number": ("moments", b"[" + b"1" * 10_000 + b"]\n"),
    "other types": ("moments", b'["1", 0, 1, {}, []]\n'),
    "too few": ("moments", b"[1, 0, 1]\n"),
    "no such handle": ("moments", b"[1, 1, 1, {}, []]\n"),
    "no handle at all": ("moments", b"[2, 0, 1, {}, []]\n"),
    "point below all": ("moments", b"[-1, 0, 1, {}, []]\n"),
    "no UTF-8": ("moments", b"\xff\xfe\n"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_entries_of_other_writers_are_refused(name: str) -> None:
    with Journal(BENDS, HANDLES) as journal:
        written_to(journal).note(MOMENT)
        file, content = BROKEN[name]
        Path(journal.folder.file(file)).write_bytes(content)
        with pytest.raises(ReportError, match=f"{file} cannot be read"):
            journal.record()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and pipes of POSIX")
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_nothing_but_files_is_read(kind: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"[1, 0, 2, {}, []]\n")
    with Journal(BENDS, HANDLES) as journal:
        place = Path(journal.folder.file("moments"))
        if kind == "link":
            place.symlink_to(tmp_path / "secret")
        elif kind == "pipe":
            os.mkfifo(place)
        else:
            place.mkdir()
        with pytest.raises(ReportError, match="the file `moments` of the run cannot be read"):
            journal.record()


def test_files_are_made_by_whoever_writes_them(tmp_path: Path) -> None:
    """The journal does not open the target of a link."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    with Journal(BENDS, HANDLES) as journal:
        Path(journal.folder.file("moments")).symlink_to(victim)
        with pytest.raises(FileExistsError):
            written_to(journal)
    assert victim.read_bytes() == b"mine"
