/** The page: an editor that a language server in a worker answers, its findings, and a few commands. */

import { formatDocument, LSPClient, languageServerExtensions, renameSymbol } from "@codemirror/lsp-client";
import { keymap } from "@codemirror/view";
import { basicSetup, EditorView } from "codemirror";
import type { Diagnostic, PublishDiagnosticsParams } from "vscode-languageserver-protocol";
import matchers from "../../examples/matcher_library.mlir";
import stale from "../../examples/stale_handle.mlir";
import tiling from "../../examples/tile_and_vectorize.mlir";
import { FIXES, offerFixes } from "./fixes";
import { sanitized } from "./html";
import { mlir } from "./language";
import { fragmentOf, textOf } from "./link";
import { Server } from "./server";

const URI = "file:///play/script.mlir";
const EXAMPLES: Record<string, string> = { stale, matchers, tiling };
const LEVELS = ["", "error", "warning", "note", "hint"];
/** Milliseconds that a request may take: the first ones wait for Python. */
const PATIENCE = 60_000;

const status = element("status");
const list = element("findings");
const output = element("output");
let findings: readonly Diagnostic[] = [];

const server = new Server((reason) => (output.textContent = `tdls cannot go on: ${reason}`));
const client = new LSPClient({
  timeout: PATIENCE,
  sanitizeHTML: sanitized,
  extensions: [...languageServerExtensions(), { clientCapabilities: FIXES }],
  notificationHandlers: {
    "textDocument/publishDiagnostics": (_, { diagnostics }: PublishDiagnosticsParams) => {
      findings = diagnostics;
      list.replaceChildren(...diagnostics.map(row));
      say(diagnostics.length === 1 ? "1 finding" : `${diagnostics.length || "no"} findings`);
      return false; // the editor underlines them, too
    },
  },
});

const view = new EditorView({
  doc: (await textOf(location.hash.slice(1))) ?? stale,
  parent: element("editor"),
  extensions: [
    basicSetup,
    mlir,
    EditorView.contentAttributes.of({ "aria-label": "Script" }),
    keymap.of([{ key: "Mod-.", run: () => (void fix(), true) }]),
    client.plugin(URI, "mlir"),
  ],
});
client.connect(server);
say("Starting Python…");

const COMMANDS: Record<string, () => unknown> = {
  fix,
  format: () => formatDocument(view),
  rename: () => renameSymbol(view),
  versions: () => print(["versions"]),
  migrate: () => print(["migrate", "--diff", "--to", "main"], "It is written as LLVM's main branch does."),
  link: async () => {
    location.hash = await fragmentOf(view.state.doc.toString());
    await navigator.clipboard?.writeText(location.href).catch(() => undefined);
    say("The address holds the text, and is copied");
  },
};
for (const [name, run] of Object.entries(COMMANDS)) {
  element(name).addEventListener("click", () => void run());
}
element<HTMLSelectElement>("example").addEventListener("change", ({ target }) => {
  const text = EXAMPLES[(target as HTMLSelectElement).value] ?? "";
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  view.focus();
});
void navigator.serviceWorker?.register("offline.js");

function fix(): Promise<void> {
  return offerFixes(view, findings, say);
}

/** Shows what a command prints, or `otherwise` if that is nothing. */
async function print(command: string[], otherwise = ""): Promise<void> {
  say("Working…");
  const printed = await server.execute(command, view.state.doc.toString());
  output.textContent = printed.trim() === "" ? otherwise : printed;
  say("");
}

/** Returns the row of a finding, which leads to its place. */
function row({ message, range, severity, code }: Diagnostic): HTMLElement {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.className = LEVELS[severity ?? 1] ?? "error";
  button.textContent = `${range.start.line + 1}:${range.start.character + 1} ${button.className}[${code}]: ${message}`;
  button.addEventListener("click", () => {
    // The text may be shorter by now.
    const line = view.state.doc.line(Math.min(range.start.line + 1, view.state.doc.lines));
    const anchor = Math.min(line.from + range.start.character, line.to);
    view.dispatch({ selection: { anchor }, scrollIntoView: true });
    view.focus();
  });
  item.append(button);
  return item;
}

function say(message: string): void {
  status.textContent = message;
}

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}
