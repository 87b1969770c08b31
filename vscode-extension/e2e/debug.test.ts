/** A recorded run in VS Code's own debug view. */

import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { setUp } from "./setup";
import { Vscode } from "./vscode";
import { newWorkspace, PACKAGE, placeIn, pythonWithMlir } from "./workspace";

const SCRIPT = "steps.mlir";
const ANY = "!transform.any_op";
const TEXT = `module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
  transform.named_sequence @__transform_main(%root: ${ANY} {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (${ANY}) -> ${ANY}
    %tiled, %loop = transform.structured.tile_using_for %mm tile_sizes [4] : (${ANY}) -> (${ANY}, ${ANY})
    %all = transform.structured.match ops{["arith.constant"]} in %root : (${ANY}) -> ${ANY}
    transform.foreach %all : ${ANY} {
    ^bb0(%each: ${ANY}):
      transform.annotate %each "seen" : ${ANY}
    }
    transform.yield
  }
}
`;
const STACK = ".debug-call-stack";
const VARIABLES = ".debug-variables";

describe("debugging a script", () => {
  const workspace = newWorkspace();
  let vscode: Vscode;

  before(async () => {
    writeFileSync(join(workspace, SCRIPT), TEXT);
    const settings = { "tdls.python": pythonWithMlir(), "debug.toolBarLocation": "floating" };
    vscode = await Vscode.start(setUp(), { workspace, packages: [PACKAGE], isTrusted: true, settings });
    await vscode.open(SCRIPT);
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
  });

  it("stops in front of the first step, and goes on to a breakpoint", async () => {
    await vscode.page.waitForSelector('.editor-actions a.action-label[aria-label^="Run"]');
    await vscode.goTo(placeIn(TEXT, "transform.annotate", "transform"));
    await vscode.command("Debug: Toggle Breakpoint");
    await vscode.command("Debug: Start Debugging");
    await vscode.says(STACK, "transform.structured.match");
    await vscode.page.keyboard.press("F5");
    await vscode.says(STACK, "transform.annotate", "transform.foreach");
    await vscode.says(VARIABLES, "%each", "1 arith.constant", "%mm", "stale since step 2");
    await vscode.shoot("debug");
  });

  it("steps back out of the body", async () => {
    await vscode.page.locator('a.action-label[aria-label^="Step Back"]').first().click();
    await vscode.says(STACK, "transform.foreach");
    await vscode.page.locator('a.action-label[aria-label^="Step Back"]').first().click();
    await vscode.says(STACK, "transform.structured.match");
    await vscode.command("Debug: Stop");
    await vscode.page.locator(".debug-toolbar").waitFor({ state: "hidden" });
  });
});
