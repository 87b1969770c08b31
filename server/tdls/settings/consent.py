"""The user's consent to settings of projects, stored in the user's data folder.

Settings that reach beyond reading a project (they start a program, import code, lead out of the project) count only
after the user has allowed them, for one folder, one key and one value. Another value, or the same value in another
folder, needs consent of its own.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdls.files.boundary import real_path
from tdls.files.reading import read_bytes
from tdls.files.writing import NotWrittenError, write_private
from tdls.limits import SETTINGS_SIZE
from tdls.structs import NamedTuple, Struct
from tdls.system import DATA_VARIABLE, data_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

NO_FOLDER = f"there is no folder for the user's data; {DATA_VARIABLE} may name one, with its whole path"
RUN_PROGRAMS = "python.run-programs"
"""The key of the consent to run the Python programs of a folder."""
_FILE = "consent.json"
_VERSION = 1
_WRITTEN_BY_OTHERS = 0o022
_FOLDER_MODE, _LOCK_MODE = 0o700, 0o600
_PATIENCE = 10.0
"""Seconds that a change waits for changes of other processes, which take milliseconds."""


class Consent(NamedTuple):
    """Consent to one setting; made by `of`."""

    folder: str
    """The resolved path of the folder with the file of the setting."""
    key: str
    """The setting, with the tables around it, such as ``run.backend``."""
    value: str
    """The value as JSON in ASCII, so that it can be shown to people unchanged."""

    @classmethod
    def of(cls, folder: Path, key: str, value: object) -> Consent:
        """Return the consent to `value`, which JSON can express, for `key` in a file of `folder`."""
        return cls(str(real_path(folder)), key, json.dumps(value, sort_keys=True))


class ConsentRequest(NamedTuple):
    """A request for consent to the value of a setting, with the place of the setting."""

    consent: Consent
    file: Path
    line: int | None
    """0-based, None where it is not known."""
    root: Path
    """The folder of the configuration file, for ``tdls allow``; the setting may be in a file that it extends."""
    reach: str
    """The effect of the setting in words, such as "starts a program"."""

    def __str__(self) -> str:
        """Return the setting with its place, as one line for people."""
        path = str(self.file)
        file = path if path.isprintable() else json.dumps(path)
        line = f":{self.line + 1}" if self.line is not None else ""
        return f"{file}{line}: {self.consent.key} = {self.consent.value}"


class ConsentStore:
    """The file with the consents of the user; it is read again at each request."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @classmethod
    def of_user(cls) -> ConsentStore | None:
        """Return the store in the user's folder for data, None if there is no such folder."""
        folder = data_folder()
        return cls(folder / _FILE) if folder is not None else None

    def allowed(self) -> frozenset[Consent]:
        """Return the stored consents; none if the file is damaged, or if another user could have written it."""
        try:
            if not _is_private(self.file.stat()):
                return frozenset()
            document = json.loads(read_bytes(self.file, SETTINGS_SIZE))
        except (OSError, ValueError, RecursionError):
            return frozenset()
        return frozenset(_consents(document))

    def allow(self, consents: Iterable[Consent]) -> None:
        """Store `consents`. Raises NotWrittenError."""
        self._change(lambda allowed: allowed.union(consents))

    def revoke(self, consents: Iterable[Consent]) -> None:
        """Remove `consents`. Raises NotWrittenError."""
        self._change(lambda allowed: allowed.difference(consents))

    def _change(self, changed: Callable[[frozenset[Consent]], frozenset[Consent]]) -> None:
        """Apply `changed` to the stored consents under a lock between processes. Raises NotWrittenError."""
        from filelock import FileLock, Timeout

        lock = self.file.with_suffix(".lock")
        try:
            self.file.parent.mkdir(_FOLDER_MODE, parents=True, exist_ok=True)
            with FileLock(lock, _PATIENCE, _LOCK_MODE):
                consents = sorted(changed(self.allowed()))
                allowed = [{**consent._asdict(), "value": json.loads(consent.value)} for consent in consents]
                text = json.dumps({"version": _VERSION, "allowed": allowed}, indent=2) + "\n"
                write_private(self.file, text.encode("ascii"))
        except Timeout as error:
            raise NotWrittenError(f"another process holds {lock} and does not let go of it") from error
        except (OSError, NotImplementedError) as error:
            raise NotWrittenError(f"{lock}: {getattr(error, 'strerror', None) or error}") from error


class Trust(Struct, frozen=True):
    """Consent that is given for this process as a whole."""

    everything: bool = False
    folders: tuple[Path, ...] = ()
    """All settings of files in and below these folders are allowed."""

    def refused(self, requests: Iterable[ConsentRequest]) -> list[ConsentRequest]:
        """Return those of `requests` without consent."""
        open_ones = [request for request in requests if not self._covers(request.consent)]
        store = ConsentStore.of_user() if open_ones else None
        allowed: frozenset[Consent] = store.allowed() if store is not None else frozenset()
        return [request for request in open_ones if request.consent not in allowed]

    def _covers(self, consent: Consent) -> bool:
        return self.everything or any(Path(consent.folder).is_relative_to(real_path(each)) for each in self.folders)


NOTHING_TRUSTED = Trust()


def refusal(requests: Sequence[ConsentRequest]) -> str:
    """Return a line for people: the settings of `requests` have no consent, and the command that gives it."""
    settings = ", ".join(map(str, requests))
    reaches = " and ".join(dict.fromkeys(request.reach for request in requests))
    return f"{settings}: this {reaches}, which is not allowed yet; look at it, then: {command_to_allow(requests)}"


def command_to_allow(requests: Iterable[ConsentRequest]) -> str:
    """Return the shell command that asks the user for consent to `requests`."""
    return " && ".join(f"tdls allow {_quoted(root)}" for root in sorted({str(request.root) for request in requests}))


def allow(requests: Iterable[ConsentRequest]) -> None:
    """Store the consent to all of `requests`. Raises NotWrittenError."""
    store = ConsentStore.of_user()
    if store is None:
        raise NotWrittenError(NO_FOLDER)
    store.allow(request.consent for request in requests)


def _quoted(path: str) -> str:
    """Return a path quoted for the shell, since the names of a project's folders are not trusted."""
    if not path.isprintable():
        return "FOLDER"
    import shlex

    return shlex.quote(path) if os.name != "nt" else f'"{path}"'


def _is_private(status: os.stat_result) -> bool:
    """Whether only the user may write a file; on Windows, the permissions of the folder have to suffice."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & _WRITTEN_BY_OTHERS


def _consents(document: Any) -> Iterable[Consent]:
    entries = document.get("allowed") if isinstance(document, dict) else None
    for entry in entries if isinstance(entries, list) else ():
        folder, key = (entry.get(name) for name in ("folder", "key")) if isinstance(entry, dict) else (None, None)
        if isinstance(folder, str) and isinstance(key, str) and "value" in entry:
            yield Consent(folder, key, json.dumps(entry["value"], sort_keys=True))
