"""One invocation of ``tdls migrate --project-from REV``: scripts get the present operations of their project."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.fixing import fix_in_rounds
from tdls.cli.console import console, progress
from tdls.cli.console.console import InputError
from tdls.cli.console.loading import load_catalogue
from tdls.files.git import GitError
from tdls.files.selection import is_program, split_of
from tdls.files.writing import NotWrittenError, replace_content
from tdls.project.migration import ProjectMigration
from tdls.project.revisions import definitions_at
from tdls.project.root import project_root
from tdls.settings.sources import load_settings
from tdls.structs import Struct, field
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.difference import unified_diff
from tdls.text.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.cli.checking.targets import CheckTarget
    from tdls.project.migration import Change
    from tdls.settings.sources import Overrides
    from tdls.text.diagnostic import Diagnostic


class ProjectMigrationRun(Struct):
    """Migrates files; with `shows_only` prints the changes, and with `counts_only` their number, and writes nothing."""

    former: str
    """The revision that scripts are written for."""
    present: str
    shows_only: bool = False
    counts_only: bool = False
    _migrations: dict[Path, ProjectMigration] = field(default_factory=dict)
    _has_failed: bool = False
    _is_left: bool = False
    """True if something is left to people, or would be changed."""

    def run(self, targets: Sequence[CheckTarget], catalogues: Sequence[Path], overrides: Overrides) -> int:
        """Migrate `targets`, and return the exit status. Raises InputError."""
        for target in targets:
            folder = (target.path.resolve().parent if target.path is not None else Path.cwd()).resolve()
            root = project_root(folder)
            if root is None:
                raise InputError(f"{target.name}: in no project; --project-from names revisions of a git repository")
            migration = self._migration(root, catalogues, overrides)
            try:
                self._migrate(target, target.read(), migration)
            except (OSError, UnicodeDecodeError) as error:
                self._fail(f"{target.name}: {error}")
        if self._has_failed:
            return console.EXIT_USAGE
        return console.EXIT_FINDINGS if self._is_left else console.EXIT_CLEAN

    def _migration(self, root: Path, catalogues: Sequence[Path], overrides: Overrides) -> ProjectMigration:
        if root not in self._migrations:
            from tdls.analysis.rule_codes import RULE_CODES

            settings = load_settings(root, RULE_CODES, overrides=overrides).settings
            progress.say("reading the project's revisions")
            try:
                before, after = (definitions_at(root, each, settings) for each in (self.former, self.present))
            except GitError as error:
                raise InputError(str(error)) from error
            finally:
                progress.end()
            self._migrations[root] = ProjectMigration(before, after, load_catalogue(catalogues))
        return self._migrations[root]

    def _migrate(self, target: CheckTarget, text: str, migration: ProjectMigration) -> None:
        mode = SplitMode[split_of(target.path, SplitMode.AUTO.name)]
        file = SourceFile.of(text, migration.reading, split=mode)
        found = migration.findings(file)
        for finding in found:
            proposed = bool(finding.fixes) and not finding.fixes[0].safe
            if proposed or not finding.fixes:
                self._say_left(target, file, finding, "proposed" if proposed else "left as it is")
        if target.path is not None and is_program(target.path):
            for line, column, message in changed_calls(text, migration.changes):
                self._is_left = True
                console.complain(f"{target.name}:{line}:{column}: left as it is: {message}", level="warning")
        changes = sum(bool(finding.fixes) for finding in found)
        if self.counts_only:
            if found:
                self._is_left = True
                left = len(found) - changes
                console.write([f"{printable(target.name)}: {changes} to migrate, {left} by hand\n"])
            return
        fixed = fix_in_rounds(file, migration.findings, unsafe=True) if changes else None
        for change in fixed.taken_back if fixed is not None else ():
            self._is_left = True
            console.complain(f"{target.name}:{change.line + 1}: left as it is: it would bring errors", level="warning")
        self._write(target, text, fixed.file.text if fixed is not None and fixed.applied else text)

    def _say_left(self, target: CheckTarget, file: SourceFile, finding: Diagnostic, how: str) -> None:
        self._is_left = True
        place = file.position(finding.span.start)
        where = f"{target.name}:{place.line + 1}:{place.column + 1}"
        console.complain(f"{where}: {how}: {printable(finding.message)}", level="warning")

    def _write(self, target: CheckTarget, before: str, after: str) -> None:
        if self.shows_only:
            if before != after:
                self._is_left = True
                console.write_exactly("".join(unified_diff(before, after, target.name, target.name)))
        elif target.text is not None or target.path is None:
            console.write_exactly(after)
        elif before != after:
            try:
                replace_content(target.path, before.encode("utf-8"), after.encode("utf-8"))
            except NotWrittenError as error:
                self._fail(f"{target.name}: not migrated: {error}")

    def _fail(self, message: str) -> None:
        self._has_failed = True
        console.complain(message)


def changed_calls(text: str, changes: dict[str, Change]) -> Iterator[tuple[int, int, str]]:
    """Yield the calls in a program that build operations whose name or arguments changed: line, column, and message.

    The names are those that mlir-tblgen makes of an operation's: ``TileBigOp`` and ``tile_big``.
    """
    names = {name: change for change in changes.values() if change.changes_calls for name in call_names(change)}
    if not any(name in text for name in names):
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of invalid escapes
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            name = (
                called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
            )
            change = names.get(name)
            if change is not None:
                yield node.lineno, node.col_offset + 1, f"`{name}` builds `{change.before.name}`: {change.in_words}"


def call_names(change: Change) -> tuple[str, str]:
    """Return the names of the class and of the function in the bindings for the former operation."""
    words = change.before.name.partition(".")[2].replace(".", "_").split("_")
    return "".join(word[:1].upper() + word[1:] for word in words) + "Op", "_".join(words)
