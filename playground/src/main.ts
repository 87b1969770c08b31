/** The page: an editor that a language server in a worker answers, its findings, and a few commands. */

import { formatDocument, LSPClient, languageServerExtensions, renameSymbol } from "@codemirror/lsp-client";
import { keymap } from "@codemirror/view";
import { basicSetup, EditorView } from "codemirror";
import type { Diagnostic, PublishDiagnosticsParams } from "vscode-languageserver-protocol";
import matchers from "../../examples/matcher_library.mlir";
import stale from "../../examples/stale_handle.mlir";
import tiling from "../../examples/tile_and_vectorize.mlir";
import consumed from "./consumed.mlir";
import { FIXES, offerFixes } from "./fixes";
import { sanitized } from "./html";
import { mlir } from "./language";
import { fragmentOf, textOf } from "./link";
import { Server } from "./server";

const URI = "file:///play/script.mlir";
const EXAMPLES: Record<string, string> = { consumed, stale, matchers, tiling };
const LEVELS = ["", "error", "warning", "note", "hint"];
/** Milliseconds that a request may take: the first ones wait for Python. */
const PATIENCE = 60_000;

const status = element("status");
const list = element("findings");
const output = element("output");
let findings: readonly Diagnostic[] = [];

element("unserved").remove();
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
  doc: (await textOf(location.hash.slice(1))) ?? consumed,
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
  rename: () => renameSymbol(view) || say("Put the cursor on a name"),
  versions: () => print(["versions"]),
  migrate: async () => {
    element("apply").hidden = !(await print([...MIGRATE, "--diff"], "It is written as LLVM's main branch does."));
  },
  apply: async () => {
    const before = view.state.doc;
    const { text } = await server.execute(MIGRATE, before.toString());
    if (view.state.doc.eq(before)) {
      view.dispatch({ changes: { from: 0, to: before.length, insert: text }, userEvent: "input.migrate" });
      output.textContent = "";
      element("apply").hidden = true;
    }
  },
  link: async () => {
    location.hash = await fragmentOf(view.state.doc.toString());
    await navigator.clipboard?.writeText(location.href).catch(() => undefined);
    say("The address holds the text, and is copied");
  },
};
const MIGRATE = ["migrate", "--to", "main"];
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

/** Shows what a command prints, or `otherwise` if that is nothing, and returns whether it is a difference. */
async function print(command: string[], otherwise = ""): Promise<boolean> {
  say("Working…");
  element("apply").hidden = true;
  const { printed } = await server.execute(command, view.state.doc.toString());
  output.textContent = printed.trim() === "" ? otherwise : printed;
  say("");
  return printed.startsWith("--- ");
}

/** Returns the row of a finding, which leads to its place and to its repairs. */
function row({ message, range, severity, code }: Diagnostic): HTMLElement {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const level = LEVELS[severity ?? 1] ?? "error";
  button.className = `finding ${level}`;
  button.textContent = `${range.start.line + 1}:${range.start.character + 1} ${level}[${code}]: ${message}`;
  const go = (): void => {
    // The text may be shorter by now.
    const line = view.state.doc.line(Math.min(range.start.line + 1, view.state.doc.lines));
    const anchor = Math.min(line.from + range.start.character, line.to);
    view.dispatch({ selection: { anchor }, scrollIntoView: true });
    view.focus();
  };
  button.addEventListener("click", go);
  const repair = document.createElement("button");
  repair.className = "repair";
  repair.textContent = "Fix…";
  repair.setAttribute("aria-label", `Fix line ${range.start.line + 1}`);
  repair.addEventListener("click", () => {
    go();
    void fix();
  });
  item.append(button, repair);
  return item;
}

function say(message: string): void {
  status.textContent = message;
}

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}
