"""What is kept of a project, and which parts of tdls it rests on besides the project's files.

Two files: a small one with the result of the last scan and the state of the files that it was made from, and one with
what was read of each file, by content, which is needed only where something changed.
"""

from __future__ import annotations

from tdls.caching.basis import Basis

_READERS = (
    "limits.py",
    "caching",
    "catalogue",
    "files",
    "grammar",
    "grammars.py",
    "project",
    "settings",
    "syntax",
    "system.py",
    "text",
)
"""All that lists sources, reads them, and puts together what they say; IRDL is read by the parser of scripts."""
SCANS = Basis("project", _READERS)
READINGS = Basis("project-sources", _READERS)
