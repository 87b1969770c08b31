"""Reports of processes are not trusted: reading them accepts any bytes."""

from __future__ import annotations

import json

import pytest

from tdls.interpreter.confinement.reports import ReportError, decoded
from tdls.structs import Struct, field


class Answer(Struct, frozen=True):
    """An answer like those of workers."""

    status: str
    count: int = 0
    notes: tuple[Answer, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)


def test_answers_have_their_types() -> None:
    data = json.dumps({"status": "s", "notes": [{"status": "n", "count": 2}], "more": [1]}).encode()
    assert decoded(data, Answer, "it") == Answer("s", notes=(Answer("n", 2),))


def test_text_may_have_lone_surrogates() -> None:
    data = '{"status": "a\\ud800", "texts": {"x": "\udfff"}}'.encode("utf-8", "surrogatepass")
    assert decoded(data, Answer, "it") == Answer("a\ud800", texts={"x": "\udfff"})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff",
        b"null",
        b"[]",
        b"{}",
        b'{"status": 1}',
        b'{"status": "", "count": "1"}',
        b'{"status": "", "count": 1.5}',
        b'{"status": "", "count": true}',
        b'{"status": "", "notes": [1]}',
        b'{"status": "", "texts": {"x": null}}',
        b'{"status": "", "count": ' + b"1" * 5_000 + b"}",
        b"[" * 200_000,
        b'{"status": "", "notes": [' * 2_000 + b"]}" * 2_000,
    ],
)
def test_malformed_answers_are_refused(data: bytes) -> None:
    with pytest.raises(ReportError, match="the answer cannot be read: "):
        decoded(data, Answer, "the answer")
