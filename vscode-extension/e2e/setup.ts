/** Gets a real VS Code (the server that code-server carries, and a browser) where it is not at hand yet. */

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const CODE_SERVER = "code-server@4.99.4"; // VS Code 1.99; later ones need a newer Node than Debian-like systems have.
/** To be changed with what `prepare` does. */
const RECIPE = 2;
const BROWSERS = ["chromium", "chromium-browser", "google-chrome"];

export interface Tools {
  /** The script that starts VS Code's server. */
  vscode: string;
  browser: string;
}

/** Installs what is missing. Raises an error with what to do where that is not possible. */
export function setUp(): Tools {
  const missing = [find("rg") === undefined ? "ripgrep" : "", findBrowser() === undefined ? "chromium" : ""];
  installDebianPackages(missing.filter((name) => name !== ""));
  const browser = findBrowser();
  if (browser === undefined) {
    throw new Error("these tests need Chromium; set TDLS_CHROMIUM to its path");
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
    renameSync(fresh, folder);
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

function installDebianPackages(packages: string[]): void {
  if (packages.length === 0 || find("apt-get") === undefined || process.getuid?.() !== 0) {
    return;
  }
  const quiet = ["-y", "-q", "--no-install-recommends"];
  run("apt-get", ["update", "-q"]);
  run("apt-get", ["install", ...quiet, ...packages, "fonts-dejavu-core"]);
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
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const done = spawnSync(command, args, {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (done.status !== 0) {
    throw new Error(`${command} failed`);
  }
}
