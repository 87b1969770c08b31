/** tdls's tools for coding assistants: VS Code starts `tdls mcp`, where the server's Python has the SDK for it. */

import { spawn } from "node:child_process";
import { serverEnvironment } from "./server/environment";

const ID = "tdls.mcp";

interface Disposable {
  dispose(): unknown;
}

/** What VS Code 1.101 added, which the types of the oldest supported version lack. */
export interface McpApi {
  lm?: {
    registerMcpServerDefinitionProvider?(
      id: string,
      provider: { provideMcpServerDefinitions(): Promise<unknown[]> },
    ): Disposable;
  };
  McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => unknown;
}

export interface Launch {
  /** The folder with the bundled server. */
  serverFolder: string;
  version: string;
  python(): Promise<string | undefined>;
  folders(): string[];
  mayRun(): boolean;
}

/** Registers the tools, which need no server of the language; does nothing where VS Code is older. */
export function registerAssistants(api: McpApi, launch: Launch): Disposable {
  const Definition = api.McpStdioServerDefinition;
  const provideMcpServerDefinitions = async () => {
    const python = await launch.python();
    const env = serverEnvironment(process.env, launch.serverFolder);
    if (Definition === undefined || python === undefined || !(await hasSdk(python, env))) {
      return [];
    }
    const args = ["-m", "tdls", "mcp", ...(launch.mayRun() ? ["--runs"] : []), "--", ...launch.folders()];
    return [new Definition("MLIR Transform", python, args, env, launch.version)];
  };
  const registered = api.lm?.registerMcpServerDefinitionProvider?.(ID, { provideMcpServerDefinitions });
  return registered ?? { dispose: () => undefined };
}

function hasSdk(python: string, env: Record<string, string>): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(python, ["-c", "import mcp.server.mcpserver"], { env, stdio: "ignore" });
    child.on("error", () => {
      resolve(false);
    });
    child.on("close", (code) => {
      resolve(code === 0);
    });
  });
}
