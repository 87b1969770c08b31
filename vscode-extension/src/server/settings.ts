/** What of VS Code's settings is sent to the server. Knows nothing of VS Code. */

/** Where a setting has a value, as `WorkspaceConfiguration.inspect` says. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

export interface SettingsSource {
  inspect(key: string): Inspected | undefined;
  get(key: string): unknown;
}

export type Settings = Record<string, unknown>;

/** Settings of the extension alone. */
export const OWN = new Set(["python", "trace.server", "highlightPayload", "payloadFiles"]);

/**
 * Returns the settings that somebody has set, spelled as in `tdls.toml`. Defaults are not sent: they would
 * outweigh what a project's file says.
 */
export function explicitSettings(source: SettingsSource, keys: Iterable<string>): Settings {
  const settings: Settings = {};
  for (const key of keys) {
    if (!OWN.has(key) && isSet(source.inspect(key))) {
      setNested(settings, key.split(".").map(kebabCase), source.get(key));
    }
  }
  return settings;
}

/**
 * What the server is told when it starts and with the settings: whether files in the workspace's folders may name
 * programs. No setting of VS Code says so, since those of the workspace are in the repository, too.
 */
export function trust(isTrusted: boolean): Settings {
  return { "trust-workspace": isTrusted };
}

/** Sets `path` in `settings`, adding tables where they are missing. */
export function setNested(settings: Settings, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) {
    return;
  }
  if (rest.length === 0) {
    settings[key] = value;
    return;
  }
  const table = (settings[key] ??= {}) as Settings;
  setNested(table, rest, value);
}

/** `operandNames` becomes `operand-names`. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function isSet(value: Inspected | undefined): boolean {
  return [value?.globalValue, value?.workspaceValue, value?.workspaceFolderValue].some(
    (inspected) => inspected !== undefined,
  );
}
