"""Parser interface handed to operation readers (MLIR's `OpAsmParser`).

It has the position in the text, the enclosing scopes, and methods for the parts that all readers share. It does not
depend on the readers: regions and arguments, which contain operations again, are abstract here and implemented by the
class that combines the readers (`parser`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar

from tdls.limits import CHECKED_ATTRIBUTE
from tdls.syntax import scanner
from tdls.syntax.details import parse_detail, shorten
from tdls.syntax.parser.cursor import TYPE_NAMES, Mismatch, TokenCursor
from tdls.syntax.tree import SyntaxProblem, TypeUse
from tdls.text.similarity import SimilarNames
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import AttributeDefinition, OperationDefinition
    from tdls.syntax.parser.operation_state import OperationState
    from tdls.syntax.tree import BlockArgument, Region


class Scope:
    """A region while it is read: the SSA names defined so far, and the context that resolves operation names.

    An isolated scope does not see the names of the enclosing ones. `dialect` is the default dialect, and `owner` that
    of the operation with the region, empty for an unknown operation. `column` is the column, in code points, of the
    first operation in a region where names without a dialect may be of operations that no source knows: in an unknown
    operation, and where projects extend the default dialect; -1 in all other regions. `is_list` says whether the text
    is certainly a list of operations, `is_open` whether the end of the last one is only a guess.
    """

    __slots__ = ("column", "dialect", "is_list", "is_open", "isolated", "names", "owner")

    def __init__(
        self, dialect: str, *, isolated: bool, column: int = -1, owner: str = "", is_list: bool = False
    ) -> None:
        self.names: set[str] = set()
        self.dialect = dialect
        self.owner = owner
        self.isolated = isolated
        self.column = column
        self.is_list = is_list
        self.is_open = False


_T = TypeVar("_T")
_MOST_KEPT = 4_000
"""Maximum number of cached facts, more than the definitions of the operations that a project uses."""


class DefinitionFact(Generic[_T]):
    """A decorator that caches a function of a definition.

    Definitions are compared by identity: comparing their content takes longer than most of the cached functions.
    """

    def __init__(self, compute: Callable[[OperationDefinition], _T]) -> None:
        self._compute = compute
        self._known: dict[int, tuple[OperationDefinition, _T]] = {}
        """By the identity of definitions, which are kept alive so that no other object gets the same identity."""

    def __call__(self, definition: OperationDefinition) -> _T:
        known = self._known.get(id(definition))
        if known is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            known = self._known[id(definition)] = (definition, self._compute(definition))
        return known[1]


class Names:
    """Operands, results, attributes, regions and successors of one definition, by ODS name."""

    __slots__ = ("attributes", "operands", "regions", "results", "successors")

    def __init__(self, definition: OperationDefinition) -> None:
        self.operands = {operand.name: operand for operand in definition.operands}
        self.results = {result.name: result for result in definition.results}
        self.attributes = {attribute.name: attribute for attribute in definition.attributes}
        self.regions = {region.name: region for region in definition.regions}
        self.successors = {successor.name: successor for successor in definition.successors}


class DefinitionCache:
    """Definitions of operations by full name, cached for one parser."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._variants: dict[str, tuple[OperationDefinition, ...]] = {}

    def variants(self, name: str) -> tuple[OperationDefinition, ...]:
        """Return the definitions of the operation with this full name, in the catalogue's order."""
        variants = self._variants.get(name)
        if variants is None:
            variants = self._variants[name] = self.catalogue.variants(name)
        return variants

    def is_or_was(self, name: str) -> bool:
        """Whether an operation with this full name exists, or existed in older versions."""
        return bool(self.variants(name)) or self.catalogue.renamed(name) is not None

    def is_at_target(self, definition: OperationDefinition) -> bool:
        """Whether the text's target LLVM version has `definition`."""
        return self.catalogue.is_at_target(definition)


