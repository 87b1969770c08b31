/** Activates and deactivates the extension: VS Code calls it when the user opens the first script. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { registerAssistants, type McpApi } from "./assistants";
import { registerBytecode } from "./bytecode";
import { COMPANION, Companion } from "./companion";
import { Doctor } from "./doctor";
import { endingInRename, registerExtraction } from "./extraction";
import { CorrespondenceHighlight } from "./highlight";
import { MatchesPanel } from "./matches/panel";
import { Migration } from "./migration";
import { pythonCandidates } from "./python/candidates";
import { findPython, probeIn } from "./python/findPython";
import { registerReferences } from "./references";
import { Choices } from "./runs/choices";
import { ChosenPayloads } from "./runs/chosenPayloads";
import { RunCommands } from "./runs/commands";
import { Consent } from "./runs/consent";
import { LivePreview } from "./runs/preview";
import { RunnableScripts } from "./runs/runnable";
import { Runner } from "./runs/runner";
import { Runtime } from "./runs/runtime";
import { Schedules } from "./runs/schedules";
import { RunViews } from "./runs/views";
import { registerSample } from "./sample";
import { Server } from "./server/server";
import { ServerSettings } from "./server/serverSettings";
import { whenNeeded } from "./server/whenNeeded";
import { TransformState } from "./state/commands";
import { registerSnippets } from "./snippets";
import { StatusBar } from "./statusBar";

export function activate(context: vscode.ExtensionContext): void {
  const folder = context.asAbsolutePath("server");
  const output = vscode.window.createOutputChannel("MLIR Transform", { log: true });
  const runtime = new Runtime(context.globalStorageUri, folder, output);
  const middleware: Middleware = {
    ...COMPANION,
    workspace: { configuration: (params, token, next) => settings.answer(params, token, next) },
    provideTextDocumentContent: (uri, token, next) => (consent.isKnown ? next(uri, token) : NOT_RUN),
    provideCodeActions: async (document, range, context, token, next) =>
      endingInRename(document, await COMPANION.provideCodeActions?.(document, range, context, token, next)),
    executeCommand: (command, args, next) =>
      commands.intercept(command, args) ?? (next(command, args) as Promise<unknown>),
  };
  const server: Server = new Server(folder, output, middleware, () => consent.isKnown);
  const consent: Consent = new Consent(() => server.settingsChanged());
  const choices = new Choices(context.workspaceState);
  const runner = new Runner(server, choices, consent, runtime);
  const preview = new LivePreview(server, runner);
  const commands = new RunCommands(server, runner, preview, choices, new Schedules(server, consent));
  const settings = new ServerSettings(context.extension, server, runtime, preview, consent);
  const scripts = new RunnableScripts(server);
  const state = new TransformState(context.extensionUri, server, choices, consent, () => settings.follows());
  const highlight = new CorrespondenceHighlight(server);
  context.subscriptions.push(
    ...[output, server, runner, preview, commands, settings, scripts, highlight, state],
    runner.onDidFinish(
      () =>
        void Promise.all([highlight.refresh(), scripts.refresh(), server.refreshStatus(), state.refresh()]),
    ),
    new RunViews(server, runner),
    new ChosenPayloads(server, choices),
    new MatchesPanel(context.extensionUri, server, runner),
    new StatusBar(server),
    new Doctor(folder, () => runtime.python),
    new Migration(context.extension, server),
    ...[registerReferences(), registerExtraction(), registerSnippets()],
    ...[registerSample(context.extensionPath), registerBytecode(server, consent)],
    vscode.commands.registerCommand("tdls.restart", () => server.restart()),
    new Companion(server, context.globalState),
    registerTools(context, () => consent.isKnown),
    vscode.commands.registerCommand("tdls.showLogs", () => {
      output.show();
    }),
    { dispose: () => (running = undefined) },
  );
  running = server;
  context.subscriptions.push(whenNeeded(() => void server.start()));
}

function registerTools(context: vscode.ExtensionContext, mayRun: () => boolean): { dispose(): unknown } {
  const serverFolder = context.asAbsolutePath("server");
  return registerAssistants(vscode as unknown as McpApi, {
    serverFolder,
    version: (context.extension.packageJSON as { version: string }).version,
    python: async () => {
      const search = await findPython(await pythonCandidates(), probeIn(serverFolder));
      return "python" in search ? search.python.executable : undefined;
    },
    folders: () => (vscode.workspace.workspaceFolders ?? []).map((each) => each.uri.fsPath),
    mayRun,
  });
}

/** VS Code waits for the server to end. */
export function deactivate(): Promise<void> | undefined {
  return running?.stop();
}

/** The text of a document that VS Code restores in a workspace that is not trusted. */
const NOT_RUN =
  "// Not run: this workspace is not trusted. Run the script, or open the bytecode, to see it here.\n";
let running: Server | undefined;
