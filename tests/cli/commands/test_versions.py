"""``tdls versions``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import tdls
from tdls.analysis.rules.handles import use_after_free
from tdls.analysis.rules.transform import not_in_target_llvm
from tdls.catalogue.model import UNDECIDED

NEW, OLD = not_in_target_llvm.RULE.text.example_bad, not_in_target_llvm.RULE.text.example_good
EVERYWHERE = use_after_free.RULE.text.example_bad
BROKEN = EVERYWHERE.replace("transform.yield", "transform.yield %nothing : !transform.any_op")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("new", NEW), ("old", OLD), ("everywhere", EVERYWHERE), ("broken", BROKEN)):
        Path(f"{name}.mlir").write_text(text, encoding="utf-8")


def versions(*arguments: str) -> tuple[int, str, str]:
    done = tdls("versions", "--no-cache", *arguments)
    return done.returncode, done.stdout, done.stderr


def document(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(versions("--format", "json", *arguments)[1])
    return found


def test_each_file_has_the_versions_that_it_fits() -> None:
    found = document("new.mlir", "old.mlir", "everywhere.mlir", "broken.mlir")
    fits = {file["path"]: file["fits"] for file in found["files"]}
    assert fits == {
        "broken.mlir": [],
        "everywhere.mlir": [19, 20, 21, 22, 23, "main"],
        "new.mlir": [23, "main"],
        "old.mlir": [19, 20, 21, 22],
    }
    assert found["llvm"] == [18, 19, 20, 21, 22, 23, "main"]


def test_unfit_operations_have_their_place_and_their_name_in_that_version() -> None:
    (file,) = document("new.mlir")["files"]
    assert set(file["findings"]) == {"18", "19", "20", "21", "22"}
    (finding,) = file["findings"]["22"]
    assert (finding["rule"], finding["range"]["start"]["line"]) == ("not-in-target-llvm", 5)
    assert finding["fixes"][0]["edits"][0]["new_text"] == "transform.apply_patterns.vector.interleave_to_shuffle"


def test_a_mistake_is_not_a_version() -> None:
    status, output, _ = versions("broken.mlir")
    assert output.startswith("broken.mlir: has errors in every version; see `tdls --check`\n  not LLVM 18:\n")
    assert (status, "%nothing" in output) == (1, False)
    assert document("broken.mlir")["files"][0]["errors_in_every_version"] > 0


def test_warnings_about_run_lines_are_not_errors() -> None:
    text = Path("everywhere.mlir").read_text("utf-8")
    Path("run.mlir").write_text(f"// RUN: mlir-opt %s --transform-interpreter=entry-point=no\n{text}", encoding="utf-8")
    status, output, _ = versions("run.mlir")
    assert output.startswith("run.mlir: has RUN lines with warnings in every version; see `tdls --check`\n")
    assert (status, document("run.mlir")["files"][0].get("errors_in_every_version")) == (1, None)


def test_several_files_have_the_versions_that_all_fit() -> None:
    status, output, _ = versions("old.mlir", "everywhere.mlir")
    assert (status, output.splitlines()[-1]) == (0, "all 2 files fit LLVM 19 to 22")
    assert output.startswith("everywhere.mlir: fits LLVM 19 to main\n  not LLVM 18:\n")


def test_settings_about_rules_and_the_target_do_not_matter() -> None:
    Path("tdls.toml").write_text('target-llvm = 19\nignore = ["all"]\n', encoding="utf-8")
    assert document("new.mlir")["files"][0]["fits"] == [23, "main"]


def test_a_file_that_is_not_there_is_an_error() -> None:
    status, output, errors = versions("missing.mlir", "old.mlir")
    assert status == 2
    assert "old.mlir: fits LLVM 19 to 22" in output
    assert "missing.mlir" in errors


def test_payload_of_directories_is_left_out_and_counted() -> None:
    Path("payload.mlir").write_text("func.func @f() {\n  return\n}\n", encoding="utf-8")
    said = "1 file without transform operations left out (--payload checks them)\n"
    _, output, _ = versions(".")
    assert "payload.mlir" not in output
    assert output.endswith(f"no version fits all 4 files\n{said}")
    assert document(".")["left_out"] == 1
    whole = document(".", "--payload")
    assert whole.keys() == document("payload.mlir").keys() == {"version", "llvm", "files", "unreadable"}
    assert len(whole["files"]) == 5


REMOVED_LINE = "      transform.apply_patterns.vector.lower_multi_reduction\n"
REMOVED = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.apply_patterns to %root {
      transform.apply_patterns.vector.lower_multi_reduction
    } : !transform.any_op
    transform.loop.unroll %root {factor = 4 : i64} : !transform.any_op
    transform.yield
  }
}
"""


