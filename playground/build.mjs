// Builds the page into `dist/`: `npm run build`. Needs Python with pip, for tdls and the packages that it needs.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { loadPyodide } from "pyodide";
import { packed, unpack } from "./src/files.mjs";

const OUTPUT = "dist";
const RUNTIME = [
  "pyodide.mjs",
  "pyodide.asm.mjs",
  "pyodide.asm.wasm",
  "python_stdlib.zip",
  "pyodide-lock.json",
];
/** Where the browser's Python finds tdls. */
const SITE = "/lib/tdls";
const PYTHON = process.env.PYTHON ?? "python3";

rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(join(OUTPUT, "pyodide"), { recursive: true });
for (const name of RUNTIME) {
  cpSync(join("node_modules", "pyodide", name), join(OUTPUT, "pyodide", name));
}
await build({
  entryPoints: [join("src", "main.ts"), join("src", "worker.ts")],
  outdir: OUTPUT,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  loader: { ".mlir": "text" },
});
cpSync(join("src", "index.html"), join(OUTPUT, "index.html"));
cpSync(join("src", "page.css"), join(OUTPUT, "page.css"));
const site = packed(await packages());
writeFileSync(join(OUTPUT, "site.bin"), gzipSync(site, { level: 9 }));
writeFileSync(join(OUTPUT, "state.bin"), gzipSync(await state(site), { level: 9 }));
const files = readdirSync(OUTPUT, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const paths = files.map((entry) =>
  join(entry.parentPath, entry.name)
    .slice(OUTPUT.length + 1)
    .replaceAll("\\", "/"),
);
const version = createHash("sha256");
for (const path of paths.sort()) {
  version.update(path).update(readFileSync(join(OUTPUT, path)));
}
const offline = readFileSync(join("src", "offline.js"), "utf-8")
  .replace("@VERSION@", version.digest("hex"))
  .replace("@FILES@", ["./", ...paths].join(" "));
writeFileSync(join(OUTPUT, "offline.js"), offline);

/** Installs tdls into a folder, and returns its files, with modules that the browser's Python has compiled. */
async function packages() {
  const site = mkdtempSync(join(tmpdir(), "tdls-playground-"));
  const install = ["-m", "pip", "install", "--quiet", "--no-compile", "--target", site, ".."];
  const done = spawnSync(PYTHON, install, { stdio: "inherit" });
  if (done.status !== 0) {
    throw new Error(`${PYTHON} cannot install tdls; set PYTHON to one with pip`);
  }
  const python = await loadPyodide();
  python.mountNodeFS("/site", site);
  const paths = python.runPython(`
import compileall, py_compile, shutil
from pathlib import Path
shutil.copytree("/site", "${SITE}", ignore=shutil.ignore_patterns("bin", "*.so", "__pycache__"))
compileall.compile_dir("${SITE}", quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
"\\n".join(str(path) for path in Path("${SITE}").rglob("*") if path.is_file())
`);
  rmSync(site, { recursive: true });
  return paths.split("\n").map((path) => [path, python.FS.readFile(path)]);
}

/** Returns the memory of a Python that serves the page, and has checked a script: most of what is imported then is in it. */
async function state(site) {
  const python = await loadPyodide({ _makeSnapshot: true });
  unpack(site, python.FS);
  python.runPython(`import sys; sys.path.append("${SITE}")`);
  python.runPython(readFileSync(join("src", "server.py"), "utf-8"));
  const execute = python.globals.get("execute");
  execute(JSON.stringify(["check", "--no-cache"]), readFileSync(join("src", "consumed.mlir"), "utf-8"));
  execute.destroy();
  return python.makeMemorySnapshot();
}
