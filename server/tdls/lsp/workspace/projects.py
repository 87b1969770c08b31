"""Keep the operation catalogue of each project, with definitions from its sources and passes from its tool.

Scans begin when a document of a project is first used, and again when sources or settings change. Until the first scan
is done, documents use the shipped catalogue marked as incomplete.
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent import futures
from functools import reduce
from typing import TYPE_CHECKING

from tdls.catalogue.catalogue import Catalogue
from tdls.files.boundary import may_be_root
from tdls.lsp.protocol.conversions import path_of
from tdls.lsp.protocol.run_target import home_of
from tdls.lsp.session.session import Kind
from tdls.processes import spawn_context
from tdls.project.catalogue import ProjectCatalogue
from tdls.project.definitions import kind_of
from tdls.project.inputs import projects_for
from tdls.project.root import project_root
from tdls.project.scanning.scanner import Scanner, prepare, scan
from tdls.structs import NamedTuple, Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from multiprocessing.sharedctypes import SynchronizedArray
    from pathlib import Path

    from tdls.catalogue.sources.tool_help import ToolSource
    from tdls.interpreter.mlir.registered_passes import RegisteredPasses
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.project.definitions import ProjectDefinitions
    from tdls.project.inputs import ScannedProject
    from tdls.settings.model import BackendChoice, Settings

_LOGGER = logging.getLogger(__name__)
_WAIT = 0.05
"""Seconds to collect changes before a scan: files often change together."""
_PATIENCE = 0.5
"""Seconds that the first reading of scripts waits for the definitions of their projects."""
_LONGEST_WAIT = 1.0
"""Seconds after the begin of a scan for which requests wait for its result."""
_IDLE = 300.0
"""Seconds after which an idle process that scans ends; its readings are in the cache on disk."""


class _ProjectState(Struct):
    """State of one project; `catalogue` is None until the first scan has ended."""

    catalogue: Catalogue | None = None
    sources: tuple[ProjectCatalogue, ...] = ()
    tool: ToolSource | None = None
    may_ask: bool = False
    """True if the operations that it defines in Python may be asked for their effects."""
    timer: asyncio.TimerHandle | None = None
    is_outdated: bool = False
    task: asyncio.Task[None] | None = None
    asking: asyncio.Task[None] | None = None
    """Checks whether the tool's passes have changed."""
    begun: float = field(default_factory=time.monotonic)
    """Time (`time.monotonic`) when the task began, or of the first request."""


class Reading(NamedTuple):
    """The first scan of a project while it is not done."""

    shown: str
    """Progress message for display."""
    task: asyncio.Task[None] | None
    """Task of the scan; None before it has begun."""
    patience: float
    """Seconds that a request may still wait for the scan; not positive once the scan takes long."""


