"""Inlay hints: implied types, attribute names, consumed operands, and contents of handles in the last run."""

from __future__ import annotations

import re
from enum import Enum
from itertools import chain
from string import ascii_letters, digits
from typing import TYPE_CHECKING

from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.meaning.choices import TUNE, combinations
from tdls.ide.document.semantic_tokens import pieces_in
from tdls.ide.markdown import code, codes
from tdls.ide.run_marks import RunMarks
from tdls.ide.runs.labels import description, label
from tdls.semantic.model import operation_at
from tdls.semantic.transform_dialect import is_transform_operation
from tdls.settings.model import InlayHints
from tdls.structs import Struct, replace
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.programs.built_scripts import BuiltOperation, BuiltScript, BuiltScripts
    from tdls.ide.snapshot import Snapshot
    from tdls.interpreter.runs.model import Place
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute
    from tdls.text.span import FileSpan

_NUMBERS = re.compile(r"\[?\s*-?\d")
_OF_WORDS = f"{ascii_letters}{digits}_$.-#"
_SIGILS = ("%", "@", "!", "^")

STOPPED = "the last run stopped here"
CONSUMED = "consumed here"


class HintKind(Enum):
    """The subject of a hint."""

    TYPE = "type"
    ATTRIBUTE = "attribute"
    EFFECT = "effect"
    CONTENTS = "contents"


class InlayHint(Struct, frozen=True):
    """Text shown at `offset`, outside of the file's text. Only a hint of kind `ATTRIBUTE` precedes its subject."""

    offset: int
    label: str
    kind: HintKind
    tooltip: str
    link: Place | None = None
    """The target of a click."""


_DEFAULT = InlayHints()
_WIDEST = 40
"""Maximum length of a hint in code points; VS Code shows 43."""


def inlay_hints(snapshot: Snapshot, uri: str, span: FileSpan, options: InlayHints = _DEFAULT) -> list[InlayHint]:
    """Return the hints inside of `span` (ends inclusive), in textual order."""
    file = snapshot.file(uri)
    if file is None:
        return []
    sections = dict.fromkeys(file.sections.pieces[index].section for index in pieces_in(file, span))
    hints_of_sections = (
        hint
        for section in sections
        if mentions_transform(section)
        for hint in _in_section(file.context_of(section), span, options)
    )
    contents = _contents(snapshot.marks.get(uri, RunMarks())) if options.contents else ()
    hints = chain(hints_of_sections, contents)
    return sorted((hint for hint in hints if span.start <= hint.offset <= span.end), key=lambda hint: hint.offset)


def _in_section(context: Context, span: FileSpan, options: InlayHints) -> Iterator[InlayHint]:
    """Yield hints with offsets of the file, at least of the operations that `span` touches."""
    for counted in combinations(context) if options.contents and TUNE in context.section.text else ():
        label = f"{counted.total:,} combinations"
        label = label if counted.allowed == counted.total else f"{counted.allowed:,} of {label}"
        label = label if counted.is_exact else f"at most {label}"
        names = codes(choice.name for choice in counted.choices)
        tooltip = f"So many combinations of the options of {names} meet all constraints"
        tooltip += "." if counted.is_exact else ", some of which cannot be evaluated here."
        yield InlayHint(context.to_file(Span(counted.end, counted.end)).start, label, HintKind.CONTENTS, tooltip)
    for operation in context.model.walk():
        whole = context.to_file(operation.span)
        if whole.start > span.end:
            return
        if whole.end < span.start or not is_transform_operation(operation):
            continue
        for hint in _of_operation(context, operation, options):
            yield replace(hint, offset=context.to_file(Span(hint.offset, hint.offset)).start)


def _contents(marks: RunMarks) -> Iterator[InlayHint]:
    """Yield hints for the contents of handles in the last run."""
    for mark in marks.handles:
        text = label(mark)
        shown = text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3].rstrip(' ,')}..."
        link = mark.reason.place if mark.reason is not None else None
        yield InlayHint(mark.span.end, shown, HintKind.CONTENTS, description(mark), link)
    if marks.stop is not None:
        yield InlayHint(marks.stop.end, STOPPED, HintKind.CONTENTS, "What is behind this line was not executed.")


