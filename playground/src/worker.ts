/** The worker: Python in WebAssembly with tdls, which takes messages of the editor, and command lines. */

import type { PyodideInterface } from "pyodide";
import type { PyCallable } from "pyodide/ffi";
import server from "./server.py";

/** What the page asks for beside messages of the protocol, which are strings. */
export interface CommandLine {
  id: number;
  arguments: string[];
  text: string;
}

const SITE = "/lib/tdls";
const starting = start();

self.addEventListener("message", ({ data }: MessageEvent<string | CommandLine>) => {
  const answered = starting.then(({ receive, execute }) => {
    if (typeof data === "string") {
      receive(data);
    } else {
      const executed = JSON.parse(execute(JSON.stringify(data.arguments), data.text) as string) as object;
      self.postMessage({ id: data.id, ...executed });
    }
  });
  answered.catch((error: unknown) => self.postMessage({ failure: String(error) }));
});

async function start(): Promise<{ receive: PyCallable; execute: PyCallable }> {
  const packages = fetch(new URL("site.zip", self.location.href)).then((response) => response.arrayBuffer());
  const address = new URL("pyodide/pyodide.mjs", self.location.href).href;
  const { loadPyodide } = (await import(address)) as typeof import("pyodide");
  const python: PyodideInterface = await loadPyodide();
  python.unpackArchive(await packages, "zip", { extractDir: SITE });
  python.runPython(`import sys; sys.path.append("${SITE}")`);
  python.runPython(server);
  return { receive: python.globals.get("receive"), execute: python.globals.get("execute") };
}
