"""Migration of a file to another version of LLVM, as ``tdls migrate`` does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.fixing import fix_in_rounds
from tdls.analysis.respelling import MIGRATING
from tdls.analysis.rules import unfit_for_target
from tdls.structs import Struct
from tdls.text.diagnostic import TextEdit
from tdls.text.difference import line_edits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.text.diagnostic import Diagnostic


class Migration(Struct, frozen=True):
    """A file as a version of LLVM reads it, as far as the meaning is certain to stay the same."""

    before: SourceFile
    after: SourceFile
    edits: tuple[TextEdit, ...]
    """The way from `before` to `after`, in the order of the text; these do not overlap."""
    changes: int
    """The number of fixes that were applied."""
    left: tuple[Diagnostic, ...]
    """Findings in `after` that keep the version from reading it."""


def migrate(file: SourceFile, target: int) -> Migration | None:
    """Migrate `file` to the LLVM version `target`; libraries and payload are not changed.

    None for a file with a section so large that reading it again would disturb an editor.
    """
    if any(piece.section.is_large for piece in file.sections.pieces):
        return None
    there = SourceFile.of(file.text, file.catalogue.at(target), split=file.sections.mode, libraries=file.libraries)
    fixed = fix_in_rounds(there.with_payload(file.payload), _proposed)
    left = tuple(finding for finding in findings_in_file(fixed.file) if finding.rule in unfit_for_target())
    edits = (TextEdit(span, new) for span, new in line_edits(file.text, fixed.file.text))
    return Migration(file, fixed.file, tuple(edits), len(fixed.applied), left)


def _proposed(file: SourceFile) -> Iterable[Diagnostic]:
    return [finding for finding in findings_in_file(file) if finding.rule in MIGRATING]
