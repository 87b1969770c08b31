"""Failures that a smaller input keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.scripts import MATCH, QUICK, script_of, sequence
from tdls.interpreter.reducing.kept import Failure
from tdls.interpreter.runs.model import RunRequest

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
