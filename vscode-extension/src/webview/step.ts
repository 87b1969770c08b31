/** The head of the view: the shown step, the way to it, and messages about it. */

import type { FromPage, Notice, StateView, StepView } from "../state/messages";
import { button, element, link } from "./elements";

type Send = (message: FromPage) => void;

/** How the server begins what is not MLIR's own. */
const READING = "as tdls reads it";
const ENDINGS = {
  completed: "",
  suppressed: "failed, suppressed",
  abandoned: "given up",
  "broke-payload": "broke the payload",
  unfinished: "not finished",
};

export function noticeBoxes(notices: readonly Notice[], send: Send): HTMLElement[] {
  return notices.map(({ kind, text, buttons }) =>
    element(
      "div",
      { class: `notice ${kind}`, role: "note" },
      element("span", {}, text),
      ...buttons.map(({ label, action }) =>
        button(label, () => {
          send({ type: "button", action });
        }),
      ),
    ),
  );
}

export function stepHead(state: StateView, send: Send): HTMLElement {
  const { step } = state;
  if (step === undefined) {
    const words = state.hasAfter ? "In front of the first step" : "Nothing was executed at the cursor";
    return element("header", {}, element("h1", {}, words), facts([state.script]));
  }
  const go = (number: number): void => {
    send({ type: "step", number });
  };
  return element(
    "header",
    {},
    callPath(step, go),
    element("h1", { class: step.hasFailed ? "failed" : "" }, `${step.number}. ${step.name}`),
    facts(stepFacts(state, step)),
    state.loops === "" ? undefined : facts([state.loops]),
    executionChoice(step, go),
  );
}

/** The step, its change and its new handles in a sentence, for those who hear the page. */
export function spokenWords(state: StateView): string {
  const { step, handles } = state;
  if (step === undefined) {
    return "No step";
  }
  const made = handles.filter(({ isNew }) => isNew).map(({ name, contents }) => `${name}: ${contents}`);
  const words = [
    `Step ${step.number}, ${step.name}`,
    ...stepFacts(state, step).slice(2),
    ...made,
    state.loops,
  ];
  return words.filter((word) => word !== "").join(", ");
}

function stepFacts(state: StateView, step: StepView): string[] {
  const { place, milliseconds, added, removed, ended, hasFailed } = step;
  return [
    [state.script, place].filter((word) => word !== "").join(", "),
    timeWords(milliseconds),
    changeWords(added, removed),
    hasFailed && ended === "unfinished" ? "failed" : ENDINGS[ended],
  ];
}

export function timeWords(milliseconds: number | null): string {
  return milliseconds === null ? "" : `${milliseconds.toFixed(2)} ms`;
}

/** The size of a change: empty where there is none, or it is not known. */
export function changeWords(added: number | null, removed: number | null): string {
  return added === null || removed === null || (added === 0 && removed === 0) ? "" : `+${added} −${removed}`;
}

function facts(words: readonly string[]): HTMLElement {
  return element("p", { class: "facts" }, words.filter((word) => word !== "").join(" · "));
}

function callPath({ path }: StepView, go: (number: number) => void): HTMLElement | undefined {
  if (path.length === 0) {
    return undefined;
  }
  const entries = path.map(({ number, name }) =>
    element(
      "li",
      {},
      link(
        name,
        () => {
          go(number);
        },
        `Go to step ${number}`,
      ),
    ),
  );
  return element(
    "nav",
    { attributes: { "aria-label": "Call path" } },
    element("ol", { class: "path" }, ...entries),
  );
}

/** A choice of the iteration and the path of calls. */
function executionChoice(step: StepView, go: (number: number) => void): HTMLElement | undefined {
  if (step.executions.length === 0) {
    return undefined;
  }
  const options = step.executions.map(({ number, label }) => {
    const option = element("option", {}, label);
    option.value = String(number);
    option.selected = number === step.number;
    return option;
  });
  const choice = element("select", { id: "execution" }, ...options);
  choice.addEventListener("change", () => {
    go(Number(choice.value));
  });
  const label = element("label", {}, `Execution (of ${step.executions.length}) `, choice);
  return element("p", { class: "execution" }, label);
}

export function failureBox({ failures, step }: StateView, send: Send): HTMLElement[] {
  if (step === undefined || (!step.hasFailed && step.ended !== "suppressed")) {
    return [];
  }
  const rows = failures.map(({ level, message, place }, index) =>
    element(
      "li",
      { class: level },
      element("span", {}, `${level}: ${message} `),
      place === ""
        ? undefined
        : link(place, () => {
            send({ type: "failure", index });
          }),
    ),
  );
  // The error and tdls's reading of it stay in sight; MLIR's notes are a click away.
  const isFirst = failures.map(({ level, message }) => level !== "note" || message.startsWith(READING));
  const notes = rows.filter((_, index) => isFirst[index] === false);
  const words =
    rows.length > 0
      ? element("ul", {}, ...rows.filter((_, index) => isFirst[index]))
      : element("p", {}, step.reason === "" ? "MLIR said no reason." : step.reason);
  const count = notes.length === 1 ? "1 note" : `${notes.length} notes`;
  const folded =
    notes.length > 0 && element("details", {}, element("summary", {}, count), element("ul", {}, ...notes));
  return [element("section", { class: "failure", attributes: { "aria-label": "Failure" } }, words, folded)];
}
