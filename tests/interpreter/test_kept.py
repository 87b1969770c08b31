"""Failures that a smaller input keeps."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from interpreter.scripts import MATCH, PAYLOAD, QUICK, script_of, sequence
from tdls.interpreter.reducing.kept import Failure
from tdls.interpreter.reducing.search import Search
from tdls.interpreter.runs.model import RunRequest, TextFile

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend


def test_the_same_words_at_another_operation_are_another_failure(bindings: Backend) -> None:
    search = '%p = "transform.get_parent_op"({}) <{{op_name = "scf.for"}}> : (!transform.any_op) -> !transform.any_op\n'
    requests = [
        RunRequest(script_of(sequence(MATCH.replace("%matmul", name) + search.format(target))), limits=QUICK)
        for name, target in (("%matmul", "%matmul"), ("%other", "%other"), ("%matmul", "%root"))
    ]
    first, renamed, of_module = (Failure.of(request, bindings.run(request)) for request in requests)
    assert first.targets == (("target op", "linalg.matmul"),)
    assert first.is_like(renamed)
    assert not first.is_like(of_module)
    assert first.reason == of_module.reason


def test_large_texts_become_small_first() -> None:
    functions = "".join(PAYLOAD.replace("@f", f"@f{number}") for number in range(64))
    payload = TextFile("payload.mlir", f"#unused = affine_map<() -> ()>\nmodule {{\n{functions}}}\n")
    request = RunRequest(script_of(sequence(MATCH * 20)), payload, limits=QUICK)
    sizes: list[tuple[int, int]] = []

    def holds(candidate: RunRequest) -> bool:
        is_failing = candidate.payload is not None and "@f40(" in candidate.payload.text
        if is_failing and candidate.payload is not None:
            sizes.append((len(candidate.script.text), len(candidate.payload.text)))
        return is_failing

    search = Search(request, [holds], time.monotonic() + 60)
    search.run(keeps_names=True)
    search.close()
    first = next(number for number, (script, _) in enumerate(sizes) if script < len(request.script.text) / 2)
    assert sizes[first][1] < len(payload.text) / 16
    assert search.request.payload is not None
    assert "#unused" not in search.request.payload.text
    assert search.request.limits.seconds < QUICK.seconds
