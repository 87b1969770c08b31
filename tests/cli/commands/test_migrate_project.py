"""``tdls migrate --project-from REV``: scripts get the operations of another revision of their project."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from fork_server import tdls_command
from tools_at_hand import require_tool

HEAD = """\
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Shop_Op<string name, list<Trait> traits = []>
    : Op<Transform_Dialect, "shop." # name, traits # [
        TransformOpInterface, FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface]>;
"""
FORMER = """
def WrapOp : Shop_Op<"wrap"> {
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$depth, UnitAttr:$deep);
  let results = (outs TransformHandleTypeInterface:$wrapped);
  let assemblyFormat = "$target `depth` `=` $depth (`deep` $deep^)? attr-dict `:` functional-type(operands, results)";
}
def BoxOp : Shop_Op<"box"> {
  let arguments = (ins TransformHandleTypeInterface:$target, StrAttr:$label);
  let results = (outs TransformHandleTypeInterface:$boxed);
  let assemblyFormat = "$target $label attr-dict `:` functional-type(operands, results)";
}
def SwapOp : Shop_Op<"swap"> {
  let arguments = (ins TransformHandleTypeInterface:$first, TransformHandleTypeInterface:$second);
  let assemblyFormat = "$first `,` $second attr-dict `:` type($first) `,` type($second)";
}
def SealOp : Shop_Op<"seal"> {
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}
def KeepOp : Shop_Op<"keep"> {
  let arguments = (ins TransformHandleTypeInterface:$kept);
  let assemblyFormat = "$kept attr-dict `:` type($kept)";
}
"""
PRESENT = (
    FORMER.replace(
        '"$target `depth` `=` $depth (`deep` $deep^)? attr-dict', '"(`deep` $deep^)? $target `[` $depth `]` attr-dict'
    )
    .replace('def BoxOp : Shop_Op<"box">', 'def PackageOp : Shop_Op<"package">')
    .replace('"$target $label', '"$label `to` $target')
    .replace('"$first `,` $second attr-dict', '"$second `,` $first attr-dict')
    .replace("(ins TransformHandleTypeInterface:$target);", "(ins TransformHandleTypeInterface:$target, StrAttr:$wax);")
    .replace('"$target attr-dict `:` type($target)"', '"$target $wax attr-dict `:` type($target)"')
)
BODY = """\
    %wrapped = transform.shop.wrap %root depth = 4 deep  // as deep as it goes
        : (!transform.any_op) -> !transform.any_op
    %boxed = transform.shop.box %wrapped "fragile" : (!transform.any_op) -> !transform.any_op
    transform.shop.keep %boxed : !transform.any_op
    transform.yield
"""
MIGRATED = """\
    %wrapped = transform.shop.wrap deep %root[4]  // as deep as it goes
        : (!transform.any_op) -> !transform.any_op
    %boxed = transform.shop.package "fragile" to %wrapped : (!transform.any_op) -> !transform.any_op
    transform.shop.keep %boxed : !transform.any_op
    transform.yield
