"""Settings count in editors: the rules that they select, in all files that these are made of, and their style."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from rpc.answers import eventually
from tdls.analysis.rules.handles import use_after_free

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHANGED = 2


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    (tmp_path / "tdls.toml").write_text("extend = 'base.toml'\n", encoding="utf-8")
    (tmp_path / "base.toml").write_text("", encoding="utf-8")
    with Workbench(folders=[tmp_path]) as running:
        yield running


def test_the_width_of_lines_counts() -> None:
    with Workbench(more={"workspace": {"configuration": True}}) as workbench:
        workbench.configure({"format": {"width": 60}})
        document = workbench.open(use_after_free.RULE.text.example_good)
        params = {"textDocument": document.identifier, "options": {"tabSize": 2, "insertSpaces": True}}
        assert eventually(
            lambda: any("\n" in edit["newText"] for edit in workbench.client.call("textDocument/formatting", params))
        )


def test_lists_of_rules_count(workbench: Workbench, tmp_path: Path) -> None:
    document = workbench.open(use_after_free.RULE.text.example_bad, uri=(tmp_path / "a.mlir").as_uri())

    def shows(rule: str) -> bool:
        answer = workbench.client.call("textDocument/diagnostic", {"textDocument": {"uri": document.uri}})
        return any(item["code"] == rule for item in answer["items"])

    assert eventually(lambda: shows("use-after-free"))
    for text, is_shown in (
        ("ignore = ['TD3']\n", False),
        ("select = ['TD301']\n", True),
        ("[per-file-ignores]\n'a.mlir' = ['all']\n", False),
        ("[per-file-ignores]\n'b.mlir' = ['all']\n", True),
    ):
        base = tmp_path / "base.toml"
        base.write_text(text, encoding="utf-8")
        changes = [{"uri": base.as_uri(), "type": CHANGED}]
        workbench.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        assert eventually(lambda is_shown=is_shown: shows("use-after-free") == is_shown), text  # type: ignore[misc]
