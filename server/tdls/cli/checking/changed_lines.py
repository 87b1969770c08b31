"""``--diff-base``: finds the lines that changed since a git revision, and selects the findings that touch them."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli.console import console
from tdls.cli.console.console import InputError
from tdls.cli.rendering.checked import CheckedFile
from tdls.files.boundary import real_path
from tdls.files.git import GitError, git
from tdls.structs import replace

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.cli.checking.targets import CheckTarget
    from tdls.cli.rendering.checked import FingerprintedFinding

_OPTION = "--diff-base"
_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_SINCE_FORK = "..."
_DIFF = [
    *("-c", "core.quotePath=true", "diff", "--unified=0", "--inter-hunk-context=0", "--find-renames", "--text"),
    *("--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/"),
]
_NO_ANSWER = 1
"""The exit status of git where nothing is wrong but there is no such object."""
_REVISION = ("rev-parse", "--verify", "--quiet", "--end-of-options")


class ChangedLines:
    """The lines of some files that differ from a revision."""

    def __init__(self, changed: dict[str, Sequence[range] | None]) -> None:
        """`changed` maps the name of each file, in order, to its changed 0-based lines.

        None stands for all lines: those of new files, and of cells of changed notebooks, which are not lines of a file.
        """
        self._changed = changed

    @classmethod
    def since(cls, revision: str, targets: Iterable[CheckTarget]) -> ChangedLines:
        """Compare files on disk with `revision`; ``main...`` is the commit at which the current branch left ``main``.

        In a repository that has no such revision, unlike others, all lines count as changed, with a warning. Raises
        InputError without git, without a repository or such a revision in any, and for standard input.
        """
        targets = list(targets)
        by_root: dict[Path, dict[str, str]] = {}
        changed: dict[str, Sequence[range] | None] = {}
        for target in targets:
            if target.path is None or (target.text is not None and not target.is_cell):
                raise InputError(f"{_OPTION} compares files, and standard input is none")
            real = real_path(target.path)
            root = _root(real)
            by_root.setdefault(root, {})[real.relative_to(root).as_posix()] = _file(target)
        problems: list[InputError] = []
        for root, names in by_root.items():
            try:
                changed.update(_changed_in(root, revision, names))
            except InputError as error:  # noqa: PERF203 - one a repository
                problems.append(error)
        if problems and len(problems) == len(by_root):
            raise problems[0]
        for problem in problems:
            console.complain(f"{problem.message}; all that is found there is reported", level="warning")
        lines_of = ((target, changed.get(_file(target))) for target in targets)
        return cls({target.name: None if lines and target.is_cell else lines for target, lines in lines_of})

    def concern(self, target: CheckTarget) -> bool:
        """Whether anything in a file changed: without that, no finding in it is reported."""
        lines = self._changed[target.name]
        return lines is None or len(lines) > 0

    def only(self, results: Iterable[CheckedFile]) -> Iterator[CheckedFile]:
        """Yield results with only the findings that touch a changed line, by their own span or that of a note.

        `results` are those of the files in which anything changed; the others have a result without findings.
        """
        remaining = iter(results)
        for name, lines in self._changed.items():
            if lines is None:
                yield next(remaining)
            elif not lines:
                yield CheckedFile(name)
            else:
                checked = next(remaining)
                findings = tuple(finding for finding in checked.findings if _touches(finding, checked.text, lines))
                yield replace(checked, findings=findings)


def _file(target: CheckTarget) -> str:
    return str(target.path) if target.is_cell else target.name


def _root(path: Path) -> Path:
    """Return the git work tree of a file. Raises InputError."""
    for folder in path.parents:
        if os.path.exists(folder / ".git"):
            return folder
    raise InputError(f"{path} is in no git repository")


def _changed_in(root: Path, revision: str, names: dict[str, str]) -> dict[str, Sequence[range] | None]:
    """Return the changed lines by file name; `names` maps paths from `root` to file names. Raises InputError."""
    base = _commit(root, revision)
    suffixes = sorted({Path(path).suffix for path in names})
    are_plain = all(suffix and set("*?[\\").isdisjoint(suffix) for suffix in suffixes)
    # Patterns for files with these suffixes, none where one is empty or a pattern itself.
    paths = [f"*{suffix}" for suffix in suffixes] if are_plain else []
    changed = _lines_by_path(_git(root, *_DIFF, base, "--", *paths))
    tracked = set(map(os.fsdecode, _git(root, "ls-files", "-z", "--", *paths).split(b"\0")))
    nothing: Sequence[range] = ()
    return {name: changed.get(path, nothing) if path in tracked else None for path, name in names.items()}


def _lines_by_path(diff: bytes) -> dict[str, list[range]]:
    """Return the added and changed 0-based lines of a diff without context, by path."""
    by_path: dict[str, list[range]] = {}
    current: list[range] = []
    content = 0
    for line in diff.split(b"\n"):
        if content and not line.startswith(b"\\"):
            content -= 1
        elif line.startswith(b"+++ "):
            current = by_path.setdefault(_path(line[4:]), [])
        elif (hunk := _HUNK.match(line)) is not None:
            removed, added = (int(number) if number is not None else 1 for number in (hunk[1], hunk[3]))
            first = int(hunk[2]) - 1
            current.append(range(first, first + added))
            content = removed + added
    return by_path


def _commit(root: Path, revision: str) -> str:
    """Return the hash of the commit that `revision` means, or that a repository around a submodule records for it.

    Raises InputError.
    """
    name = revision.removesuffix(_SINCE_FORK)
    commit = _answer(root, *_REVISION, f"{name}^{{commit}}")
    if commit and revision.endswith(_SINCE_FORK):
        commit = _answer(root, "merge-base", commit, "HEAD")
    if not commit and any(os.path.exists(folder / ".git") for folder in root.parents):
        outer = _root(root)
        recorded = _answer(outer, *_REVISION, f"{_commit(outer, revision)}:{root.relative_to(outer).as_posix()}")
        commit = recorded and _answer(root, *_REVISION, f"{recorded}^{{commit}}")
    if not commit:
        advice = "in a clone without its history, fetch it first"
        raise InputError(f"'{revision}' is not a revision that {root} has; {advice}")
    return commit


def text_at(revision: str, path: Path) -> str | None:
    """Return the text of a file in a revision, of which nothing is checked out, or None if it is not there.

    Raises InputError.
    """
    real = real_path(path)
    root = _root(real)
    done = _run(root, "cat-file", "blob", f"{_commit(root, revision)}:{real.relative_to(root).as_posix()}")
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def _git(root: Path, *arguments: str) -> bytes:
    """Return git's standard output. Raises InputError with its error message."""
    done = _run(root, *arguments)
    if done.returncode != 0:
        raise InputError(f"git fails: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout


def _answer(root: Path, *arguments: str) -> str:
    """Return the line that git prints, an empty string if it has no answer. Raises InputError if it fails otherwise."""
    done = _run(root, *arguments)
    if done.returncode not in (0, _NO_ANSWER) and done.stderr:
        raise InputError(f"git fails: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""


def _run(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return git(root, *arguments)
    except GitError as error:
        raise InputError(str(error)) from error


def _path(written: bytes) -> str:
    """Return the path in a header: quoted if it has unusual characters, followed by a tab if it has blanks."""
    written = written.rstrip(b"\t\r")
    if written.startswith(b'"'):
        written = ast.literal_eval("b" + written.decode("ascii"))
    return os.fsdecode(written.removeprefix(b"b/"))


def _touches(finding: FingerprintedFinding, text: str, lines: Sequence[range]) -> bool:
    """Return whether a finding or a note of it touches one of `lines`, which end at line feeds as git counts them."""
    diagnostic = finding.diagnostic
    for span in (diagnostic.span, *(note.span for note in diagnostic.notes if note.path is None)):
        first = text.count("\n", 0, span.start)
        last = first + text.count("\n", span.start, max(span.end - 1, span.start))
        if any(part.start <= last and first < part.stop for part in lines):
            return True
    return False
