"""Measurements of a server: opening, editing, requests during typing, memory."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.lsp.documents import ERROR_NAME
from benchmarks.lsp.servers import session

from rpc.client import ResponseError
from rpc.document import Document, line_and_start
from rpc.memory import resident_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.lsp.documents import Sample
    from benchmarks.lsp.servers import Server, Session

    from rpc.client import Json, PendingResponse

TYPING_PAUSE = 0.1
"""Seconds between two letters that are typed fast."""

LETTER_PAUSE = 0.2
"""Seconds between two letters that are typed at a usual speed."""

SCREEN = 60
"""Lines that are shown at once."""

_CONTENT_MODIFIED = -32801
_SMALL = "module attributes {transform.with_named_sequence} {\n}\n"
DISPLAY = ("textDocument/inlayHint", "textDocument/codeLens", "textDocument/semanticTokens/range")
_OF_ALL = ("textDocument/semanticTokens/full", "textDocument/documentSymbol", "textDocument/foldingRange")
"""Further requests of editors about a whole document that they open."""
_TOKENS = "textDocument/semanticTokens/full"
_SHOWN = {
    _TOKENS: "semanticTokensProvider",
    "textDocument/codeLens": "codeLensProvider",
    "textDocument/documentSymbol": "documentSymbolProvider",
    "textDocument/foldingRange": "foldingRangeProvider",
    "textDocument/inlayHint": "inlayHintProvider",
}
"""Requests of an editor after each edit, with the capability of a server that answers them."""
FINDING, COMPLETION = "finding", "textDocument/completion"
QUESTIONS = ("textDocument/hover", "textDocument/completion", "textDocument/definition")


@dataclass(frozen=True)
class Opening:
    """Seconds from opening a document to its first finding and to all of them, and the slowest hover in between."""

    first: float
    everything: float
    slowest_hover: float


@dataclass(frozen=True)
class Showing:
    """Seconds from opening a document to each answer that an editor asks for to show its first lines, by method."""

    seconds: dict[str, float]

    @property
    def slowest(self) -> float:
        """Seconds until all is shown."""
        return max(self.seconds.values())


@dataclass(frozen=True)
class Editing:
    """Seconds from each edit to its findings, by kind of edit, and the memory afterwards in bytes."""

    seconds: dict[str, list[float]]
    memory: int


def start(server: Server) -> float:
    """Seconds from starting the process to its answer to `initialize`."""
    began = time.perf_counter()
    with session(server, ""):
        return time.perf_counter() - began


def open_with_errors(server: Server, sample: Sample) -> Opening:
    """Open a document with an error at the beginning and one at the end, for servers that report both."""
    broken = sample.with_errors()
    first_line = _line(broken.text, broken.script_place)
    lines = {first_line, _line(broken.text, broken.text.rindex(ERROR_NAME))}
    with session(server, broken.text) as opened:
        began = opened.document.open()
        first = opened.found(0, lambda found: first_line in found)
        hovers = _Asking(opened, sample, QUESTIONS[:1])
        everything = opened.found(0, lambda found: lines <= found)
        times = hovers.stop()
    slowest = max((pending.seconds for pending in times), default=0.0)
    return Opening(first.received_at - began, everything.received_at - began, slowest)


def show_beginning(server: Server, sample: Sample) -> Showing:
    """Open a document in a server that has seen a small one, and request hints, lenses and tokens of its first lines.

    Editors send these requests together, with those about the whole document, and again as long as the
    server answers that it needs more time.
    """
    with session(server, sample.text) as opened:
        _ask_for_display(opened, _see_small_document(opened).identifier)
        began = opened.document.open()
        answers = _ask_for_display(opened, opened.document.identifier)
    return Showing({method: pending.received_at - began for method, pending in answers.items()})


def _see_small_document(opened: Session) -> Document:
    small = Document(opened.client, f"{opened.document.uri}.small.mlir", _SMALL)
    small.open()
    opened.inbox.wait_for(small.uri, lambda _: True)
    return small


def _ask_for_display(opened: Session, identifier: Json) -> dict[str, PendingResponse]:
    """Return the answers about the lines that a screen holds."""
    beginning = {"start": {"line": 0, "character": 0}, "end": {"line": SCREEN, "character": 0}}
    waiting = {method: {"textDocument": identifier, **_range(method, beginning)} for method in DISPLAY}
    answers: dict[str, PendingResponse] = {}
    while waiting:
        sent = {method: opened.client.request(method, params) for method, params in waiting.items()}
        for method in _OF_ALL if not answers else ():
            opened.client.request(method, {"textDocument": identifier})
        answers |= {method: pending for method, pending in sent.items() if _is_answered(pending)}
        waiting = {method: params for method, params in waiting.items() if method not in answers}
    return answers


def _range(method: str, shown: Json) -> Json:
    return {} if method == "textDocument/codeLens" else {"range": shown}


def open_clean(server: Server, sample: Sample) -> float:
    """Seconds from opening a document without errors to the first publication, which says so."""
    with session(server, sample.text) as opened:
        began = opened.document.open()
        return opened.found(0, _is_empty).received_at - began


def type_while_opening(server: Server, sample: Sample, seconds: float) -> list[float]:
    """Type letters from the opening of a document on; return the seconds from each to findings as new as it.

    The server has seen a small document before.
    """
    with session(server, sample.text) as opened:
        _see_small_document(opened)
        opened.document.open()
        place, typed, end = sample.script_place, dict[int, float](), time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(LETTER_PAUSE)
            is_there = len(typed) % 2 == 1
            began = opened.document.replace(place, place + is_there, "" if is_there else "x")
            typed[opened.document.version] = began
        return [opened.found(version, lambda _: True).received_at - began for version, began in typed.items()]


def edit(server: Server, sample: Sample, count: int) -> Editing:
    """Make and undo each kind of edit `count` times in an open document."""
    with session(server, sample.text) as opened:
        opened.document.open()
        opened.wait_until_quiet()
        seconds = {
            "letter in the script": _typed(opened, sample.script_place, count),
            "letter in the middle": _typed(opened, sample.payload_place, count),
            "brace deleted and restored": _brace_deleted(opened, sample.brace_place, count),
        }
        return Editing(seconds, resident_bytes(opened.client.process.pid))


def edit_in_busy_editor(server: Server, sample: Sample, count: int) -> dict[str, list[float]]:
    """Type and delete a letter `count` times, and ask after each edit for all that an editor shows of the document.

    The editor shows the document, which is checked to its end; an edit cancels what is not answered yet. Returns the
    seconds from each edit to its finding, those of a completion that is asked with it, and those from the last edit to
    each answer about the document, by method.
    """
    with session(server, sample.with_last_error().text) as opened:
        opened.document.open()
        line, last = (
            _line(opened.document.text, place)
            for place in (sample.script_place, opened.document.text.rindex(ERROR_NAME))
        )
        opened.found(0, lambda lines: last in lines)
        seconds: dict[str, list[float]] = {FINDING: [], COMPLETION: []}
        display = _Display(opened)
        while not all(map(_is_answered, display.ask())):
            pass
        for number in range(2 * count):
            time.sleep(LETTER_PAUSE)
            display.cancel()
            is_there = number % 2 == 1
            began = opened.document.replace(
                sample.script_place, sample.script_place + is_there, "" if is_there else "x"
            )
            shown = display.ask()
            completion = opened.client.request(COMPLETION, opened.document.at(sample.script_place))
            if is_there:
                found = opened.found(opened.document.version, lambda lines: line not in lines)
            else:
                found = opened.found(opened.document.version, lambda lines: line in lines)
            seconds[FINDING].append(found.received_at - began)
            if _is_answered(completion):
                seconds[COMPLETION].append(completion.seconds)
        answered = {pending.method: [pending.received_at - began] for pending in shown if _is_answered(pending)}
    return {**seconds, **answered}


class _Display:
    """What an editor asks for to show a document, as far as the server has it."""

    def __init__(self, opened: Session) -> None:
        self._opened = opened
        self._pending: list[PendingResponse] = []
        self._tokens = ""
        """The identity of the last tokens: the editor asks for what is different from them."""

    def ask(self) -> list[PendingResponse]:
        """Send the requests that an editor sends after an edit, with the first lines as those on the screen."""
        capabilities = self._opened.client.server_capabilities
        methods = [method for method, capability in _SHOWN.items() if capabilities.get(capability)]
        self._pending = [self._request(method) for method in methods]
        return self._pending

    def _request(self, method: str) -> PendingResponse:
        params = {"textDocument": self._opened.document.identifier}
        if method == "textDocument/inlayHint":
            params["range"] = {"start": {"line": 0, "character": 0}, "end": {"line": SCREEN, "character": 0}}
        if method == _TOKENS and self._tokens:
            params["previousResultId"] = self._tokens
            method = f"{method}/delta"
        return self._opened.client.request(method, params)

    def cancel(self) -> None:
        """Cancel what is not answered yet."""
        for pending in self._pending:
            if not pending.received_at:
                self._opened.client.notify("$/cancelRequest", {"id": pending.id})
            elif pending.method.startswith(_TOKENS) and _is_answered(pending):
                self._tokens = pending.result()["resultId"]


def ask_while_typing(server: Server, sample: Sample, seconds: float) -> dict[str, list[float]]:
    """Ask without pause while letters are typed into the script; return the seconds of each answer by method."""
    with session(server, sample.text) as opened:
        opened.document.open()
        opened.wait_until_quiet()
        asking = _Asking(opened, sample, QUESTIONS)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            _type_and_delete(opened, sample.script_place)
        answered = asking.stop()
    return {method: [pending.seconds for pending in answered if pending.method == method] for method in QUESTIONS}


def type_letter(opened: Session, place: int) -> float:
    """Make the name of a value unknown, and known again; return the seconds of the slower answer."""
    line = _line(opened.document.text, place)
    began = opened.document.replace(place, place, "x")
    unknown = opened.found(opened.document.version, lambda lines: line in lines).received_at - began
    began = opened.document.replace(place, place + 1, "")
    known = opened.found(opened.document.version, lambda lines: line not in lines).received_at - began
    return max(unknown, known)


class _Asking:
    """Sends one request after the other from a thread of its own until stopped."""

    def __init__(self, opened: Session, sample: Sample, methods: tuple[str, ...]):
        self._stopped = threading.Event()
        self._answered: list[PendingResponse] = []
        places = [_position(sample.text, place) for place in sample.requested]
        questions = [(method, place) for place in places for method in methods]
        self._thread = threading.Thread(target=self._ask, args=(opened, questions))
        self._thread.start()

    def stop(self) -> list[PendingResponse]:
        """Stop the requests and return the answers."""
        self._stopped.set()
        self._thread.join()
        return self._answered

    def _ask(self, opened: Session, questions: list[tuple[str, Json]]) -> None:
        identifier = opened.document.identifier
        while True:
            for method, place in questions:
                if self._stopped.is_set():
                    return
                pending = opened.client.request(method, {"textDocument": identifier, "position": place})
                if _is_answered(pending):
                    self._answered.append(pending)


def _is_answered(pending: PendingResponse) -> bool:
    """Wait; an answer that says that the document changed meanwhile is none, as editors see it."""
    try:
        pending.result()
    except ResponseError as error:
        if error.code != _CONTENT_MODIFIED:
            raise
        return False
    return True


def _typed(opened: Session, place: int, count: int) -> list[float]:
    """A letter makes the name of a value unknown; deleting it makes it known again."""
    document = opened.document
    line = _line(document.text, place)
    insert, delete = partial(document.replace, place, place, "x"), partial(document.replace, place, place + 1, "")
    return _timed_pairs(opened, count, insert, lambda lines: line in lines, delete)


def _brace_deleted(opened: Session, place: int, count: int) -> list[float]:
    document = opened.document
    delete, restore = partial(document.replace, place, place + 1, ""), partial(document.replace, place, place, "}")
    return _timed_pairs(opened, count, delete, bool, restore)


def _timed_pairs(
    opened: Session,
    count: int,
    damage: Callable[[], float],
    is_found: Callable[[set[int]], bool],
    repair: Callable[[], float],
) -> list[float]:
    """Seconds from each damage to its finding and from each repair to no finding at all."""
    seconds: list[float] = []
    for _ in range(count):
        for change, accept in ((damage, is_found), (repair, _is_empty)):
            opened.inbox.forget(opened.document.uri)
            began = change()
            seconds.append(opened.found(opened.document.version, accept).received_at - began)
            time.sleep(TYPING_PAUSE)
    return seconds


def _is_empty(lines: set[int]) -> bool:
    return not lines


def _type_and_delete(opened: Session, place: int) -> None:
    opened.document.replace(place, place, "x")
    time.sleep(TYPING_PAUSE)
    opened.document.replace(place, place + 1, "")
    time.sleep(TYPING_PAUSE)


def _line(text: str, offset: int) -> int:
    return line_and_start(text, offset)[0]


def _position(text: str, offset: int) -> Json:
    line, start = line_and_start(text, offset)
    return {"line": line, "character": offset - start}
