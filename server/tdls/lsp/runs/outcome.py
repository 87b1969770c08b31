"""Outcome of a run, and its JSON form for the editor."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tdls.interpreter.runs.model import Emit, Status
from tdls.lsp.protocol.run_target import RunDocument, View
from tdls.structs import Struct, field
from tdls.text.difference import unified_diff

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tdls.interpreter.runs.model import RunResult
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.settings.consent import ConsentRequest
    from tdls.text.span import FileSpan

_URI_NAMES = {View.AFTER: "payloadUri", View.BEFORE: "beforeUri", View.DIFF: "diffUri", View.FAILURE: "failureUri"}
UNAVAILABLE = "unavailable"
"""The status if there is no backend to run scripts."""
REFUSED = "refused"
"""The status if the user has not consented to the backend."""


class Run(Struct, frozen=True):
    """Outcome of a run of `target`. `status` is that of a `RunResult`, `UNAVAILABLE` or `REFUSED`."""

    target: RunTarget
    status: str
    detail: str = ""
    """One line for display; for a success, a reason why it has no effect."""
    result: RunResult | None = None
    texts: Mapping[View, str] = field(default_factory=dict)
    stop: FileSpan | None = None
    """The line of the script at which the run stopped, or None for a run to the end."""
    line: int | None = None
    """The 1-based number of that line."""
    tool: str | None = None
    """The name of an installed tool that could run scripts, if settings choose none."""
    consent_requests: tuple[ConsentRequest, ...] = ()
    """Missing consents, if they are the reason why nothing was run."""
    has_payload: bool = True
    """False for a run to its end or to a failure without payload."""

    @property
    def succeeded(self) -> bool:
        """True if the run succeeded, so that there is a payload to show."""
        return self.status == Status.SUCCESS.value

    @property
    def has_failed_step(self) -> bool:
        """True if the run failed in a known step."""
        return not self.succeeded and self.result is not None and bool(self.result.executing)

    def document(self, view: View) -> RunDocument:
        return RunDocument(self.target, view, self.line)

    def to_json(self, uris: Mapping[View, str]) -> dict[str, Any]:
        """Return the answer to a run command; `uris` are those of the documents that show the run."""
        result = self.result
        return {
            "status": self.status,
            "detail": self.detail,
            "hasPayload": self.has_payload,
            "backend": result.backend if result is not None else "",
            "mlir": result.mlir if result is not None else "",
            "seconds": result.seconds if result is not None else 0.0,
            "printed": result.printed if result is not None else "",
            "unobserved": result.unobserved if result is not None else "",
            "script": self.target.script,
            "line": self.line,
            "tool": self.tool,
            "refused": [refused_item(question) for question in self.consent_requests],
            **{name: uris.get(view) for view, name in _URI_NAMES.items()},
        }


def refused_item(question: ConsentRequest) -> dict[str, Any]:
    """Return a missing consent as JSON for the editor; lines are 1-based."""
    line = question.line + 1 if question.line is not None else None
    consent = question.consent
    return {"uri": question.file.as_uri(), "line": line, "setting": consent.key, "value": json.loads(consent.value)}


def texts_of(result: RunResult, views: Collection[View], name: str) -> dict[View, str]:
    """Return the texts of `views`, and of the payload after the run; none if it did not succeed.

    `name` is the name of the payload in a diff, which leaves out a script that is kept in the payload.
    """
    after = result.texts.get(Emit.MODULE, result.texts.get(Emit.PAYLOAD))
    if after is None:
        return {}
    texts = {View.AFTER: after}
    before = result.texts.get(Emit.BEFORE)
    if before is not None:
        texts[View.BEFORE] = before
        if View.DIFF in views:
            names = (f"{name}.{view.value}" for view in (View.BEFORE, View.AFTER))
            texts[View.DIFF] = "".join(unified_diff(before, result.texts.get(Emit.PAYLOAD, after), *names))
    return texts
