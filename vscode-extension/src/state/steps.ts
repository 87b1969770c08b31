/** The nesting of a recording's steps. Knows nothing of VS Code. */

import type { RecordedStep } from "../protocol";

const PREFIX = /^transform\./;

/** Steps by their numbers, from 1. */
export class Steps {
  private readonly depths: number[] = [];
  private readonly iterations = new Map<string, number>();

  constructor(readonly list: readonly RecordedStep[]) {
    for (const step of list) {
      this.depths.push(step.parent === null ? 0 : (this.depths[step.parent - 1] ?? 0) + 1);
      const body = bodyOf(step);
      this.iterations.set(body, Math.max(this.iterations.get(body) ?? 0, step.iteration));
    }
  }

  at(number: number): RecordedStep | undefined {
    return this.list[number - 1];
  }

  /** The number of steps around it. */
  depth(number: number): number {
    return this.depths[number - 1] ?? 0;
  }

  /** The one of `executions` that shares most parents with the step `number`, and is not far. */
  closest(executions: readonly number[], number: number | undefined): number | undefined {
    const around = number === undefined ? [] : this.bodies(number);
    const shared = (other: number): number =>
      this.bodies(other).filter((body, index) => body === around[index]).length;
    const [first, ...others] = executions;
    return others.reduce<number | undefined>(
      (best, other) => (best !== undefined && shared(other) > shared(best) ? other : best),
      first,
    );
  }

  /** The steps that one is in, outermost first. */
  path(number: number): number[] {
    const parent = this.at(number)?.parent ?? null;
    return parent === null ? [] : [...this.path(parent), parent];
  }

  /** Which iterations of which bodies a step is in, in words; empty where nothing is executed twice. */
  iterationWords(number: number): string {
    const words = [...this.path(number), number].slice(1).map((inner) => this.ownIteration(inner));
    return words.filter((word) => word !== "").join(" › ");
  }

  /** Which iteration of the body around it a step is in, as `foreach 2 of 3`; empty where there is but one. */
  private ownIteration(number: number): string {
    const step = this.at(number);
    const parent = step?.parent ?? null;
    if (step === undefined || parent === null) {
      return "";
    }
    const count = this.iterations.get(bodyOf(step)) ?? 1;
    return count > 1 ? `${shortName(this.at(parent)?.operation ?? "")} ${step.iteration} of ${count}` : "";
  }

  private bodies(number: number): string[] {
    return [...this.path(number), number].map((inner) => {
      const step = this.at(inner);
      return step === undefined ? "" : `${bodyOf(step)} ${step.iteration}`;
    });
  }
}

/** The name of an operation without that of the dialect. */
export function shortName(operation: string): string {
  return operation.replace(PREFIX, "");
}

function bodyOf(step: RecordedStep): string {
  return `${step.parent ?? 0}/${step.region}`;
}
