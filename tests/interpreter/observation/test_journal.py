"""What an observed run writes down can be read however it ended."""

from __future__ import annotations

from pathlib import Path

from tdls.interpreter.observation.journal import Journal, Moment, Writer
from tdls.interpreter.observation.trail import Bend

BENDS = [Bend(0, True, False, None), Bend(0, False, False, None), Bend(0, False, True, None)]
MOMENT = Moment(1, 0, 2, {"größe.a": 2}, [("größe.a", 'loc("x":1:2)')])


def test_nothing_was_written() -> None:
    with Journal(BENDS) as journal:
        record = journal.record()
    assert (record.executing, record.passed, record.moments) == ((), [0, 0, 0], [])
    assert (record.is_disturbed, record.is_stopped) == (False, False)


def test_what_was_written() -> None:
    with Journal(BENDS) as journal:
        writer = Writer.of(journal.message())
        assert [writer.pass_point(point) for point in (0, 1, 1)] == [0, 0, 1]
        writer.note(MOMENT)
        writer.disturb()
        writer.stop()
        record = journal.record()
    assert (record.executing, record.passed, record.moments) == ((1,), [1, 2, 0], [MOMENT])
    assert (record.is_disturbed, record.is_stopped) == (True, True)


def test_nothing_is_executed_behind_the_end() -> None:
    with Journal(BENDS) as journal:
        writer = Writer.of(journal.message())
        writer.pass_point(0)
        writer.finish()
        assert journal.record().executing == ()


def test_moment_that_was_cut_off() -> None:
    with Journal(BENDS) as journal:
        writer = Writer.of(journal.message())
        writer.note(MOMENT)
        with Path(journal.moments).open("ab") as file:
            file.write(b'[1, 0, 2, {"a"')
        assert journal.record().moments == [MOMENT]


def test_files_are_gone_in_the_end() -> None:
    with Journal(BENDS) as journal:
        folder = Path(journal.marks).parent
    assert not folder.exists()