class Projects:
    """Keeps a catalogue for each project. Catalogues are immutable: each scan with new definitions makes a new one."""

    def __init__(self, session: Session, configuration: Configuration) -> None:
        self._session = session
        self._shipped = session.catalogue
        self._editor = session.editor
        self._configuration = configuration
        self._incomplete = self._shipped.incomplete()
        self._scans = _Scans(session.editor)
        self._registered: RegisteredPasses | None = None
        self._states: dict[Path | None, _ProjectState] = {}
        """States by the project's folder, or None for documents outside of projects."""
        self._roots: dict[Path, Path | None] = {}
        """The project of each folder."""
        self._is_started = False
        session.follow(Kind.SETTINGS, self._settings_changed)

    def catalogue(self, uri: str) -> Catalogue:
        """Return the catalogue of a document: that of its project, with the catalogue files of its settings."""
        return self._configuration.extended(self._known(uri), uri)

    def _known(self, uri: str) -> Catalogue:
        """Return the catalogue of a document's project, without the catalogue files that its settings name.

        Before the first scan of the project, that is the shipped catalogue, marked as incomplete.
        """
        root = self._root_of(uri)
        state = self._states.get(root)
        if state is None:
            state = self._states.setdefault(root, _ProjectState())
            self._session.queues.on_loop(self._scan_soon, root)
        return state.catalogue or self._incomplete

    def reading(self, uri: str) -> Reading | None:
        """Return the progress of the first scan of a document's project, or None if it is over. Thread-safe."""
        root = self._root_of(uri)
        state = self._states.get(root)
        if state is None or state.catalogue is not None:
            return None
        task = state.task
        if task is None and state.timer is None and self._is_started:
            return None  # it failed
        percentage = self._scans.percentage(root)
        subject = "the project" if root is not None else "what is installed"
        shown = f"reading {subject}{f' ({percentage} %)' if percentage is not None else ''}"
        return Reading(shown, task, _LONGEST_WAIT - (time.monotonic() - state.begun))

    async def read(self, uri: str) -> None:
        """Wait until the first scan of a document's project has ended, for commands whose result depends on it."""
        while (reading := self.reading(uri)) is not None:
            await (asyncio.wait([reading.task]) if reading.task is not None else asyncio.sleep(_WAIT))

    async def start(self, folders: Iterable[Path]) -> None:
        """Begin to scan: the projects that documents already use, and those of `folders`."""
        self._is_started = True
        roots = dict.fromkeys([*self._states, *map(self._root_around, folders)])
        for root in roots:
            self._states.setdefault(root, _ProjectState())
            self._begin(root)
        tasks = [state.task for state in list(self._states.values()) if state.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=_PATIENCE)

    def _settings_changed(self, _: str) -> None:
        """Determine the projects of folders again, and scan all projects."""
        self._roots.clear()
        self._scan_all()

    def files_changed(self, paths: Sequence[Path]) -> None:
        """Scan the projects again that have sources among `paths`."""
        sources = [path for path in paths if kind_of(path.name) is not None]
        for root, state in list(self._states.items()):
            places = [searched.place for source in state.sources for searched in source.definitions.searched_places]
            places += [root] if root is not None else []
            if any(source.is_relative_to(place) for source in sources for place in places):
                self._scan_soon(root)

    def document_saved(self) -> None:
        """Scan all projects if the editor does not watch files; otherwise check their tools, which are not watched."""
        if not self._editor.watches_files:
            self._scan_all()
            return
        for root, state in self._states.items():
            if state.tool is not None:
                self._look_at_tool(root, state)

    def close(self) -> None:
        """Cancel all scans, and begin no new ones."""
        self._is_started = False
        for state in list(self._states.values()):
            if state.timer is not None:
                state.timer.cancel()
            for task in (state.task, state.asking):
                if task is not None:
                    task.cancel()
        self._scans.close()

    # Scanning

    def _scan_all(self) -> None:
        for root in list(self._states):
            self._scan_soon(root)

    def _scan_soon(self, root: Path | None) -> None:
        state = self._states[root]
        if self._is_started and state.timer is None:
            state.timer = asyncio.get_running_loop().call_later(_WAIT, self._begin, root)

    def _begin(self, root: Path | None) -> None:
        state = self._states[root]
        state.timer = None
        state.is_outdated = state.task is not None
        if state.task is None:
            state.begun = time.monotonic()
            state.task = asyncio.get_running_loop().create_task(self._scan(root, state))

    async def _scan(self, root: Path | None, state: _ProjectState) -> None:
        try:
            projects = await asyncio.to_thread(projects_for, root, self._settings(root))
            sources = tuple([ProjectCatalogue(it.root, await self._scans.scan(it)) for it in projects])
            may_ask = await asyncio.to_thread(self._may_ask, root)
            is_same = _definitions(sources) == _definitions(state.sources) and may_ask == state.may_ask
            state.may_ask = may_ask
            if state.catalogue is None or not is_same:
                await self._know(root, state, sources, state.tool)
            self._look_at_tool(root, state)
        except Exception:
            if self._is_started:  # otherwise the server is shutting down, and its threads have ended
                _LOGGER.exception("the definitions of %s cannot be read", root)
        finally:
            state.task = None
            if state.is_outdated:
                self._scan_soon(root)

    def _look_at_tool(self, root: Path | None, state: _ProjectState) -> None:
        """Query the passes registered by the tool that runs the scripts of a project, in a background task."""
        choice = self._settings(root).run.backend_choice
        if self._is_started and state.asking is None and (choice.backend is not None or state.tool is not None):
            state.asking = asyncio.get_running_loop().create_task(self._ask_tool(root, state, choice))

    async def _ask_tool(self, root: Path | None, state: _ProjectState, choice: BackendChoice) -> None:
        try:
            tool = await asyncio.to_thread(self._passes_of, choice)
            if tool is not state.tool:
                await self._know(root, state, state.sources, tool)
        finally:
            state.asking = None

    async def _know(
        self, root: Path | None, state: _ProjectState, sources: tuple[ProjectCatalogue, ...], tool: ToolSource | None
    ) -> None:
        """Set the catalogue of a project; its own definitions take precedence over the passes of its tool.

        Effects that bindings and operations in Python state themselves follow when they have done so.
        """
        state.sources, state.tool = sources, tool
        known = self._shipped.with_source(tool) if tool is not None else self._shipped
        state.catalogue = known = reduce(Catalogue.with_source, sources, known)
        await self._session.changed("", Kind.DEFINITIONS)
        from tdls.project.asked import with_stated_effects

        trust = self._configuration.trust
        stated = await asyncio.to_thread(with_stated_effects, known, self._settings(root), trust)
        if stated is not known and state.sources is sources:
            state.catalogue = stated
            await self._session.changed("", Kind.DEFINITIONS)

    def _may_ask(self, root: Path | None) -> bool:
        from tdls.project.asked import may_ask

        return may_ask(root, self._settings(root), self._configuration.trust)

    def _passes_of(self, choice: BackendChoice) -> ToolSource | None:
        """Return the passes of the tool that settings choose to run scripts, None if it may not be run."""
        from tdls.interpreter.mlir.registered_passes import RegisteredPasses

        if self._registered is None:
            self._registered = RegisteredPasses(self._shipped)
        return self._registered.of(choice)

    def _settings(self, root: Path | None) -> Settings:
        return self._configuration.settings((root / "any.mlir").as_uri() if root is not None else "")

    # Roots

    def _root_of(self, uri: str) -> Path | None:
        path = path_of(home_of(uri))
        if path is not None:
            return self._root_around(path.parent)
        folders = self._opened()
        return self._root_around(folders[0]) if folders else None

    def folder_of(self, uri: str) -> Path | None:
        """Return the folder whose scripts a document may use: of its project, else of the document itself."""
        path = path_of(uri)
        if path is None:
            return None
        return self._root_around(path.parent) or (path.parent if may_be_root(path.parent) else None)

    def _root_around(self, folder: Path) -> Path | None:
        """Return the project folder around `folder`; without a marker of one, the workspace folder around it."""
        if folder not in self._roots:
            around = (root for root in self._opened() if folder.is_relative_to(root) and may_be_root(root))
            root = self._roots[folder] = project_root(folder) or next(around, None)
            return root
        return self._roots.get(folder)

    def _opened(self) -> list[Path]:
        return [path for folder in self._editor.folders if (path := path_of(folder.uri)) is not None]


