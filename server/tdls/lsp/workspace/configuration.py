"""Settings of each document: those of the editor take precedence over files of the project.

Also caches the levels of rules, and catalogues extended with the files that settings name.
"""

from __future__ import annotations

import asyncio
import logging
import os.path
import threading
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from lsprotocol import types

from tdls.catalogue.documents import CatalogueError, load_json_catalogue
from tdls.files.reading import text_of
from tdls.lsp.protocol.conversions import path_of
from tdls.lsp.protocol.run_target import home_of
from tdls.lsp.session.session import Kind
from tdls.settings.paths import named_files
from tdls.settings.rule_codes import RULE_CODES
from tdls.settings.selection import levels
from tdls.settings.sources import LoadedSettings, Overrides, load_settings, missing_files

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypeAlias

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.source import CatalogueSource
    from tdls.lsp.connection.editor import Answer
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.consent import Consents
    from tdls.settings.consent import Trust
    from tdls.settings.model import Settings, SettingsProblem
    from tdls.settings.selection import Levels

    _Additions: TypeAlias = tuple[int | None, tuple[str, ...], tuple[Path, ...]]

_LOGGER = logging.getLogger(__name__)
_SECTION = "tdls"
_INTERVAL = 1.0
"""Seconds between looks at the files of settings, where the editor does not watch them."""
_PATIENCE = 2.0
"""Seconds to wait for the editor's settings; until they arrive, the last ones apply, or defaults."""