"""


NEW_NAME = "it is gone; `transform.shop.package` is new and takes the same arguments"


def script(body: str) -> str:
    """Return a script with a body."""
    return f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.consumed}}) {{
{body}  }}
}}
"""


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the former operations at `HEAD~1`, and the present ones at `HEAD`."""
    require_tool("git", "Debian package git")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.chdir(tmp_path)
    git("init", "--quiet", "--initial-branch=main")
    for text in (FORMER, PRESENT):
        Path("include").mkdir(exist_ok=True)
        Path("include/ShopOps.td").write_text(HEAD + text, encoding="utf-8")
        git("add", "--all")
        git("commit", "--quiet", "--message=x")
    return tmp_path


def git(*arguments: str) -> None:
    identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


def migrate(*arguments: str) -> tuple[int, str, str]:
    """Return the exit status and the outputs."""
    command = [*tdls_command(), "migrate", "--project-from", "HEAD~1", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return done.returncode, done.stdout, done.stderr


def test_changed_forms_are_written_and_new_names_proposed() -> None:
    path = Path("script.mlir")
    path.write_text(script(BODY), encoding="utf-8")
    status, _, said = migrate(str(path))
    assert path.read_text(encoding="utf-8") == script(MIGRATED)
    assert said == f"warning: script.mlir:5:14: proposed: `transform.shop.box`: {NEW_NAME}\n"
    assert status == 1
    assert migrate(str(path)) == (0, "", "")
    assert path.read_text(encoding="utf-8") == script(MIGRATED), "it is migrated already"


def test_changes_are_shown_and_counted_without_writing() -> None:
    path = Path("script.mlir")
    path.write_text(script(BODY), encoding="utf-8")
    status, shown, _ = migrate("--diff", str(path))
    assert status == 1
    assert '+    %boxed = transform.shop.package "fragile" to %wrapped' in shown
    assert migrate("--check", str(path))[:2] == (1, "script.mlir: 2 to migrate, 0 by hand\n")
    assert path.read_text(encoding="utf-8") == script(BODY)


LEFT = {
    "    transform.shop.seal %root : !transform.any_op\n": "it needs `wax`, too",
    "    transform.shop.swap %root, %root2 : !transform.any_op, !transform.any_op\n": (
        "the present form reads the same text in another way, so it may be migrated already"
    ),
}


@pytest.mark.parametrize("line", LEFT)
def test_uncertain_changes_are_left_with_the_reason(line: str) -> None:
    path = Path("script.mlir")
    other = "    %root2 = transform.get_parent_op %root : (!transform.any_op) -> !transform.any_op\n"
    text = script(f"{other}{line}    transform.yield\n")
    path.write_text(text, encoding="utf-8")
    status, _, said = migrate(str(path))
    name = line.split()[0]
    assert said == f"warning: script.mlir:4:5: left as it is: `{name}` has another form: {LEFT[line]}\n"
    assert (status, path.read_text(encoding="utf-8")) == (1, text)


def test_generic_form_gets_the_new_name() -> None:
    path = Path("script.mlir")
    generic = '    %b = "transform.shop.{}"(%root) {{label = "x"}} : (!transform.any_op) -> !transform.any_op\n'
    path.write_text(script(generic.format("box") + "    transform.yield\n"), encoding="utf-8")
    migrate(str(path))
    assert path.read_text(encoding="utf-8") == script(generic.format("package") + "    transform.yield\n")


def test_scripts_and_calls_in_programs() -> None:
    path = Path("plan.py")
    program = f"""\
from mlir.dialects import transform
SCRIPT = '''
{script(BODY)}'''
def build(root):
    transform.ShopWrapOp(root, 4)
    return transform.shop_box(
        root, label="x")
def seal(root, SealOp):
    return [SealOp(root), transform.ShopSealOp(root)]
"""
    path.write_text(program, encoding="utf-8")
    status, _, said = migrate(".")
    assert status == 1
    assert path.read_text(encoding="utf-8") == program.replace(script(BODY), script(MIGRATED))
    assert [line for line in said.splitlines() if "builds" in line] == [
        f"warning: plan.py:15:12: left as it is: `shop_box` builds `transform.shop.box`: {NEW_NAME}",
        "warning: plan.py:18:27: left as it is: `ShopSealOp` builds `transform.shop.seal`: it takes other arguments",
    ]


def test_work_tree_and_index_stay_as_they_are(repository: Path) -> None:
    Path("script.mlir").write_text(script("    transform.yield\n"), encoding="utf-8")
    (repository / "include" / "ShopOps.td").write_text("// being edited\n", encoding="utf-8")
    assert migrate("script.mlir") == (0, "", "")
    assert (repository / "include" / "ShopOps.td").read_text(encoding="utf-8") == "// being edited\n"
    assert sorted(path.name for path in repository.iterdir()) == [".git", "include", "script.mlir"]


@pytest.mark.parametrize("revision", ["nothing", "--output=x", "HEAD:include"])
def test_unknown_revisions_are_reported(revision: str) -> None:
    Path("script.mlir").write_text(script("    transform.yield\n"), encoding="utf-8")
    status, _, said = migrate("script.mlir", f"--project-to={revision}")
    assert status == 2
    assert f"`{revision}` is no revision of the repository" in said
    assert not Path("x").exists()
