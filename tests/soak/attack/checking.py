"""Measures time and memory of ``tdls --check`` for an attack, and their growth with its size."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from processes import leftovers
from soak.attack.model import PLAIN, SCRIPT, Attack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from soak.attack.model import Files

_TIME_LIMIT = 60.0
"""Seconds; a check that takes longer counts as endless."""
_MEMORY_LIMIT = 6 << 30
"""Bytes of address space; protects the machine, and is far beyond the limit for an attack."""
_MEASURABLE, _NOTICEABLE = 0.3, 0.04
"""Seconds of processor time in addition to those of a plain script."""
_ATTEMPTS = 3
"""Maximum number of measurements of an attack that seems to grow too fast."""


class Cost(NamedTuple):
    """Time and memory of one check."""

    seconds: float
    """Of processor time."""
    memory: int
    """Bytes that the largest process held."""
    status: int | None
    """The exit status; None if the check was ended."""
    complaint: str
    left: tuple[str, ...] = ()
    """Temporary files and processes that the check left, in words."""


class Growth(NamedTuple):
    """Costs of an attack at `size` and twice that."""

    size: int
    first: Cost
    second: Cost | None
    factor: float | None
    """None if no size takes long enough to be measured."""

    @property
    def worst(self) -> Cost:
        """The cost of the larger one."""
        return self.second or self.first


class CheckBench:
    """Checks attacks in folders of their own, with nothing kept of the one before; a context manager."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tdls-attack-", ignore_cleanup_errors=True)
        self._runs = 0
        self._base = {True: 0.0, False: 0.0}
        """Seconds of a nearly empty check: of a script alone (True), for which much is cached, and in a project."""

    def __enter__(self) -> CheckBench:
        self.check({SCRIPT: PLAIN})
        for is_alone, others in ((True, {}), (False, {"Nothing.td": ""})):
            attempts = (self.check({SCRIPT: PLAIN, **others}).seconds for _ in range(_ATTEMPTS))
            self._base[is_alone] = min(attempts)
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def check(self, files: Files) -> Cost:
        """Check the script of a project that consists of `files`."""
        self._runs += 1
        folder = Path(self._folder.name, f"run{self._runs}")
        write(folder, files)
        cache = "cache" if _is_alone(files) else f"cache{self._runs}"
        temporary = Path(self._folder.name, f"temporary{self._runs}")
        temporary.mkdir()
        variables = {"XDG_CACHE_HOME": str(Path(self._folder.name, cache)), "TMPDIR": str(temporary)}
        command = [sys.executable, "-m", "tdls", "--check", "--no-cache", SCRIPT]
        cost = _cost(command, folder, os.environ | variables)
        return cost._replace(left=tuple(leftovers(temporary)))

    def growth(self, attack: Attack) -> Growth:
        """Return how the cost of an attack grows where it can be measured."""
        for size in self._sizes(attack):
            growth = self._compared(attack, size)
        return growth

    def _sizes(self, attack: Attack) -> Iterator[int]:
        """Yield the size at which the cost can be measured, or the largest one."""
        size = attack.smallest
        while True:
            seconds = self._extra(attack, self.check(attack.files(size)))
            if seconds >= _MEASURABLE or size * 2 >= attack.largest:
                yield size
                return
            size = min(size * (2 if seconds >= _NOTICEABLE else 8), attack.largest // 2)

    def _compared(self, attack: Attack, size: int) -> Growth:
        best = self._measured(attack, size)
        for _ in range(_ATTEMPTS - 1):
            if best.factor is None or best.factor <= MOST_GROWTH or best.worst.status is None:
                break
            again = self._measured(attack, size)
            best = again if again.factor is None or again.factor < best.factor else best
        return best

    def _measured(self, attack: Attack, size: int) -> Growth:
        first = self.check(attack.files(size))
        if first.status is None:
            return Growth(size, first, None, None)
        second = self.check(attack.files(2 * size))
        extra, least = self._extra(attack, first), _MEASURABLE / 2
        factor = self._extra(attack, second) / max(extra, least)
        return Growth(size, first, second, factor if extra >= least or factor > MOST_GROWTH else None)

    def _extra(self, attack: Attack, cost: Cost) -> float:
        return max(0.0, cost.seconds - self._base[_is_alone(attack.files(attack.smallest))])


MOST_GROWTH = 2.3
"""By which factor the cost may grow when the size doubles."""


def _is_alone(files: Files) -> bool:
    """Whether there is nothing but a script."""
    return files.keys() == {SCRIPT}


def write(folder: Path, files: Files) -> None:
    """Write the files of a project below `folder`, and mark it as the root of one."""
    (folder / ".git").mkdir(parents=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _cost(command: list[str], folder: Path, environment: dict[str, str]) -> Cost:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_LIMIT, _MEMORY_LIMIT))

    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limit,
        )
        status, usage = _waited(process)
        output.seek(max(0, output.seek(0, os.SEEK_END) - 400))
        complaint = output.read().decode("utf-8", "replace")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, status, complaint)


def _waited(process: subprocess.Popen[bytes]) -> tuple[int | None, resource.struct_rusage]:
    """Wait for a process and its children; the status is None if its time was over."""
    deadline = time.monotonic() + _TIME_LIMIT
    while True:
        identifier, status, usage = os.wait4(process.pid, os.WNOHANG)
        if identifier:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage
        if time.monotonic() > deadline:
            os.killpg(process.pid, signal.SIGKILL)
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = -signal.SIGKILL
            return None, usage
        time.sleep(0.005)
