"""Files of a project and their includes; each file is executed once and sees the definitions of its includes.

TableGen pastes includes into one text. Here each file is a module, so that shared files are read once. A name is looked
up in the file, in its includes, in the files that include it with their includes, and last in all other files.
"""

from __future__ import annotations

import os.path
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from tdls.catalogue.model import SourcePlace
from tdls.catalogue.sources.tablegen.environment import Thunk, VariableScope
from tdls.catalogue.sources.tablegen.evaluation import delayed_value
from tdls.catalogue.sources.tablegen.execution import StatementContext, execute
from tdls.catalogue.sources.tablegen.nodes import Include
from tdls.catalogue.sources.tablegen.parser import parse
from tdls.catalogue.sources.tablegen.records import Record, instantiate
from tdls.catalogue.sources.work import WORK, ProjectWork, SourceProblem
from tdls.limits import FILE_STEPS, PROJECT_STEPS, OverBudget

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from tdls.catalogue.sources.tablegen.environment import ClassDefinition, MulticlassDefinition, ScopedLet
    from tdls.catalogue.sources.tablegen.nodes import ClassCall, Statement
    from tdls.catalogue.sources.tablegen.parser import ParsedFile
    from tdls.catalogue.sources.tablegen.values import EvaluatedValue, RecordValue


class FileFinder:
    """Finds included files and parses each once.

    A path is searched for in the folder of the including file, then in the include folders, then among the project's
    own files by the ends of their paths, those nearest to the including file first.
    """

    def __init__(
        self,
        parsed: Mapping[Path, ParsedFile],
        include_folders: Sequence[Path],
        read: Callable[[Path], str | None],
        parse_text: Callable[[str], ParsedFile] = parse,
    ) -> None:
        self._own = parsed
        self._folders = include_folders
        self._read = read
        self._parse = parse_text
        self._parsed: dict[tuple[Path, frozenset[str]], ParsedFile | None] = {}
        self._by_name: dict[str, list[Path]] = {}
        for path in parsed:
            self._by_name.setdefault(path.name, []).append(path)
        self._found: dict[tuple[str, Path], Path | None] = {}

    def find(self, written: str, includer: Path) -> Path | None:
        """Return the file of ``include "written"`` in the file `includer`, or None."""
        key = (written, includer.parent)
        if key not in self._found:
            found = (path for path in self._candidates(written, includer) if self.parsed(path) is not None)
            self._found[key] = next(found, None)
        return self._found[key]

    def parsed(self, path: Path, macros: frozenset[str] = frozenset()) -> ParsedFile | None:
        """Return a file, parsed with `macros` defined, or None if it cannot be read."""
        if not macros and path in self._own:
            return self._own[path]
        key = (path, macros)
        if key not in self._parsed:
            text = self._read(path)
            if text is None:
                self._parsed[key] = None
            else:
                self._parsed[key] = parse(text, macros) if macros else self._parse(text)
        return self._parsed[key]

    def _candidates(self, written: str, includer: Path) -> Iterator[Path]:
        for folder in (includer.parent, *self._folders):
            yield Path(os.path.normpath(folder / written))
        end = PurePosixPath(written).parts
        same_end = [path for path in self._by_name.get(end[-1] if end else "", ()) if path.parts[-len(end) :] == end]
        yield from sorted(same_end, key=lambda path: -_common_parts(path, includer))


