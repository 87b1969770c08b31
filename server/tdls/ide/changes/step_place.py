"""Where a next step is inserted at a cursor, as an edit and as completion items."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.ide.changes.code_actions import ActionKind, CodeAction
from tdls.ide.completion.items import CompletionItem, ItemKind
from tdls.semantic.model import operation_at
from tdls.semantic.transform_dialect import is_transform_name
from tdls.structs import Struct
from tdls.text.diagnostic import TextEdit
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.runs.next_steps import NextStep, NextSteps

_MOST_TEXT = 4_000_000
"""Maximum number of characters of a file in which steps are tried."""
_WORD = re.compile(r"(?:%[\w.$-]{1,99} {0,9}= {0,9})?[%\w.$-]*")
_RESULT = re.compile(r"(%[\w.$-]{1,99}) {0,9}= {0,9}")
_NAME = re.compile(r"%[\w$.-]+")
_END_OF_HEAD = re.compile(r" : | \{")


class StepPlace(Struct, frozen=True):
    """The place of a next step: between the texts `before` and `after`.

    Both leave out the line that the step replaces, `line`, so that the place stays the same while that line is typed.
    """

    file: SourceFile
    before: str
    after: str
    line: FileSpan
    """The blank or half-typed line without its break, or an empty span at which a line is to be inserted."""
    is_line: bool
    indent: str
    stop: int
    """An offset in `before` at which steps are tried at the place: in the step before it, or where its body begins."""

    @property
    def texts(self) -> tuple[str, str]:
        """The texts of the file before and after the place, by which it is known."""
        return self.before, self.after

    def without_line(self) -> SourceFile:
        """Return the file without the line."""
        begin, end = len(self.before), self.file.length - len(self.after)
        return self.file.edited(FileSpan(begin, end), "") if begin < end else self.file

    def fits(self, text: str) -> bool:
        """Whether `text` still has this place: it differs in nothing but the line."""
        rest = len(text) - len(self.before) - len(self.after)
        is_around = rest >= 0 and text.startswith(self.before) and text.endswith(self.after)
        return is_around and text.count("\n", len(self.before), len(self.before) + rest) <= 1

    def actions(self, steps: NextSteps) -> Iterator[CodeAction]:
        """Yield an action for each of the steps, which inserts it."""
        for step in steps.steps:
            edit = TextEdit(self.line, self.indent + step.text + ("" if self.is_line else "\n"))
            title = f"{_head(step)}  // {step.effect or 'finds more'}"
            yield CodeAction(title, ActionKind.STEP, (edit,))


def step_place(file: SourceFile, offset: int) -> StepPlace | None:
    """Return the place of a next step for a cursor in a script, or None where none can stand.

    It is the line of the cursor if that is blank, or has one word only, also behind the name of a result; else a line
    behind the operation there, or before it if it is a terminator.
    """
    context = file.context_at(offset)
    if file.program is not None or file.length > _MOST_TEXT or not context.mentions_transform:
        return None
    number = file.position(offset).line
    start, text = file.offset(Position(number, 0)), file.line_text(number)
    indent = text[: len(text) - len(text.lstrip())]
    is_line = _WORD.fullmatch(text.strip()) is not None
    around = operation_at(context.model, context.to_local(start if is_line else start + len(indent)))
    if around is not None and not is_line:
        if not around.has_trait("IsTerminator"):
            number = file.position(context.to_file(around.span).end).line + 1
        start, around = file.offset(Position(number, 0)), around.parent
    if around is None or not is_transform_name(around.name):
        return None
    at = context.to_local(start)
    region = next((each for each in around.regions if each.syntax.start < at <= each.syntax.end), None)
    if region is None or any(at < block.syntax.label_span.end for block in region.blocks[:1] if block.syntax.label):
        return None
    earlier = [each for block in region.blocks for each in block.operations if each.span.end <= at]
    end = file.offset(Position(number + 1, 0)) if is_line else start
    stop = context.to_file(earlier[-1].span).end if earlier else context.to_file(region.syntax.span).start
    whole = file.text
    line = FileSpan(start, start + len(text) if is_line else start)
    return StepPlace(file, whole[:start], whole[end:], line, is_line, indent, stop)


def step_items(place: StepPlace, offset: int, steps: NextSteps) -> Iterator[CompletionItem]:
    """Yield items for the steps that were tried at a place, for a cursor at `offset` of its line."""
    typed = place.file.slice(FileSpan(place.line.start, offset)).lstrip()
    span = FileSpan(offset - len(typed), offset)
    if place.file.slice(FileSpan(offset, place.line.end)).strip():
        return
    result = _RESULT.match(typed)
    for step in steps.steps:
        text, begun = step.text, step.text if typed.startswith("%") else step.operation
        if result is not None:
            if not text.startswith("%"):
                continue
            text, begun = result[1] + _NAME.sub("", text, count=1), result[0] + step.operation
        yield CompletionItem(
            _head(step),
            ItemKind.OPERATION,
            span,
            text,
            sort_key="",
            filter_text=begun,
            detail=step.effect,
            note="works here",
            summary=f"Tried here on the payload: {step.effect or 'it finds what no handle holds yet'}.\n\n{text}",
        )


def _head(step: NextStep) -> str:
    """Return the text of a step from its name to its types or its body."""
    return _END_OF_HEAD.split(step.text[step.text.index(step.operation) :], maxsplit=1)[0]
