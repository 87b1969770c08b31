/** Folders that the tests open, and the Python that they find. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const PACKAGE = resolve("dist", "tdls.vsix");
export const SAMPLE = "sample.mlir";

/** Makes a folder with the sample. */
export function newWorkspace(): string {
  const folder = emptyWorkspace();
  cpSync(join("walkthrough", SAMPLE), join(folder, SAMPLE));
  return folder;
}

/** A file without a script, with an operation that no MLIR has. */
export const PAYLOAD = {
  name: "payload.mlir",
  text: "func.func @twice(%a: f32) -> f32 {\n  %sum = arith.adddf %a, %a : f32\n  return %sum : f32\n}\n",
};

/** Makes a folder with nothing in it that has findings, so that the list of problems is that of the test. */
export function emptyWorkspace(): string {
  const folder = join(mkdtempSync(join(tmpdir(), "tdls-workspace-")), "scripts");
  mkdirSync(folder);
  return folder;
}

/** Adds modules that lie in wait for a Python that imports from where it is started. */
export function setTraps(workspace: string): void {
  for (const name of ["json.py", "tdls.py", "platform.py"]) {
    writeFileSync(join(workspace, name), "raise SystemExit('imported from the workspace')\n");
  }
}

/** The Python that has MLIR's bindings: that of the checkout, which `tests/run.py --set-up extension` makes. */
export function pythonWithMlir(): string {
  const python = process.env.TDLS_E2E_PYTHON ?? resolve("..", ".venv", "bin", "python3");
  if (spawnSync(python, ["-c", "import torch_mlir"]).status !== 0) {
    throw new Error(`${python} has no MLIR: run scripts/verify.mjs, or set TDLS_E2E_PYTHON`);
  }
  return python;
}

/** A line and a column, both from 1. */
export type Place = readonly [line: number, column: number];

/** Returns where `word` stands inside of the first `phrase` in `text`. */
export function placeIn(text: string, phrase: string, word: string): Place {
  const start = text.indexOf(phrase);
  if (start === -1 || !phrase.includes(word)) {
    throw new Error(`there is no ${word} in ${phrase}`);
  }
  const lines = text.slice(0, start + phrase.indexOf(word)).split("\n");
  return [lines.length, (lines.at(-1) ?? "").length + 1];
}
