/** Folders that the tests open, and the Python that they find. */

import { cpSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

export const PACKAGE = resolve("dist", "tdls.vsix");
export const SAMPLE = "sample.mlir";

/** Makes a folder with the sample, in which a module lies in wait for a Python that imports from where it is started. */
export function newWorkspace(): string {
  const folder = mkdtempSync(join(tmpdir(), "tdls-workspace-"));
  cpSync(join("walkthrough", SAMPLE), join(folder, SAMPLE));
  for (const name of ["json.py", "tdls.py", "platform.py"]) {
    writeFileSync(join(folder, name), "raise SystemExit('imported from the workspace')\n");
  }
  return folder;
}

/** The search path with a Python that has MLIR's bindings first, if the checkout has one. */
export function environmentWithMlir(): Record<string, string> {
  const python = process.env.TDLS_E2E_PYTHON ?? resolve("..", ".venv", "bin", "python3");
  return existsSync(python) ? { PATH: [dirname(python), process.env.PATH ?? ""].join(delimiter) } : {};
}
