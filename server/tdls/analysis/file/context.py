"""One section of a file with its analyses, the input of every rule and every editor feature."""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum, auto
from itertools import chain, count
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from tdls.analysis.file import queries
from tdls.analysis.file.effects import EffectAnalysis
from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.file.queries import Query
from tdls.limits import CALLEE_STEPS, RULE_STEPS, SYMBOL_NAMES, Budget
from tdls.semantic.resolver import resolve
from tdls.semantic.symbols import SymbolTables, collect_symbols, root_of
from tdls.semantic.transform_dialect import is_transform_operation
from tdls.structs import NamedTuple, Struct
from tdls.system import cached_property

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set

    from tdls.analysis.file.source_file import NamedLibraries as LibraryNames
    from tdls.analysis.file.source_file import SourceFile
    from tdls.limits import Limit
    from tdls.semantic.dominance import Dominance
    from tdls.semantic.model import Model, Operation, Value
    from tdls.semantic.reachability import Reachability
    from tdls.semantic.types import TypeTexts
    from tdls.syntax.sections.sections import Section
    from tdls.syntax.sections.windows import Window
    from tdls.syntax.tree import Alias, Tree
    from tdls.text.span import FileSpan, Span


_T = TypeVar("_T")
_SMALL = 100
"""Sections with fewer operations get the budget of this number."""


Answers = dict[Query, object]
"""Questions with their answers."""


class OperationKind(Enum):
    """Operations of a section that rules look at, by name and definition."""

    ANY = auto()
    TRANSFORM = auto()
    """Defined ones of the transform dialect, or with one of its interfaces."""
    UNKNOWN = auto()
    """Those with a name of the transform dialect that no source defines, and those in a form of older versions."""


class DefiningOperation(NamedTuple):
    """An operation that defines a symbol, with the context of its section."""

    context: Context
    operation: Operation


class NamedDefinition(NamedTuple):
    """A definition in a library, which a comment names `written`, or only settings; people know it as `name`."""

    written: str
    name: str
    definition: DefiningOperation


class InSection(NamedTuple):
    """A span in the section of `context`, which may be another one than the current section."""

    context: Context
    span: Span

    @property
    def in_file(self) -> FileSpan:
        """The span in the section's file."""
        return self.context.to_file(self.span)


