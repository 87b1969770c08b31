"""Messages are found in a stream of bytes however it is cut, and a stream that is broken is given up with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.text.jsonrpc import BrokenFramingError, FrameDecoder, framed, parsed

BODIES = st.lists(st.binary(max_size=40), max_size=6)


@given(
    BODIES, st.lists(st.integers(1, 30), min_size=1), st.sampled_from([b"", b"Content-Type: text/x; charset=utf-8\r\n"])
)
def test_bodies_do_not_depend_on_where_the_stream_is_cut(bodies: list[bytes], cuts: list[int], more: bytes) -> None:
    stream = b"".join(more + framed(body) for body in bodies)
    decoder, turn = FrameDecoder(), 0
    found: list[bytes] = []
    while stream:
        size = cuts[turn % len(cuts)]
        found += decoder.feed(stream[:size])
        stream, turn = stream[size:], turn + 1
    decoder.end()
    assert found == bodies


def test_header_names_have_any_case_and_lines_end_as_they_like() -> None:
    assert [*FrameDecoder().feed(b"content-LENGTH :2\n\n{}")] == [b"{}"]


def test_messages_before_a_broken_one_are_found() -> None:
    found: list[bytes] = []
    with pytest.raises(BrokenFramingError, match=r"not a header of the protocol: 'GET / HTTP/1\.1'"):
        found.extend(FrameDecoder().feed(framed(b"1") + framed(b"2") + b"GET / HTTP/1.1\r\n"))
    assert found == [b"1", b"2"]


@pytest.mark.parametrize(
    ("sent", "complaint"),
    [
        (b"Content-Length: -5\r\n\r\n", "is not a number: '-5'"),
        (b"Content-Length: \xb2\r\n\r\n", "is not a number"),
        (b"Content-Length: 999999999999\r\n\r\n", "too long"),
        (b"Content-Type: x\r\n\r\n", "no Content-Length"),
        (b"\r\n", "no Content-Length"),
        (b"Content-Length: 1\r\nContent-Type: x; charset=utf-16\r\n\r\n", "in UTF-8, not in utf-16"),
        (b"x" * 5_000, "a header of a message is too long"),
        (b"Content-Length: 1" + b" " * 5_000, "a header of a message is too long"),
        (b"a\x1b[2Jb: 1\r\n", r"not a header of the protocol: 'a\\u001b\[2Jb: 1'"),
    ],
)
def test_broken_headers(sent: bytes, complaint: str) -> None:
    with pytest.raises(BrokenFramingError, match=complaint):
        list(FrameDecoder().feed(sent))


@pytest.mark.parametrize(
    ("sent", "complaint"),
    [
        (b"Content-Length: 9\r\n\r\n{", "after 1 of 9 bytes"),
        (b"Content-Length: 9\r\n", "in the headers"),
        (b"Content-Le", "in the headers"),
    ],
)
def test_an_end_inside_of_a_message(sent: bytes, complaint: str) -> None:
    decoder = FrameDecoder()
    assert list(decoder.feed(sent)) == []
    with pytest.raises(BrokenFramingError, match=complaint):
        decoder.end()


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b"9" * 5_000])
def test_texts_that_are_no_json(body: bytes) -> None:
    with pytest.raises(ValueError, match="the message is no JSON in UTF-8"):
        parsed(body)


def test_json() -> None:
    assert parsed('{"ä": [1, null]}'.encode()) == {"ä": [1, None]}
