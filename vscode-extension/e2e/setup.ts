/**
 * Gets a real VS Code (the server that code-server carries) where it is not at hand yet, and finds the browser, which
 * `tests/run.py --set-up extension` installs.
 */

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const CODE_SERVER = "code-server@4.99.4"; // VS Code 1.99; later ones need a newer Node than Debian-like systems have.
/** To be changed with `prepare`. */
const RECIPE = 2;
const BROWSERS = ["chromium", "chromium-browser", "google-chrome"];

export interface Tools {
  /** The script that starts VS Code's server. */
  vscode: string;
  browser: string;
}

/** Installs missing programs. Raises an error with the remedy where that is not possible. */
export function setUp(): Tools {
  const browser = findBrowser();
  if (browser === undefined) {
    throw new Error("these tests need Chromium: run scripts/verify.mjs, or set TDLS_CHROMIUM to its path");
  }
  return { vscode: installVscode(), browser };
}

function installVscode(): string {
  const cache = process.env.TDLS_E2E_CACHE ?? join(tmpdir(), "tdls-e2e");
  const folder = join(cache, `${CODE_SERVER}-${RECIPE}`);
  const root = join(folder, "node_modules", "code-server", "lib", "vscode");
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`;
    rmSync(fresh, { recursive: true, force: true });
    prepare(fresh, join(fresh, "node_modules", "code-server", "lib", "vscode"));
    moveUnlessThere(fresh, folder);
  }
  return join(root, "out", "server-main.js");
}

/** Nothing is compiled: VS Code does without its native modules, but for terminals, watching files, and logging. */
function prepare(folder: string, root: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  const quietly = ["--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  run("npm", ["install", ...quietly, CODE_SERVER], folder);
  run("npm", ["install", ...quietly], root);
  symlinkSync("node_modules", join(root, "node_modules.asar"));
  cpSync(join("e2e", "logging.cjs"), join(root, "node_modules", "@vscode", "spdlog", "index.js"));
  const searcher = join(root, "node_modules", "@vscode", "ripgrep", "bin", "rg");
  mkdirSync(dirname(searcher), { recursive: true });
  rmSync(searcher, { force: true });
  symlinkSync(find("rg") ?? "rg", searcher);
}

/** Puts a folder in its place as a whole; another process may have been faster. */
function moveUnlessThere(fresh: string, folder: string): void {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (!existsSync(folder)) {
      throw error;
    }
    rmSync(fresh, { recursive: true, force: true });
  }
}

function findBrowser(): string | undefined {
  return process.env.TDLS_CHROMIUM ?? BROWSERS.map(find).find((path) => path !== undefined);
}

function find(program: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

function run(command: string, args: string[], folder = process.cwd()): void {
  console.log(`== ${command} ${args.join(" ")}`);
  const done = spawnSync(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (done.status !== 0) {
    throw new Error(`${command} failed`);
  }
}
