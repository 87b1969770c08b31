/** The environment of the processes that run the bundled server. */

import { delimiter } from "node:path";

/**
 * Returns `environment` with the packages in `folder` first in reach of Python, and nothing of the folder that it
 * is started in. The user's `PYTHONPATH`, with MLIR's bindings for example, stays in reach.
 */
export function serverEnvironment(environment: NodeJS.ProcessEnv, folder: string): Record<string, string> {
  const known = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const paths = environment.PYTHONPATH ? [folder, environment.PYTHONPATH] : [folder];
  return { ...Object.fromEntries(known), PYTHONPATH: paths.join(delimiter), PYTHONSAFEPATH: "1" };
}
