"""Waiting for file descriptors of all numbers."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from tdls.system import readable

if TYPE_CHECKING:
    from collections.abc import Iterator

HIGH = 1500
"""More than `select.select` takes."""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there only sockets can be waited for")


@pytest.fixture(params=[0, HIGH])
def pipe(request: pytest.FixtureRequest) -> Iterator[tuple[int, int]]:
    """Both ends of a pipe, of which the reading one has at least the number of the parameter."""
    import fcntl
    import resource

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limits[0] <= HIGH:
        resource.setrlimit(resource.RLIMIT_NOFILE, (2 * HIGH, limits[1]))
    low, writer = os.pipe()
    reader = fcntl.fcntl(low, fcntl.F_DUPFD, request.param)
    os.close(low)
    yield reader, writer
    os.close(reader)
    os.close(writer)
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_nothing_is_readable_before_it_comes(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    assert readable([reader], 0) == set()
    assert readable([reader], -1) == set()
    os.write(writer, b"x")
    assert readable([reader], 60) == {reader}


def test_the_one_of_several_that_has_something(pipe: tuple[int, int]) -> None:
    other, end = os.pipe()
    try:
        os.write(pipe[1], b"x")
        assert readable([other, pipe[0]], 60) == {pipe[0]}
    finally:
        os.close(other)
        os.close(end)


def test_an_end_is_readable() -> None:
    reader, writer = os.pipe()
    os.close(writer)
    assert readable([reader], 60) == {reader}
    os.close(reader)
