"""State that the event loop changes while threads work on documents in their lanes."""

from __future__ import annotations

import ast
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

import tdls.lsp
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.run_marks import RunMarks
from tdls.lsp.protocol.run_target import RunTarget
from tdls.lsp.session.session import MarkStore
from tdls.text.span import FileSpan

MODULES = sorted(Path(tdls.lsp.__file__).parent.rglob("*.py"))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_documents_that_may_be_closed_meanwhile_are_looked_up_once(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    assert [function.lineno for function in functions if looks(function) > 1] == []


def looks(function: ast.AST) -> int:
    """Return the number of reads of `opened.document` in a function, without the functions in it."""
    found = Counter[str]()
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, FUNCTIONS):
            continue
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            found[ast.unparse(node)] += 1
        waiting += ast.iter_child_nodes(node)
    return found["opened.document"]


def test_marks_of_runs_change_while_documents_are_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    file = SourceFile.of("module {}\n", Catalogue.shipped())
    store, rounds, problems = MarkStore(), 300, list[BaseException]()
    monkeypatch.setattr(RunMarks, "edited", lambda self, *_: self)
    monkeypatch.setattr(RunMarks, "__bool__", lambda _: True)
    targets = [RunTarget(f"file:///{number}.mlir", "main", 0) for number in range(20)]
    uris = [target.script for target in targets]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def put() -> None:
        for number in range(rounds):
            store.put(targets[number % 20], dict.fromkeys(uris, RunMarks()))
            store.drop(uris[(number + 7) % 20])

    def edit() -> None:
        for number in range(rounds):
            store.edited(uris[number % 20], file, FileSpan(0, 0), " ")

    def guarded(work: object) -> None:
        assert callable(work)
        try:
            work()
        except BaseException as error:  # a thread's error is the test's
            problems.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in (put, edit, edit)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert problems == []
