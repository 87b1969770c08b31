/** Schedules that programs build by calls: nothing of them runs before one says so. */

import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { setUp } from "./setup";
import { Vscode } from "./vscode";
import { emptyWorkspace, PACKAGE, placeIn, pythonWithMlir } from "./workspace";

const DIALOG = ".monaco-dialog-box";
const LENS = ".codelens-decoration a";
const SCRIPT_TAB = '.tab[data-resource-name="schedule.build.mlir"]';
const PROGRAM = `\
from torch_mlir import ir
from torch_mlir.dialects import transform
from torch_mlir.dialects.transform import loop, structured


def twice(loops):
    loop.LoopUnrollOp(loops, factor=2)
    loop.LoopUnrollOp(loops, factor=4)


def build():
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        module.operation.attributes["transform.with_named_sequence"] = ir.UnitAttr.get()
        any_op = transform.AnyOpType.get()
        with ir.InsertionPoint(module.body):
            reading = [{"transform.readonly": ir.UnitAttr.get()}]
            main = transform.NamedSequenceOp("__transform_main", [any_op], [], arg_attrs=reading)
        with ir.InsertionPoint(main.body):
            loops = structured.structured_match(any_op, main.bodyTarget, ops=["scf.for"])
            twice(loops)
            transform.YieldOp([])
        return module
`;

describe("a schedule that a program builds", () => {
  const workspace = emptyWorkspace();
  let vscode: Vscode;

  before(async () => {
    writeFileSync(join(workspace, "schedule.py"), PROGRAM);
    const settings = { "tdls.python": pythonWithMlir(), "tdls.run.python": pythonWithMlir() };
    vscode = await Vscode.start(setUp(), { workspace, packages: [PACKAGE], isTrusted: true, settings });
    await vscode.open("schedule.py");
  });

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  it("is built at a click, and shown next to the program", async () => {
    await vscode.page.locator(LENS, { hasText: "Check schedule" }).click();
    await vscode.page.waitForSelector(SCRIPT_TAB);
    await vscode.page.waitForSelector(".squiggly-warning");
    await vscode.shoot("schedule");
  });

  it("is built from the command palette, too", async () => {
    await vscode.open("schedule.py");
    await vscode.command("MLIR Transform: Check Schedule");
    await vscode.page.waitForSelector(SCRIPT_TAB);
  });

  it("shows findings at the call, with its callers", async () => {
    await vscode.command("View: Toggle Problems");
    await vscode.says(".markers-panel", "was consumed by", "called from here", "[Ln 8, Col 5]");
    await vscode.command("View: Hide Panel");
  });

  it("explains the operation of a call", async () => {
    await vscode.open("schedule.py");
    await vscode.goTo(placeIn(PROGRAM, "loops = structured.structured_match", "structured_match"));
    await vscode.command("Show or Focus Hover");
    await vscode.says(".monaco-hover:not(.hidden)", "transform.structured.match", "consumed by");
    await vscode.page.keyboard.press("Escape");
  });

  it("can be run from the program", async () => {
    await vscode.page.locator(LENS, { hasText: "Run" }).first().waitFor();
  });
});

describe("a schedule in a workspace that is not trusted", () => {
  const workspace = emptyWorkspace();
  const mark = join(workspace, "was-run");
  let vscode: Vscode;

  before(async () => {
    writeFileSync(join(workspace, "schedule.py"), `open(${JSON.stringify(mark)}, "w").close()\n${PROGRAM}`);
    const settings = { "tdls.python": pythonWithMlir(), "tdls.run.python": pythonWithMlir() };
    vscode = await Vscode.start(setUp(), { workspace, packages: [PACKAGE], isTrusted: false, settings });
  });

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  it("is not run when the answer is no", async () => {
    const answer = (button: string): Promise<void> =>
      vscode.page.locator(`${DIALOG} .monaco-button`, { hasText: button }).click();
    await answer("No, I don't trust the authors");
    await vscode.open("schedule.py");
    await vscode.page.locator(LENS, { hasText: "Check schedule" }).click();
    await vscode.says(DIALOG, "You do not trust this workspace.");
    await answer("Not Now");
    await vscode.page.waitForSelector(DIALOG, { state: "detached" });
    assert.equal(await vscode.page.locator(SCRIPT_TAB).count(), 0);
    assert.ok(!existsSync(mark));
  });
});
