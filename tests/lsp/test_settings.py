"""Settings count in editors, from all files that they are made of, as soon as these change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from rpc.answers import eventually, insisted
from tdls.analysis.rules.handles import use_after_free
from tdls.analysis.rules.transform import not_in_target_llvm

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.document import Document

CHANGED = 2
STALE, RENAMED = use_after_free.RULE.text.example_bad, not_in_target_llvm.RULE.text.example_bad
TEMPLATE = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.annotate %root "x" __MORE__ : !transform.any_op
    transform.yield
  }
}
"""


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    (tmp_path / "tdls.toml").write_text("extend = 'base.toml'\nproject.enabled = false\n", encoding="utf-8")
    (tmp_path / "base.toml").write_text("", encoding="utf-8")
    with Workbench(folders=[tmp_path]) as running:
        yield running


def configure(workbench: Workbench, folder: Path, text: str) -> None:
    base = folder / "base.toml"
    base.write_text(text, encoding="utf-8")
    workbench.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": base.as_uri(), "type": CHANGED}]})


def rules(workbench: Workbench, document: Document) -> list[str]:
    answer = insisted(workbench.client, "textDocument/diagnostic", {"textDocument": {"uri": document.uri}})
    return [item["code"] for item in answer["items"]]


def test_the_width_of_lines_counts() -> None:
    with Workbench(more={"workspace": {"configuration": True}}) as workbench:
        workbench.configure({"format": {"width": 60}})
        document = workbench.open(use_after_free.RULE.text.example_good)
        params = {"textDocument": document.identifier, "options": {"tabSize": 2, "insertSpaces": True}}
        assert eventually(
            lambda: any("\n" in edit["newText"] for edit in workbench.client.call("textDocument/formatting", params))
        )


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        (
            STALE,
            [
                ("", ["use-after-free"]),
                ("ignore = ['TD3']\n", []),
                ("select = ['TD301']\n", ["use-after-free"]),
                ("[per-file-ignores]\n'a.mlir' = ['all']\n", []),
                ("[per-file-ignores]\n'b.mlir' = ['all']\n", ["use-after-free"]),
            ],
        ),
        (
            TEMPLATE,
            [
                ("", ["syntax-error"]),
                ("placeholders = ['__*__']\n", ["template-placeholder"]),
                ("placeholders = []\n", ["syntax-error"]),
            ],
        ),
    ],
)
def test_findings_follow_the_settings(
    workbench: Workbench, tmp_path: Path, text: str, changes: list[tuple[str, list[str]]]
) -> None:
    document = workbench.open(text, uri=(tmp_path / "a.mlir").as_uri())
    for settings, found in changes:
        configure(workbench, tmp_path, settings)
        assert eventually(lambda found=found: rules(workbench, document) == found), settings  # type: ignore[misc]


def test_findings_and_completions_follow_the_target(workbench: Workbench, tmp_path: Path) -> None:
    document = workbench.open(RENAMED, uri=(tmp_path / "a.mlir").as_uri())
    place = document.at(RENAMED.index("interleave_and"))

    def offers() -> bool:
        answer = workbench.client.call("textDocument/completion", place)
        return any("interleave_and_deinterleave" in item["label"] for item in answer["items"])

    for target, is_there in (("", True), (22, False), (23, True), (19, False)):
        configure(workbench, tmp_path, f"target-llvm = {target}\n" if target else "")
        found = [] if is_there else [not_in_target_llvm.RULE.name]
        assert eventually(lambda found=found: rules(workbench, document) == found), target  # type: ignore[misc]
        assert offers() is is_there
