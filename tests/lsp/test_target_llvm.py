"""Editors follow the settings that say how texts are read: `target-llvm` and `placeholders`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from rpc.answers import eventually
from tdls.analysis.rules.transform import not_in_target_llvm

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.document import Document

CHANGED = 2
WITHOUT_SOURCES = "project.enabled = false\n"
RULE = not_in_target_llvm.RULE


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    (tmp_path / "tdls.toml").write_text(WITHOUT_SOURCES, encoding="utf-8")
    with Workbench(folders=[tmp_path]) as running:
        yield running


def rules(workbench: Workbench, document: Document) -> list[str]:
    answer = workbench.client.call("textDocument/diagnostic", {"textDocument": {"uri": document.uri}})
    return [item["code"] for item in answer["items"]]


def test_findings_and_completions_follow_the_target(workbench: Workbench, tmp_path: Path) -> None:
    document = workbench.open(RULE.text.example_bad, uri=(tmp_path / "a.mlir").as_uri())
    position = {"line": 4, "character": RULE.text.example_bad.splitlines()[4].index("interleave_and")}

    def shows() -> bool:
        return RULE.name in rules(workbench, document)

    def offers() -> bool:
        parameters = {"textDocument": {"uri": document.uri}, "position": position}
        answer = workbench.client.call("textDocument/completion", parameters)
        return any("interleave_and_deinterleave" in item["label"] for item in answer["items"])

    assert not shows()
    assert offers()
    for target, is_there in ((22, False), (23, True), (19, False)):
        configuration = tmp_path / "tdls.toml"
        configuration.write_text(f"target-llvm = {target}\n{WITHOUT_SOURCES}", encoding="utf-8")
        changes = [{"uri": configuration.as_uri(), "type": CHANGED}]
        workbench.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        assert eventually(lambda is_there=is_there: shows() is not is_there), target  # type: ignore[misc]
        assert offers() is is_there


TEMPLATE = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.annotate %root "x" __MORE__ : !transform.any_op
    transform.yield
  }
}
"""


def test_findings_follow_the_placeholders(workbench: Workbench, tmp_path: Path) -> None:
    document = workbench.open(TEMPLATE, uri=(tmp_path / "a.mlir").as_uri())
    assert rules(workbench, document) == ["syntax-error"]
    configuration = tmp_path / "tdls.toml"
    for placeholders, found in (('["__*__"]', "template-placeholder"), ("[]", "syntax-error")):
        configuration.write_text(f"placeholders = {placeholders}\n{WITHOUT_SOURCES}", encoding="utf-8")
        changes = [{"uri": configuration.as_uri(), "type": CHANGED}]
        workbench.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        assert eventually(lambda found=found: rules(workbench, document) == [found]), placeholders  # type: ignore[misc]
