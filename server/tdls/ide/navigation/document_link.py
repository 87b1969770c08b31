"""Document links: the files that RUN lines and ``// tdls:`` comments name."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.file_instructions import file_instructions
from tdls.semantic.run_lines import expand_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import PurePath

    from tdls.ide.snapshot import Snapshot
    from tdls.text.span import FileSpan


class DocumentLink(NamedTuple):
    """A path in the text that leads to a file."""

    span: FileSpan
    target: PurePath


def document_links(
    snapshot: Snapshot, uri: str, path: PurePath, is_file: Callable[[PurePath], bool]
) -> list[DocumentLink]:
    """Return the links of the file at `path`, in the order of the text, to what `is_file` says is there.

    Relative paths count from the folder of the file.
    """
    file = snapshot.file(uri)
    if file is None:
        return []
    said = file_instructions(file)
    links: list[DocumentLink] = []
    for written in (*said.libraries, *said.payloads, *said.files):
        expanded = expand_path(written.text, source=str(path), folder=str(path.parent))
        target = type(path)(os.path.normpath(path.parent / expanded)) if expanded is not None else None
        if target is not None and is_file(target):
            links.append(DocumentLink(written.span, target))
    return sorted(links)
