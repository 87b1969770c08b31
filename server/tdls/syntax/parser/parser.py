"""The tolerant parser: builds a tree and its syntax errors from text and a catalogue.

This module reads members and the common parts of operations (results, name, location); `regions` adds regions and
blocks. The text between an operation's name and its end is read by the operation's assembly format if the catalogue has
one (`assembly`), as the generic form (`dictionary.read_generic`), or structurally (`structural`), which needs no
definition and is also the fallback for a malformed operation. These readers know the parser only through the interface
`asm_parser`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.limits import TYPO_SEARCHES
from tdls.syntax import scanner
from tdls.syntax.parser import operation_ends
from tdls.syntax.parser.assembly.format_reader import assembly_of, form_between, newer_form, read_assembly
from tdls.syntax.parser.assembly.implied_types import is_settled
from tdls.syntax.parser.assembly.reader import AssemblyReader, NewerFormReader
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import read_generic
from tdls.syntax.parser.operation_state import OPERANDS, RESULTS, OperationState
from tdls.syntax.parser.regions import Found, RegionParser
from tdls.syntax.tree import Alias, Form, Member, Operation, ResultGroup, SyntaxProblem, Tree
from tdls.text.scanning import integer
from tdls.text.span import Span

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.changed_operations import Rename
    from tdls.catalogue.model import OperationDefinition

_DEFAULT_DIALECT = "builtin"
_CLOSERS = (")", "]", "}")
_FORMER_DIALECTS = ("std", "builtin")
"""Dialects whose operations were written without a prefix, as in LLVM 14, and have moved to others since."""
"""The name of functions before LLVM 15, in which many operations need no prefix."""
_AFFINE = ("affine_map", "affine_set")
"""Attributes in whose text nothing is a project's."""


def parse(
    text: str,
    catalogue: Catalogue,
    *,
    default_dialect: str = _DEFAULT_DIALECT,
    nested: bool = False,
    end: str = "the end of the file",
    looks_for_typos: bool = True,
) -> Tree:
    """Parse the content of a file or, if `nested`, of a container's region. Never raises; takes linear time.

    `default_dialect` is that of the enclosing operation; `end` names the end of `text` in messages. Without looking for
    typos, fewer of the same problems are certain.
    """
    parser = Parser(
        scanner.scan(text), catalogue, default_dialect, nested=nested, end=end, looks_for_typos=looks_for_typos
    )
    return Tree(text, parser.read_members(parser.limit), parser.tokens.balanced)


_TYPO_LENGTH = 2_000
"""Maximum length, in code points, of an operation to examine for a slip of the keyboard."""
_TYPOS_LENGTH = 3 * _TYPO_LENGTH
"""Maximum number of code points to examine in one section: every attempted edit parses the operation again."""


