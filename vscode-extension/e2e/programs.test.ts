/** Scripts in strings of Python programs; everything else in these belongs to other extensions. */

import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { setUp } from "./setup";
import { Vscode } from "./vscode";
import { emptyWorkspace, PACKAGE, pythonWithMlir } from "./workspace";

const PROGRAMS = {
  "plain.py": "print('no script here')\n",
  "schedule.py": `\
def schedule(factor):
    return f"""
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @unroll(%loop: !transform.any_op {{transform.consumed}}) {{
    transform.loop.unroll %loop {{factor = {factor}}} : !transform.any_op
    transform.loop.unroll %loop {{factor = 2}} : !transform.any_op
    transform.yield
  }}
}}
"""
`,
};

describe("scripts in a Python program", () => {
  const workspace = emptyWorkspace();
  let vscode: Vscode;

  before(async () => {
    for (const [name, text] of Object.entries(PROGRAMS)) {
      writeFileSync(join(workspace, name), text);
    }
    const settings = { "tdls.python": pythonWithMlir() };
    vscode = await Vscode.start(setUp(), { workspace, packages: [PACKAGE], isTrusted: true, settings });
  });

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  it("bring nothing for a program without one", async () => {
    await vscode.open("plain.py");
    await vscode.says(".statusbar-item[id='status.editor.mode']", "Python");
    await vscode.page.waitForSelector(".statusbar-item[id='tdls.tdls.tdls.status']", { state: "detached" });
  });

  it("show a stale handle where the string has it", async () => {
    await vscode.open("schedule.py");
    await vscode.page.waitForSelector(".squiggly-warning");
    await vscode.command("View: Toggle Problems");
    await vscode.says(".markers-panel", "was consumed by", "[Ln 6, Col 27]");
    await vscode.command("View: Hide Panel");
    await vscode.shoot("program");
  });

  it("explain a handle, and nothing of Python", async () => {
    await vscode.goTo([5, 28]);
    await vscode.command("Show or Focus Hover");
    await vscode.says(".monaco-hover:not(.hidden)", "%loop", "!transform.any_op");
    await vscode.page.keyboard.press("Escape");
    await vscode.goTo([1, 6]);
    await vscode.command("Show or Focus Hover");
    await vscode.page.waitForSelector(".monaco-hover:not(.hidden)", { state: "detached", timeout: 3000 });
  });
});
