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

/** Answers hovers and reports a finding in every open file of the language, as a server for `mlir` does. */
const ANSWERS = `
const vscode = require("vscode");
const findings = vscode.languages.createDiagnosticCollection("neighbour");
function look(document) {
  if (document.languageId === "mlir" && document.uri.scheme === "file") {
    const finding = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 5), "the neighbour's finding");
    findings.set(document.uri, [finding]);
  }
}
exports.activate = () => {
  const hover = { provideHover: () => new vscode.Hover("the neighbour's hover") };
  vscode.languages.registerHoverProvider([{ language: "mlir" }], hover);
  vscode.workspace.onDidOpenTextDocument(look);
  vscode.workspace.onDidCloseTextDocument((document) => findings.delete(document.uri));
  vscode.workspace.textDocuments.forEach(look);
};
`;

/** Makes the package and returns its path; with `answers`, it also has hovers and findings. */
export async function neighbour({ answers = false } = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tdls-neighbour-"));
  const write = (name: string, content: object): void => {
    writeFileSync(join(folder, name), JSON.stringify(content));
  };
  const program = { main: "./main.js", activationEvents: ["onLanguage:mlir"] };
  write("package.json", answers ? { ...MANIFEST, ...program } : MANIFEST);
  writeFileSync(join(folder, "main.js"), ANSWERS);
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
