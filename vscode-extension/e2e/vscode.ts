/** A real VS Code with the packaged extension, in a browser. */

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Locator, type Page } from "playwright-core";
import type { Tools } from "./setup";
import type { Place } from "./workspace";

const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
];
/** Settings that switch off messages and views which would cover others, or change pictures. */
const SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.tips.enabled": false,
  "chat.commandCenter.enabled": false,
  "extensions.ignoreRecommendations": true,
  "editor.minimap.enabled": false,
  "editor.stickyScroll.enabled": false,
  "editor.acceptSuggestionOnEnter": "off",
  "files.autoSave": "off",
};
const SHOTS = join("e2e", "shots");
const INPUT = ".quick-input-widget .quick-input-box input";
const START_MILLISECONDS = 60_000;
const ATTEMPT_MILLISECONDS = 2_000;
const PATIENCE_MILLISECONDS = 60_000;

export interface VscodeOptions {
  /** Folder to open. */
  workspace: string;
  packages: string[];
  isTrusted: boolean;
  settings: Record<string, unknown>;
}

export class Vscode {
  private constructor(
    readonly page: Page,
    private readonly browser: Browser,
    private readonly server: ChildProcess,
    /** The editor's files: extensions, settings, logs. */
    readonly home: string,
  ) {}

  static async start(tools: Tools, options: VscodeOptions): Promise<Vscode> {
    const home = mkdtempSync(join(tmpdir(), "tdls-vscode-"));
    const folders = ["--server-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions")];
    const common = [tools.vscode, ...folders, "--accept-server-license-terms", "--telemetry-level", "off"];
    writeSettings(join(home, "data", "data", "Machine"), { ...SETTINGS, ...options.settings });
    for (const extension of options.packages) {
      install(common, extension);
    }
    const port = await freePort();
    const trust = options.isTrusted ? ["--disable-workspace-trust"] : [];
    const address = ["--without-connection-token", "--host", "127.0.0.1", "--port", String(port), ...trust];
    const server = spawn(process.execPath, [...common, ...address], { stdio: "ignore" });
    const url = `http://127.0.0.1:${port}/`;
    process.once("exit", () => server.kill());
    await until(() => isAnswering(url), START_MILLISECONDS);
    const browser = await chromium.launch({ executablePath: tools.browser, args: BROWSER_ARGUMENTS });
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(`${url}?folder=${encodeURIComponent(options.workspace)}`);
    await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: START_MILLISECONDS });
    page.setDefaultTimeout(PATIENCE_MILLISECONDS);
    return new Vscode(page, browser, server, home);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    const ended = new Promise((resolve) => this.server.once("exit", resolve));
    this.server.kill();
    await ended;
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20 }); // extension hosts write until they end, seconds later
  }

  /** Runs a command by its title, through the command palette; again if it was opened before the command was offered. */
  async command(title: string): Promise<void> {
    await until(async () => {
      await this.ask("F1", `>${title}`);
      const isChosen = await succeeds(this.choose(title, ATTEMPT_MILLISECONDS));
      await (isChosen ? undefined : this.page.keyboard.press("Escape"));
      return isChosen;
    });
    const isClosed = (inputs: Element[]): boolean =>
      !inputs.some((input) => input.checkVisibility() && (input as HTMLInputElement).value.startsWith(">"));
    await until(() => this.page.locator(INPUT).evaluateAll(isClosed)); // its input is also that of what is asked next
  }

  /** Opens a file at the top of the workspace. */
  async open(name: string): Promise<void> {
    await this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first().dblclick();
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`);
    await this.page.locator(".editor-instance .view-lines").first().waitFor();
  }

  /** Closes the tab that begins with `title`, and waits until it is gone. */
  async close(title: string): Promise<void> {
    const tab = this.page.locator(`.tab[aria-label^="${title}"]`);
    await tab.hover();
    await tab.locator(".codicon-close").click();
    await tab.waitFor({ state: "detached" });
  }

  /** Types into the input that offers a choice, and takes the first offer that says `label`. */
  async pick(text: string, label: string): Promise<void> {
    await this.page.locator(INPUT).fill(text);
    await this.choose(label);
  }

  private async choose(label: string, timeout = PATIENCE_MILLISECONDS): Promise<void> {
    await this.page
      .locator(".quick-input-list .monaco-list-row", { hasText: label })
      .first()
      .click({ timeout });
  }

  /** Presses a key that opens an input, and fills that in; again if the input goes since something else is shown. */
  private async ask(key: string, text: string): Promise<void> {
    const input = this.page.locator(INPUT);
    await until(async () => {
      if (!(await input.isVisible())) {
        await this.page.keyboard.press(key);
      }
      return succeeds(input.fill(text, { timeout: ATTEMPT_MILLISECONDS }));
    });
  }

  /** Puts the cursor at a place, both from 1, by the command that asks for it. */
  async goTo([line, column]: Place): Promise<void> {
    await this.ask("Control+G", `:${line}:${column}`);
    const input = this.page.locator(INPUT);
    await until(async () => {
      await input.press("Enter", { timeout: ATTEMPT_MILLISECONDS }).catch(() => undefined); // ignored by an input that is not ready
      return input.isHidden();
    });
  }

  /** Writes `after` in place of `before`, which begins at a place. */
  async replace(place: Place, before: string, after: string): Promise<void> {
    await this.goTo(place);
    for (const _ of before) {
      await this.page.keyboard.press("Delete");
    }
    await this.page.keyboard.type(after);
    await this.page.keyboard.press("Escape"); // no suggestions
  }

  /** Waits until an element says all of `words`, blanks of all kinds being alike. */
  async says(selector: string, ...words: string[]): Promise<void> {
    let said = "";
    const isSaid = async (): Promise<boolean> => {
      const texts = await this.page.locator(selector).allInnerTexts();
      said = texts.join(" ").replace(/\s+/g, " ");
      return words.every((word) => said.includes(word));
    };
    await until(isSaid).catch(() => {
      throw new Error(`${selector} does not say ${words.join(", ")} but: ${said}`);
    });
  }

  /** Takes a picture, which people look at. */
  async shoot(name: string): Promise<void> {
    mkdirSync(SHOTS, { recursive: true });
    await this.page.mouse.move(0, 0); // away from elements with a tooltip
    await this.page.locator(".workbench-hover-container").waitFor({ state: "detached" });
    await this.page.screenshot({ path: join(SHOTS, `${name}.png`) });
  }
}

/** Clicks until something is shown: buttons in the title of an editor may be those of the one before for a moment. */
export async function clickFor(button: Locator, shown: Locator): Promise<void> {
  await until(async () => {
    await button.click();
    return succeeds(shown.waitFor({ timeout: ATTEMPT_MILLISECONDS }));
  });
}

async function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** Waits for `condition`. */
export async function until(
  condition: () => Promise<boolean>,
  milliseconds = PATIENCE_MILLISECONDS,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`waited in vain for ${condition.toString()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function install(vscode: string[], file: string): void {
  const done = spawnSync(process.execPath, [...vscode, "--install-extension", file]);
  if (done.status !== 0) {
    throw new Error(`${file} cannot be installed: ${done.stdout.toString()}${done.stderr.toString()}`);
  }
}

function writeSettings(folder: string, settings: Record<string, unknown>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
}

async function isAnswering(url: string): Promise<boolean> {
  return fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
