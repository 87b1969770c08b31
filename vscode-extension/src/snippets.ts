/** Beginnings of a script, offered where a line begins and they may stand, below all that the server proposes. */

import * as vscode from "vscode";
import snippets from "../snippets.json";
import { LANGUAGE, SCRIPT_LANGUAGE } from "./server/server";

/** Text that a snippet may follow in its line. */
const BEGIN = /^\s*\w*$/;
/** The end of a line after which an operation goes on. */
const UNFINISHED = /([,([<=:+*/-]|->)\s*$/;

export function registerSnippets(): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider([LANGUAGE, SCRIPT_LANGUAGE], {
    provideCompletionItems(document, position) {
      const before = position.line > 0 ? document.lineAt(position.line - 1).text : "";
      if (
        !BEGIN.test(document.lineAt(position).text.slice(0, position.character)) ||
        UNFINISHED.test(before)
      ) {
        return [];
      }
      const above = document.getText(new vscode.Range(0, 0, position.line, 0));
      const fitting = Object.entries(snippets).filter(
        ([, { body }]) => body.join().startsWith("//") || above.includes("{"), // no sequence in an empty file
      );
      return fitting.map(([name, { prefix, description, body }]) => {
        const item = new vscode.CompletionItem(prefix, vscode.CompletionItemKind.Snippet);
        item.insertText = new vscode.SnippetString(body.join("\n"));
        item.detail = description;
        item.documentation = name;
        item.sortText = `~${prefix}`;
        return item;
      });
    },
  });
}