def _definitions(sources: Iterable[ProjectCatalogue]) -> list[ProjectDefinitions]:
    return [source.definitions for source in sources]


class _Scans:
    """Scans one project after the other: short ones in a thread, others in a separate process."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._turn = asyncio.Lock()
        self._running: asyncio.Future[ProjectDefinitions] | None = None
        self._context = spawn_context()
        self._counters: SynchronizedArray[int] | None = None
        self._pool: futures.ProcessPoolExecutor | None = None
        self._in_process: set[ScannedProject] = set()
        """Projects whose readings the process keeps in memory."""
        self._idle: asyncio.TimerHandle | None = None
        self._is_scanning = False
        """True while the process reads a project."""
        self._root: Path | None = None
        """The folder of that project."""

    async def scan(self, project: ScannedProject) -> ProjectDefinitions:
        async with self._turn:
            is_kept = self._pool is not None and project in self._in_process
            known = await asyncio.to_thread(_quick_scan, project) if not is_kept else None
            return known if known is not None else await self._scan(project)

    def percentage(self, root: Path | None) -> int | None:
        """Return the progress of the scan at `root` in percent, None if none is running. Thread-safe."""
        counters = self._counters
        if counters is None or not self._is_scanning or self._root != root:
            return None
        done, count, _ = counters[:]
        return min(100 * done // count, 99) if count > 0 else None

    def close(self) -> None:
        """Cancel the running scan, and end the process."""
        if self._running is not None:
            self._running.cancel()
        self._end_process()

    def _end_process(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        if self._pool is None:
            return
        processes = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._counters is not None:
            done, count, _ = self._counters[:]
            self._counters[2] = 1
            for process in processes if done >= count > 0 else ():  # others see the flag, and end their children
                process.terminate()
        self._pool = None
        self._in_process.clear()

    async def _scan(self, project: ScannedProject) -> ProjectDefinitions:
        if self._idle is not None:
            self._idle.cancel()
        self._is_scanning, self._root = True, project.root
        try:
            running = self._running = asyncio.wrap_future(self._started().submit(scan, project))
            self._in_process.add(project)
            if project.root is None:
                return await running
            with self._editor.progress(f"Reading the definitions of {project.root.name}", self._how_far):
                return await running
        except (futures.BrokenExecutor, OSError) as error:
            _LOGGER.warning("the project is read in the server's own process: %s", error)
            self._end_process()
            return await asyncio.to_thread(Scanner(project).scan)
        finally:
            self._is_scanning = False
            self._idle = asyncio.get_running_loop().call_later(_IDLE, self._end_process)

    def _started(self) -> futures.ProcessPoolExecutor:
        if self._pool is None:
            self._counters = self._context.Array("l", [0, 0, 0])
            self._pool = futures.ProcessPoolExecutor(1, self._context, prepare, (self._counters,))
        return self._pool

    def _how_far(self) -> tuple[str, int]:
        done, count, _ = self._counters[:] if self._counters is not None else (0, 0, 0)
        message = f"{done} of {count} files" if done < count else "putting the definitions together"
        return message, 100 * done // max(count, 1)


def _quick_scan(project: ScannedProject) -> ProjectDefinitions | None:
    """Return the definitions of `project` if a scan is short, None if it needs the separate process."""
    scanner = Scanner(project)
    known = scanner.known()
    return scanner.scan() if known is None and scanner.is_quick() else known
