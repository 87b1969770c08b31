"""``workspace/executeCommand``: ``tdls.matchByAttribute``."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from tdls.ide.actions.by_attribute.refusal import NotRewrittenError
from tdls.ide.actions.by_attribute.written_split import split_at
from tdls.ide.runs.run_report import uri_of_name
from tdls.interpreter.jobs.backend import BackendError, ConsentError, NoMlirError
from tdls.interpreter.plan import PlanError
from tdls.lsp.answers.workspace_edit import to_workspace_edit
from tdls.lsp.protocol.custom_parameters import text_document_position
from tdls.lsp.protocol.errors import ContentModified
from tdls.lsp.protocol.paths import path_of
from tdls.lsp.protocol.positions import to_offset
from tdls.lsp.protocol.run_target import TargetOptions
from tdls.lsp.runs.outcome import REFUSED, UNAVAILABLE, refused_item
from tdls.lsp.runs.planning import Planner
from tdls.lsp.runs.progress import with_progress
from tdls.lsp.runs.recordings import target_at
from tdls.lsp.runs.run_command import only_argument

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.session.document import OpenDocuments
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.consent import Consents
    from tdls.settings.consent import ConsentRequest

MATCH_BY_ATTRIBUTE = "tdls.matchByAttribute"
TITLE = "Match by attribute instead of by position"
_REWRITTEN = "rewritten"
_KEPT = "kept"


class _Answer(NamedTuple):
    """How it went: `detail` is one line for people, "" where the texts were changed."""

    status: str
    detail: str = ""
    edit: types.WorkspaceEdit | None = None
    consent_requests: Sequence[ConsentRequest] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the answer to the command."""
        refused = [refused_item(question) for question in self.consent_requests]
        return {"status": self.status, "detail": self.detail, "refused": refused}


def register(features: Features, commands: MatchByAttribute) -> None:
    """Rewrite matches that are split by position."""

    @features.command(MATCH_BY_ATTRIBUTE)
    async def match_by_attribute(*arguments: Any) -> dict[str, Any]:
        """Give operations of the payload attributes, and match by these, at the place that the arguments name."""
        return await commands.rewrite(only_argument(arguments))


class MatchByAttribute:
    """Runs scripts before and behind that, and has the editor change script and payload if both do the same."""

    def __init__(
        self,
        session: Session,
        documents: OpenDocuments,
        editor: Editor,
        configuration: Configuration,
        consents: Consents,
        runs: Runs,
    ) -> None:
        self._session = session
        self._documents = documents
        self._editor = editor
        self._configuration = configuration
        self._consents = consents
        self._runs = runs

    async def rewrite(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return how it went; what is not rewritten is said to people, too. Raises JsonRpcInvalidParams."""
        asked = {"textDocument": {"uri": arguments.get("uri")}, "position": arguments.get("position")}
        params = text_document_position(asked)
        await self._documents.edited()
        payload = arguments.get("payload")
        chosen = TargetOptions(path_of(payload) or Path(payload)) if isinstance(payload, str) else None
        answer = await with_progress(self._editor, TITLE, self._answer(params, chosen)) or _Answer(_KEPT, "cancelled")
        if answer.edit is not None and not await self._editor.apply(TITLE, answer.edit):
            answer = _Answer(_KEPT, "the editor did not change the texts")
        if answer.detail and not self._asks(answer, arguments):
            self._editor.say(types.MessageType.Warning, f"Not matched by attribute: {answer.detail}")
        return answer.to_json()

    def _asks(self, answer: _Answer, arguments: Mapping[str, Any]) -> bool:
        """Ask for consent where it is missing; if it is given, go on."""
        requests = answer.consent_requests
        return bool(requests) and self._consents.ask(requests, lambda: self.rewrite(arguments))

    async def _answer(self, params: types.TextDocumentPositionParams, options: TargetOptions | None) -> _Answer:
        try:
            return _Answer(_REWRITTEN, edit=await self._edit(params, options))
        except ConsentError as error:
            return _Answer(REFUSED, str(error), consent_requests=error.consent_requests)
        except NoMlirError as error:
            return _Answer(UNAVAILABLE, error.for_editors)
        except BackendError as error:
            return _Answer(UNAVAILABLE, str(error))
        except (PlanError, NotRewrittenError) as error:
            return _Answer(_KEPT, str(error))
        except ContentModified:
            return _Answer(_KEPT, "the texts changed meanwhile")

    async def _edit(
        self, params: types.TextDocumentPositionParams, options: TargetOptions | None
    ) -> types.WorkspaceEdit:
        """Return the edits; without `options` the script is run as it was last.

        Raises what is said to people, and JsonRpcInvalidParams.
        """
        from tdls.ide.actions.by_attribute.rewriting import rewritten_by

        uri = params.text_document.uri
        target, offset = self._target(params)
        settings = await self._configuration.for_run(uri)
        planner = Planner(self._session, target, settings)
        planned = await asyncio.to_thread(planner.request, options or self._runs.options(target), ())
        split = split_at(planned.script, offset)
        if split is None:
            raise JsonRpcInvalidParams("no match is split by position there")
        request = planned.request
        known = planned.files({request.root.name})
        files = {name: known[name] for name in (request.script.name, request.root.name)}
        for name in files:
            if not self._may_be_changed(name, script=uri):
                raise NotRewrittenError(f"{name} is not in the workspace; open it, so that it can be changed")
        rewriting = await self._runs.executor.do(
            lambda backend: rewritten_by(backend, request, split, files), settings.run.backend_choice
        )
        by_uri = {uri_of_name(name): file for name, file in files.items()}
        edits = {uri_of_name(name): found for name, found in rewriting.edits.items() if found}
        return to_workspace_edit(self._session, by_uri, edits, self._editor.capabilities)

    def _may_be_changed(self, name: str, script: str) -> bool:
        """Tell whether a file is open, or in a folder of the workspace; without one, in that of the script."""
        uri = uri_of_name(name)
        path, beside = path_of(uri), path_of(script)
        if uri in self._session.documents or self._session.file(uri) is None or path is None:
            return uri in self._session.documents
        folders = [path_of(folder.uri) for folder in self._editor.folders]
        around = folders or [beside.parent if beside is not None else None]
        return any(folder is not None and path.resolve().is_relative_to(folder.resolve()) for folder in around)

    def _target(self, params: types.TextDocumentPositionParams) -> tuple[RunTarget, int]:
        uri = params.text_document.uri
        file = self._session.file(uri)
        if file is None:
            raise JsonRpcInvalidParams(f"no document with the `uri` {uri!r} is open")
        offset = to_offset(file, params.position, self._session.encoding)
        target = target_at(file, uri, offset)
        if target is None:
            raise NotRewrittenError("there is no entry point to run, so what it finds is not known")
        return target, offset
