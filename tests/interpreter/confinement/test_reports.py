"""Reports of processes are not trusted: reading them accepts any bytes."""

from __future__ import annotations

import json
import zlib

import pytest

from tdls.interpreter.confinement.reports import ReportError, decoded, decoded_lines, decompressed
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


def test_lines_are_named() -> None:
    lines = decoded_lines(b'{"status": "a"}\n{"status": 2}\n{"sta', Answer, "the steps")
    assert next(lines) == Answer("a")
    with pytest.raises(ReportError, match="line 2 of the steps cannot be read"):
        next(lines)
    assert list(decoded_lines(b'{"status": "a"}\n{"sta', Answer, "the steps")) == [Answer("a")]


def test_compressed_data_is_bounded() -> None:
    bomb = zlib.compress(bytes(10_000_000))
    assert decompressed(bomb, 10_000_000, "it") == bytes(10_000_000)
    for data in (bomb, bomb[:-5], b"x", b""):
        with pytest.raises(ReportError):
            decompressed(data, 9_999_999, "it")
