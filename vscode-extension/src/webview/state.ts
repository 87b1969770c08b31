/** The page of the view "Transform State". */

import type { FromPage, PageCommand, PayloadSide, StateView, Timeline, ToPage } from "../state/messages";
import { button, element } from "./elements";
import { HandleTable } from "./handles";
import { PayloadPane } from "./payload";
import { failureBox, noticeBoxes, spokenWords, stepHead } from "./step";
import { TimelinePane } from "./timeline";

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): { side?: PayloadSide } | undefined;
  setState(state: { side: PayloadSide }): void;
};

const vscode = acquireVsCodeApi();
const send = (message: FromPage): void => {
  vscode.postMessage(message);
};

/** Keys that do the same as buttons, while nothing in the page takes them. */
const COMMANDS: { name: PageCommand; label: string; key: string; title: string; icon: string }[] = [
  { name: "stepBack", label: "Back", key: "p", title: "Step back, over bodies", icon: "M10 3 5 8l5 5" },
  { name: "step", label: "Step", key: "n", title: "Step, over bodies", icon: "M6 3l5 5-5 5" },
  {
    name: "stepInto",
    label: "Into",
    key: "i",
    title: "Step into the body or the callee",
    icon: "M8 2v9M4 7l4 4 4-4M3 14h10",
  },
  {
    name: "stepOut",
    label: "Out",
    key: "o",
    title: "Step out of the body",
    icon: "M8 12V3M4 7l4-4 4 4M3 14h10",
  },
  {
    name: "nextFailure",
    label: "Failure",
    key: "f",
    title: "Next step that failed",
    icon: "M8 2 1.5 13.5h13zM8 6.5v3.5M8 11.5v1",
  },
  {
    name: "previousChange",
    label: "Previous Change",
    key: "c",
    title: "The step that changed the selected line last",
    icon: "M3 3v4h4M3.5 7A5 5 0 1 1 3 9.5M8 5.5V8.5l2 1.5",
  },
  {
    name: "difference",
    label: "Difference",
    key: "d",
    title: "Open the difference in an editor",
    icon: "M2 2.5h5v11H2zM9 2.5h5v11H9zM3.5 8h2M10.5 8h2M11.5 7v2",
  },
  {
    name: "record",
    label: "Record",
    key: "r",
    title: "Run the script, and record it",
    icon: "M8 2.5a5.5 5.5 0 1 0 .01 0zM8 6a2 2 0 1 0 .01 0z",
  },
];

class Page {
  private readonly busy = element("div", { class: "busy", role: "status" });
  /** What a screen reader says of the shown step. */
  private readonly spoken = element("div", { class: "spoken", role: "status" });
  private readonly top = element("section", { class: "top", attributes: { "aria-label": "Step" } });
  private readonly empty = element("section", { class: "empty", role: "status" });
  private readonly body = element("div", { class: "body" });
  private readonly handles = new HandleTable(send);
  private readonly payload = new PayloadPane(send, vscode.getState()?.side ?? "changes", (side) => {
    vscode.setState({ side });
  });
  private readonly timeline = new TimelinePane(send);

  constructor(root: HTMLElement) {
    const bar = element(
      "div",
      { class: "bar", role: "toolbar", attributes: { "aria-label": "Steps" } },
      ...COMMANDS.map(commandButton),
    );
    const state = element("div", { class: "state" }, this.top, this.handles.section, this.payload.section);
    this.body.append(state, this.timeline.section);
    root.append(bar, this.spoken, this.busy, this.empty, this.body);
    this.showEmpty(undefined);
    document.addEventListener("keydown", pressed);
    window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
      this.receive(data);
    });
    send({ type: "side", side: this.payload.side });
    send({ type: "ready" });
  }

  private receive(message: ToPage): void {
    switch (message.type) {
      case "busy":
        this.busy.textContent = message.text;
        break;
      case "timeline":
        this.showTimeline(message.timeline);
        break;
      case "state":
        this.showState(message.state);
        break;
      case "empty":
        this.showEmpty(message.empty);
        break;
      case "text":
        this.payload.showText(message.side, message.text);
        break;
      case "lines":
        this.payload.mark(message.side, message.lines);
        break;
      case "history":
        this.payload.showHistory(message.side, message.line, message.entries);
        break;
      case "select":
        this.payload.select(message.side, message.line);
        break;
    }
  }

  private showTimeline(timeline: Timeline): void {
    this.timeline.show(timeline);
  }

  private showState(state: StateView): void {
    this.showEmpty(undefined);
    this.body.hidden = false;
    this.body.classList.toggle("failing", state.step?.hasFailed === true && !state.hasAfter);
    this.top.replaceChildren(
      ...noticeBoxes(state.notices, send),
      stepHead(state, send),
      ...failureBox(state, send),
    );
    this.handles.show(state);
    this.payload.show(state);
    this.timeline.select(state.step?.number);
    this.spoken.textContent = spokenWords(state);
  }

  private showEmpty(empty: (ToPage & { type: "empty" })["empty"] | undefined): void {
    this.empty.hidden = empty === undefined;
    this.body.hidden = true;
    if (empty !== undefined) {
      const buttons = empty.buttons.map(({ label, action }) =>
        button(label, () => {
          send({ type: "button", action });
        }),
      );
      this.empty.replaceChildren(
        element("h2", {}, empty.title),
        element("p", {}, empty.detail),
        element("div", { class: "buttons" }, ...buttons),
      );
    }
  }
}

function commandButton({ name, label, key, title, icon }: (typeof COMMANDS)[number]): HTMLElement {
  const attributes = { "aria-label": label, "aria-keyshortcuts": key };
  const made = button(
    "",
    () => {
      send({ type: "command", name });
    },
    { class: "command", title: `${label}: ${title.toLowerCase()} (${key})`, attributes },
  );
  made.append(drawing(icon));
  return made;
}

/** An icon of lines in a square of 16, in the colour of the text around it. */
function drawing(path: string): SVGElement {
  const [image, line] = ["svg", "path"].map((tag) => document.createElementNS(SVG, tag)) as [
    SVGElement,
    SVGElement,
  ];
  image.setAttribute("viewBox", "0 0 16 16");
  image.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  image.append(line);
  return image;
}

const SVG = "http://www.w3.org/2000/svg";

function pressed(event: KeyboardEvent): void {
  const isTyping = event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement;
  if (isTyping || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
    return;
  }
  const command = COMMANDS.find(({ key }) => key === event.key);
  if (command !== undefined) {
    event.preventDefault();
    send({ type: "command", name: command.name });
  }
}

const root = document.getElementById("view");
if (root !== null) {
  new Page(root);
}
