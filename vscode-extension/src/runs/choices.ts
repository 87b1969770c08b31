/** With which payload and entry point each script is run, as the user has chosen. Knows nothing of VS Code. */

import type { RunArguments } from "../protocol";

export interface Choice {
  /** URI of the payload's document; undefined if the script's own module is meant. */
  payload?: string;
  entryPoint?: string;
  part?: number;
}

/** A store that keeps choices from one session to the next. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = "tdls.choices";

export class Choices {
  constructor(private readonly memory: Memory) {}

  of(uri: string): Choice {
    return this.all()[uri] ?? {};
  }

  /** Replaces the choices for a script. */
  async choose(uri: string, choice: Choice): Promise<void> {
    const { [uri]: _replaced, ...others } = this.all();
    const isEmpty = Object.keys(choice).length === 0;
    await this.memory.update(KEY, isEmpty ? others : { ...others, [uri]: choice });
  }

  /** Adds the choices to arguments that leave them open. */
  complete(given: RunArguments): RunArguments {
    const { payload, entryPoint, part } = this.of(given.uri);
    const completed: RunArguments = { ...given };
    if (payload !== undefined) {
      completed.payload ??= payload;
    }
    if (given.entryPoint === undefined && given.part === undefined && entryPoint !== undefined) {
      completed.entryPoint = entryPoint;
      if (part !== undefined) {
        completed.part = part;
      }
    }
    return completed;
  }

  private all(): Record<string, Choice> {
    return (this.memory.get(KEY) ?? {}) as Record<string, Choice>;
  }
}

/** The comment with which a script says the same, `payloadPath` counting from the script's folder. */
export function choiceComment(choice: Choice, payloadPath: string | undefined): string {
  const words = [
    payloadPath === undefined ? undefined : `payload=${payloadPath}`,
    choice.entryPoint === undefined ? undefined : `entry-point=@${choice.entryPoint}`,
  ];
  return ["// tdls:", ...words.filter((word) => word !== undefined)].join(" ");
}
