"""Which steps made and changed a line of a payload, in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdls.ide.markdown.foreign import foreign
from tdls.ide.markdown.pieces import code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.model import Place

_MOST_CHANGES = 3


class ToldStep(NamedTuple):
    """A step, and where its operation is written: the address of that, its file if that is no part of the script's
    text, and the number of the line, from 1; 0 for a line that was edited since the run.
    """

    operation: str
    uri: str
    file: str
    line: int
    iteration: int


def story_text(made: ToldStep | None, changed: Sequence[ToldStep], *, is_older: bool) -> str:
    """Return a sentence about the line, "" if nothing is known; steps that changed it come newest first."""
    changes = [f"changed in {_words(step)}" for step in reversed(changed[:_MOST_CHANGES])]
    if made is not None:
        return _sentence([f"made in {_words(made)}", *changes])
    if is_older:
        return _sentence(["was there before the run", *changes])
    return _sentence(changes)


def origin_text(place: Place) -> str:
    """Return a sentence that leads to where the operation of a line came from."""
    path = Path(place.file)
    text = f"{foreign(path.name)}:{place.line}"
    return f"Came from [{text}]({path.as_uri()}#L{place.line})." if path.is_absolute() else f"Came from {text}."


def _words(step: ToldStep) -> str:
    place = f"line {step.line}" + (f" of {foreign(step.file)}" if step.file else "")
    shown = f"[{place}]({step.uri}#L{step.line})" if step.line else "a line that was edited since"
    iteration = f", in iteration {step.iteration}" if step.iteration > 1 else ""
    return f"{shown} by {code(step.operation)}{iteration}"


def _sentence(parts: Sequence[str]) -> str:
    text = ", ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""
