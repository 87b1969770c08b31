"""Rewrites a match that is split by position, and runs the script before and behind that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from tdls.ide.actions.by_attribute.comparison import EditedFile, RunComparison
from tdls.ide.actions.by_attribute.refusal import NotRewrittenError
from tdls.ide.actions.by_attribute.tags import TaggedOperation, tagging_edits, tags_for
from tdls.ide.runs.run_report import offset_of, summary
from tdls.interpreter.model import Emit, Status, TextFile
from tdls.interpreter.plan import has_payload
from tdls.interpreter.script import Script
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.actions.by_attribute.tags import NameTag
    from tdls.ide.actions.by_attribute.written_split import WrittenSplit
    from tdls.interpreter.jobs.backend import Backend
    from tdls.interpreter.model import PayloadItem, RunRequest, RunResult
    from tdls.semantic.model import Operation, Value
    from tdls.text.diagnostic import TextEdit

_MOST_TRIED = 16
"""How many ways to write an attribute are tried."""


@dataclass(frozen=True)
class Rewriting:
    """Edits of the files of a run, by their names, that keep what it does."""

    edits: Mapping[str, tuple[TextEdit, ...]]
    tags: tuple[NameTag, ...]


def rewritten(
    request: RunRequest, split: WrittenSplit, files: Mapping[str, SourceFile], run: Callable[[RunRequest], RunResult]
) -> Rewriting:
    """Return what matches the parts of `split` by attribute; it stands in the script of `request`.

    `files` are the script and what has the payload, by name. Raises NotRewrittenError, and what `run` raises.
    """
    split.check()
    if not has_payload(request):
        raise NotRewrittenError("there is no payload to give attributes to")
    wanted = replace(request, emits=frozenset({Emit.PAYLOAD}), observe=True, until=None)
    first = run(wanted)
    if first.status is not Status.SUCCESS:
        raise NotRewrittenError(summary(first))
    parts = _parts(request, split, first, files[request.root.name])
    tags = tags_for(
        [split.names[value.shown] for value in split.results], parts, [file.text for file in files.values()]
    )
    edits: dict[str, list[TextEdit]] = {name: [] for name in files}
    edits[request.script.name] += split.edits(tags)
    trial = _Trial(wanted, files, run)
    for part, tag in zip(parts, tags, strict=True):
        edits[request.root.name] += [trial.tagging_edit(operation, tag) for operation in part]
    edited = {name: EditedFile(file, edits[name]) for name, file in files.items()}
    second = run(_edited_request(wanted, edited))
    RunComparison(edited, tags, split.names).check(first, second, split.handles_that_go, request.script.name)
    return Rewriting({name: tuple(file.edits) for name, file in edited.items()}, tuple(tags))


def rewritten_by(
    backend: Backend, request: RunRequest, split: WrittenSplit, files: Mapping[str, SourceFile]
) -> Rewriting:
    """Return what `rewritten` does, with the runs of `backend`. Raises BackendError, too."""
    return rewritten(request, split, files, backend.run)


def _parts(
    request: RunRequest, split: WrittenSplit, result: RunResult, root: SourceFile
) -> list[list[TaggedOperation]]:
    """Return, for each part, the operations that it stood for, as they are written."""
    parts: list[list[TaggedOperation]] = []
    seen: set[Operation] = set()
    for value in split.results:
        items = _items(request, split, value, result)
        part = [_written(item, request.root.name, root) for item in items]
        for operation in (tagged.operation for tagged in part):
            if operation in seen:
                raise NotRewrittenError(f"the script makes several of one `{operation.name}`, which it tells apart")
            seen.add(operation)
        parts.append(part)
    return parts


def _items(request: RunRequest, split: WrittenSplit, value: Value, result: RunResult) -> Sequence[PayloadItem]:
    """Return what a part stood for."""
    place = (request.script.name, *split.context.to_file(value.span), value.number)
    held = next((held for held in result.handles if (held.file, held.start, held.end, held.number) == place), None)
    if held is None or held.executions != 1:
        executed = f"executed {held.executions} times" if held is not None and held.executions else "never executed"
        raise NotRewrittenError(f"`{split.split.operation.name}` is {executed} in this run")
    (contents,) = held.moments
    if not contents.count:
        raise NotRewrittenError(f"`{value.shown}` holds nothing in this run")
    if len(contents.items) < contents.count:
        raise NotRewrittenError(f"`{value.shown}` holds {contents.count} operations, which are too many")
    return contents.items


def _written(item: PayloadItem, name: str, root: SourceFile) -> TaggedOperation:
    """Return the operation of the payload that an item is, as it is written."""
    if item.place is not None and item.place.file == name:
        start = offset_of(root, item.place.line, item.place.column)
        context = root.context_at(start)
        for operation in context.model.walk():
            starts = {context.to_file(place).start for place in (operation.span, operation.location)}
            if start in starts and operation.name == item.name:
                return TaggedOperation(context, operation)
    raise NotRewrittenError(f"a `{item.name}` that it finds is not written in the payload, but made by the script")


class _Trial:
    """Finds out how attributes are written, by having MLIR read operations of each name with one."""

    def __init__(
        self, request: RunRequest, files: Mapping[str, SourceFile], run: Callable[[RunRequest], RunResult]
    ) -> None:
        self._request = request
        self._files = files
        self._run = run
        self._numbers: dict[str, int] = {}
        """Which of the edits MLIR reads, by names of operations."""

    def tagging_edit(self, tagged: TaggedOperation, tag: NameTag) -> TextEdit:
        """Return the edit that gives an operation an attribute. Raises NotRewrittenError where none is known."""
        edits = list(islice(tagging_edits(tagged, tag), _MOST_TRIED))
        name = tagged.operation.name
        number = self._numbers.get(name)
        if number is None and tagged.operation.syntax.form is not Form.STRUCTURAL:
            number = 0
        if number is None:
            readable = (number for number, edit in enumerate(edits) if self._is_read(edit))
            number = self._numbers[name] = next(readable, len(edits))
        if number < len(edits):
            return edits[number]
        line = tagged.context.file.position(tagged.context.to_file(tagged.operation.span).start).line + 1
        raise NotRewrittenError(f"where `{name}` in line {line} can have an attribute is not known")

    def _is_read(self, edit: TextEdit) -> bool:
        root = self._request.root.name
        edited = {name: EditedFile(file, [edit] if name == root else []) for name, file in self._files.items()}
        return self._run(_edited_request(self._request, edited)).status is not Status.INVALID


def _edited_request(request: RunRequest, edited: Mapping[str, EditedFile]) -> RunRequest:
    """Return the request with the edited texts of its script and its payload."""
    script, payload = request.script, request.payload
    of_script = edited[script.name]
    return replace(
        request,
        script=Script(script.name, of_script.applied_to(script.text), script.catalogue),
        payload=TextFile(payload.name, edited[payload.name].applied_to(payload.text)) if payload is not None else None,
        operation=request.operation if request.operation is None else of_script.moved(request.operation),
    )
