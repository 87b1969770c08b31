"""What every rule and every editor feature works on: one section of a file with everything that is known of it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from tdls.analysis.effects import EffectAnalysis
from tdls.analysis.handles.findings import look_at_handles
from tdls.analysis.spelled_payload_names import unknown_names
from tdls.analysis.use_after_free import UseAfterFreeAnalysis
from tdls.semantic.control_flow import Dominance, Reachability
from tdls.semantic.resolver import resolve
from tdls.semantic.symbols import SymbolTables, collect_symbols, root_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.handles.findings import HandleFindings
    from tdls.analysis.handles.written_payload import WrittenPayload
    from tdls.analysis.source_file import SourceFile
    from tdls.analysis.spelled_payload_names import UnknownName
    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Model, Operation, Value
    from tdls.syntax.sections import Section
    from tdls.syntax.tree import Tree


class Question(NamedTuple):
    """Something that was asked about the file around a section; None stands for the asking section."""

    section: Section | None
    kind: str
    arguments: tuple[str, ...] = ()


Questions = dict[Question, object]
"""What was asked, with the answers."""


class Definition(NamedTuple):
    """An operation that defines a symbol, with the context that its places belong to."""

    context: Context
    operation: Operation


class Context:
    """One section in one version of a file. Places are offsets in the section's text.

    What follows from the section is computed once, when it is first asked for. What is asked about the rest of the file
    is recorded, so that answers that rest on it can be kept while the rest says the same (`still_holds`).
    """

    def __init__(self, file: SourceFile, index: int) -> None:
        """`index` is that of the section's piece, the first one for a frame."""
        self.file = file
        self.index = index
        self.section: Section = file.sections.pieces[index].section
        self._asked: Questions = {}
        self._foreign: dict[int, Context] = {}
        """Contexts of operations of other sections, by the identity of their outermost operation, kept alive below."""
        self._kept: list[Operation] = []

    @property
    def catalogue(self) -> Catalogue:
        """What is known of operations, types and attributes."""
        return self.file.catalogue

    @property
    def tree(self) -> Tree:
        """The section's syntax tree."""
        return self.section.tree

    @cached_property
    def model(self) -> Model:
        """Resolved operations and values; its operations are the section's outermost ones."""
        self._ask("types")
        types = self.file.types(self.part)
        known: Model | None = self.section.derived.get("model")
        if known is None or known.types is not types:
            known = self.section.derived["model"] = resolve(self.tree, types)
        return known

    @cached_property
    def symbols(self) -> SymbolTables:
        """Symbol tables of the model; what they do not have is looked up in the rest of the file."""
        return collect_symbols(self.model, self._lookup_outside)

    @cached_property
    def users(self) -> dict[Value, list[Operation]]:
        """The operations that use a value, in the order of the text; values without a use are missing."""
        found: dict[Value, list[Operation]] = {}
        for operation in self.model.walk():
            for value in dict.fromkeys(operation.operands):
                if value is not None:
                    found.setdefault(value, []).append(operation)
        return found

    @cached_property
    def dominance(self) -> Dominance:
        """Dominance between the blocks of the model."""
        return Dominance()

    @cached_property
    def reachability(self) -> Reachability:
        """Reachability between the blocks of the model."""
        return Reachability()

    @cached_property
    def effects(self) -> EffectAnalysis:
        """Effects of the model's operations on handles."""
        return EffectAnalysis(self.symbols)

    @cached_property
    def use_after_free(self) -> UseAfterFreeAnalysis:
        """Where values are freed, and used after that."""
        return UseAfterFreeAnalysis(self.model, self.effects, self.reachability)

    @cached_property
    def handle_findings(self) -> HandleFindings:
        """What is wrong with handles, for certain or possibly, beyond uses of one that was consumed itself."""
        return look_at_handles(self)

    @cached_property
    def unknown_payload_names(self) -> tuple[UnknownName, ...]:
        """Names of payload operations that are spelled and that no payload can have."""
        return tuple(unknown_names(self))

    # The rest of the file

    @property
    def part(self) -> int:
        """Number of the part of the file between ``// -----`` markers that the section is in."""
        return self.file.sections.pieces[self.index].part

    @cached_property
    def container(self) -> Context | None:
        """The frame of the container around the section; its model has one operation, the container."""
        self._ask("container")
        frame = self.file.sections.pieces[self.index].frame
        return self.file.context_of(frame) if frame is not None else None

    @property
    def container_operation(self) -> Operation | None:
        """The container around the section."""
        container = self.container
        return next(iter(container.model.operations), None) if container is not None else None

    def lookup(self, path: Sequence[str]) -> Definition | None:
        """Return what ``@a::@b`` means in the section's surroundings, libraries included."""
        self._ask("lookup", *path)
        return self.file.lookup(self.index, path)

    def visible_symbols(self, operation_name: str) -> list[str]:
        """Return the symbols of the surroundings whose definition begins with `operation_name`, in the file's order."""
        self._ask("symbols", operation_name)
        return self.file.level_symbols(self.index, operation_name)

    def is_called(self, symbol: str) -> bool:
        """Tell whether an operation of the surroundings passes handles to the named sequence `symbol`."""
        return bool(self._ask("called", symbol))

    def is_first(self, operation_name: str) -> bool:
        """Tell whether no section before this one in the same container begins with `operation_name`."""
        return bool(self._ask("first", operation_name))

    @property
    def written_payload(self) -> WrittenPayload:
        """What the part of the file that the section is in has of payload."""
        return cast("WrittenPayload", self._ask("payload"))

    def definition_of(self, operation: Operation) -> Definition:
        """Return `operation`, which `symbols` or `effects` gave, with the context that its places belong to."""
        return Definition(self._foreign.get(id(root_of(operation)), self), operation)

    def _lookup_outside(self, path: Sequence[str], origin: Operation) -> Operation | None:
        home = self._foreign.get(id(root_of(origin)), self)
        found = home.lookup(path)
        if home is not self:
            self._ask("lookup", *path, home=home)
        if found is None:
            return None
        if found.context is not self:
            self._keep(found)
        return found.operation

    def _keep(self, found: Definition) -> None:
        root = root_of(found.operation)
        self._foreign[id(root)] = found.context
        self._kept.append(root)

    # What answers depend on

    @property
    def asked(self) -> Questions:
        """What was asked about the rest of the file, with the answers."""
        return self._asked

    def still_holds(self, asked: Questions) -> bool:
        """Tell whether the file still gives the same answers."""
        return all(self._holds(question, answer) for question, answer in asked.items())

    def _holds(self, question: Question, answer: object) -> bool:
        index = self.index if question.section is None else self.file.index_of(question.section)
        if index is None:
            return False
        found = self.file.answer(index, question.kind, question.arguments)
        return found is answer or found == answer

    def _ask(self, kind: str, *arguments: str, home: Context | None = None) -> object:
        asking = home if home is not None else self
        answer = self.file.answer(asking.index, kind, arguments)
        self._asked[Question(home.section if home is not None else None, kind, arguments)] = answer
        return answer
