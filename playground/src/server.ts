/** The page's side of the worker: a transport for the editor, and commands. */

import type { Transport } from "@codemirror/lsp-client";
import type { CommandLine } from "./worker";

/** What the worker answers beside messages of the protocol, which are strings. */
type Answer = { id: number; printed: string } | { failure: string };

export class Server implements Transport {
  private readonly worker = new Worker("worker.js", { type: "module" });
  private readonly handlers = new Set<(message: string) => void>();
  private readonly waiting = new Map<number, (printed: string) => void>();

  constructor(failed: (reason: string) => void) {
    this.worker.addEventListener("message", ({ data }: MessageEvent<string | Answer>) => {
      if (typeof data === "string") {
        for (const handler of this.handlers) {
          handler(data);
        }
      } else if ("failure" in data) {
        failed(data.failure);
      } else {
        this.waiting.get(data.id)?.(data.printed);
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

  /** Returns what `tdls ARGUMENTS` prints for a text. */
  execute(command: string[], text: string): Promise<string> {
    const line: CommandLine = { id: this.waiting.size + Date.now(), arguments: command, text };
    return new Promise((resolve) => {
      this.waiting.set(line.id, resolve);
      this.worker.postMessage(line);
    });
  }
}
