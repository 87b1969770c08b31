"""``tdls compare`` as people meet it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from command_line import tdls
from interpreter.scripts import MATCH, PAYLOAD, TILE, sequence
from tools_at_hand import require_bindings

OLD = sequence(MATCH + TILE)
RENAMED = OLD.replace("%matmul", "%m").replace("%tiled", "%t")
OTHER = OLD.replace("[4]", "[2]")
FAILING = sequence(MATCH + TILE + '    transform.annotate %matmul "x" : !transform.any_op\n')
MATCHER = """\
  transform.named_sequence @is_{0}(%op: !transform.any_op {{transform.readonly}}) -> !transform.any_op {{
    transform.match.operation_name %op ["{1}"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }}
"""
MARK = """\
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
"""
CONSUMING = "@__transform_main(%root: !transform.any_op {transform.consumed})"
ASK = """\
    %u = transform.foreach_match in %root @is_it -> @mark, @is_pack -> @mark
      : (!transform.any_op) -> !transform.any_op
"""


def matching(name: str) -> str:
    text = sequence(ASK, PAYLOAD + MATCHER.format("it", name) + MATCHER.format("pack", "linalg.pack") + MARK)
    return text.replace("@__transform_main(%root: !transform.any_op {transform.readonly})", CONSUMING)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    require_bindings()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compare(old: str, new: str, *options: str) -> subprocess.CompletedProcess[str]:
    for name, text in (("old.mlir", old), ("new.mlir", new)):
        Path(name).write_text(text, encoding="utf-8")
    return tdls("compare", "old.mlir", "new.mlir", *options)


def test_equal() -> None:
    done = compare(OLD, RENAMED)
    assert (done.returncode, done.stdout, done.stderr) == (0, "old.mlir and new.mlir are equal\n", "")


def test_different() -> None:
    done = compare(OLD, OTHER)
    reason = "the payloads differ, from step 2 of OLD and step 2 of NEW on"
    assert done.returncode == 1
    place = f"{OLD[: OLD.index('transform.structured.tile')].count(chr(10)) + 1}:21\n"
    assert f"error[compare]: old.mlir and new.mlir are different: {reason}\n --> old.mlir:{place}" in done.stdout
    assert f"note: this step in NEW\n --> new.mlir:{place}" in done.stdout
    assert "-    %c4 = arith.constant 4 : index\n+    %c2 = arith.constant 2 : index\n" in done.stdout


def test_a_step_that_only_one_has() -> None:
    done = compare(OLD, OLD.replace('linalg.matmul"]', 'linalg.conv_2d"]'))
    assert (done.returncode, done.stdout.count("in NEW, `%matmul` holds nothing: the payload has no `linalg")) == (1, 1)
    assert "from step 2 of OLD on, which the other does not have" in done.stdout
    assert "note: in OLD, `%matmul` held 1 linalg.matmul\n" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (FAILING, FAILING, "both fail"),
        (OLD, OLD.replace("8x8", "4x4"), "the two begin with different payloads"),
        ("module {}", OLD, "OLD has no payload: name one with --payload"),
        (OLD, OLD.replace("[4]", "[4"), "NEW does not run to its end: expected ']' in dynamic index"),
    ],
)
def test_not_comparable(old: str, new: str, reason: str) -> None:
    done = compare(old, new)
    assert done.returncode == 2
    assert done.stdout.startswith(f"error[compare]: old.mlir and new.mlir cannot be compared: {reason}")
    assert done.stdout.count("error[mlir]") <= 1


def test_one_fails() -> None:
    done = compare(OLD, FAILING)
    assert (done.returncode, done.stdout.count("are different: NEW fails, and OLD does not")) == (1, 1)
    assert "error[mlir]: op uses a handle invalidated" in done.stdout


def test_matchers() -> None:
    done = compare(matching("linalg.matmul"), matching("linalg.matmul"))
    assert done.returncode == 0
    assert done.stdout.splitlines()[1:] == [
        "  @is_it accepted 1 of 29 operations in both",
        "  @is_pack accepted nothing in both",
    ]
    done = compare(matching("linalg.matmul"), matching("linalg.fill"))
    assert done.returncode == 0
    assert done.stdout.startswith("old.mlir and new.mlir are equal, but their matchers accept other operations\n")
    assert "  @is_it accepted 1 of 29 operations in OLD, and 0 of 29 operations in NEW\n" in done.stdout
    assert "`linalg.fill` is asked for" in done.stdout


def test_documents() -> None:
    (pair,) = json.loads(compare(OLD, OTHER, "--format", "json").stdout)["pairs"]
    assert (pair["verdict"], pair["steps"]["old"]["number"], pair["steps"]["new"]["number"]) == ("different", 2, 2)


def test_folders_and_payloads(folder: Path) -> None:
    script = sequence(MATCH + TILE, "")
    for name, text in {"old/a.mlir": script, "new/a.mlir": script, "old/b.mlir": script}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "payloads").mkdir()
    for number in range(2):
        (folder / f"payloads/{number}.mlir").write_text(f"module {{\n{PAYLOAD}}}\n", encoding="utf-8")
    done = tdls("compare", "old", "new", "--payload", "payloads")
    assert (done.returncode, done.stdout.count("are equal on payloads")) == (0, 2)
    assert done.stderr == "warning: b.mlir: only in old\n"
    new = matching("linalg.matmul").replace(PAYLOAD, "").replace("linalg.pack", "linalg.matmul")
    old = new.replace("@is_it -> @mark, @is_pack", "@is_pack -> @mark, @is_it")
    lines = compare(old, new, "--payload", "payloads", "--coverage").stdout.splitlines()
    assert lines[4] == "| `@is_pack` | 2 | 0 |  | 2: `0.mlir:3`, `1.mlir:3` | shadowed: accepted first by `@is_it` 2 |"
    assert lines[5] == "| `@is_it` | 0 | 2 | 2: `0.mlir:3`, `1.mlir:3` |  |  |"


def test_a_revision(folder: Path) -> None:
    git = ["git", "-c", "user.name=n", "-c", "user.email=n@example.org"]
    script = folder / "script.mlir"
    script.write_text(OLD, encoding="utf-8")
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], check=True, cwd=folder)
    script.write_text(RENAMED, encoding="utf-8")
    assert tdls("compare", "--base", "HEAD", ".").stdout == "HEAD:script.mlir and script.mlir are equal\n"
    script.write_text(OTHER, encoding="utf-8")
    assert tdls("compare", "--base", "HEAD", "script.mlir").returncode == 1
    done = tdls("compare", "--base", "nowhere", "script.mlir")
    assert (done.returncode, done.stderr.startswith("error: 'nowhere' is not a revision")) == (2, True)
