"""What a script may know of the payload that is written in the same part of its file, or in a file of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from tdls.analysis.file.file_facts import FileFact
from tdls.analysis.file.questions import Question
from tdls.analysis.handles.payload.written_payload import payload_in

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.analysis.file.questions import AskedFile
    from tdls.analysis.handles.payload.written_payload import WrittenPayload


def payload_beside(context: Context) -> WrittenPayload:
    """Return what there is of payload in the part of the file that the section is in, or in the file that it is for."""
    return cast("WrittenPayload", context.ask(PayloadBeside()))


@dataclass(frozen=True, slots=True)
class PayloadBeside(Question):
    """What payload is written in the same part of the file, or in the one that its scripts are run on?"""

    rests_on_insides: ClassVar[bool] = True

    def answer(self, file: AskedFile, index: int) -> object:  # noqa: D102
        if file.payload is not None:
            file, index = file.payload, 0
        part = file.sections.pieces[index].part
        known = _by_part(file)
        if part not in known:
            pieces = (piece for piece in file.sections.pieces if piece.part == part and piece.begins_section)
            known[part] = payload_in(piece.section for piece in pieces)
        return known[part]


@FileFact
def _by_part(file: AskedFile) -> dict[int, WrittenPayload]:
    """Return a place for what is written in the parts of a file, as far as that was asked for."""
    del file
    return {}
