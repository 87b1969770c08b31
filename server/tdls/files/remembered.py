"""What was found out before, kept with what it rests on: files and folders that were looked at, and tdls itself.

Asking takes no more than comparing their states. What is imported here is imported by every process that has to be
quick, and has to be little.
"""

from __future__ import annotations

import sys

import tdls
from tdls.caching.digest import digest
from tdls.caching.place import quick_content
from tdls.files import looks

TYPE_CHECKING = False  # `typing` takes longer to import than all that is done here
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_PACKAGES = ("site-packages", "dist-packages")


def key_of(*circumstances: object) -> str:
    """Return what stands for `circumstances`, plain data, in this Python with this tdls."""
    python = sys.executable, sys.version, sys.path, tuple(sys.flags)
    return digest("remembered", tdls.__version__, tdls.__file__, repr(python), repr(circumstances))


def recalled(key: str) -> list[bytes] | None:
    """Return what was remembered for a key, None if that is nothing, or something has changed that it rests on."""
    content = quick_content(key)
    if content is None:
        return None
    try:
        noted, *parts = _parts(content)
        return parts if looks.are_as_noted(looks.decoded(noted)) else None
    except ValueError:  # the file is damaged
        return None


def remember(key: str, parts: Sequence[bytes], looked: looks.Looks, began: int) -> None:
    """Keep `parts`, which rest on tdls and what was `looked` at since `began`, in nanoseconds; if that is possible."""
    notes = looked.settled(began)
    own_notes = _own_looks().settled(began) if notes is not None else None
    if notes is None or own_notes is None:
        return
    from tdls.caching.store import Store

    store = Store.of_user()
    if store is not None:
        store.put_bytes(key, _joined([looks.encoded([*own_notes, *notes]), *parts]))


def _own_looks() -> looks.Looks:
    """Return looks at tdls, and at the folders that change when packages come and go.

    What has not changed since the process began was as it is when it was imported.
    """
    from tdls.caching.own_files import own_places

    own = looks.Looks()
    own.note(looks.END, tdls.__file__)
    for place in (*own_places(), *(place for place in sys.path if place.endswith(_PACKAGES))):
        own.note(looks.STATE, place)
    return own


def _joined(parts: Iterable[bytes]) -> bytes:
    return b"".join(b"%d\n%b" % (len(part), part) for part in parts)


def _parts(content: bytes) -> Iterator[bytes]:
    """Yield the parts that `_joined` put together. Raises ValueError."""
    place = 0
    while place < len(content):
        end = content.index(b"\n", place)
        place = end + 1 + int(content[place:end])
        yield content[end + 1 : place]
