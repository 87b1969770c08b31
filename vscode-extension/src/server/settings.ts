/** Selects the settings of VS Code that the server gets. Knows nothing of VS Code. */

/** The values of a setting by their scope, as `WorkspaceConfiguration.inspect` returns them. */
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
 * Returns the settings that the user or the workspace has set, spelled as in `tdls.toml`. Neither defaults nor empty
 * texts are sent: they would override a project's file.
 */
export function explicitSettings(source: SettingsSource, keys: Iterable<string>): Settings {
  const settings: Settings = {};
  for (const key of keys) {
    const value = source.get(key);
    if (!OWN.has(key) && isSet(source.inspect(key)) && value !== "") {
      setNested(settings, key.split(".").map(kebabCase), value);
    }
  }
  return settings;
}

/**
 * Returns the part that the server gets when it starts and with the settings: whether files in the workspace may name
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
