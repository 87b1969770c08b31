// Puts the server and everything it imports into server/, for any Python 3.10 or later on any system.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const EXTENSION = dirname(dirname(fileURLToPath(import.meta.url)));
const REPOSITORY = dirname(EXTENSION);
const TARGET = join(EXTENSION, "server");
const OLDEST_PYTHON = "3.10";
// What older Pythons and Windows need on top; pip decides by the Python that runs it.
const CONDITIONAL = ["tomli>=2.0", "exceptiongroup", "typing_extensions", "colorama"];

const wheels = mkdtempSync(join(tmpdir(), "tdls-wheel-"));
try {
  pip("wheel", "--no-deps", "--wheel-dir", wheels, REPOSITORY);
  const wheel = join(
    wheels,
    readdirSync(wheels).find((name) => name.endsWith(".whl")),
  );
  rmSync(TARGET, { recursive: true, force: true });
  pip("install", "--target", TARGET, "--no-compile", ...pureWheelsOnly(), wheel, ...CONDITIONAL);
  rmSync(join(TARGET, "bin"), { recursive: true, force: true });
  writeFileSync(join(TARGET, "mlir-requirement.txt"), `${mlirRequirement()}\n`);
  for (const name of ["LICENSE", "CHANGELOG.md"]) {
    cpSync(join(REPOSITORY, name), join(EXTENSION, name));
  }
} finally {
  rmSync(wheels, { recursive: true, force: true });
}

/** Options that make pip refuse whatever is compiled. */
function pureWheelsOnly() {
  const only = ["--only-binary", ":all:", "--platform", "any", "--implementation", "py", "--abi", "none"];
  return [...only, "--python-version", OLDEST_PYTHON];
}

/** What the extra `mlir` of the server's own metadata asks for. */
function mlirRequirement() {
  const folder = readdirSync(TARGET).find((name) => /^tdls-.*\.dist-info$/.test(name));
  const metadata = readFileSync(join(TARGET, folder, "METADATA"), "utf-8");
  const found = /^Requires-Dist: (.*?); *extra == ['"]mlir['"]/m.exec(metadata);
  if (found === null) {
    throw new Error("the server's metadata has no extra 'mlir'");
  }
  return found[1].trim();
}

function pip(...args) {
  const python = process.env.PYTHON ?? (process.platform === "win32" ? "python" : "python3");
  const quiet = ["--quiet", "--disable-pip-version-check"];
  const environment = { ...process.env, PIP_ROOT_USER_ACTION: "ignore" };
  const done = spawnSync(python, ["-m", "pip", ...args, ...quiet], { stdio: "inherit", env: environment });
  if (done.error !== undefined || done.status !== 0) {
    throw new Error(`pip ${args[0]} failed${done.error === undefined ? "" : `: ${done.error.message}`}`);
  }
}
