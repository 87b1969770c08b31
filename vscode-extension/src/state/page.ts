/** The page of a view: its script and style come from the extension, and nothing else may run. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** Returns the page that `dist/NAME.js` and `media/NAME.css` are of. */
export function page(webview: vscode.Webview, extension: vscode.Uri, name: string, title: string): string {
  const nonce = randomBytes(16).toString("base64");
  const script = webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", `${name}.js`)).toString();
  const style = webview.asWebviewUri(vscode.Uri.joinPath(extension, "media", `${name}.css`)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${style}">
    <title>${title}</title>
  </head>
  <body>
    <main id="view"></main>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>
`;
}
