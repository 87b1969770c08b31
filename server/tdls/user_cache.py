"""Files in the user's cache folder: what is slow to make and the same each time. Without them all works, but slower."""

from __future__ import annotations

import atexit
import hashlib
import os
import pickle
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar

import tdls

_T = TypeVar("_T")
FOLDER_VARIABLE = "TDLS_CACHE_DIR"


def cache_file(name: str, *key: str) -> Path | None:
    """Return where to keep the data `name` that depends on `key` and the version of tdls; None if there is no place."""
    digest = hashlib.sha256("\0".join((tdls.__version__, *key)).encode()).hexdigest()[:16]
    folder = cache_folder()
    return folder / f"{name}-{digest}" if folder is not None else None


def cache_folder() -> Path | None:
    """Return the folder of all that is kept, which the variable TDLS_CACHE_DIR may name; None if there is no place."""
    try:
        named = os.environ.get(FOLDER_VARIABLE)
        folder = Path(named).absolute() if named else Path(_user_folder())
        if not folder.is_absolute():
            return None
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder


def keep(file: Path, content: bytes) -> bool:
    """Write `content` to `file`, of which readers see all or nothing; tell whether that was possible."""
    temporary = file.with_name(f"{file.name}.{uuid.uuid4().hex}")
    try:
        temporary.write_bytes(content)
        temporary.replace(file)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        return False
    return True


def _user_folder() -> str:
    import platformdirs

    return platformdirs.user_cache_dir("tdls", appauthor=False)


class KeptResults(Generic[_T]):
    """Results by text that outlive the process: read when first asked for, written at its end if there are new ones.

    Values are pickled one by one, so those not asked for cost little.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._pickled = _read(file) if file is not None else {}
        self._changed = False

    def get(self, text: str) -> _T | None:
        """Return the result kept for `text`, None if there is none."""
        pickled = self._pickled.get(text)
        try:
            result: _T | None = pickle.loads(pickled) if pickled is not None else None
        except Exception:  # whatever pickle raises for damaged data
            return None
        return result

    def put(self, text: str, result: _T) -> None:
        """Keep `result` for `text`."""
        if not self._changed and self._file is not None:
            self._changed = True
            atexit.register(self.write)
        self._pickled[text] = pickle.dumps(result)

    def write(self) -> None:
        """Write all results, unless that is not possible."""
        if self._file is not None:
            keep(self._file, pickle.dumps(self._pickled))


def _read(file: Path) -> dict[str, bytes]:
    try:
        kept = pickle.loads(file.read_bytes())
    except Exception:  # whatever pickle raises for damaged data; a missing file
        return {}
    return kept if isinstance(kept, dict) else {}
