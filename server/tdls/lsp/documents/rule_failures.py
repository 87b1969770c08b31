"""What people and the log are told of rules that fail."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.analysis.checking.file_findings import failures_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.checking.file_findings import RuleFailure
    from tdls.lsp.connection.editor import Editor

_LOGGER = logging.getLogger(__name__)
_ADVICE = "What it would find is missing; all else is shown. This is a mistake in tdls: please report it, with the log."


class RuleFailures:
    """Reports each rule that fails once in a session; for any thread."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._reported: set[str] = set()
        self._lock = threading.Lock()

    def report(self, uri: str, failures: Iterable[RuleFailure]) -> None:
        """Log the `failures` in the file `uri` with their traces, and show people a message for each reason."""
        with self._lock:
            new = [failure for failure in failures if failure.rule not in self._reported]
            self._reported.update(failure.rule for failure in new)
        for failure in new:
            _LOGGER.error("rule %s failed in %s\n%s", failure.rule, uri, failure.trace)
        for words in failures_in_words(new):
            self._editor.say(types.MessageType.Error, f"tdls: {words}. {_ADVICE}")
