/** The language server: its process, its state, and the client that talks with it. */

import * as vscode from "vscode";
import {
  DidChangeConfigurationNotification,
  LanguageClient,
  LSPErrorCodes,
  ResponseError,
  RevealOutputChannelOn,
  State,
  type LanguageClientOptions,
  type Middleware,
  type RequestType,
  type StaticFeature,
} from "vscode-languageclient/node";
import { pythonCandidates } from "../python/candidates";
import { explainRejections, findPython, probeIn, type Python } from "../python/findPython";
import {
  PROBLEMS_NOTIFICATION,
  StatusRequest,
  VIEWS_NOTIFICATION,
  VIRTUAL_SCHEME,
  type Status,
  type View,
} from "../protocol";
import { serverEnvironment } from "./environment";
import { trust } from "./settings";

export const LANGUAGE = "mlir";
/** The language of scripts if another server serves `mlir`: that server then does not see them. */
export const SCRIPT_LANGUAGE = "mlir-transform";
/** The language of programs in whose strings scripts may be. */
export const PROGRAM_LANGUAGE = "python";
export const SELECTOR = [
  ...["file", "untitled", VIRTUAL_SCHEME].map((scheme) => ({ language: LANGUAGE, scheme })),
  ...["file", "untitled"].map((scheme) => ({ language: SCRIPT_LANGUAGE, scheme })),
  ...["file", "untitled", "vscode-notebook-cell"].map((scheme) => ({ language: PROGRAM_LANGUAGE, scheme })),
];

export function isMlir(document: vscode.TextDocument | undefined): boolean {
  return document?.languageId === LANGUAGE || document?.languageId === SCRIPT_LANGUAGE;
}

/** A token that is never cancelled; without one, the client would take the parameters for positional ones. */
const NEVER = new vscode.CancellationTokenSource().token;

/** Milliseconds between two requests for the server's progress of reading. */
const READING_PAUSE = 500;

/** Lets the server tell which documents show runs of older texts, and lead to the view "Matches" and to Problems. */
const WANTS_VIEWS: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = {
      ...(capabilities.experimental as object | undefined),
      tdlsViews: true,
      tdlsMatches: true,
      tdlsProblems: true,
    };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

/** A client whose log has no errors for what the server refuses with a reason, such as a name that is taken. */
class Client extends LanguageClient {
  override error(message: string, data?: unknown, showNotification?: boolean | "force"): void {
    if (data instanceof ResponseError && data.code === LSPErrorCodes.RequestFailed) {
      this.info(`${message} ${data.message}`, undefined, false);
    } else {
      super.error(message, data, showNotification);
    }
  }
}

const OPEN_SETTINGS = "Open Settings";
const SHOW_LOGS = "Show Logs";

export type ServerState = "stopped" | "starting" | "running" | "failed";

export class Server implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly viewsChanged = new vscode.EventEmitter<View[]>();
  readonly onDidChangeViews = this.viewsChanged.event;

  state: ServerState = "stopped";
  /** Why the server does not run, if it does not. */
  problem: string | undefined;
  status: Status | undefined;
  python: Python | undefined;

  private reading: NodeJS.Timeout | undefined;
  private client: LanguageClient | undefined;
  private operation: Promise<void> = Promise.resolve();

  constructor(
    readonly folder: string,
    private readonly output: vscode.LogOutputChannel,
    private readonly middleware: Middleware,
    private readonly isTrusted: () => boolean,
  ) {}

  start(): Promise<void> {
    return this.inTurn(() => this.startNow());
  }

  restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.stopNow());
  }

  dispose(): void {
    clearTimeout(this.reading);
    vscode.Disposable.from(this.changed, this.viewsChanged).dispose();
  }

  /** Returns the client while the server runs. */
  get running(): LanguageClient | undefined {
    return this.state === "running" ? this.client : undefined;
  }

  /** Returns the client once a start or restart that is under way has ended; undefined if the server does not run. */
  async whenReady(): Promise<LanguageClient | undefined> {
    await this.operation;
    return this.running;
  }

  /** Asks the server; undefined where it does not run or does not know the request. */
  async ask<P, R>(
    request: RequestType<P, R, void>,
    params: P,
    token: vscode.CancellationToken = NEVER,
  ): Promise<R | undefined> {
    try {
      return await this.running?.sendRequest<R>(request.method, params, token);
    } catch (error) {
      this.output.debug(`${request.method}: ${String(error)}`);
      return undefined;
    }
  }

  /** Lets the server ask for its settings again. */
  async settingsChanged(): Promise<void> {
    await this.running?.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    await this.refreshStatus();
  }

  async refreshStatus(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri.toString() ?? "";
    this.status = await this.ask(StatusRequest, { uri });
    this.changed.fire();
    clearTimeout(this.reading);
    if (typeof this.status?.reading === "string") {
      this.reading = setTimeout(() => void this.refreshStatus(), READING_PAUSE);
    }
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    this.operation = this.operation.then(work, work);
    return this.operation;
  }

  private async startNow(): Promise<void> {
    if (this.client !== undefined) {
      return;
    }
    this.enter("starting");
    const search = await findPython(await pythonCandidates(), probeIn(this.folder));
    if ("rejected" in search) {
      this.fail(explainRejections(search.rejected));
      return;
    }
    this.python = search.python;
    this.output.info(
      `Python: ${search.python.executable} (${search.python.version.join(".")}, ${search.python.origin})`,
    );
    this.client = this.newClient(search.python);
    try {
      await this.client.start();
    } catch (error) {
      await this.stopNow();
      this.fail(`The server did not start: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private newClient(python: Python): LanguageClient {
    const env = serverEnvironment(process.env, this.folder);
    const run = {
      command: python.executable,
      args: ["-m", "tdls", "server"],
      // Python would import modules of the folder it is started in: never the user's.
      options: { cwd: this.folder, env },
    };
    const options: LanguageClientOptions = {
      documentSelector: SELECTOR,
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      middleware: this.middleware,
      initializationOptions: () => ({ tdls: trust(this.isTrusted()) }),
      markdown: { isTrusted: false, supportHtml: false },
    };
    const client = new Client("tdls", "tdls", run, options);
    client.registerFeature(WANTS_VIEWS);
    client.onNotification(VIEWS_NOTIFICATION, ({ views }: { views: View[] }) => {
      this.viewsChanged.fire(views);
    });
    client.onNotification(PROBLEMS_NOTIFICATION, () => {
      void vscode.commands.executeCommand("workbench.actions.view.problems");
    });
    client.onDidChangeState(({ newState }) => {
      if (client === this.client) {
        this.follow(newState);
      }
    });
    return client;
  }

  private follow(state: State): void {
    if (state === State.Running) {
      this.enter("running");
      void this.refreshStatus();
    } else {
      this.enter(state === State.Starting ? "starting" : "stopped");
    }
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.status = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      this.output.warn(`stopping the server: ${String(error)}`);
    }
    this.enter("stopped");
  }

  private fail(problem: string): void {
    this.output.error(problem);
    this.enter("failed", problem);
    void this.complain(problem);
  }

  private async complain(problem: string): Promise<void> {
    const answer = await vscode.window.showErrorMessage(problem, OPEN_SETTINGS, SHOW_LOGS);
    if (answer === OPEN_SETTINGS) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "tdls.python");
    } else if (answer === SHOW_LOGS) {
      this.output.show();
    }
  }

  private enter(state: ServerState, problem?: string): void {
    this.state = state;
    this.problem = problem;
    this.changed.fire();
  }
}
