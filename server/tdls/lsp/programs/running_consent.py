"""Whether a program may be run: what it does is not in tdls's hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.lsp.protocol.paths import path_of
from tdls.settings.consent import Consent, ConsentRequest

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.lsp.connection.editor import Editor

KEY = "python.run-programs"
_REACH = "runs programs of this folder to see which scripts they build"


def consent_to_run(editor: Editor, program: Path, line: int | None) -> ConsentRequest:
    """Return what has to be allowed before a program is run, for all of its workspace folder.

    `line`, from 0, is that of the function in question.
    """
    folder = folder_of(editor, program)
    return ConsentRequest(Consent.of(folder, KEY, value=True), program, line, folder, _REACH)


def folder_of(editor: Editor, program: Path) -> Path:
    """Return the workspace folder around a program, and where there is none, its own folder."""
    folders = (path_of(folder.uri) for folder in editor.folders)
    around = (folder for folder in folders if folder is not None and program.is_relative_to(folder))
    return next(around, program.parent)