def test_a_script_has_the_changes_after_which_it_fits_main() -> None:
    Path("removed.mlir").write_text(REMOVED, encoding="utf-8")
    Path("dictionary.mlir").write_text(REMOVED.replace(REMOVED_LINE, ""), encoding="utf-8")
    assert versions("dictionary.mlir")[1].endswith("  fits main after 1 change ('tdls migrate')\n")
    assert versions("removed.mlir")[1].endswith("  fits main after 2 changes, 1 by hand\n")
    assert document("removed.mlir")["files"][0]["changes"] == {"migrated": 1, "by_hand": 1}
    assert "after" not in versions("everywhere.mlir")[1] + versions("broken.mlir")[1]


OPTIONS = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.apply_registered_pass "cse" to %root {options = "a=1"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""


def test_what_a_migration_replaces_is_no_change_by_hand() -> None:
    Path("options.mlir").write_text(OPTIONS, encoding="utf-8")
    assert versions("options.mlir")[1].endswith("  fits main after 1 change ('tdls migrate')\n")


def test_a_version_fits_as_far_as_is_known_where_an_operation_is_not_read() -> None:
    zap = "transform.structured.zap %root : !transform.any_op\n    transform.yield"
    Path("zap.mlir").write_text(EVERYWHERE.replace("transform.yield", zap), encoding="utf-8")
    status, output, _ = versions("zap.mlir")
    assert status == 0
    first, second, *_ = output.splitlines()
    assert first.startswith("zap.mlir: fits LLVM 19 to main as far as is known")
    assert second.endswith("`transform.structured.zap`, which no version has that tdls knows")
    assert document("zap.mlir")["files"][0]["as_far_as_known"] == [19, 20, 21, 22, 23, "main"]
    Path("payload.mlir").write_text("module attributes {dlti.dl_spec = []} {\n  %0 = npu.load : f32\n}\n", "utf-8")
    _, first, second = versions("payload.mlir", "--payload")[1].splitlines()
    assert first.endswith("`builtin.module`, whose verifier changed")
    assert second.endswith("`npu.load`, which no version has that tdls knows")
    mode = {"name": "mode", "cases": ["fast"], "spelling": "custom", "assembly_format": UNDECIDED}
    operation = {"name": "npu.run", "attributes": [mode], "assembly_format": "$mode attr-dict"}
    Path("npu.tdls.json").write_text(json.dumps({"format": 1, "operations": [operation]}), "utf-8")
    Path("payload.mlir").write_text("npu.run <fast>\n", "utf-8")
    assert "brackets or not" in versions("payload.mlir", "--payload", "--catalogue", "npu.tdls.json")[1]
    assert document("everywhere.mlir")["files"][0]["as_far_as_known"] == []


def test_an_operation_that_does_another_thing_in_some_versions_is_named() -> None:
    patterns = "transform.apply_patterns to %root {{\n      {}\n    }} : !transform.any_op\n    transform.yield"
    contract = "transform.apply_patterns.vector.reduction_to_contract"
    for name, inside in (
        ("alone.mlir", contract),
        ("both.mlir", f"{contract}\n      transform.apply_patterns.vector.sink_ops"),
    ):
        Path(name).write_text(EVERYWHERE.replace("transform.yield", patterns.format(inside)), encoding="utf-8")
    (line,) = document("alone.mlir")["files"][0]["changed"]
    assert "since LLVM 21" in line
    assert "transform.apply_patterns.vector.sink_ops" in line
    assert "changed" not in document("both.mlir")["files"][0]
    assert "but not with the same meaning in all versions" in versions("alone.mlir")[1]
