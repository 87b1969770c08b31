"""What a smaller input still has to do: fail in the same way, or have the same finding."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tdls.analysis.checking.file_findings import check_file
from tdls.analysis.file.source_file import NamedLibraries, SourceFile
from tdls.interpreter.observing.likely_reasons import without_likely_reasons
from tdls.interpreter.runs.model import RunLevel, Status
from tdls.interpreter.runs.script import Script
from tdls.structs import replace
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import Place, RunDiagnostic, RunRequest, RunResult
    from tdls.text.diagnostic import Diagnostic

Holds: TypeAlias = "Callable[[Backend | None, RunRequest], bool]"
"""Tells whether a request still fails in the same way; of a finding without a backend."""

STATUSES = {
    "crash": frozenset({Status.CRASH}),
    "timeout": frozenset({Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.TOO_MUCH_OUTPUT}),
    "error": frozenset({Status.FAILURE, Status.INVALID}),
}
"""The statuses of runs that have to stay, by the words of the command line."""
_NAMES = re.compile(
    r"'[^'\n]{0,200}'|`[^`\n]{0,200}`|\"[^\"\n]{0,200}\"|[@%^#][\w$.-]{1,200}|\b\d[\dx]{0,99}(?:[a-z]{1,9}\d{0,9})?\b"
)
_FRAME = re.compile(
    r"^[ ]{0,9}#?\d{1,4}\s[^\n]{0,200}?0x[0-9a-f]{1,16} (?!llvm::sys::)([A-Za-z_][\w:~<>]{0,200})", re.MULTILINE
)
_ASSERTION = re.compile(r"(?:Assertion .{0,500} failed|UNREACHABLE executed|LLVM ERROR).{0,500}")
_TOP = 2
"""Number of frames of the stack that have to be the same."""
_WORD = re.compile(r"[\w$.]+")
_LEAST_SECONDS, _TIMES_SLOWER = 2.0, 10
"""What a candidate may take, compared with the smallest input so far."""


class Failure(NamedTuple):
    """How a run fails, without the names and numbers of this input."""

    status: Status
    operation: str
    """The operation of the script that was executed, "" if that is not known."""
    reason: str
    """The assertion, the signal with the upper frames of the stack, or MLIR's message."""
    targets: tuple[tuple[str, str], ...] = ()
    """The notes on MLIR's message, up to a colon, each with the name of the operation that it is at."""

    @classmethod
    def of(cls, request: RunRequest, result: RunResult) -> Failure:
        """Return how a run of `request` failed."""
        if result.status is not Status.CRASH and result.status not in STATUSES["error"]:
            return cls(result.status, "", "")
        place = result.executing[0] if result.executing else None
        operation = _word_at(request, place) if place is not None else ""
        said = errors_of(result)
        message = _NAMES.sub("_", said[0].message) if said else ""
        if result.status is not Status.CRASH:
            targets = ((_NAMES.sub("_", note.message.partition(":")[0]), _word_at(request, note)) for note in said[1:])
            return cls(result.status, operation, message, tuple(targets))
        assertion = _ASSERTION.search(result.console)
        if assertion is not None:
            return cls(result.status, "", _NAMES.sub("_", assertion[0]))
        frames = _FRAME.findall(result.console)[:_TOP]
        is_read = not operation and not frames
        return cls(result.status, operation, "\n".join([result.detail, *([message] if is_read else frames)]))

    def is_like(self, other: Failure) -> bool:
        """Whether two runs fail in the same way; which operation was executed is not always known."""
        operations = {self.operation, other.operation} - {""}
        return self._replace(operation="") == other._replace(operation="") and len(operations) <= 1


def _word_at(request: RunRequest, place: Place | RunDiagnostic) -> str:
    """Return the name of the operation at a place in a text of the request, "" if it is in none."""
    for file in (request.script, *request.others):
        if file.name == place.file and place.line > 0:
            lines = (file.original if isinstance(file, Script) else file.text).split("\n")[place.line - 1 : place.line]
            word = _WORD.match("".join(lines).encode()[place.column - 1 :].decode("utf-8", "replace"))
            return word[0] if word is not None else ""
    return ""


def errors_of(result: RunResult) -> list[RunDiagnostic]:
    """Return MLIR's last error, with its notes."""
    errors = [each for each in without_likely_reasons(result.diagnostics) if each.level is RunLevel.ERROR]
    return [each for error in errors[-1:] for each in (error, *error.notes)]


class Kept(NamedTuple):
    """What has to stay: how to tell, for which request, and what MLIR or tdls says of it."""

    holds: Holds
    request: RunRequest
    words: tuple[str, ...]
    result: RunResult | None = None
    """None for a finding."""


def kept_failure(request: RunRequest, result: RunResult, asked: str, text: str) -> Kept | None:
    """Return the failure of a run, or None if it is not one of the kind `asked`, with `text` in its message."""
    if result.status in (Status.SUCCESS, Status.CANCELLED) or (asked and result.status not in STATUSES[asked]):
        return None
    if text and not _says(result, text):
        return None
    failure = Failure.of(request, result)

    def holds(backend: Backend | None, request: RunRequest) -> bool:
        assert backend is not None

        def is_wanted(plain: RunResult) -> bool:
            if plain.status is Status.CRASH:
                return not text and failure.status is Status.CRASH
            return plain.status in STATUSES["error"] and (bool(text) or failure.is_like(Failure.of(request, plain)))

        result = backend.run(request, is_wanted)
        return _says(result, text) if text else failure.is_like(Failure.of(request, result))

    request = within_time_of(request, result.seconds)
    words = [f"{each.level.value}: {each.message}" for each in errors_of(result)]
    if result.status is Status.CRASH:
        words = [f"MLIR crashed: {result.detail}", *words]
    elif result.detail or not words:
        words = [f"{result.status.value}: {result.detail or 'MLIR gives no reason'}"]
    return Kept(holds, request, tuple(words), result)


def within_time_of(request: RunRequest, seconds: float) -> RunRequest:
    """Return `request` with the limit for candidates that are smaller than what failed after `seconds`."""
    limits = request.limits
    return replace(request, limits=limits.afresh(min(limits.seconds, max(_LEAST_SECONDS, _TIMES_SLOWER * seconds))))


def _says(result: RunResult, text: str) -> bool:
    errors = (each for each in result.diagnostics if each.level is RunLevel.ERROR)
    return result.status in STATUSES["error"] and any(
        text in each.message for error in errors for each in (error, *error.notes)
    )


def kept_finding(request: RunRequest, rule: str) -> Kept | None:
    """Return the first finding of a rule in the script of a request, or None without any."""
    found = _findings(request)
    first = next((finding for finding in found if finding.rule == rule), None)
    if first is None:
        return None
    wanted, errors = _NAMES.sub("_", first.message), _errors(found)

    def holds(backend: Backend | None, request: RunRequest) -> bool:  # noqa: ARG001 - signature
        findings = _findings(request)
        has_it = any(each.rule == rule and _NAMES.sub("_", each.message) == wanted for each in findings)
        return has_it and _errors(findings) <= errors

    return Kept(holds, request, (f"{first.level.value}[{rule}]: {first.message}",))


def _errors(findings: Iterable[Diagnostic]) -> set[str]:
    return {finding.rule for finding in findings if finding.level is Level.ERROR}


def _findings(request: RunRequest) -> list[Diagnostic]:
    payload = request.payload
    file = request.script.file.with_libraries([library.file for library in request.libraries], NamedLibraries())
    if payload is not None:
        file = file.with_payload(SourceFile.of(payload.text, request.script.catalogue))
    return check_file(file).reported
