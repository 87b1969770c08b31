/** The worker: Python in WebAssembly with tdls, which takes messages of the editor, and command lines. */

import type { PyCallable } from "pyodide/ffi";
import { unpack } from "./files.mjs";

/** What the page asks for beside messages of the protocol, which are strings. */
export interface CommandLine {
  id: number;
  arguments: string[];
  text: string;
}

const PAGE_SIZE = 65_536;
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

/** Starts Python in the state that the build has made, in which tdls is imported and has checked a script. */
async function start(): Promise<{ receive: PyCallable; execute: PyCallable }> {
  const [pack, state] = [unzipped("site.bin"), unzipped("state.bin")];
  const at = (name: string): string => new URL(`pyodide/${name}`, self.location.href).href;
  const { loadPyodide } = (await import(at("pyodide.mjs"))) as typeof import("pyodide");
  const { default: create } = (await import(at("pyodide.asm.mjs"))) as { default: Create };
  const size = (await state).length;
  const python = await loadPyodide({
    _loadSnapshot: state,
    createPyodideModule: ((settings: Settings) => create(withMemory(settings, size))) as never,
  });
  unpack(await pack, python.FS);
  return { receive: python.globals.get("receive"), execute: python.globals.get("execute") };
}

async function unzipped(name: string): Promise<Uint8Array> {
  const { body } = await fetch(new URL(name, self.location.href));
  const bytes = new Response(body!.pipeThrough(new DecompressionStream("gzip")));
  return new Uint8Array(await bytes.arrayBuffer());
}

type Instantiate = (
  imports: WebAssembly.Imports,
  received: (instance: WebAssembly.Instance, module: WebAssembly.Module) => unknown,
) => unknown;

interface Settings {
  instantiateWasm: Instantiate;
}

type Create = (settings: Settings) => unknown;

/** Makes WebAssembly's memory large enough for a state of `size` bytes, which Pyodide copies into it. */
function withMemory(settings: Settings, size: number): Settings {
  const { instantiateWasm } = settings;
  settings.instantiateWasm = (imports, received) =>
    instantiateWasm(imports, (instance, module) => {
      const memory = instance.exports.memory as WebAssembly.Memory;
      memory.grow(Math.max(0, Math.ceil((size - memory.buffer.byteLength) / PAGE_SIZE)));
      return received(instance, module);
    });
  return settings;
}
