"""A rule that fails is reported once in a session; everything else is published."""

from __future__ import annotations

from typing import TYPE_CHECKING

import failing_rules
from lsp.workbench import Workbench
from rpc.answers import eventually
from tdls.analysis.rules import find_rule

if TYPE_CHECKING:
    import pytest

USE_AFTER_FREE = find_rule("use-after-free")
assert USE_AFTER_FREE is not None
BAD = USE_AFTER_FREE.text.example_bad


def test_everything_else_is_published_and_each_rule_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in failing_rules.environment(["use-after-free", "unused-handle"], RecursionError).items():
        monkeypatch.setenv(name, value)
    with Workbench(command=[*failing_rules.COMMAND, "server"], may_complain=True) as bench:
        document = bench.open(BAD + "}\n")
        assert bench.wait_for_finding(document, "expected")["code"] == "syntax-error"
        document.replace(0, 0, "// changed\n")
        bench.wait_for_finding(document, "expected")
        bench.wait_for_finding(bench.open(BAD + "}\n"), "expected")
        assert {each["code"] for each in bench.inbox.newest(document) or ()} == {"syntax-error"}
        errors = bench.client.stderr
        assert eventually(lambda: b"RecursionError: planted" in errors)
        assert {message["type"] for message in bench.inbox.messages} == {1}
        shown = "\n".join(message["message"] for message in bench.inbox.messages)
    assert shown.count("`use-after-free` (TD301)") == 1
    assert shown.count("`unused-handle` (TD208)") == 1
    assert " failed: RecursionError: planted. " in shown
    assert "please report it" in shown
    assert errors.count(b"rule use-after-free failed in file:///tests/0.mlir") == 1
    assert errors.count(b"rule use-after-free failed") == 1
