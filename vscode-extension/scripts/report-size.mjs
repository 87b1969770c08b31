// Prints the size of the package, and fails where it has grown beyond the limit, or docs/vscode.md has another size.
import { readFileSync, statSync } from "node:fs";

const FILE = "dist/tdls.vsix";
const LIMIT = 5;
const TOLERANCE = 0.1;
const megabytes = statSync(FILE).size / 1e6;
const documented = Number(
  /dist\/tdls\.vsix, about ([\d.]+) MB/.exec(readFileSync("../docs/vscode.md", "utf8"))?.[1],
);
const differs = !(Math.abs(documented - megabytes) <= TOLERANCE * megabytes);
console.log(
  `${FILE}: ${megabytes.toFixed(2)} MB (at most ${LIMIT} MB; docs/vscode.md has about ${documented} MB)`,
);
process.exitCode = megabytes > LIMIT || differs ? 1 : 0;