class AsmParser(TokenCursor, ABC):
    """A cursor that creates nodes and records problems."""

    def __init__(self, tokens: scanner.Tokens, catalogue: Catalogue, default_dialect: str, *, end: str) -> None:
        """`default_dialect` is that of the enclosing operation; `end` names the end of the text in messages."""
        super().__init__(tokens)
        self._similar = SimilarNames(0.6)
        self.known = DefinitionCache(catalogue)
        self.member_start = 0
        """The first token of the current member."""
        self.problems: list[SyntaxProblem] = []
        self.scopes = [Scope(default_dialect, isolated=True, owner=default_dialect, is_list=True)]
        self.limit = tokens.count
        """The token that ends the enclosing region: no operation may read it or a later one."""
        self._end = end
        self._strings: dict[str, str] = {}
        self._sound_types: set[str] = set()

    # Parts that contain operations

    @property
    @abstractmethod
    def at_member_level(self) -> bool:
        """Whether the next operation is a member, not an operation inside of one."""

    @abstractmethod
    def read_region(self, state: OperationState, arguments: tuple[BlockArgument, ...] = ()) -> Region:
        """Read the region of `state` that begins at the next token, which must be ``{``. Raises `Mismatch`.

        `arguments` are those of the entry block that the operation's own syntax defines.
        """

    @abstractmethod
    def read_argument(self) -> BlockArgument:
        """Read ``%name : type {attributes} loc(...)``. Raises `Mismatch`."""

    # Places and texts of nodes

    def text_between(self, start: int, end: int) -> str:
        """Return the text from token `start` up to token `end` (exclusive); texts of one token are shared."""
        if end == start + 1:
            return self.spellings[start]
        spelled = self.text[self.starts[start] : self.ends[end - 1]]
        return self._strings.setdefault(spelled, spelled)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets of the tokens from `start` up to `end` (exclusive)."""
        return self.starts[start], self.ends[end - 1 if end > start else start]

    def span(self, start: int, end: int) -> Span:
        """Return the `place` of the tokens from `start` up to `end` (exclusive) as a span."""
        return Span(*self.place(start, end))

    def type_use(self, start: int, end: int) -> TypeUse:
        """Create the node of the type from token `start` up to `end` (exclusive)."""
        return TypeUse(*self.place(start, end), self.text_between(start, end))

    def read_type(self) -> TypeUse:
        """Read and check one type. Raises `Mismatch`."""
        start = self.index
        end = self.index = self.after_type(start)
        text = self.text_between(start, end)
        if text not in self._sound_types:
            self.check_detail("type", start, end)
            self._sound_types.add(text)
        return TypeUse(self.starts[start], self.ends[end - 1], text)

    def is_visible(self, name: str) -> bool:
        """Whether the SSA `name` is already defined in this or a visible enclosing scope."""
        for scope in reversed(self.scopes):
            if name in scope.names:
                return True
            if scope.isolated:
                return False
        return False

    # Problems

    def check_detail(self, symbol: str, start: int, end: int) -> str:
        """Check the text from token `start` up to `end` (exclusive) by the grammar rule `symbol`, and return it.

        Raises `Mismatch`.
        """
        text = self.text_between(start, end)
        is_checked = len(text) <= CHECKED_ATTRIBUTE.most or len(shorten(text).text) <= CHECKED_ATTRIBUTE.most
        problem = parse_detail(symbol, text).problem if is_checked else None
        if problem is not None:
            where = self.starts[start] + problem.offset
            index = next((i for i in range(start, end) if self.ends[i] > where), end)
            names = TYPE_NAMES if problem.expected.endswith("a type") else ()
            raise Mismatch(index, problem.expected, offset=where, is_certain=problem.is_certain, names=names)
        return text

    def at_case(self, definition: AttributeDefinition) -> bool:
        """Whether the next token is a case of the enum `definition`, or several with its separator in between."""
        kind = self.kinds[self.index]
        if kind == scanner.IDENTIFIER:
            return self.spelling(self.index) in definition.cases
        if kind not in (scanner.STRING, scanner.NUMBER):
            return False
        spelled = self.spelling(self.index).strip('"')
        separator = (definition.separator or "").strip()
        cases = spelled.split(separator) if separator else [spelled]
        return all(case.strip() in definition.cases for case in cases)

    def report(self, mismatch: Mismatch) -> None:
        """Record a problem: the expected text, and the token found instead, unless the text names it: ``this `<` ``."""
        start, end = self._problem_place(mismatch)
        is_named = mismatch.expected.endswith(f"this `{self.kinds[mismatch.index]}`")
        message = f"expected {mismatch.expected}" + ("" if is_named else f", found {self.shown(mismatch.index)}")
        help_text = mismatch.help_text
        if mismatch.names and help_text is None:
            meant = self._similar.to(self.spelling(mismatch.index).removeprefix("x"), (mismatch.names,))
            help_text = f"did you mean `{meant}`?" if meant is not None else None
        self.problems.append(SyntaxProblem(start, end, message, help_text, is_certain=mismatch.is_certain))

    def report_at(
        self, start: int, end: int, message: str, help_text: str | None = None, *, is_certain: bool = False
    ) -> None:
        """Record a problem at the tokens from `start` up to `end` (exclusive)."""
        self.problems.append(SyntaxProblem(*self.place(start, end), message, help_text, is_certain=is_certain))

    def _problem_place(self, mismatch: Mismatch) -> tuple[int, int]:
        """Return the place to report: a token missing at the end of a line is reported there, not in the next line."""
        index = mismatch.index
        if mismatch.offset is not None:
            return mismatch.offset, max(self.ends[index], mismatch.offset + 1)
        if index > self.member_start and (self.kinds[index] == scanner.END or self.tokens.first_on_line(index)):
            end = self.ends[index - 1]
            return end - 1, end
        return self.place(index, index + 1)

    def shown(self, index: int) -> str:
        """Return token `index` as messages quote it; long ones are cut."""
        if self.kinds[index] == scanner.END:
            return self._end
        spelled = self.spelling(index)
        return f"`{spelled if len(spelled) <= 40 else spelled[:37] + '...'}`"
