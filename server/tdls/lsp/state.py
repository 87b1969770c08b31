"""The state of the server: the session, and the services that keep it up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.lsp.connection.editor import Editor
from tdls.lsp.documents.diagnostics import DiagnosticsQueue, RuleFailures
from tdls.lsp.documents.libraries import Libraries
from tdls.lsp.documents.synchronization import DocumentSync
from tdls.lsp.documents.workspace_files import WorkspaceFiles
from tdls.lsp.programs.schedules import Schedules
from tdls.lsp.runs.live import LiveRuns
from tdls.lsp.runs.readings import Readings
from tdls.lsp.runs.recordings import Recordings
from tdls.lsp.runs.runner import Runs
from tdls.lsp.runs.tries import Tries
from tdls.lsp.runs.views import RunViews
from tdls.lsp.session.session import Session
from tdls.lsp.workspace.configuration import Configuration
from tdls.lsp.workspace.consent import Consents
from tdls.lsp.workspace.elsewhere import OtherDocuments
from tdls.lsp.workspace.projects import Projects

if TYPE_CHECKING:
    from tdls.lsp.connection.dispatch import Host


class State(Session):
    """All that requests may use. A service knows those above it; what it changes reaches the others as an event."""

    def __init__(self, host: Host, *, trusts_workspace: bool) -> None:
        super().__init__(Editor(host))
        self.consents = Consents(self, trusts_everything=trusts_workspace)
        self.configuration = Configuration(self, self.consents)
        self.projects = Projects(self, self.configuration)
        self.libraries = Libraries(self, self.configuration, self.projects)
        self.elsewhere = OtherDocuments(self, self.projects)
        rule_failures = RuleFailures(self.editor)
        self.diagnostics = DiagnosticsQueue(self, self.configuration, self.elsewhere, rule_failures)
        self.sync = DocumentSync(self, self.projects, self.libraries, self.diagnostics)
        self.workspace_files = WorkspaceFiles(self, self.configuration, self.projects)
        self.run_views = RunViews(self)
        self.runs = Runs(self, self.configuration, self.consents, self.libraries, self.run_views)
        self.readings = Readings(self, self.configuration, self.runs.executor)
        self.live_runs = LiveRuns(self, self.configuration, self.consents, self.runs, self.readings)
        self.recordings = Recordings(self, self.configuration, self.runs)
        self.tries = Tries(self, self.configuration, self.consents, self.runs)
        self.schedules = Schedules(self, self.configuration, self.consents, self.projects, rule_failures)

    def close(self) -> None:
        """Stop the work in other processes and threads."""
        self.queues.close()
        self.diagnostics.close()
        self.consents.close()
        self.projects.close()
        self.schedules.close()
        self.live_runs.close()
        self.tries.close()
        self.runs.close()
