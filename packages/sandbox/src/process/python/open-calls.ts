import type { CallAnswer, ProgramJob } from "../../job.ts";
import type { CallState } from "./session.ts";
import { NoJsonError, TooLargeError, writeValue } from "./write-value.ts";

/** The calls of a program that it has made and not taken the answers of. */
export class OpenCalls {
  #next: number;
  #open: CallState["open"];
  readonly #answers: Map<number, CallAnswer>;

  constructor({ next, open, answers }: CallState = { next: 0, open: [], answers: [] }) {
    this.#next = next;
    this.#open = open;
    this.#answers = new Map(answers);
  }

  /** Notes a call. Its values are read now, as they are now. */
  register(
    { functions, maxResultBytes }: ProgramJob,
    name: unknown,
    args: unknown,
    named: unknown,
  ): { index: number } | { refused: string } {
    const called = functions.find((known) => known.name === name);
    // The program can call what only the lines before it are meant to call.
    if (called === undefined || !Array.isArray(args) || !(named instanceof Map)) return { refused: "no such call" };
    const given = toGiven(called.parameters, args, named);
    if (typeof given === "string") return { refused: `${called.name}() ${given}` };
    try {
      const argumentsJson = writeValue(given, maxResultBytes);
      const index = this.#next;
      this.#next += 1;
      this.#open.push({ index, name: called.name, argumentsJson });
      return { index };
    } catch (error) {
      if (error instanceof TooLargeError) return { refused: `${called.name}() was given too much` };
      if (!(error instanceof NoJsonError)) throw error;
      return { refused: `${called.name}(): ${error.message}` };
    }
  }

  /** Whether the program has made this call and its answer is not here yet. */
  isOpen(index: number): boolean {
    return this.#open.some((call) => call.index === index);
  }

  /** The answers to the open calls, in their order. */
  answer(answers: readonly CallAnswer[]): void {
    for (const [position, { index }] of this.#open.entries())
      this.#answers.set(index, answers[position] ?? { error: "This call was not answered" });
    this.#open = [];
  }

  /** Each answer is taken once. */
  take(index: number): CallAnswer {
    const answer = this.#answers.get(index) ?? { error: "There is no such call" };
    this.#answers.delete(index);
    return answer;
  }

  open(): { name: string; argumentsJson: string }[] {
    return this.#open.map(({ name, argumentsJson }) => ({ name, argumentsJson }));
  }

  toState(): CallState {
    return { next: this.#next, open: this.#open, answers: [...this.#answers] };
  }
}

/** The arguments by their names, or what is wrong, as Python says it. */
function toGiven(parameters: readonly string[], args: unknown[], named: Map<unknown, unknown>) {
  if (args.length > parameters.length)
    return `takes ${parameters.length} positional arguments but ${args.length} were given`;
  const given = new Map<unknown, unknown>(args.map((value, position) => [parameters[position], value]));
  for (const [key, value] of named) {
    if (given.has(key)) return `got multiple values for argument '${String(key)}'`;
    given.set(key, value);
  }
  return given;
}
