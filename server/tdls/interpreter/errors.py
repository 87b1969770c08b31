"""Errors of plans, of backends and of their recordings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.settings.consent import refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.settings.consent import ConsentRequest


class RecordingError(Exception):
    """A state is not available; the message is one line for users."""


class BackendError(Exception):
    """The chosen backend is missing or cannot be started; the message is one line for users."""


class NoMlirError(BackendError):
    """No backend is available; `tool` is the name of a tool that was found and could be chosen."""

    def __init__(self, message: str, tool: str | None) -> None:
        super().__init__(message)
        self.tool = tool

    @property
    def for_editors(self) -> str:
        """The message without command-line advice."""
        return f"running scripts takes MLIR{f'; {self.tool} was found' if self.tool else ', and none was found'}"


class ConsentError(BackendError):
    """A backend that a project's settings choose is not started, since the user has not allowed it."""

    def __init__(self, questions: Sequence[ConsentRequest]) -> None:
        super().__init__(refusal(questions))
        self.consent_requests = tuple(questions)


class PlanError(ValueError):
    """A run cannot be planned: a file cannot be read, an entry point or a choice is none, or ambiguous."""
