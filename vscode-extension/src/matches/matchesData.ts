/** The contents of the view "Matches" for a run, as plain data. Knows nothing of VS Code. */

import { basename } from "node:path";
import type { Arm, ArmsTable, FailedArm, Matched, MatchedPlace, Matches } from "../protocol";

/** Some text, which leads to a place if it has one. */
export interface Cell {
  text: string;
  kind: "" | "taken" | "failed" | "bad";
  place?: MatchedPlace;
}

export interface TableView {
  title: Cell;
  /** The first row has the arms, the last their totals. */
  rows: Cell[][];
}

export interface MatcherView {
  title: Cell;
  failed: Cell[];
}

export interface MatchesView {
  notes: string[];
  tables: TableView[];
  matchers: MatcherView[];
  nothing: Cell[];
}

/** Returns the contents of the view; `operationAt` names the operation of the payload at a place, "" if it is not known. */
export function matchesView(
  { isCurrent, matches }: Matches,
  operationAt: (place: MatchedPlace) => string,
): MatchesView {
  const { reason } = matches;
  return {
    notes: [
      ...(isCurrent ? [] : ["The script has changed since; this is about the last run."]),
      ...(reason === null ? [] : [`What was matched is not known: ${reason}`]),
    ],
    tables: matches.tables.map((table) =>
      tableView(
        matches.counts_all ? table : withoutScript(table, operationAt),
        matches.counts_all,
        operationAt,
      ),
    ),
    matchers: busiestFirst(matches.matchers).map((matched) => matcherView(matched, operationAt)),
    nothing: matches.nothing.flatMap(({ message, place, notes }) => [
      cell(message, "bad", place),
      ...notes.map((note) => cell(note.message, "failed", note.place)),
    ]),
  };
}

const OPERATION = /^\s*(?:%[^=]*=\s*)?"?([A-Za-z_][\w$]*(?:\.[\w$]+)+)/;

/** Returns the name of the operation in a line of a payload, at a column of its bytes from 1; "" if there is none. */
export function operationIn(line: string, column: number): string {
  const rest = Buffer.from(line, "utf8")
    .subarray(column - 1)
    .toString("utf8");
  return (OPERATION.exec(rest) ?? OPERATION.exec(line))?.[1] ?? "";
}

/** Leaves out operations of the script that matchers were asked about, as far as their places are known. */
function withoutScript(table: ArmsTable, operationAt: (place: MatchedPlace) => string): ArmsTable {
  const candidates = table.candidates.filter(({ place }) => !operationAt(place).startsWith("transform."));
  const isLeftOut = new Set(table.candidates.filter((candidate) => !candidates.includes(candidate)));
  const arms = table.arms.map((arm, index) => {
    const own = [...isLeftOut].filter((candidate) => candidate.accepted_by === index).length;
    return { ...arm, accepted: arm.accepted - own };
  });
  return { ...table, arms, candidates };
}

function tableView(
  table: ArmsTable,
  countsAll: boolean,
  operationAt: (place: MatchedPlace) => string,
): TableView {
  const others = !countsAll || table.others === 0 ? "in all" : `in all, with ${table.others} others`;
  const heads = table.arms.map(({ matcher, action }) => `@${matcher}${action ? ` → @${action}` : ""}`);
  return {
    title: cell(`${table.operation}, ${words(table.place)}`, "", table.place),
    rows: [
      [cell("operation"), ...heads.map((text) => cell(text))],
      ...table.candidates.map(({ place, accepted_by: taker, arms }) => [
        cell([operationAt(place), words(place)].filter((text) => text !== "").join("\n"), "", place),
        ...arms.map((failed, index) => attempt(failed, index === taker)),
      ]),
      [
        cell(others, "failed"),
        ...table.arms.map((arm, index) => outcome(arm, table.arms.slice(0, index), countsAll)),
      ],
    ],
  };
}

/** The counts of operations at an arm, or the reason why it took none. */
function outcome({ asked, accepted }: Arm, earlier: readonly Arm[], countsAll: boolean): Cell {
  const takers = earlier.filter((arm) => arm.accepted > 0);
  if (asked === 0 && takers.length > 0) {
    const names = takers.map(({ matcher }) => `@${matcher}`).join(", ");
    return cell(`never asked: shadowed by ${names}`, "bad");
  }
  const whole = countsAll ? ` of ${asked}` : "";
  return accepted === 0
    ? cell(asked === 0 ? "never asked" : `0${whole}: never fired`, "bad")
    : cell(`${accepted}${whole}`);
}

/** The result of one operation at an arm; empty if the arm's matcher did not run on it. */
function attempt(failed: FailedArm | null, isTaken: boolean): Cell {
  if (isTaken) {
    return cell("✓", "taken");
  }
  if (failed === null) {
    return cell("");
  }
  const { comparison, asked_for: wanted } = failed;
  const reason =
    comparison !== null ? `${comparison} is false` : wanted === null ? "" : `asked for: ${wanted}`;
  const lines = [`${shortName(failed.operation)}, ${lineWords(failed.place)}`, reason].filter(
    (line) => line !== "",
  );
  return cell(lines.join("\n"), "failed", failed.place);
}

function busiestFirst(matchers: readonly Matched[]): Matched[] {
  return [...matchers].sort((one, other) => other.conditions_tried - one.conditions_tried);
}

function matcherView(
  { message, accepted, place, failed, conditions_tried }: Matched,
  operationAt: (place: MatchedPlace) => string,
): MatcherView {
  const nearestWords = (nearest: MatchedPlace): string =>
    `nearest: ${[operationAt(nearest), words(nearest)].filter((text) => text !== "").join(", ")}`;
  const cost = `${String(conditions_tried)} conditions tried`;
  return {
    title: cell(
      `${withoutMarks(message)} (${cost}), ${lineWords(place)}`,
      accepted === 0 ? "bad" : "",
      place,
    ),
    failed: failed.flatMap((stop) => [
      cell(
        `${shortName(stop.operation)}, ${lineWords(stop.place)}: ${withoutMarks(stop.message)}`,
        "failed",
        stop.place,
      ),
      ...(stop.implemented === null
        ? []
        : [cell(`implemented: ${words(stop.implemented)}`, "", stop.implemented)]),
      ...(stop.nearest.place === null
        ? []
        : [cell(nearestWords(stop.nearest.place), "", stop.nearest.place)]),
    ]),
  };
}

function cell(text: string, kind: Cell["kind"] = "", place: MatchedPlace | null = null): Cell {
  return place === null ? { text: withoutMarks(text), kind } : { text: withoutMarks(text), kind, place };
}

function words({ path, line, column }: MatchedPlace): string {
  return `${basename(path)}:${line}:${column}`;
}

function lineWords({ path, line }: MatchedPlace): string {
  return `${basename(path)}:${line}`;
}

function shortName(operation: string): string {
  return operation.replace(/^transform\./, "");
}

function withoutMarks(text: string): string {
  return text.replaceAll("`", "");
}
