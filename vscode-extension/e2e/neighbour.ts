/** A package that describes the language `mlir`, too, as LLVM's own extension does. */

import { createVSIX } from "@vscode/vsce";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MANIFEST = {
  name: "vscode-mlir",
  publisher: "neighbour",
  displayName: "Neighbour",
  version: "1.0.0",
  engines: { vscode: "^1.75.0" },
  contributes: {
    languages: [
      {
        id: "mlir",
        aliases: ["MLIR", "mlir"],
        extensions: [".mlir"],
        configuration: "./language-configuration.json",
      },
    ],
    grammars: [{ language: "mlir", scopeName: "source.mlir", path: "./grammar.json" }],
    configuration: { properties: { "mlir.server_path": { type: "string", default: "" } } },
  },
};

/** Makes the package and returns its path. */
export async function neighbour(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tdls-neighbour-"));
  const write = (name: string, content: object): void => {
    writeFileSync(join(folder, name), JSON.stringify(content));
  };
  write("package.json", MANIFEST);
  write("language-configuration.json", { comments: { lineComment: "//" } });
  write("grammar.json", {
    scopeName: "source.mlir",
    patterns: [{ name: "comment.line.mlir", match: "//.*$" }],
  });
  writeFileSync(join(folder, "README.md"), "A neighbour.\n");
  const packagePath = join(folder, "neighbour.vsix");
  await createVSIX({
    cwd: folder,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
  return packagePath;
}
