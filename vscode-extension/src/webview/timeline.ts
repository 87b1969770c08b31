/** All steps of the recording, with the time that each took, and the size of its change. */

import type { FromPage, Timeline, TimelineRow } from "../state/messages";
import { element } from "./elements";
import { RowList } from "./rowList";
import { changeWords, timeWords } from "./step";

const SEND_MILLISECONDS = 40;

export class TimelinePane {
  readonly section: HTMLElement;
  private readonly list: RowList;
  private readonly summary = element("p", { class: "facts" });
  private timeline: Timeline | undefined;
  private timer: number | undefined;

  constructor(private readonly send: (message: FromPage) => void) {
    this.list = new RowList({
      id: "timeline",
      label: "Steps",
      render: (row, index) => {
        this.render(row, index);
      },
      onSelect: (index) => {
        this.chosen(index + 1);
      },
    });
    this.section = element(
      "section",
      { class: "timeline", attributes: { "aria-label": "Steps" } },
      element("div", { class: "heading" }, element("h2", {}, "Steps"), this.summary),
      this.list.container,
    );
  }

  show(timeline: Timeline): void {
    this.timeline = timeline;
    this.summary.textContent = timeline.summary;
    this.list.setCount(timeline.rows.length);
  }

  select(number: number | undefined): void {
    this.list.select((number ?? 0) - 1);
  }

  /** Held keys choose many rows: the page requests the last one only. */
  private chosen(number: number): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.send({ type: "step", number });
    }, SEND_MILLISECONDS);
  }

  private render(row: HTMLElement, index: number): void {
    const step = this.timeline?.rows[index];
    if (step === undefined) {
      return;
    }
    row.className = `step ${step.hasFailed ? "failed" : ""} ${step.isEmpty ? "nothing" : ""}`;
    row.setAttribute("aria-label", rowLabel(step));
    row.title = rowLabel(step);
    const name = element("span", { class: "name" }, step.name);
    name.style.paddingLeft = `${step.depth * 1.2}em`;
    row.append(
      element("span", { class: "number" }, String(step.number)),
      element("span", { class: "place" }, step.place.replace(/^line /, "")),
      name,
      element("span", { class: "change" }, changeWords(step.added, step.removed)),
      this.bar(step),
      element("span", { class: "time" }, step.hasFailed ? "failed" : timeWords(step.milliseconds)),
    );
  }

  /** A bar for the time of a step, relative to the slowest one. */
  private bar({ milliseconds }: TimelineRow): HTMLElement {
    const bar = element(
      "span",
      { class: "bar-of-time", attributes: { "aria-hidden": "true" } },
      element("span"),
    );
    const slowest = this.timeline?.slowest ?? 0;
    const share = slowest > 0 ? (milliseconds ?? 0) / slowest : 0;
    const inner = bar.firstElementChild as HTMLElement;
    inner.style.width = `${Math.round(share * 100)}%`;
    return bar;
  }
}

function rowLabel(step: TimelineRow): string {
  const { number, name, place, milliseconds, added, removed, hasFailed, isEmpty } = step;
  const change =
    added === null || removed === null || added + removed === 0
      ? ""
      : `${added} lines added, ${removed} removed`;
  const words = [
    `Step ${number}: ${name}`,
    place,
    hasFailed ? "failed" : "",
    isEmpty ? "a new handle is empty" : "",
    change,
    timeWords(milliseconds),
  ];
  return words.filter((word) => word !== "").join(", ");
}
