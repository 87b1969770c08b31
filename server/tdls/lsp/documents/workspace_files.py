"""Index the scripts of the workspace in the background, and follow changes on disk and of folders."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.analysis.file.source_file import SourceFile
from tdls.files.boundary import boundary_of, is_inside, set_opened
from tdls.files.reading import text_of
from tdls.files.selection import select
from tdls.limits import EDITED_OPERATION, WORKSPACE_SCRIPT_SIZE
from tdls.lsp.protocol.conversions import path_of
from tdls.lsp.session.session import Kind
from tdls.project.definitions import PATTERNS
from tdls.project.root import project_root
from tdls.settings.paths import is_excluded
from tdls.settings.sources import SUFFIX as SETTINGS_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.projects import Projects


_LOGGER = logging.getLogger(__name__)
_SUFFIX = ".mlir"
_NEAR = (f"*{_SUFFIX}", f"*/*{_SUFFIX}")
_MOST_FILES = 5_000
_WATCHED = (f"**/*{_SUFFIX}", f"**/*{SETTINGS_SUFFIX}", *PATTERNS)


class WorkspaceFiles:
    """Keeps the session's files in sync with the disk. Open documents hide them."""

    def __init__(self, session: Session, configuration: Configuration, projects: Projects) -> None:
        self._session = session
        self._editor = session.editor
        self._open_documents = session.open_documents
        self._configuration = configuration
        self._projects = projects
        self._folders: dict[str, Path] = {}
        """The open workspace folders, read or not, by URI."""
        self._turn = asyncio.Lock()
        """Files are read one after the other, so that the newest text of a file is the one that stays."""
        self._belonging: dict[str, str] = {}
        """The workspace folder of each indexed file; both are URIs."""
        session.follow(Kind.DEFINITIONS, self._renew)
        session.follow(Kind.CLOSED, self._read_again)
        session.follow(Kind.READ, self._look_around)

    async def start(self) -> None:
        """Watch the workspace folders, and read their projects and scripts."""
        self._editor.watch_files(_WATCHED)
        self._following = asyncio.ensure_future(self._configuration.follow_files())
        added = self._added(self._editor.folders or self._root())
        await self._configuration.ask()
        await self._projects.start(added.values())
        await self._index(added)

    async def folders_changed(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Read new folders, and forget closed ones, and settings that rest on trust in them."""
        self._configuration.forget()
        for folder in event.removed:
            self._folders.pop(folder.uri, None)
            for uri in [uri for uri, owner in self._belonging.items() if owner == folder.uri]:
                self._forget(uri)
        added = self._added(event.added)
        await self._projects.start(added.values())
        await self._index(added)
        self._session.changed("", Kind.FILES)

    async def document_saved(self, uri: str) -> None:
        """Run the saved script again where it is shown, and check for project changes, after pending edits are done."""
        opened = self._open_documents.get(uri)
        if opened is not None and opened.edits:  # the saved text is run again, not an older one
            await asyncio.wait(list(opened.edits))
        self._session.changed(uri, Kind.SAVED)
        self._projects.document_saved()

    async def files_changed(self, changes: Sequence[types.FileEvent]) -> None:
        """Read changed files again, and notify settings, projects, runs and documents."""
        paths = [(change, path) for change in changes if (path := path_of(change.uri)) is not None]
        if any(path.suffix in {SETTINGS_SUFFIX, ".json"} for _, path in paths):
            self._configuration.settings_changed()
        self._projects.files_changed([path for _, path in paths])
        for change, path in paths:
            owner = self._owner_of(path)
            if path.suffix == _SUFFIX and (change.uri in self._session.files or owner is not None):
                await self._read(path, owner)
        for change, _ in paths:
            self._session.changed(change.uri, Kind.SAVED)
        self._session.changed("", Kind.FILES)

    async def _renew(self, _: str) -> None:
        """Analyse unchanged files again if their catalogue has changed."""
        for uri, file in list(self._session.files.items()):
            catalogue = self._projects.catalogue(uri)
            if catalogue is not file.catalogue and self._session.files.get(uri) is file:
                renewed = await asyncio.to_thread(file.with_catalogue, catalogue)
                if self._session.files.get(uri) is file:
                    self._session.files[uri] = renewed
        self._session.changed("", Kind.FILES)

    async def _read_again(self, uri: str) -> None:
        """Read the file of a closed document, if it lies in the workspace."""
        path = path_of(uri)
        owner = self._owner_of(path) if path is not None else None
        if path is not None and owner is not None:
            await self._read(path, owner)

    async def _look_around(self, uri: str) -> None:
        """Read the scripts of a document's project, if the editor has no folder open; without one, those near it."""
        path = path_of(uri)
        if path is None or self._editor.folders or self._root() or self._owner_of(path) is not None:
            return
        root = self._projects.folder_of(uri)
        places = [root] if root is not None else []
        if root is not None and project_root(root) is None:
            places = [file for pattern in _NEAR for file in root.glob(pattern) if file != path]
        if root is not None and places:
            await self._index(self._added([types.WorkspaceFolder(root.as_uri(), root.name)]), places)

    # Reading

    def _added(self, folders: Iterable[types.WorkspaceFolder]) -> dict[str, Path]:
        """Note `folders` as open, and return them by URI. From here on, each may be closed while others are read."""
        added = {folder.uri: path for folder in folders if (path := path_of(folder.uri)) is not None}
        self._folders.update(added)
        set_opened(self._folders.values())
        return added

    async def _index(self, added: dict[str, Path], places: Sequence[Path] = ()) -> None:
        """Read the scripts of folders, or only those at `places` in the one folder."""
        for uri, path in added.items():
            selection = await asyncio.to_thread(select, places or [path], boundary_of)
            exclusion = self._configuration.settings((path / _SUFFIX).as_uri()).exclude
            files = [file for file in selection.files if not is_excluded(file, exclusion)]
            if len(files) > _MOST_FILES:
                _LOGGER.warning("%s has %d scripts; %d of them are read", path, len(files), _MOST_FILES)
            await self._read_all(path, files[:_MOST_FILES], uri)
        if added:
            self._session.changed("", Kind.FILES)

    async def _read_all(self, folder: Path, files: Sequence[Path], owner: str) -> None:
        number = 0

        def how_far() -> tuple[str, int]:
            return files[number].name, 100 * number // len(files)

        with self._editor.progress(f"Reading {folder.name}", how_far):
            for number, file in enumerate(files):  # noqa: B007 - `how_far` reads it
                if owner in self._folders:
                    await self._read(file, owner)

    async def _read(self, path: Path, owner: str | None) -> None:
        """Read a file of the folder `owner`, and forget one that cannot be read any more."""
        uri = path.as_uri()
        async with self._turn:
            if self._open_documents.get(uri) is not None and uri not in self._session.files:
                if owner is not None:
                    self._belonging[uri] = owner
                return  # the document hides the file, which is read when the document is closed
            file = await asyncio.to_thread(self._file, path, owner)
            if file is None or (owner is not None and owner not in self._folders):
                self._forget(uri)
                return
            known = self._session.files.get(uri)
            self._session.files[uri] = file
            if self._open_documents.get(uri) is None and known is not None and known.text != file.text:
                self._session.marks.drop(uri)
                self._session.changed(uri, Kind.MARKS)
            if owner is not None:
                self._belonging[uri] = owner

    def _file(self, path: Path, owner: str | None) -> SourceFile | None:
        """Return a file, or None if it cannot be read, or is a link that leads out of the repository."""
        if owner is not None and path.is_symlink():
            folder = self._folders.get(owner)
            if folder is None or not is_inside(boundary_of(folder), path):
                return None
        text = text_of(path, WORKSPACE_SCRIPT_SIZE)
        if text is None:
            return None
        return SourceFile.of(text, self._projects.catalogue(path.as_uri()), most=EDITED_OPERATION)

    def _forget(self, uri: str) -> None:
        self._session.files.pop(uri, None)
        self._belonging.pop(uri, None)

    def _owner_of(self, path: Path) -> str | None:
        owners = (uri for uri, folder in self._folders.items() if path.is_relative_to(folder))
        return next(owners, None)

    def _root(self) -> list[types.WorkspaceFolder]:
        """Return the root URI as a folder, for editors without workspace folders."""
        root = self._editor.root_uri
        return [types.WorkspaceFolder(root, root.rpartition("/")[2])] if root is not None else []
