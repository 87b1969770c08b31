"""Calls of every function of tdls that makes a regular expression of its arguments."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.meaning import matchers
from tdls.caching.user_cache import _MARK_FILE, Cache, CachePlace
from tdls.catalogue import documents
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.documents import SCHEMA_FILE
from tdls.cli.checking.kept import may_run
from tdls.ide.cursor import linkage
from tdls.interpreter.runs import entry_points
from tdls.pages.page import to_send
from tdls.payload.abridged import abridge
from tdls.semantic.transform_dialect import ENTRY_POINT
from tdls.syntax.layout import start_pattern
from tdls.system import shortage_in
from tdls.text.printable import printable_for_people, printable_output

if TYPE_CHECKING:
    from collections.abc import Callable

_CATALOGUE: Final = Catalogue.shipped()


def _start_patterns() -> None:
    for dialect in ("", "builtin", "transform"):
        names = tuple(name.partition(".")[2] for name in _CATALOGUE.operation_names(dialect)) if dialect else ()
        start_pattern(4, names)


def _schema() -> None:
    operation = {"name": "a.b"}
    document = {"format": 1, "operations": [operation]}
    list(documents.problems(document, json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))))


def _names_in_the_cache() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in (_MARK_FILE, "an-entry"):
            Path(folder, name).touch()
        os.utime(Path(folder, _MARK_FILE), (0, 0))
        cache = Cache(CachePlace(Path(folder)))
        cache.put("a", b"")
        cache.clear()


def _alias() -> None:
    file = SourceFile.of("!a = i32\n", _CATALOGUE)
    linkage.alias_definition(next(iter(file.contexts)), "!a")


MAKERS: Final[tuple[Callable[[], object], ...]] = (
    _start_patterns,
    _schema,
    _alias,
    _names_in_the_cache,
    lambda: may_run(f"@{ENTRY_POINT}"),
    lambda: SourceFile.of("", _CATALOGUE).has_scripts_without(ENTRY_POINT),
    lambda: shortage_in("OSError: [Errno 0] no such shortage"),
    lambda: printable_output(""),
    lambda: printable_for_people("x"),
    lambda: matchers.names_of_asking(_CATALOGUE),
    lambda: entry_points._names(_CATALOGUE),
    lambda: to_send("", ["/folder/script.mlir"]),
    lambda: abridge(f"dense<[{', '.join(['1'] * 2_000)}]> : tensor<2000xi32>"),
)