def _common_parts(first: Path, other: Path) -> int:
    """Return the number of leading folders that two paths have in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first.parts, other.parts, strict=False)))


_DEEPEST_INCLUDE = 30
"""Maximum depth of nested includes; deeper ones are executed after the files before them."""
_MOST_INCLUDES = 20_000
"""Maximum number of includes to follow for the nearest files; names in all other files are still found."""
_GIVEN_UP = {
    FILE_STEPS.name: "what this file defines from here on",
    PROJECT_STEPS.name: "what the project defines from here on",
}
_MODULES_PER_STEP = 16
_STEPS_OF_LOOKING_AROUND = 20


class Module:
    """One file: its definitions, and the definitions that are visible in it."""

    def __init__(self, path: Path, parsed: ParsedFile, lets: tuple[ScopedLet, ...], project: Project) -> None:
        self.path = path
        self.parsed = parsed
        self.lets = lets
        """The lets around the ``include`` of this file."""
        self.classes: dict[str, ClassDefinition] = {}
        self.multiclasses: dict[str, MulticlassDefinition] = {}
        self.values: dict[str, EvaluatedValue | Thunk] = {}
        self.records: list[Record] = []
        self.anonymous_records: dict[ClassCall, RecordValue] = {}
        self.includes: dict[Module, None] = {}
        self.included_by: dict[Module, None] = {}
        self.is_executed = False
        self.scope = VariableScope(self)
        self._project = project
        self._all_visible: tuple[Module, ...] | None = None
        self._owners: dict[tuple[str, str], Module | None] = {}
        self._unknown: dict[str, Record] = {}

    def __repr__(self) -> str:
        return f"<{self.path}>"

    # Receiving definitions

    def include(self, path: str, lets: tuple[ScopedLet, ...]) -> None:
        """Make the definitions of the file `path` visible, if it is found; `lets` are those around the ``include``."""
        self._project.include(path, lets, self)

    def record(self, name: str | None, offset: int) -> Record:
        """Return a new record at `offset`; anonymous if `name` is None."""
        line, column = self.parsed.place(offset)
        place = SourcePlace(self.path, line, column)
        if name is None:
            return Record(f"anonymous_{len(self.records)}", anonymous=True, place=place)
        return Record(name, place=place)

    # Looking up names

    def find_class(self, name: str) -> ClassDefinition | None:
        owner = self._owner("classes", name)
        return None if owner is None else owner.classes[name]

    def find_multiclass(self, name: str) -> MulticlassDefinition | None:
        owner = self._owner("multiclasses", name)
        return None if owner is None else owner.multiclasses[name]

    def known_value(self, name: str) -> EvaluatedValue | None:
        """Return the record, defset or global defvar of that name, or None."""
        owner = self._owner("values", name)
        return None if owner is None else delayed_value(owner.values, name)

    def value(self, name: str) -> EvaluatedValue:
        """Return the value of a name; if it is undefined, a record known only by name."""
        found = self.known_value(name)
        if found is not None:
            return found
        if name not in self._unknown:
            self._unknown[name] = Record.unknown_one(name)
        return self._unknown[name]

    def instances(self, class_name: str) -> Iterator[Record]:
        """Yield the named records of this file and its includes that derive from a class."""
        for module in self.reachable():
            WORK.spend(1 + len(module.records))
            yield from (record for record in module.records if not record.anonymous and record.is_a(class_name))

    def instantiate(self, call: ClassCall, scope: VariableScope) -> Record:
        """Return a new anonymous record of a class with arguments, which are evaluated in `scope`."""
        return instantiate(call, scope)

    def reachable(self) -> tuple[Module, ...]:
        """Return this file and all its includes, nearest first."""
        return _closure([self], lambda module: module.includes)

    def _owner(self, table: str, name: str) -> Module | None:
        """Return the module that defines a name in one of its tables, as seen from this file."""
        key = (table, name)
        if key in self._owners:
            return self._owners[key]
        visible = self._visible()
        WORK.spend(1 + len(visible) // _MODULES_PER_STEP)
        around = (module for module in visible if name in getattr(module, table))
        found = next(around, None) or self._project.owner(table, name)
        if self._project.is_complete:
            self._owners[key] = found
        return found

    def _visible(self) -> Collection[Module]:
        """Return all files in which a name is looked up, in order."""
        if self._all_visible is not None:
            return self._all_visible
        WORK.spend(_STEPS_OF_LOOKING_AROUND)
        visible = dict.fromkeys(self.reachable())
        includers = _closure(self.included_by, lambda module: module.included_by)
        visible.update(dict.fromkeys(_closure(includers, lambda module: module.includes)))
        if self._project.is_complete:
            self._all_visible = tuple(visible)
        return visible


class Project:
    """The files of a project, and the files outside of it that they include.

    `parsed` has the project's own files; `read` returns the text of any file, or None. Paths are
    absolute. The definitions of the project that `base` returns are visible, too, after those of a file and its
    includes.
    """

    def __init__(
        self,
        parsed: Mapping[Path, ParsedFile],
        include_folders: Sequence[Path],
        read: Callable[[Path], str | None],
        base: Callable[[], Project] | None = None,
        parse_text: Callable[[str], ParsedFile] = parse,
    ) -> None:
        self.is_complete = False
        """True once all files are executed, after which the visible names do not change."""
        self.missing_includes: set[str] = set()
        self.problems: list[SourceProblem] = []
        self._files = FileFinder(parsed, include_folders, read, parse_text)
        self._base = base
        self._modules: dict[tuple[Path, frozenset[str], tuple[ScopedLet, ...]], Module] = {}
        self._executed: set[Path] = set()
        self._waiting: list[Module] = []
        self._include_depth = 0
        self._exhausted: set[Path | None] = set()
        """Files whose budget is spent; None stands for the budget of the project."""
        self.work = ProjectWork()
        self._owners: dict[tuple[str, str], Module | None] = {}
        self._execute_all(parsed)

    @property
    def modules(self) -> Iterable[Module]:
        """All executed files; a file that depends on macros or lets may occur more than once."""
        return self._modules.values()

    def include(self, written: str, lets: tuple[ScopedLet, ...], includer: Module) -> None:
        """Execute the file of an ``include``, unless it was executed before, and make it visible in `includer`."""
        path = self._files.find(written, includer.path)
        parsed = self._files.parsed(path) if path is not None else None
        if path is None or parsed is None:
            self.missing_includes.add(written)
            return
        module = self._module(path, parsed.asked_macros & includer.parsed.defined_macros, lets)
        if module is not includer and module not in includer.includes:
            includer.includes[module] = None
            module.included_by[includer] = None
            self._execute_included(module)

    def owner(self, table: str, name: str) -> Module | None:
        """Return the module of a name that a file and its includes do not define: in the base, else in any file."""
        key = (table, name)
        if key in self._owners:
            return self._owners[key]
        WORK.spend(1 + len(self._modules) // _MODULES_PER_STEP)
        found = next((module for module in self.others() if name in getattr(module, table)), None)
        if self.is_complete:
            self._owners[key] = found
        return found

    def others(self) -> Iterator[Module]:
        """Yield the files in which a name is looked up last."""
        if self._base is not None:
            yield from self._base().modules
        yield from self._modules.values()

    def _execute_all(self, parsed: Mapping[Path, ParsedFile]) -> None:
        """Execute all files; included files come after their includers, whose definitions they may need."""
        included = {
            self._files.find(written, path)
            for path, file in parsed.items()
            for written in _includes_of(file.statements)
        }
        for path in sorted(parsed, key=lambda path: path in included):
            if path not in self._executed:
                self._execute(self._module(path, frozenset(), ()))
            while self._waiting:
                self._execute(self._waiting.pop())
        self.is_complete = True

    def _module(self, path: Path, macros: frozenset[str], lets: tuple[ScopedLet, ...]) -> Module:
        key = (path, macros, lets)
        if key not in self._modules:
            parsed = self._files.parsed(path, macros)
            assert parsed is not None
            self._modules[key] = Module(path, parsed, lets, self)
        return self._modules[key]

    def _execute_included(self, module: Module) -> None:
        """Execute an included file; in a long chain of includes it is executed after the chain."""
        if self._include_depth >= _DEEPEST_INCLUDE:
            self._waiting.append(module)
            return
        self._include_depth += 1
        try:
            self._execute(module)
        finally:
            self._include_depth -= 1

    def _execute(self, module: Module) -> None:
        if module.is_executed:
            return
        module.is_executed = True
        self._executed.add(module.path)
        for statement, start in zip(module.parsed.statements, module.parsed.starts, strict=True):
            self._execute_statement(statement, start, module)

    def _execute_statement(self, statement: Statement, start: int, module: Module) -> None:
        try:
            with self.work.definition(module.path):
                execute((statement,), StatementContext.of(module, module.scope, module.lets))
        except OverBudget as over:
            self.report(over, module.path, module.parsed.place(start)[0], "this statement")

    def report(self, over: OverBudget, path: Path, line: int, name: str) -> None:
        """Report that the definition `name` is left out; a spent budget of a file or project is reported once."""
        if over.limit.name in _GIVEN_UP:
            key = path if over.limit.name == FILE_STEPS.name else None
            if key in self._exhausted:
                return
            self._exhausted.add(key)
            name = _GIVEN_UP[over.limit.name]
        self.problems.append(SourceProblem(path, line, f"{name} asks for more than {over}; it is left out"))


def _includes_of(statements: Iterable[Statement]) -> Iterator[str]:
    """Yield the paths in the includes of statements, as they are written."""
    for statement in statements:
        if isinstance(statement, Include):
            yield statement.path
        yield from _includes_of(getattr(statement, "statements", ()))


def _closure(start: Iterable[Module], following: Callable[[Module], Iterable[Module]]) -> tuple[Module, ...]:
    found = dict.fromkeys(start)
    pending = list(found)
    left = _MOST_INCLUDES
    for module in pending:
        for other in following(module):
            left -= 1
            if left < 0:
                return tuple(found)
            if other not in found:
                found[other] = None
                pending.append(other)
    return tuple(found)
