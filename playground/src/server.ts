/** The page's side of the worker: a transport for the editor, and commands. */

import type { Transport } from "@codemirror/lsp-client";
import type { CommandLine } from "./worker";

/** What the worker answers beside messages of the protocol, which are strings. */
type Answer = ({ id: number } & Executed) | { failure: string };

/** What a command printed, and the text as it left it. */
export interface Executed {
  printed: string;
  text: string;
}

export class Server implements Transport {
  private readonly worker = new Worker("worker.js", { type: "module" });
  private readonly handlers = new Set<(message: string) => void>();
  private readonly waiting = new Map<number, (executed: Executed) => void>();

  constructor(failed: (reason: string) => void) {
    this.worker.addEventListener("message", ({ data }: MessageEvent<string | Answer>) => {
      if (typeof data === "string") {
        for (const handler of this.handlers) {
          handler(data);
        }
      } else if ("failure" in data) {
        failed(data.failure);
      } else {
        this.waiting.get(data.id)?.(data);
        this.waiting.delete(data.id);
      }
    });
    this.worker.addEventListener("error", ({ message }) => failed(message));
  }

  send(message: string): void {
    const { method, params } = JSON.parse(message);
    if (method === "initialize") {
      delete params.capabilities.textDocument.diagnostic; // the client never asks for findings, the server sends them
      message = JSON.stringify({ ...JSON.parse(message), params });
    }
    this.worker.postMessage(message);
  }

  subscribe(handler: (message: string) => void): void {
    this.handlers.add(handler);
  }

  unsubscribe(handler: (message: string) => void): void {
    this.handlers.delete(handler);
  }

  /** Runs `tdls ARGUMENTS` on a text. */
  execute(command: string[], text: string): Promise<Executed> {
    const line: CommandLine = { id: this.waiting.size + Date.now(), arguments: command, text };
    return new Promise((resolve) => {
      this.waiting.set(line.id, resolve);
      this.worker.postMessage(line);
    });
  }
}