class Configuration:
    """Settings by folder, cached until something changes."""

    def __init__(self, session: Session, consents: Consents) -> None:
        self._session = session
        self._editor = session.editor
        self._consents = consents
        self._client: object = None
        self._by_folder: dict[Path | None, LoadedSettings] = {}
        self._levels: dict[Path | None, Levels] = {}
        self._catalogues: WeakKeyDictionary[Catalogue, dict[_Additions, Catalogue]] = WeakKeyDictionary()
        """Extended catalogues by the project's (held weakly), then LLVM version, placeholders and catalogue files."""
        self._shown: set[SettingsProblem] = set()
        self._published: dict[Path, list[types.Diagnostic]] = {}
        """The problems at lines of files with settings, as they were last published."""
        self._loading = threading.RLock()
        """Held by the thread that reads settings: document queues need them, too."""
        self._asking: asyncio.Task[None] | None = None
        """Waits for the answer to the last request for the editor's settings, or for the timeout."""
        self._answer: asyncio.Future[bool] | None = None
        """That answer: false if the editor refuses the request."""
        session.follow(Kind.CONSENT, self.settings_changed)
        session.follow(Kind.FILES, self._publish_all)

    def settings(self, uri: str) -> Settings:
        """Return the settings that apply to a document or file."""
        return self._loaded_for(uri).settings

    @property
    def trust(self) -> Trust:
        """The trust that replaces single consents."""
        return self._consents.trust

    def _loaded_for(self, uri: str) -> LoadedSettings:
        path = path_of(home_of(uri))
        folder = path.parent if path is not None else None
        with self._loading:
            known = self._by_folder.get(folder)
            if known is None:
                known = self._by_folder[folder] = self._read(folder)
                for problem in known.problems:
                    self._report(problem)
                self._publish(known)
        return known

    def _read(self, folder: Path | None) -> LoadedSettings:
        overrides, base = Overrides(trust=self._consents.trust), self._root(folder)
        return load_settings(folder, RULE_CODES, client=self._client, client_base=base, overrides=overrides)

    def _publish_all(self, _: str) -> None:
        """Publish the problems of settings again after files have changed; those of settings that are gone are gone."""
        with self._loading:
            for loaded in {loaded.file: loaded for loaded in self._by_folder.values()}.values():
                self._publish(loaded)
            for file in [file for file in self._published if not os.path.isfile(file)]:
                del self._published[file]
                self._editor.publish(file.as_uri(), [])

    def _publish(self, loaded: LoadedSettings) -> None:
        """Publish the problems of settings where they stand, if they are others than before."""
        files = [layer.file for layer in loaded.layers if layer.file is not None]
        findings: dict[Path, list[types.Diagnostic]] = {file: [] for file in files}
        for problem in (*loaded.problems, *missing_files(loaded)):
            if problem.file is not None:
                line = problem.line or 0
                lines = (text_of(problem.file) or "").splitlines()[line : line + 1]
                place = types.Range(types.Position(line, 0), types.Position(line, len(lines[0]) if lines else 0))
                message = f"{problem.message}\nhelp: {problem.help}"
                findings.setdefault(problem.file, []).append(
                    types.Diagnostic(place, message, severity=types.DiagnosticSeverity.Warning, source=_SECTION)
                )
        for file, items in findings.items():
            if items != self._published.get(file, []):
                self._published[file] = items
                self._editor.publish(file.as_uri(), items)

    async def for_run(self, uri: str) -> Settings:
        """Return the settings that apply to a run, after a pending answer of the editor, with the present consents."""
        if self._asking is not None:
            await asyncio.wait([self._asking])
        known = self._loaded_for(uri)
        if tuple(self._consents.trust.refused(known.consent_requests)) != known.refused:
            self.settings_changed()
        return self.settings(uri)

    def settings_changed(self, _: str = "") -> None:
        """Drop cached settings, and compute all results again that depend on them."""
        self.forget()
        self._session.changed("", Kind.SETTINGS)

    async def follow_files(self) -> None:
        """Read settings again when their files change, as long as the editor does not watch files (Neovim on Linux)."""
        while not self._editor.watches_files:
            if await asyncio.to_thread(self._has_outdated_files):
                self.settings_changed()
            await asyncio.sleep(_INTERVAL)

    def _has_outdated_files(self) -> bool:
        folders = {path.parent for opened in self._session.open_documents if (path := path_of(home_of(opened.uri)))}
        with self._loading:
            shown = [(folder, self._by_folder[folder]) for folder in folders if folder in self._by_folder]
            # Read, since the state of a file would not tell that it was written while it was read: half a millisecond.
            return any(self._read(folder) != loaded for folder, loaded in shown)

    def levels(self, uri: str) -> Levels:
        """Return the levels of rules for a document or file."""
        path = path_of(uri)
        with self._loading:
            known = self._levels.get(path)
            if known is None:
                known = self._levels[path] = levels(self.settings(uri), path)
        return known

    def extended(self, project: Catalogue, uri: str) -> Catalogue:
        """Return the catalogue of a document: that of its `project`, with the catalogue files of its settings."""
        settings = self.settings(uri)
        target, placeholders = settings.target_llvm, settings.placeholders
        if not settings.catalogues and target == project.target and placeholders == project.placeholders:
            return project
        with self._loading:
            files, problems = named_files(settings.catalogues)
            for problem in problems:
                self._report(problem)
            known = self._catalogues.setdefault(project, {})
            key = (target, placeholders, tuple(files))
            if key not in known:
                known[key] = self._loaded(project, files).at(target).with_placeholders(placeholders)
            return known[key]

    def use(self, client: object) -> None:
        """Use the settings of the editor: ``{"tdls": {...}}`` or the inner object."""
        self._client = client if client else None
        self._consents.take(client)
        self.forget()

    def forget(self) -> None:
        """Drop cached settings and catalogues; their files are read again when needed."""
        with self._loading:
            self._by_folder.clear()
            self._levels.clear()
            self._catalogues.clear()
            self._shown.clear()

    @property
    def is_supported(self) -> bool:
        """True if the editor supports ``workspace/configuration``."""
        workspace = self._editor.capabilities.workspace
        return workspace is not None and bool(workspace.configuration)

    async def received(self, sent: object) -> None:
        """Use the editor's settings after a change, which it `sent` or is asked for."""
        if self.is_supported:
            await self.ask(sent)
        else:
            self.use(sent)
            self.settings_changed()

    async def ask(self, sent: object = None) -> None:
        """Request the settings of the editor, and wait for them up to two seconds; a later answer is used, too.

        `sent` are the settings to use if the editor does not answer in time, or refuses.
        """
        if self.is_supported:
            self._asking = asyncio.ensure_future(self._ask(sent))
            await self._asking

    async def _ask(self, sent: object) -> None:
        answer = self._answer = asyncio.get_running_loop().create_future()
        params = types.ConfigurationParams([types.ConfigurationItem(section=_SECTION)])
        self._editor.request(types.WORKSPACE_CONFIGURATION, params, partial(self._take, answer))
        await asyncio.wait([answer], timeout=_PATIENCE)
        if not (answer.done() and answer.result()):
            if sent:
                self.use(sent)
            self.settings_changed()

    def _take(self, question: asyncio.Future[bool], answer: Answer | None) -> None:
        """Use the editor's settings, unless a newer request is pending."""
        question.set_result(answer is not None)
        if answer is None or question is not self._answer:
            return
        settings = answer.result[0] if isinstance(answer.result, list | tuple) and answer.result else None
        self.use({_SECTION: settings} if settings else None)
        self._session.changed("", Kind.SETTINGS)

    def _loaded(self, catalogue: Catalogue, files: list[Path]) -> Catalogue:
        for source in filter(None, map(self._source, files)):
            catalogue = catalogue.with_source(source)
        return catalogue

    def _source(self, file: Path) -> CatalogueSource | None:
        try:
            return load_json_catalogue(file)
        except CatalogueError as error:
            self._warn(str(error))
            return None

    def _root(self, folder: Path | None) -> Path | None:
        """The base of relative paths in the editor's settings: the workspace folder around the document."""
        folders = (path_of(folder.uri) for folder in self._editor.folders)
        around = (root for root in folders if root is not None and folder is not None and folder.is_relative_to(root))
        return next(around, folder)

    def _report(self, problem: SettingsProblem) -> None:
        if problem in self._shown:
            return
        self._shown.add(problem)
        place = "settings of the editor" if problem.file is None else str(problem.file)
        line = f":{problem.line + 1}" if problem.line is not None else ""
        self._warn(f"{place}{line}: {problem.message}; {problem.help}")

    def _warn(self, message: str) -> None:
        _LOGGER.warning("%s", message)
        self._editor.say(types.MessageType.Warning, f"tdls: {message}")
