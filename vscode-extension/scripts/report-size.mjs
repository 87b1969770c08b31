// Says how large the package is, and fails where it has grown beyond what an extension may be.
import { statSync } from "node:fs";

const LIMIT = 5;
const megabytes = statSync("dist/tdls.vsix").size / 1e6;
console.log(`dist/tdls.vsix: ${megabytes.toFixed(2)} MB (at most ${LIMIT} MB)`);
process.exitCode = megabytes > LIMIT ? 1 : 0;
