/** Ctrl+. lists the server's fixes for the findings at the cursor, in a dialog. */

import { LSPPlugin } from "@codemirror/lsp-client";
import type { EditorView } from "@codemirror/view";
import type { CodeAction, Diagnostic, TextEdit } from "vscode-languageserver-protocol";

/** What the server has to know of this client. */
export const FIXES = {
  textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } } },
};

/** Lists the fixes at the cursor; `findings` are the latest ones of the server, `say` tells a user that there is none. */
export async function offerFixes(
  view: EditorView,
  findings: readonly Diagnostic[],
  say: (message: string) => void,
): Promise<void> {
  const plugin = LSPPlugin.get(view);
  if (plugin === null) {
    return;
  }
  plugin.client.sync();
  const { from, to } = view.state.selection.main;
  const range = { start: plugin.toPosition(from), end: plugin.toPosition(to) };
  const line = range.start.line;
  const diagnostics = findings.filter(({ range: { start, end } }) => start.line <= line && line <= end.line);
  const context = { diagnostics, only: ["quickfix"] };
  const asked = { textDocument: { uri: plugin.uri }, range, context };
  const actions = await plugin.client.request<object, CodeAction[] | null>("textDocument/codeAction", asked);
  const offered = (actions ?? []).filter((action) => editsOf(action, plugin.uri).length > 0);
  if (offered.length === 0) {
    say("No fix for this line");
    return;
  }
  const action = await chosen(offered);
  if (action !== undefined) {
    const changes = editsOf(action, plugin.uri).map(({ range: { start, end }, newText }) => ({
      from: plugin.fromPosition(start),
      to: plugin.fromPosition(end),
      insert: newText,
    }));
    view.dispatch({ changes, userEvent: "input.fix" });
  }
  view.focus();
}

function editsOf({ edit }: CodeAction, uri: string): TextEdit[] {
  const documents = (edit?.documentChanges ?? []).flatMap((change) =>
    "edits" in change ? change.edits : [],
  );
  return [...(edit?.changes?.[uri] ?? []), ...(documents as TextEdit[])];
}

/** Asks for one of the actions; undefined if the dialog is left. Buttons have the keyboard of every dialog. */
function chosen(actions: CodeAction[]): Promise<CodeAction | undefined> {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", "Fixes");
  const buttons = actions.map((action) => {
    const button = document.createElement("button");
    button.textContent = action.title;
    button.addEventListener("click", () => dialog.close(String(actions.indexOf(action))));
    return button;
  });
  dialog.addEventListener("keydown", ({ key }) => {
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    const at = buttons.findIndex((button) => button === document.activeElement);
    buttons.at((at + step) % buttons.length)?.focus();
  });
  dialog.append(...buttons);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "" ? undefined : actions[Number(dialog.returnValue)]);
    });
  });
}
