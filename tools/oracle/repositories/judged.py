"""Which findings MLIR says are false: errors in text that some version of it accepts."""

from __future__ import annotations

from collections import defaultdict
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from oracle.bindings import shapes
from oracle.tools import SPLIT_MARKER, mlir_opt, run
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from oracle.repositories.checked import Finding
    from tdls.analysis.file.context import Context

_VERSIONS = (22, 19)
_OPTIONS = ("--allow-unregistered-dialect", "--mlir-print-op-generic")
_UNVERIFIED = "--mlir-very-unsafe-disable-verifier-on-parsing"
_UNVERIFIED_NAME = "mlir-opt-22 without its verifier"
_SAID_WHILE_READING = frozenset({"syntax-error", "undefined-value", "redefined-value"})
"""Rules about errors of MLIR's parser: only for these does a text that it accepts without verifier refute a finding."""
_LONGEST = 2_000_000
"""Maximum length of a text that MLIR reads, in code points."""


class Verdict(Enum):
    """The truth of a finding, by MLIR."""

    FALSE = "false"
    """A version accepts the text, so nothing in it is an error."""
    UNDECIDED = "undecided"
    """No version at hand accepts it, for any reason, or the finding is a warning."""


class Judged(NamedTuple):
    """A finding, with the name of the MLIR that accepts the text of an error."""

    finding: Finding
    accepted_by: str = ""

    @property
    def verdict(self) -> Verdict:
        """`FALSE` if a version of MLIR accepts the text; else the finding stays undecided."""
        return Verdict.FALSE if self.accepted_by else Verdict.UNDECIDED


class _Texts(NamedTuple):
    """The texts that MLIR reads for one error: the part of the file with the error, and its section alone."""

    part: str
    section: str


def judged(findings: Sequence[Finding], *, with_bindings: bool = True) -> list[Judged]:
    """Ask every MLIR at hand about the errors of `findings`; the order stays."""
    texts = {finding: found for finding, found in _texts(findings) if max(map(len, found)) <= _LONGEST}
    accepted = _accepted(sorted({text for pair in texts.values() for text in pair}), with_bindings=with_bindings)
    return [Judged(finding, _acceptance(finding, texts.get(finding), accepted)) for finding in findings]


def _acceptance(finding: Finding, texts: _Texts | None, accepted: dict[str, str]) -> str:
    if texts is None:
        return ""
    name = accepted.get(texts.part) or accepted.get(texts.section) or ""
    return "" if name == _UNVERIFIED_NAME and finding.rule not in _SAID_WHILE_READING else name


def _texts(findings: Sequence[Finding]) -> Iterator[tuple[Finding, _Texts]]:
    errors: defaultdict[Path, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.level == "error":
            errors[finding.path].append(finding)
    catalogue = Catalogue.shipped()
    for path, found in errors.items():
        file = SourceFile.of(path.read_text(encoding="utf-8"), catalogue)
        for finding in found:
            yield finding, _Texts(*_part_and_section(file, finding.offset))


def _part_and_section(file: SourceFile, offset: int) -> tuple[str, str]:
    """Return the part of `file` that `offset` stands in, and its section with the aliases of that part."""
    pieces = file.sections.pieces
    index = file.sections.piece_at(offset)
    part = pieces[index].part
    members = [number for number, piece in enumerate(pieces) if piece.part == part]
    lines = [
        line
        for number in members
        for line in _text(file, number).splitlines(keepends=True)
        if line.strip() != SPLIT_MARKER and not line.startswith(f"{SPLIT_MARKER}")
    ]
    aliases = [context.section.text for context in file.contexts if context.part == part and _is_alias(context)]
    section = file.context_at(offset).section.text
    return "".join(lines), "\n".join([*aliases, section])


def _is_alias(context: Context) -> bool:
    return context.section.text.lstrip().startswith(("#", "!"))


def _text(file: SourceFile, index: int) -> str:
    piece = file.sections.pieces[index]
    return piece.section.text[piece.begin : piece.begin + piece.length]


def _accepted(texts: list[str], *, with_bindings: bool) -> dict[str, str]:
    """Return those of `texts` that a version of MLIR accepts, with its name."""
    readable = [text for text in texts if not any(line.startswith(SPLIT_MARKER) for line in text.splitlines())]
    found: dict[str, str] = {}
    for name, ask in _judges(with_bindings=with_bindings):
        rest = [text for text in readable if text not in found]
        found.update({text: name for text, is_accepted in zip(rest, ask(rest), strict=True) if is_accepted})
    return found


def _judges(*, with_bindings: bool) -> Iterator[tuple[str, Callable[[Sequence[str]], list[bool]]]]:
    for major in _VERSIONS:
        if mlir_opt(major) is not None:
            yield f"mlir-opt-{major}", partial(_ask_tool, major=major)
    if mlir_opt(22) is not None:
        yield _UNVERIFIED_NAME, partial(_ask_tool, major=22, options=(_UNVERIFIED,))
    if with_bindings:
        yield "bindings", lambda texts: [shape is not None for shape in shapes(texts)]


def _ask_tool(texts: Sequence[str], major: int, options: tuple[str, ...] = ()) -> list[bool]:
    return [outcome.text is not None for outcome in run(texts, *_OPTIONS, *options, major=major)]