class Parser(RegionParser):
    """Reads members and operations."""

    def __init__(
        self,
        tokens: scanner.Tokens,
        catalogue: Catalogue,
        default_dialect: str,
        *,
        nested: bool = False,
        end: str = "the end of the file",
        looks_for_typos: bool = True,
    ) -> None:
        super().__init__(tokens, catalogue, default_dialect, nested=nested, end=end)
        self._outermost = self._member_depth = self._depth
        self._reported_deepest = 0
        self._typo_searches = TYPO_SEARCHES.most if looks_for_typos else 0
        self._typo_length = _TYPOS_LENGTH

    @property
    def at_member_level(self) -> bool:
        return self._depth == self._member_depth

    # Members

    def read_members(self, limit: int) -> tuple[Member, ...]:
        """Read members up to token `limit`, or up to a block label in the region of a container within the text."""
        members: list[Member] = []
        saved = (self.member_start, self.problems, self._children, self._member_depth)
        self._member_depth = self._depth
        while self.index < limit and not (self._depth > self._outermost and self.at(scanner.BLOCK)):
            self.member_start, self.problems, self._children = self.index, [], []
            members.append(self._read_member())
        self.member_start, self.problems, self._children, self._member_depth = saved
        return tuple(members)

    def _read_member(self) -> Member:
        start, kind = self.index, self.kinds[self.index]
        alias: Alias | None = None
        operation: Operation | None = None
        if kind in (scanner.TYPE, scanner.ATTRIBUTE) and self.kinds[start + 1] == "=":
            alias = self._read_alias()
        elif kind == "{-#":
            self._read_file_metadata()
        else:
            operation = self.read_operation()
        self.index = max(self.index, start + 1)
        deepest = self.tokens.deepest
        while self._reported_deepest < len(deepest) and deepest[self._reported_deepest] < self.index:
            index = deepest[self._reported_deepest]
            self.report_at(index, index + 1, "brackets are nested too deeply to be read here")
            self._reported_deepest += 1
        return Member(*self.place(start, self.index), operation, alias, tuple(self.problems), tuple(self._children))

    def _read_alias(self) -> Alias:
        start = self.take()
        self.take()
        value = self.index
        symbol = "type" if self.kinds[start] == scanner.TYPE else "attribute"
        if self._depth > 0 and self.tokens.indent(start) > 0:
            message = "an alias is defined inside of an operation"
            self.report_at(start, value, message, "move it to the top level of the file", is_certain=True)
        elif "." in self.spelling(start):
            message = f"the name of an alias has no dot: `{self.spelling(start)}` is a dialect's {symbol}"
            self.report_at(start, start + 1, message, is_certain=True)
        try:
            self.index = self.after_type(value) if symbol == "type" else self.after_attribute(value)
            self.check_detail(symbol, value, self.index)
        except Mismatch as mismatch:
            mismatch.is_certain |= self.spelling(value) in _AFFINE
            self.report(mismatch)
            self.index = max(self.index, operation_ends.next_line_start(self, value))
        text = self.text_between(value, self.index) if self.index > value else ""
        return Alias(*self.place(start, self.index), self.spelling(start), text, self.starts[value])

    def _read_file_metadata(self) -> None:
        start = self.index
        try:
            self.index = self.after_group(start)
            self.check_detail("file_metadata", start, self.index)
        except Mismatch as mismatch:
            self.report(mismatch)
            self.index = self.limit if self.index == start else self.index

    # Operations

    def _read_operations(self, state: OperationState) -> tuple[Operation, ...]:
        if state.is_container and self._depth == self._member_depth + 1:
            children = self.read_members(self.limit)
            self._children += children
            return tuple(child.operation for child in children if child.operation is not None)
        operations: list[Operation] = []
        while self.index < self.limit and not self.at(scanner.BLOCK):
            before = self.index
            operation = self.read_operation()
            if operation is not None:
                operations.append(operation)
            self.index = max(self.index, before + 1)
        return tuple(operations)

    def read_operation(self) -> Operation | None:
        """Read one operation; if none begins here, record a problem and return None."""
        start = self.index
        results = self._read_results()
        kind = self.kinds[self.index]
        if self.index < self.limit and kind == scanner.STRING:
            return self._finish(start, results, self._read_generic_operation())
        if self.index < self.limit and kind == scanner.IDENTIFIER and self._can_name_operation():
            return self._finish(start, results, self._read_custom_operation(results))
        if self.index < self.limit and kind == scanner.IDENTIFIER and (results or self.tokens.first_on_line(start)):
            name = self._name_with_prefix(self.spelling(self.index))
            if name is not None:
                return self._finish(start, results, self._read_custom_operation(results, name))
        self._report_no_operation(results)
        nowhere = OperationState("", self.index, Form.STRUCTURAL, broken=True)
        self.index = operation_ends.skip_to_operation(self, max(self.index, start + 1))
        return self._finish(start, results, nowhere) if results else None

    def _can_name_operation(self) -> bool:
        """Whether the next identifier may name an operation.

        Without a dialect it must be an operation of the default dialect, unless that dialect is only a guess.
        """
        return (
            "." in self.spelling(self.index)
            or self.scopes[-1].column >= 0
            or operation_ends.is_bare_operation_name(self, self.index)
        )

    def _report_no_operation(self, results: tuple[ResultGroup, ...]) -> None:
        if results:
            self.report(Mismatch(self.index, "an operation name after `=`"))
            return
        help_text = None
        closes_nothing = self.kinds[self.index] in _CLOSERS and self.index not in self.tokens.partners
        if self.at("}"):
            help_text = "this `}` closes nothing; remove it, or look for a missing `{` above"
        scope, is_certain = self.scopes[-1], closes_nothing
        is_word = self.at(scanner.IDENTIFIER) and self.tokens.first_on_line(self.index)
        if scope.is_list and is_word:
            is_certain = not scope.is_open or operation_ends.misspells_terminator(self, self.index)
            from tdls.text.similarity import most_similar

            names = self.known.catalogue.operation_names(scope.dialect) if scope.dialect else ()
            words = [name.removeprefix(f"{scope.dialect}.") for name in names]
            similar = most_similar(self.spelling(self.index), words)
            help_text = f"did you mean `{similar}`?" if similar is not None else help_text
        message = f"expected an operation, found {self.shown(self.index)}"
        self.report_at(self.index, self.index + 1, message, help_text, is_certain=is_certain)

    def _read_results(self) -> tuple[ResultGroup, ...]:
        """Read ``%a:2, %b =``; report a missing ``=`` and continue."""
        groups: list[ResultGroup] = []
        comma = False
        while self.at(scanner.VALUE) and self.index < self.limit:
            start = self.take()
            count = 1
            if self.at(":") and self.kinds[self.index + 1] == scanner.NUMBER:
                spelled = self.spelling(self.index + 1)
                number = integer(spelled) if spelled.isdigit() and len(spelled) < 9 else None
                count = number if number is not None else 1
                self.index += 2
            groups.append(ResultGroup(*self.place(start, self.index), self.spelling(start), count))
            comma = self.accept(",")
            if not comma:
                break
        if groups and (comma or not self.at("=")):
            scope = self.scopes[-1]
            is_certain = scope.is_list and not scope.is_open
            expected = "an SSA value such as `%0`" if comma else "`=` after the results"
            self.report(Mismatch(self.index, expected, is_certain=is_certain))
        if groups:
            self.accept("=")
        return tuple(groups)

    def _read_generic_operation(self) -> OperationState:
        name_index = self.take()
        name = self.spelling(name_index)[1:-1]
        if "." in name and not self.known.variants(name):
            name = self._with_prefix(name_index, name)
        definition = next(iter(self.known.variants(name)), None)
        state = OperationState(name, name_index, Form.GENERIC, definition)
        first_problem = len(self.problems)
        try:
            read_generic(self, state)
            operation_ends.expect_operation_end(self)
        except Mismatch as mismatch:
            self.give_up(state, first_problem)
            from tdls.syntax.parser.typos import breaks_generic_form

            mismatch.is_certain |= breaks_generic_form(self, mismatch)
            return self._read_structurally(state, mismatch)
        return state

    def _read_custom_operation(self, results: tuple[ResultGroup, ...], name: str = "") -> OperationState:
        """Read an operation in its custom form; `name` is the full name that is meant, if it is spelled wrongly."""
        name_index = self.take()
        if name:
            self._report_prefix(name_index, name)
        name, definitions = self._lookup(name or self.spelling(name_index))
        if not definitions and name == self.spelling(name_index):
            name = self._with_prefix(name_index, name)
            definitions = self.known.variants(name)
        attempts = _Attempts()
        state = self._read_by_formats(name, name_index, definitions, attempts, AssemblyReader)
        if (state is None and attempts.unreadable is None and attempts.complete is None) or (
            state is not None and _has_other_counts(state, results)
        ):
            state = self._read_older(name, name_index, attempts, results) or state
        if state is None and attempts.unreadable is None and attempts.complete is None and definitions:
            between = tuple(each for known in definitions if (each := form_between(known)) is not None)
            state = self._read_by_formats(name, name_index, between, attempts, AssemblyReader)
            if state is None and attempts.complete is None:
                state = self._read_by_formats(name, name_index, definitions[:1], _Attempts(), NewerFormReader)
                if state is not None:
                    state.definition = newer_form(definitions[0])
        if state is not None:
            return state
        is_unread = attempts.complete is None and attempts.unreadable is None
        former = self._former(self.spelling(name_index)) if is_unread else None
        if former is not None and former.name != name:
            self.index = name_index
            return self._read_custom_operation(results, former.name or "")
        if attempts.unreadable is not None or not definitions:
            return self._read_structurally(OperationState(name, name_index, Form.STRUCTURAL, attempts.unreadable), None)
        if attempts.complete is None:
            return self._read_structurally(
                OperationState(name, name_index, Form.STRUCTURAL, attempts.nearest), attempts.failure
            )
        self.index = attempts.end
        self.problems += attempts.found.problems
        self._children += attempts.found.children
        return attempts.complete

    def _read_by_formats(
        self,
        name: str,
        name_index: int,
        definitions: tuple[OperationDefinition, ...],
        attempts: _Attempts,
        reader: type[AssemblyReader],
    ) -> OperationState | None:
        """Read an operation by the first format that fits; otherwise return None, with the results in `attempts`."""
        for definition in definitions:
            if attempts.unreadable is not None and not self.known.is_at_target(definition):
                break
            assembly = assembly_of(definition)
            if not assembly.is_known:
                attempts.unreadable = attempts.unreadable or definition
                continue
            self.index = name_index + 1
            state = OperationState(name, name_index, Form.EXACT, definition)
            first_problem = len(self.problems)
            try:
                if read_assembly(self, state, assembly, reader):
                    attempts.note_end(self, state)
                    operation_ends.expect_operation_end(self)
                    return state
                attempts.unreadable = attempts.unreadable or definition
                self.give_up(state, first_problem)
            except Mismatch as mismatch:
                attempts.note_failure(mismatch, self.give_up(state, first_problem), definition)
        self.index = name_index + 1
        return None

    def _read_older(
        self, name: str, name_index: int, attempts: _Attempts, results: tuple[ResultGroup, ...]
    ) -> OperationState | None:
        """Read an operation in a form that only LLVM versions before those of the facts have, and report that.

        It is broken for every rule about newer forms, though all of its text is read.
        """
        end = self.index
        first_problem = len(self.problems)
        for older in self.known.catalogue.older(name):
            state = self._read_by_formats(name, name_index, (older,), _Attempts(), AssemblyReader)
            if state is not None and not _has_other_counts(state, results):
                state.broken = True
                if attempts.failure is not None:
                    self.report(attempts.failure)
                return state
            if state is not None:
                self.give_up(state, first_problem)
        self.index = end
        return None

    def _lookup(self, spelled: str) -> tuple[str, tuple[OperationDefinition, ...]]:
        """Return the full name of an operation, and its definitions in the order to try.

        A name without a dot gets the default dialect, as in `OperationParser::parseCustomOperationName`.
        """
        name = spelled if "." in spelled else f"{self.scopes[-1].dialect}.{spelled}"
        return name, self.known.variants(name)

    def _with_prefix(self, name_index: int, name: str) -> str:
        """Return the name that is meant if that of an unknown operation lacks its dialect, and report that."""
        meant = self._name_with_prefix(name)
        if meant is None:
            return name
        self._report_prefix(name_index, meant)
        return meant

    def _name_with_prefix(self, name: str) -> str | None:
        """Return the known operation called `name` without its dialect: that of the operation around, or the only one.

        MLIR leaves out no part of a name with a dot. The default dialect of a project's operation may be any.
        """
        owner = self.scopes[-1].owner
        meant = f"{owner}.{name}"
        if owner and self.known.variants(meant):
            return meant
        if "." in name or not self.scopes[-1].is_list:
            return None
        former = self._former(name)
        if former is not None:
            return former.name
        dialects = self.known.catalogue.dialects()
        named = [known for dialect in dialects if self.known.variants(known := f"{dialect}.{name}")]
        return named[0] if len(named) == 1 else None

    def _former(self, name: str) -> Rename | None:
        """Return the rename of an operation whose former name needed no prefix."""
        if "." in name or not self.scopes[-1].is_list:
            return None
        renames = (self.known.catalogue.renamed(f"{dialect}.{name}") for dialect in _FORMER_DIALECTS)
        return next((each for each in renames if each is not None and self.known.variants(each.name or "")), None)

    def _report_prefix(self, name_index: int, meant: str) -> None:
        spelled = self.spelling(name_index).strip('"')
        former = self._former(spelled)
        if former is not None and former.name == meant:
            message = f"`{spelled}` exists up to LLVM {former.last_version} only; it is now called `{meant}`"
            place = self.place(name_index, name_index + 1)
            self.problems.append(SyntaxProblem(*place, message, f"write `{meant}`", is_certain=True, new_name=meant))
            return
        message = f"the name `{spelled}` lacks its prefix `{meant.removesuffix(spelled)}`"
        is_certain = self.scopes[-1].is_list
        self.report_at(name_index, name_index + 1, message, f"write `{meant}`", is_certain=is_certain)

    def _read_structurally(self, tried: OperationState, failure: Mismatch | None) -> OperationState:
        """Read the operation of `tried` again without its format; `failure` is the mismatch with its format, if any."""
        from tdls.syntax.parser.structural import StructuralReader

        state = OperationState(
            tried.name, tried.name_index, Form.STRUCTURAL, tried.definition, broken=failure is not None
        )
        mark = len(self.problems)
        self.index = tried.name_index + 1
        StructuralReader(self, state).read()
        if failure is not None:
            self.keep_regions(state)
            if failure.index > self.index:  # in what begins the next operation
                failure = Mismatch(self.index, "the rest of the operation")
            failure.is_certain = self._is_certain(tried, failure)
            self.report(failure)
            self.problems.insert(mark, self.problems.pop())
        return state

    def _is_certain(self, tried: OperationState, failure: Mismatch) -> bool:
        """Whether no MLIR reads the operation of `tried`, which was just read."""
        is_behind = self.tokens.first_on_line(failure.index) and not self.scopes[-1].owner
        if tried.definition is not None and is_settled(tried.definition) and not is_behind:
            return True
        return self._is_typo(tried, failure)

    def _is_typo(self, tried: OperationState, failure: Mismatch) -> bool:
        """Whether the operation of `tried`, which was just read, is certainly a typing error."""
        from tdls.syntax.parser.typos import single_edits

        length = self.ends[self.index - 1] - self.starts[tried.name_index]
        if self._typo_searches == 0 or failure.is_certain or length > min(_TYPO_LENGTH, self._typo_length):
            return failure.is_certain
        self._typo_searches -= 1
        self._typo_length -= length
        return any(map(self._reads_as_known, single_edits(self, tried.name, tried.name_index, self.index, failure)))

    def _reads_as_known(self, text: str) -> bool:
        """Whether `text`, which begins with an operation's name, parses as one operation in a known form."""
        parser = Parser(scanner.scan(text), self.known.catalogue, self.scopes[-1].dialect, looks_for_typos=False)
        operation = parser.read_operation()
        is_known = operation is not None and operation.form is not Form.STRUCTURAL and not operation.broken
        return is_known and not parser.problems and parser.index == parser.limit

    def _finish(self, start: int, results: tuple[ResultGroup, ...], state: OperationState) -> Operation:
        self._read_trailing_location(state)
        if results:
            self.scopes[-1].names.update([group.name for group in results])
        self.scopes[-1].is_open = state.form is Form.STRUCTURAL and not state.broken
        place = self.place(start, max(self.index, start + 1))
        name = state.name_index
        return state.build(place, Span(self.starts[name], self.ends[name]), results)

    def _read_trailing_location(self, state: OperationState) -> None:
        if not (self.at_keyword("loc") and self.kinds[self.index + 1] == "(" and self.index < self.limit):
            return
        start = self.index
        try:
            self.index = self.after_group(start + 1)
            self.check_detail("location", start, self.index)
        except Mismatch as mismatch:
            state.broken = True
            self.report(mismatch)
            self.index = operation_ends.skip_to_operation(self, max(self.index, start + 1))


