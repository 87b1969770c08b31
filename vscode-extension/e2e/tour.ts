/** Makes the moving picture of README, and those of the walkthrough: a mistake, its repair, the run, and the state. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { applyPalette, GIFEncoder, quantize } from "gifenc";
import { PNG } from "pngjs";
import { setUp } from "./setup";
import { Vscode } from "./vscode";
import { newWorkspace, PACKAGE, placeIn, pythonWithMlir, SAMPLE } from "./workspace";

const OUTPUT = resolve("..", "docs", "images", "vscode-tour.gif");
const SIZE = { width: 1120, height: 640 };
const EDITOR = { x: 0, y: 35, width: SIZE.width, height: 560 };
const COLORS = 64;
const MOST_BYTES = 1_000_000;
const SETTINGS = {
  "tdls.python": pythonWithMlir(),
  "workbench.activityBar.location": "hidden",
  "editor.fontSize": 13,
};

void main();

async function main(): Promise<void> {
  const workspace = newWorkspace();
  const text = readFileSync(join(workspace, SAMPLE), "utf-8");
  const options = { workspace, packages: [PACKAGE], isTrusted: true, settings: SETTINGS };
  const vscode = await Vscode.start(setUp(), options);
  const picture = GIFEncoder();

  /** Adds what is seen now, for so many milliseconds. */
  async function frame(delay: number): Promise<void> {
    const { data, width, height } = PNG.sync.read(await vscode.page.screenshot());
    const palette = quantize(data, COLORS);
    picture.writeFrame(applyPalette(data, palette), width, height, { palette, delay });
  }

  /** Keeps what is seen now, without title and status, as a picture of the walkthrough. */
  async function keep(name: string): Promise<void> {
    const { data, width, height } = PNG.sync.read(await vscode.page.screenshot({ clip: EDITOR }));
    const palette = quantize(data, COLORS);
    const png = new PNG({ width, height });
    png.data = Buffer.from([...applyPalette(data, palette)].flatMap((color) => [...palette[color]!, 255]));
    writeFileSync(
      join("walkthrough", `${name}.png`),
      PNG.sync.write(png, { colorType: 2, filterType: 0, deflateStrategy: 0 }),
    );
  }

  try {
    await vscode.page.setViewportSize(SIZE);
    await vscode.open(SAMPLE);
    await vscode.page.waitForSelector(".squiggly-warning");
    await vscode.command("View: Toggle Primary Side Bar Visibility");
    await vscode.goTo(placeIn(text, "annotate %matmul", "%matmul"));
    await frame(2000);
    await keep("sample");
    await vscode.command("Show or Focus Hover");
    await vscode.says(".monaco-hover:not(.hidden)", "was consumed by");
    await frame(4000);
    await keep("mistake");
    await vscode.page.keyboard.press("Escape");
    await vscode.page.keyboard.press("Control+.");
    await vscode.says(".action-widget", "%tiled");
    await frame(2500);
    await vscode.page.keyboard.press("Enter");
    await vscode.page.waitForSelector(".squiggly-warning", { state: "detached" });
    await vscode.page.keyboard.press("Control+S");
    await frame(1500);
    await vscode.page.locator('.editor-actions a.action-label[aria-label^="Run"]').first().click();
    await vscode.says(".editor-group-container:nth-child(1), .editor-instance", "scf.for");
    await vscode.says(".statusbar", "ran in");
    await frame(4000);
    await keep("run");
    await vscode.goTo(placeIn(text, "%tiled, %loops", "%tiled"));
    await vscode.page.waitForSelector(
      '.editor-group-container:last-child [class*="TextEditorDecorationType"]',
    );
    await keep("preview");
    await vscode.command("View: Close All Editors");
    await vscode.command("View: Toggle Primary Side Bar Visibility");
    await vscode.open(SAMPLE);
    await vscode.command("View: Toggle Primary Side Bar Visibility");
    await vscode.goTo(placeIn(text, "annotate %matmul", "annotate"));
    await vscode.command("MLIR Transform: Show Transform State");
    await vscode.page
      .frameLocator("iframe.webview.ready")
      .frameLocator("iframe#active-frame")
      .locator("body", { hasText: "linalg.matmul" })
      .waitFor();
    await frame(5000);
  } finally {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
  }
  picture.finish();
  const bytes = picture.bytes();
  if (bytes.length > MOST_BYTES) {
    throw new Error(`the picture has ${bytes.length} bytes, more than ${MOST_BYTES}`);
  }
  writeFileSync(OUTPUT, bytes);
  console.log(`${OUTPUT}: ${bytes.length} bytes`);
}
