"""How a run went, as the editor is told."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tdls.interpreter.model import Status
from tdls.lsp.protocol.run_target import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.interpreter.model import RunResult
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.settings.consent import ConsentRequest

_URI_NAMES = {View.AFTER: "payloadUri", View.BEFORE: "beforeUri", View.DIFF: "diffUri"}
UNAVAILABLE = "unavailable"
"""The status where there is nothing that could run scripts."""
REFUSED = "refused"
"""The status where nobody has allowed what would run scripts."""


@dataclass(frozen=True, slots=True)
class Run:
    """What came out of running `target`. `status` is that of a `RunResult`, `UNAVAILABLE` or `REFUSED`."""

    target: RunTarget
    status: str
    detail: str = ""
    """One line for people; of a success, why that is none."""
    result: RunResult | None = None
    texts: Mapping[View, str] = field(default_factory=dict)
    consent_requests: tuple[ConsentRequest, ...] = ()
    """What has to be allowed first, if that is why nothing was run."""

    @property
    def succeeded(self) -> bool:
        """True if there is something to show."""
        return self.status == Status.SUCCESS.value

    def to_json(self, uris: Mapping[View, str]) -> dict[str, Any]:
        """Return the answer to the command that ran it; `uris` are those of the documents that show it."""
        result = self.result
        return {
            "status": self.status,
            "detail": self.detail,
            "backend": result.backend if result is not None else "",
            "mlir": result.mlir if result is not None else "",
            "seconds": result.seconds if result is not None else 0.0,
            "printed": result.printed if result is not None else "",
            "refused": [_refused(question) for question in self.consent_requests],
            **{name: uris.get(view) for view, name in _URI_NAMES.items()},
        }


def _refused(question: ConsentRequest) -> dict[str, Any]:
    line = question.line + 1 if question.line is not None else None
    consent = question.consent
    return {"uri": question.file.as_uri(), "line": line, "setting": consent.key, "value": json.loads(consent.value)}
