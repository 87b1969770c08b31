"""A short run of the soak test; `python -m soak.run` is the long one."""

from __future__ import annotations

from random import Random

from soak.edits import Editor
from soak.run import documents, soak

EDITS = 150


def test_answers_after_random_work_are_those_of_a_fresh_server() -> None:
    outcome = soak(seed=20, edits=EDITS, checkpoint_every=EDITS // 2)
    assert outcome.problems == []
    assert outcome.edits >= EDITS
    assert outcome.comparisons > 100


def test_undoing_every_edit_restores_the_text() -> None:
    original = next(iter(documents().values()))
    editor, text = Editor(Random(5), [original]), original
    for _ in range(40):
        edit = editor.make(text)
        text = text[: edit.start] + edit.new_text + text[edit.end :]
    assert text != original
    while (edit_back := editor.undo()) is not None:
        text = text[: edit_back.start] + edit_back.new_text + text[edit_back.end :]
    assert text == original
