"""Memory of a process and its descendants."""

from __future__ import annotations

import psutil


def resident_bytes(process_id: int) -> int:
    """Memory of the process and its descendants; shared pages count once, where the system distinguishes them."""
    try:
        root = psutil.Process(process_id)
        processes = [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0
    return sum(_resident_bytes(process) for process in processes)


def _resident_bytes(process: psutil.Process) -> int:
    try:
        if hasattr(process.memory_full_info(), "pss"):
            return int(process.memory_full_info().pss)
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0