def _of_operation(context: Context, operation: Operation, options: InlayHints) -> Iterator[InlayHint]:
    """Yield hints with offsets of the section."""
    if options.types:
        yield from _types(operation)
    if options.consumed:
        yield from _effects(context, operation)
    if options.operand_names and not _is_constant(operation):
        for attribute in operation.syntax.attributes:
            yield from _attribute_name(context.section.text, operation, attribute)


def _types(operation: Operation) -> Iterator[InlayHint]:
    """Yield the types of results that the assembly form leaves out because the definition implies them."""
    implied: dict[Span, list[str]] = {}
    for value, spelled in zip(operation.results, operation.syntax.result_types or (), strict=False):
        if not spelled.is_spelled:
            implied.setdefault(value.span, []).append(spelled.text)
    for span, types in implied.items():
        tooltip = f"{code(operation.name)} has no other result types here"
        yield InlayHint(span.end, f": {', '.join(types)}", HintKind.TYPE, tooltip)


def _effects(context: Context, operation: Operation) -> Iterator[InlayHint]:
    consumed = {id(value) for value in context.effects.consumed_operands(operation)}
    for use, value in zip(operation.syntax.operands, operation.operands, strict=True):
        if value is not None and id(value) in consumed:
            tooltip = f"{code(operation.name)} consumes {code(value.shown)}, which stands for nothing from here on"
            yield InlayHint(use.end, CONSUMED, HintKind.EFFECT, tooltip)


def _is_constant(operation: Operation) -> bool:
    """Return whether the operation consists of one attribute, which then needs no name."""
    definition = operation.definition
    return definition is not None and not definition.operands and len(definition.attributes) == 1


def _attribute_name(text: str, operation: Operation, attribute: NamedAttribute) -> Iterator[InlayHint]:
    """Yield the name of an attribute that is spelled as bare numbers, without its name or a keyword before it."""
    if attribute.value is None or attribute.value_start != attribute.start or not _NUMBERS.match(attribute.value):
        return
    start = attribute.start
    if not _follows_keyword(text, operation, start):
        tooltip = f"attribute {code(attribute.name)} of {code(operation.name)}"
        yield InlayHint(start, f"{attribute.name}:", HintKind.ATTRIBUTE, tooltip)


def _follows_keyword(text: str, operation: Operation, start: int) -> bool:
    """Return whether a keyword precedes `start`, optionally followed by ``=`` or an opening bracket."""
    head = text[operation.location.end : start].rstrip()
    head = head[:-1].rstrip() if head.endswith(("=", "(", "{")) else head
    start_of_word = len(head.rstrip(_OF_WORDS))
    return head[start_of_word : start_of_word + 1].isalpha() and not head[:start_of_word].endswith(_SIGILS)


def program_hints(
    scripts: BuiltScripts, uri: str, present: SourceFile, span: FileSpan, options: InlayHints
) -> list[InlayHint]:
    """Return the hints inside of `span` of a program's present text, in textual order: calls that consume a handle."""
    if not options.consumed:
        return []
    by_offset: dict[int, InlayHint] = {}
    for script in scripts.by_uri.values():
        for operation in script.operations if uri in script.programs else ():
            call = operation.calls[0]
            moved = script.now(call, present) if call.uri == uri else None
            if moved is not None and span.start <= moved.span.end <= span.end:
                by_offset.update((moved.span.end, hint) for hint in _of(script, operation, moved.span.end))
    return sorted(by_offset.values(), key=lambda hint: hint.offset)


def _of(script: BuiltScript, built: BuiltOperation, offset: int) -> Iterator[InlayHint]:
    context = script.file.context_at(built.offset)
    operation = operation_at(context.model, context.to_local(built.offset))
    consumed = list(context.effects.consumed_operands(operation)) if operation is not None else []
    if operation is not None and consumed:
        names = codes(value.shown for value in consumed)
        tooltip = f"{code(operation.name)} consumes {names}, which stands for nothing from here on"
        yield InlayHint(offset, CONSUMED, HintKind.EFFECT, tooltip)
