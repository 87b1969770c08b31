/** The views of a project's other files, while the server reads them and afterwards, and of the extension itself. */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { setUp } from "./setup";
import { Vscode } from "./vscode";
import { newWorkspace, PACKAGE, placeIn, pythonWithMlir, SAMPLE } from "./workspace";

const STATUS = ".statusbar-item[id='tdls.tdls.tdls.status']";
const USER = "user.mlir";
const OLD = "old.mlir";
const FILES = 150;
const OPERATIONS_EACH = 60;

describe("a project", () => {
  const workspace = newWorkspace();
  let vscode: Vscode;

  before(async () => {
    writeFileSync(join(workspace, "library.mlir"), LIBRARY);
    writeFileSync(join(workspace, USER), SCRIPT);
    writeFileSync(join(workspace, OLD), OLD_SCRIPT);
    writeFileSync(join(workspace, "left.mlir"), OLD_SCRIPT.replace("loop.unroll", "loop.unrol"));
    writeFileSync(join(workspace, "tdls.toml"), 'libraries = ["library.mlir"]\n');
    writeDefinitions(join(workspace, "dialect"));
    const settings = { "tdls.python": pythonWithMlir() };
    vscode = await Vscode.start(setUp(), { workspace, packages: [PACKAGE], isTrusted: true, settings });
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
  });

  it("is read while one looks at a script, and the status bar says so", async () => {
    const opened = vscode.open(USER); // not waited for: the reading may be as quick
    await vscode.says(".statusbar", "Reading the definitions of");
    const busy = vscode.page.locator(`${STATUS} .codicon-sync`);
    await vscode.shoot("reading");
    await opened;
    await busy.waitFor({ state: "detached", timeout: 120_000 });
  });

  it("has the body of a sequence that a script only declares", async () => {
    await vscode.goTo(placeIn(SCRIPT, "include @tile", "@tile"));
    await vscode.command("Peek Definition");
    await vscode.says(".peekview-widget", "library.mlir", "tile_using_for");
    await vscode.shoot("definition");
    await vscode.page.keyboard.press("Escape");
    await vscode.goTo(placeIn(SCRIPT, "include @tile", "@tile"));
    await vscode.command("Go to Definition");
    await vscode.page.waitForSelector('.tab.active[data-resource-name="library.mlir"]');
  });

  it("is brought to another version of LLVM after a question", async () => {
    await vscode.command("MLIR Transform: Migrate Workspace to Another LLVM...");
    await vscode.pick("main", "main");
    const question = vscode.page.locator(".notification-toast", { hasText: "2 changed lines in 2 files" });
    await question.locator(".monaco-button", { hasText: "Apply" }).waitFor();
    await vscode.shoot("migration");
    await question.locator(".monaco-button", { hasText: "Apply" }).click();
    await vscode.open(OLD);
    await vscode.says(".editor-instance .view-lines", "%loop factor = 4 : !transform.any_op");
  });

  it("has the places that are left among the problems", async () => {
    const told = vscode.page.locator(".notification-toast", { hasText: "1 place is left as before" });
    await told.locator(".monaco-button", { hasText: "Show in Problems" }).click();
    await vscode.says(".markers-panel", "left.mlir", "left as it is for LLVM main");
    await vscode.shoot("left");
    await vscode.command("View: Hide Panel");
  });

  it("is not needed to see the extension", async () => {
    await vscode.open(SAMPLE);
    await vscode.command("View: Show Extensions");
    await vscode.page
      .locator(".extensions-list .monaco-list-row", { hasText: "MLIR Transform" })
      .first()
      .click();
    await vscode.says(".extension-editor", "MLIR Transform (tdls)", "tdls.tdls");
    const page = vscode.page.frameLocator("iframe.webview").frameLocator("iframe");
    await page.getByText("Mistakes as you type").first().waitFor();
    await vscode.shoot("package");
  });
});

/** Writes definitions of operations that take some seconds to read. */
function writeDefinitions(folder: string): void {
  mkdirSync(folder);
  for (let file = 0; file < FILES; file++) {
    const operations = Array.from({ length: OPERATIONS_EACH }, (_, index) => definition(file, index));
    const dialect = `def Kiln${file}_Dialect : Dialect { let name = "kiln${file}"; }\n`;
    writeFileSync(
      join(folder, `Kiln${file}.td`),
      `include "mlir/IR/OpBase.td"\n${dialect}${operations.join("")}`,
    );
  }
}

function definition(file: number, index: number): string {
  return `def Kiln${file}_Op${index} : Op<Kiln${file}_Dialect, "op${index}"> {
  let summary = "Fire piece ${index}";
  let arguments = (ins AnyType:$input, DefaultValuedAttr<I64Attr, "0">:$heat);
  let results = (outs AnyType:$output);
  let assemblyFormat = "$input attr-dict \`:\` type($input) \`->\` type($output)";
}
`;
}

const LIBRARY = `module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%op: !transform.any_op {transform.consumed}) {
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
`;
const SCRIPT = `module attributes {transform.with_named_sequence} {
  transform.named_sequence private @tile(%op: !transform.any_op {transform.consumed})
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.include @tile failures(propagate) (%matmul) : (!transform.any_op) -> ()
    transform.yield
  }
}
`;
const OLD_SCRIPT = `module attributes {transform.with_named_sequence} {
  transform.named_sequence @unroll(%loop: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %loop {factor = 4 : i64} : !transform.any_op
    transform.yield
  }
}
`;
