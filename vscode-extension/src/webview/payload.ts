/** The payload: the changes of a step, or all of it before or after. */

import type { ChangedLine, FromPage, PayloadSide, StateView } from "../state/messages";
import { button, element, link } from "./elements";
import { pieces } from "./mlirText";
import { RowList } from "./rowList";

type Send = (message: FromPage) => void;

const SIDES: { side: PayloadSide; label: string }[] = [
  { side: "changes", label: "Changes" },
  { side: "before", label: "Before" },
  { side: "after", label: "After" },
];
const KINDS = { "+": "added", "-": "removed", " ": "" };

/** A line that is shown: its number on the side that it is of, or undefined for a gap. */
interface Line {
  kind: " " | "+" | "-";
  side: "before" | "after";
  number: number;
  text: string;
}

export class PayloadPane {
  readonly section: HTMLElement;
  private readonly tabs = new Map<PayloadSide, HTMLButtonElement>();
  private readonly list: RowList;
  private readonly none = element("p", { class: "facts" });
  private readonly history = element("p", { class: "history", role: "status" });
  private lines: (Line | undefined)[] = [];
  private state: StateView | undefined;
  private marked = new Set<number>();
  private wanted: { side: PayloadSide; line: number } | undefined;
  /** True until the text of a new state is there, whose first change is scrolled to. */
  private awaitsText = false;
  /** The side that is shown: the chosen one, if this state has it. */
  side: PayloadSide;

  constructor(
    private readonly send: Send,
    private chosen: PayloadSide,
    private readonly keep: (side: PayloadSide) => void,
  ) {
    this.side = chosen;
    this.list = new RowList({
      id: "payload",
      label: "Payload",
      render: (row, index) => {
        this.render(row, index);
      },
      onSelect: (index) => {
        this.tell("line", index);
      },
      onOpen: (index) => {
        this.tell("openLine", index);
      },
    });
    const tabs = element("div", { class: "tabs", role: "tablist", attributes: { "aria-label": "Payload" } });
    for (const { side, label } of SIDES) {
      const tab = button(label, () => {
        this.choose(side);
      });
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", "payload");
      this.tabs.set(side, tab);
      tabs.append(tab);
    }
    tabs.addEventListener("keydown", (event) => {
      this.key(event);
    });
    this.section = element(
      "section",
      { class: "payload", attributes: { "aria-label": "Payload" } },
      element("div", { class: "heading" }, element("h2", {}, "Payload"), tabs),
      this.none,
      this.list.container,
      this.history,
    );
  }

  show(state: StateView): void {
    this.state = state;
    this.marked.clear();
    this.history.replaceChildren();
    this.list.selected = -1;
    this.showSide(sideOf(state, this.chosen));
    this.awaitsText = true;
    if (this.side === "changes") {
      this.showLines(changedLines(state.hunks));
      this.list.reveal(this.lines.findIndex((line) => line !== undefined && line.kind !== " "));
      this.list.paint();
      this.none.textContent = this.lines.length === 0 ? unchangedWords(state) : "";
    } else {
      this.none.textContent = this.isThere(this.side) ? "" : "There is none.";
      if (!this.isThere(this.side)) {
        this.showLines([]);
      }
    }
  }

  showText(side: PayloadSide, text: string): void {
    if (side !== this.side || side === "changes") {
      return;
    }
    const kind = side === "before" ? "-" : "+";
    const changed = new Set(
      (this.state?.hunks ?? [])
        .flat()
        .flatMap(([found, before, after]) => (found === kind ? [side === "before" ? before : after] : [])),
    );
    const texts = text.replace(/\n$/, "").split("\n");
    const first = this.awaitsText ? Math.min(...changed) : -1;
    this.awaitsText = false;
    this.showLines(
      texts.map((line, number) => ({ kind: changed.has(number) ? kind : " ", side, number, text: line })),
    );
    if (this.wanted !== undefined) {
      this.select(this.wanted.side, this.wanted.line);
    } else if (this.marked.size > 0) {
      this.revealMarked();
      this.list.paint();
    } else if (Number.isFinite(first)) {
      this.list.reveal(first);
      this.list.paint();
    }
  }

  /** Marks the lines of the payload of a handle. */
  mark(side: PayloadSide, lines: readonly number[]): void {
    this.marked = new Set(lines);
    if (this.side !== side && this.side !== "changes") {
      this.choose(side);
    }
    this.revealMarked();
    this.list.paint();
  }

  private revealMarked(): void {
    this.list.reveal(this.lines.findIndex((line) => line !== undefined && this.isMarked(line)));
  }