def _has_other_counts(state: OperationState, results: tuple[ResultGroup, ...]) -> bool:
    """Whether an operation has another number of results than its definition, or than are named, or of operand types.

    No handle has the type of a function: a form without results was read that has some in another version.
    """
    types = state.types.get(RESULTS)
    counts = {len(types)} if types is not None else set[int]()
    counts |= {sum(group.count for group in results)} if results else set()
    if state.definition is not None and all(each.arity is Arity.ONE for each in state.definition.results):
        counts |= {len(state.definition.results)} if counts else set()
    operand_types = state.types.get(OPERANDS)
    has_others = operand_types is not None and len(operand_types) != sum(map(len, state.values.values()))
    is_function = any(type_.text.startswith("(") for group in state.types.values() for type_ in group)
    return has_others or len(counts) > 1 or (is_function and state.name.startswith("transform."))


class _Attempts:
    """The results of reading one operation by the formats of several LLVM versions.

    `complete` is the first state that its format accepts although unknown text follows on a new line, which belongs to
    no operation; `end` and `found` belong to it. `failure` is the mismatch at the furthest token, with the definition
    `nearest`. `unreadable` is the first definition whose format only C++ knows: text that the other formats reject is
    not certain to be wrong then.
    """

    __slots__ = ("_read", "complete", "end", "failure", "found", "nearest", "unreadable")

    def __init__(self) -> None:
        self.complete: OperationState | None = None
        self.end = 0
        self.found = Found([], [])
        self.failure: Mismatch | None = None
        self.nearest: OperationDefinition | None = None
        self.unreadable: OperationDefinition | None = None
        self._read: OperationState | None = None

    def note_end(self, cursor: RegionParser, state: OperationState) -> None:
        """Record that the format of `state` was read up to the next token of `cursor`."""
        if self.complete is None and cursor.tokens.first_on_line(cursor.index):
            self._read, self.end = state, cursor.index

    def note_failure(self, mismatch: Mismatch, problems: Found, definition: OperationDefinition) -> None:
        """Record that the format does not match, or that the operation does not end behind it."""
        if self.complete is None and self._read is not None:
            self.complete, self.found = self._read, problems
        if self.failure is None or mismatch.index > self.failure.index:
            self.failure, self.nearest = mismatch, definition