class Context:
    """One section in one version of a file. Spans are offsets in the section's text.

    Facts about the section are computed once, on first use. Questions about the rest of the file are recorded, so that
    facts that depend on the answers can be kept while these stay the same (`still_holds`). Analyses keep their results
    as a `Fact`; the context has only the facts that nearly all of them use.
    """

    def __init__(self, file: SourceFile, index: int, window: Window | None = None) -> None:
        """`index` is that of the section's piece, the first one for a frame; `window` is one of that section."""
        self.file = file
        self.index = index
        self.window = window
        self.section: Section = window.section if window is not None else file.sections.pieces[index].section
        self.catalogue = self.section.catalogue
        """Definitions of operations, types and attributes. Questions to it are recorded with the section."""
        self.budget = Budget(RULE_STEPS)
        """Steps left to the current rule."""
        self.rules_given_up: list[tuple[str, Limit]] = []
        """Rules that exceeded a limit."""
        self.facts: dict[object, object] = {}
        """Results computed with this context, by fact; only `Fact` reads and writes it."""
        self._answers: Answers = {}
        self._foreign: dict[int, Context] = {}
        """Contexts of operations of other sections, by the identity of their outermost operation, kept alive below."""
        self._kept: list[Operation] = []

    def fresh(self) -> Context:
        """Return a context of the same section without recorded questions."""
        return Context(self.file, self.index, self.window)

    @cached_property
    def readable(self) -> list[Context]:
        """This context; for a long section those of its windows, where it has any."""
        from tdls.syntax.sections.windows import windows_of

        windows = windows_of(self.section).windows if self.section.is_left_out and not self.mentions_transform else ()
        return [Context(self.file, self.index, window) for window in windows] or [self]

    def to_file(self, span: Span) -> FileSpan:
        """Return the span in the file of a span in the section's text."""
        return self.file.place_of(self, self.window.place(span) if self.window is not None else span)

    def to_local(self, offset: int) -> int:
        """Return the offset in the section's text of an offset in the file, which has to be in the section."""
        local = self.file.local_offset(self, offset)
        return self.window.local(local) if self.window is not None else local

    def reading(self, offset: int) -> Context:
        """Return the context in which an offset in the file, which has to be in the section, is read."""
        starts = [each.window.start for each in self.readable if each.window is not None]
        return self.readable[max(bisect_right(starts, self.to_local(offset)) - 1, 0)]

    def where_defined(self, value: Value) -> tuple[Context, Value]:
        """Return a value as its definition has it, with its context: in a window it may have a stand-in instead."""
        if self.window is None or self.window.holds(value.span):
            return self, value
        offset = self.to_file(value.span).start
        context = self.file.context_at(offset).reading(offset)
        values = (result for operation in context.model.walk() for result in operation.results)
        same = (each for each in values if each.shown == value.shown and context.to_file(each.span).start == offset)
        return context, next(same, value)

    @property
    def tree(self) -> Tree:
        """The section's syntax tree."""
        return self.section.tree

    @cached_property
    def model(self) -> Model:
        """Resolved operations and values; its operations are the section's outermost ones."""
        return model_of(self)

    @property
    def types(self) -> TypeTexts:
        """The canonical texts of types, in which the aliases of the section's part of the file are resolved."""
        return self.ask(queries.TYPES)

    @property
    def aliases(self) -> list[Alias]:
        """The aliases that the section defines."""
        return [member.alias for member in self.tree.members if member.alias is not None]

    def operations(self, of: OperationKind | str) -> Sequence[Operation]:
        """Return the operations of a kind, or of a name, in the order of the text."""
        return self._operations.get(of, ())

    @cached_property
    def _operations(self) -> dict[OperationKind | str, list[Operation]]:
        """The operations by kind and by name, from one walk over the section."""
        by_kind: dict[OperationKind | str, list[Operation]] = {OperationKind.ANY: list(self.model.walk())}
        for operation in by_kind[OperationKind.ANY]:
            by_kind.setdefault(operation.name, []).append(operation)
            definition = operation.definition
            is_older = definition is not None and self.catalogue.is_older(definition)
            if is_older or is_transform_operation(operation):
                is_known = definition is not None and not is_older
                kind = OperationKind.TRANSFORM if is_known else OperationKind.UNKNOWN
                by_kind.setdefault(kind, []).append(operation)
        return by_kind

    @cached_property
    def size(self) -> int:
        """Number of operations, for budgets: at least `_SMALL`; wide operations count more."""
        operations = self.model.walk()
        return max(_SMALL, sum(1 + (len(operation.operands) + len(operation.results)) // 4 for operation in operations))

    @cached_property
    def symbols(self) -> SymbolTables:
        """Symbol tables of the model; other symbols are looked up in the rest of the file."""
        return collect_symbols(self.model, self._lookup_outside)

    @cached_property
    def value_names(self) -> frozenset[str]:
        """The names of values that the section defines or uses."""
        operations = list(self.model.walk())
        defined = (group.name for operation in operations for group in operation.syntax.results)
        used = (use.name for operation in operations for use in operation.syntax.operands)
        blocks = (block for operation in operations for block in operation.blocks())
        arguments = (argument.name for block in blocks for argument in block.arguments)
        return frozenset((*defined, *used, *arguments))

    def unused_name(self, name: str, suffix: str, taken: Collection[str] = ()) -> str:
        """Return a name that no value in the section has, and not `taken`; a numeric name cannot get a suffix."""
        base = f"%{suffix}" if name[1:].isdigit() else f"{name}_{suffix}"
        candidates = chain([base], (f"{base}{number}" for number in count(2)))
        return next(
            candidate for candidate in candidates if candidate not in self.value_names and candidate not in taken
        )

    def in_reach(self, operation: Operation) -> Iterator[Value]:
        """Yield the values that `operation` may use: of operations before it and around it, up to an isolated one."""
        inner: Operation | None = operation
        while inner is not None:
            block = inner.block
            before = (block.operations if block is not None else self.model.operations)[: inner.index]
            yield from (result for earlier in before for result in earlier.results)
            yield from block.arguments if block is not None else ()
            parent = inner.parent
            inner = parent if parent is not None and not parent.has_trait("IsIsolatedFromAbove") else None

    @cached_property
    def users(self) -> dict[Value, list[Operation]]:
        """The operations that use a value, in the order of the text; values without a use are missing."""
        users: dict[Value, list[Operation]] = {}
        for operation in self.model.walk():
            for value in dict.fromkeys(operation.operands):
                if value is not None:
                    users.setdefault(value, []).append(operation)
        return users

    @cached_property
    def dominance(self) -> Dominance:
        """Dominance between the blocks of the model."""
        from tdls.semantic.dominance import Dominance

        return Dominance()

    @cached_property
    def reachability(self) -> Reachability:
        """Reachability between the blocks of the model."""
        from tdls.semantic.reachability import Reachability

        return Reachability()

    @cached_property
    def effects(self) -> EffectAnalysis:
        """Effects of the model's operations on handles."""
        return EffectAnalysis(self.symbols, self.catalogue, Budget(CALLEE_STEPS, self.size))

    # The rest of the file

    @property
    def mentions_transform(self) -> bool:
        """True if an operation, type or attribute of the transform dialect seems to occur in the section."""
        return mentions_transform(self.section)

    @property
    def encloses_scripts(self) -> bool:
        """True if the section is a container's frame, and scripts seem to stand in the container."""
        return self.ask(queries.ENCLOSES_SCRIPTS)

    @property
    def part(self) -> int:
        """Number of the part of the file between ``// -----`` markers that the section is in."""
        return self.file.sections.pieces[self.index].part

    @cached_property
    def container(self) -> Context | None:
        """The frame of the container around the section; its model has one operation, the container."""
        self.ask(queries.CONTAINER)
        frame = self.file.sections.pieces[self.index].frame
        return self.file.context_of(frame) if frame is not None else None

    @property
    def container_operation(self) -> Operation | None:
        """The container around the section."""
        container = self.container
        return next(iter(container.model.operations), None) if container is not None else None

    def lookup(self, path: Sequence[str]) -> DefiningOperation | None:
        """Return the definition of ``@a::@b`` in the section's surroundings, libraries included."""
        if len(path) > SYMBOL_NAMES.most:
            return None
        self.ask(queries.LOOKUP, tuple(path))
        return self.file.lookup(self.index, path)

    def visible_symbols(self, operation_name: str) -> Set[str]:
        """Return the symbols of the surroundings whose definition begins with `operation_name`, in the file's order."""
        return self.ask(queries.VISIBLE_SYMBOLS, operation_name).keys()

    def is_called(self, symbol: str) -> bool:
        """Whether an operation of the surroundings passes handles to the named sequence `symbol`."""
        return self.ask(queries.IS_CALLED, symbol)

    def section_using_matcher(self, symbol: str) -> Section | None:
        """Return the first section of the surroundings with an operation that executes the sequence as a matcher."""
        return self.ask(queries.USED_AS_MATCHER, symbol)

    def may_call_itself(self, symbol: str) -> bool:
        """Whether the names in calls allow that the sequence `symbol` of the surroundings reaches itself."""
        return self.ask(queries.MAY_CALL_ITSELF, symbol)

    def is_first(self, operation_name: str) -> bool:
        """Whether no section before this one in the same container begins with `operation_name`."""
        return self.ask(queries.IS_FIRST, operation_name)

    def is_defined_before(self, symbol: str) -> bool:
        """Whether a section before this one in the same container seems to begin with a definition of `symbol`."""
        return self.ask(queries.IS_DEFINED_BEFORE, symbol)

    def are_defined_before(self, aliases: frozenset[str]) -> bool:
        """Whether sections before this one in its part of the file define all of `aliases`, sigils included."""
        return self.ask(queries.ARE_ALIASES_DEFINED, aliases)

    def section_defining_alias(self, name: str) -> Section | None:
        """Return the section of the same part of the file that has the first definition of an alias."""
        return self.ask(queries.ALIAS_DEFINITION, name)

    def has_scripts_without(self, sequence: str) -> bool:
        """Whether the file has operations of scripts, and no named sequence that is called `sequence`."""
        return self.ask(queries.HAS_SCRIPTS_WITHOUT, sequence)

    @property
    def sequences(self) -> frozenset[str]:
        """The names of the file's named sequences, and `transform.sequence` if it may have one."""
        return self.ask(queries.SEQUENCES)

    def may_define(self, symbol: str) -> bool:
        """Whether any text of the file may define `symbol`, in a form that is not read, or in another symbol table."""
        return self.ask(queries.MAY_DEFINE, symbol)

    @property
    def is_in_template(self) -> bool:
        """True if the file is a template, with placeholders that another program replaces."""
        return self.ask(queries.IS_TEMPLATE)

    @property
    def is_in_other_text(self) -> bool:
        """True if the file has no operation, so that it is not MLIR unless it is empty."""
        return not self.ask(queries.HAS_OPERATIONS)

    def definition_of(self, operation: Operation) -> DefiningOperation:
        """Return `operation`, a result of `symbols` or `effects`, with the context of its section."""
        return DefiningOperation(self._foreign.get(id(root_of(operation)), self), operation)

    def callee(self, operation: Operation) -> Operation | None:
        """Return the named sequence that `operation` calls; for a mere declaration, the definition in a library.

        The declaration is returned where no library has a body.
        """
        declared = self.effects.callee(operation)
        if declared is None or any(True for _ in declared.blocks()):
            return declared
        symbol = declared.syntax.symbol_name
        definition = self.library_body(symbol) if symbol is not None else None
        if definition is None:
            return declared
        self._keep(definition)
        return definition.operation

    @property
    def named_libraries(self) -> LibraryNames:
        """The libraries of the file, by who names them."""
        return self.ask(queries.NAMED_LIBRARIES)

    @property
    def knows_all_libraries(self) -> bool:
        """True if each name of a library in comments of the file leads to a file, and all could be read."""
        named = self.named_libraries
        files = {id(library.file) for _, library in named.all}
        is_whole = all(named.files.get(name) for command in named.commands for name in command)
        return is_whole and len(files) == len(self.file.libraries)

    def library_body(self, symbol: str) -> DefiningOperation | None:
        """Return the first definition of a symbol, with a body, in a library of the file."""
        self.ask(queries.LOOKUP_IN_LIBRARIES, symbol)
        return self.file.lookup_in_libraries(symbol)

    def library_definitions(self, symbol: str) -> list[NamedDefinition]:
        """Return the definitions of a symbol in libraries, one for each library."""
        self.ask(queries.LIBRARY_DEFINITIONS, symbol)
        libraries = {library.file: (text, library.name) for text, library in self.named_libraries.all}
        offered = ((*names, file.exported(symbol)) for file, names in libraries.items())
        return [NamedDefinition(text, name, definition) for text, name, definition in offered if definition is not None]

    def _lookup_outside(self, path: Sequence[str], origin: Operation) -> Operation | None:
        home = self._foreign.get(id(root_of(origin)), self)
        definition = home.lookup(path)
        if home is not self and len(path) <= SYMBOL_NAMES.most:
            self.ask(queries.LOOKUP, tuple(path), home)
        if definition is None:
            return None
        if definition.context is not self:
            self._keep(definition)
        return definition.operation

    def _keep(self, definition: DefiningOperation) -> None:
        root = root_of(definition.operation)
        self._foreign[id(root)] = definition.context
        self._kept.append(root)

    # Recorded questions

    @property
    def answers(self) -> Answers:
        """The recorded queries about the rest of the file, with the answers."""
        return self._answers

    def still_holds(self, answers: Mapping[Query, object]) -> bool:
        """Whether the file still gives the same answers."""
        return all(self._holds(query, answer) for query, answer in answers.items())

    def note(self, answers: Mapping[Query, object]) -> None:
        """Record the questions of a fact that a result of this context depends on."""
        self._answers.update(answers)

    def _holds(self, query: Query, answer: object) -> bool:
        places = [(self.file, self.index)]
        if query.section is not None:
            files = (self.file, *self.file.libraries)
            places = [(file, index) for file in files if (index := file.index_of(query.section)) is not None]
        answers = [query.question.answer(file, index, query.about) for file, index in places[:1]]
        return any(each is answer or each == answer for each in answers)

    def ask(self, question: queries.Question[_T], about: object = None, home: Context | None = None) -> _T:
        """Return the file's answer about a name for the section, or for that of `home`, and record the question."""
        asking = home if home is not None else self
        answer = question.answer(asking.file, asking.index, about)
        self._answers[Query(home.section if home is not None else None, question, about)] = answer
        return answer


class Kept(Struct, Generic[_T], frozen=True):
    """A fact with the questions that it depends on, and the answers."""

    value: _T
    answers: Mapping[Query, object]


class TrackedFact(Generic[_T]):
    """Decorator for a function of a section's context, kept with the section while its questions have the same answers.

    A fact that uses other facts depends on their questions, too.
    """

    def __init__(self, compute: Callable[[Context], _T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __call__(self, context: Context) -> _T:
        """Return the fact about the section of `context`."""
        return self.with_questions(context).value

    def with_questions(self, context: Context) -> Kept[_T]:
        """Return the fact with the questions that it depends on."""
        kept = self.known(context.section)
        if kept is None or not context.still_holds(kept.answers):
            fresh = context.fresh()
            try:
                kept = Kept(self._compute(fresh), dict(fresh.answers))
            finally:
                context.note(fresh.answers)  # results computed without a fact that failed depend on them, too
            context.section.keep(self, kept, fresh.catalogue)
        context.note(kept.answers)
        return kept

    def known(self, section: Section) -> Kept[_T] | None:
        """Return the fact last kept for a section, from any version of its file, or None."""
        return cast("Kept[_T] | None", section.facts.get(self))

    def holds(self, context: Context) -> bool:
        """Whether the fact is kept and holds in the version of the file of `context`."""
        kept = self.known(context.section)
        return kept is not None and context.still_holds(kept.answers)


@TrackedFact
def model_of(context: Context) -> Model:
    """Return the resolved operations and values of a section."""
    return resolve(context.tree, context.types)
