/** The environment of the processes that run the bundled server. */

import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** Returns where the server is in compiled form for a version of Python; undefined where the package has none. */
export function compiledServer(folder: string, version: readonly [number, number]): string | undefined {
  const compiled = join(dirname(folder), "compiled", `cp${version[0]}${version[1]}`);
  return existsSync(compiled) ? compiled : undefined;
}

/**
 * Returns `environment` with the packages in `folders` first in reach of Python, and nothing of the folder that it
 * is started in. What the user has put on `PYTHONPATH`, such as MLIR's bindings, stays in reach.
 */
export function serverEnvironment(
  environment: NodeJS.ProcessEnv,
  ...folders: (string | undefined)[]
): Record<string, string> {
  const known = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const paths = [...folders, environment.PYTHONPATH].filter((path) => path !== undefined && path !== "");
  return { ...Object.fromEntries(known), PYTHONPATH: paths.join(delimiter), PYTHONSAFEPATH: "1" };
}