  private isMarked({ side, number }: Line): boolean {
    return side === this.markedSide() && this.marked.has(number);
  }

  select(side: PayloadSide, number: number): void {
    const index = this.lines.findIndex((line) => line?.number === number && line.side === side);
    this.wanted = index < 0 ? { side, line: number } : undefined;
    if (index >= 0) {
      this.list.select(index);
    }
  }

  showHistory(side: PayloadSide, number: number, entries: readonly { step: number; words: string }[]): void {
    const line = this.lines[this.list.selected];
    if (line?.side !== side || line.number !== number) {
      return;
    }
    const links = entries.map(({ step, words }) =>
      link(words, () => {
        this.send({ type: "step", number: step });
      }),
    );
    const words = links.length === 0 ? "as it was before the run" : "";
    this.history.replaceChildren(
      `Line ${number + 1}: ${words}`,
      ...links.flatMap((each, index) => (index === 0 ? [each] : [", ", each])),
    );
  }

  private choose(side: PayloadSide): void {
    this.chosen = side;
    this.keep(side);
    if (side === this.side) {
      return;
    }
    this.lines = [];
    this.showSide(side);
    if (this.state !== undefined) {
      this.show(this.state);
    }
  }

  private showSide(side: PayloadSide): void {
    if (side !== this.side) {
      this.side = side;
      this.send({ type: "side", side });
    }
    this.paintTabs();
  }

  private key(event: KeyboardEvent): void {
    const direction = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const now = SIDES.findIndex(({ side }) => side === this.side);
    const next = SIDES[now + direction];
    if (direction !== 0 && next !== undefined) {
      event.preventDefault();
      this.choose(next.side);
      this.tabs.get(next.side)?.focus();
    }
  }

  private paintTabs(): void {
    for (const [side, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(side === this.side));
      tab.tabIndex = side === this.side ? 0 : -1;
      tab.disabled = this.state !== undefined && sideOf(this.state, side) !== side;
    }
  }

  private showLines(lines: (Line | undefined)[]): void {
    this.lines = lines;
    this.list.container.hidden = lines.length === 0;
    this.list.setCount(lines.length);
  }

  private isThere(side: PayloadSide): boolean {
    return (side === "before" ? this.state?.hasBefore : this.state?.hasAfter) ?? false;
  }

  private render(row: HTMLElement, index: number): void {
    const line = this.lines[index];
    if (line === undefined) {
      row.className = "gap";
      row.setAttribute("aria-label", "further lines");
      row.append("⋯");
      return;
    }
    row.className = `line ${KINDS[line.kind]} ${this.isMarked(line) ? "marked" : ""}`;
    row.setAttribute("aria-label", `${KINDS[line.kind]} line ${line.number + 1}: ${line.text.trim()}`.trim());
    const sign = line.kind === "-" ? "−" : line.kind;
    row.append(
      element("span", { class: "number", attributes: { "aria-hidden": "true" } }, String(line.number + 1)),
      element("span", { class: "sign", attributes: { "aria-hidden": "true" } }, sign),
      element(
        "span",
        { class: "text" },
        ...pieces(line.text).map(([text, kind]) =>
          kind === "" ? text : element("span", { class: `mlir-${kind}` }, text),
        ),
      ),
    );
  }

  private markedSide(): "before" | "after" {
    return this.state?.hasAfter === false ? "before" : "after";
  }

  private tell(type: "line" | "openLine", index: number): void {
    const line = this.lines[index];
    this.history.replaceChildren();
    if (line !== undefined) {
      this.send({ type, side: line.side, line: line.number });
    }
  }
}

/** A step that was not completed has no payload behind it, so that the one before it is shown. */
function sideOf({ step, hasBefore, hasAfter }: StateView, chosen: PayloadSide): PayloadSide {
  return step !== undefined && hasBefore && !hasAfter ? "before" : chosen;
}

function changedLines(hunks: readonly ChangedLine[][]): (Line | undefined)[] {
  return hunks.flatMap((hunk, index) => [
    ...(index === 0 ? [] : [undefined]),
    ...hunk.map(([kind, before, after, text]): Line => {
      const side = kind === "-" ? "before" : "after";
      return { kind, side, number: side === "before" ? before : after, text };
    }),
  ]);
}

function unchangedWords({ step, hasAfter }: StateView): string {
  if (step === undefined) {
    return hasAfter ? "See After for the payload as it is read." : "";
  }
  return step.added === null ? "What it changed is not known." : "It changed nothing.";
}
