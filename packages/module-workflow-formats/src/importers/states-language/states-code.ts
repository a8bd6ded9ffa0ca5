import type { Json } from "@oven/contract";
import type { Invoke } from "@oven/contract/workflow";
import type { Place } from "./states-paths.ts";

/** What functions have in JavaScript that CEL does not have. Their arguments are of the types that they are specified for, or the run fails. */
const PRELUDE = `const object = (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("States.JsonMerge takes two objects");
  return value;
};
const merge = (one, two) => ({ ...object(one), ...object(two) });
const partition = (list, size) => {
  if (!Array.isArray(list) || !Number.isInteger(size) || size < 1)
    throw new Error("States.ArrayPartition takes a list and a whole number from 1 on");
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, at * size + size));
};
const split = (text, marks) => {
  if (typeof text !== "string" || typeof marks !== "string" || marks === "")
    throw new Error("States.StringSplit takes a text and the characters that it is split at");
  const parts = [""];
  for (const letter of text) if (marks.includes(letter)) parts.push(""); else parts[parts.length - 1] += letter;
  const full = parts.filter((part) => part !== "");
  if (marks.length === 1 && full.length < parts.length)
    throw new Error("States.StringSplit finds an empty part, and what becomes of one is not documented");
  return full;
};
const keyOf = (value) => JSON.stringify(value, (_, one) =>
  typeof one === "object" && one !== null && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one);
const unique = (list) => {
  if (!Array.isArray(list)) throw new Error("States.ArrayUnique takes a list");
  const seen = new Set();
  return list.filter((value) => !seen.has(keyOf(value)) && seen.add(keyOf(value)));
};
`;

export type CodeFunction = "merge" | "partition" | "split" | "unique";

/** Intrinsic functions of one state that run as code, in a step before what it does with them. */
export class StateCode {
  readonly #output: string;
  readonly #calls: string[] = [];
  readonly #inputs: Record<string, Json> = {};

  /** @param output where the step's output is */
  constructor(output: string) {
    this.#output = output;
  }

  /** Where the result of a call will be. */
  call(name: CodeFunction, given: readonly Json[]): Place {
    const names = given.map((value) => {
      const input = `value_${Object.keys(this.#inputs).length}`;
      this.#inputs[input] = value;
      return input;
    });
    this.#calls.push(`${name}(${names.join(", ")})`);
    return { root: this.#output, segments: ["result", this.#calls.length - 1] };
  }

  /** The step; undefined: nothing is computed in it. */
  get step(): Invoke | undefined {
    if (this.#calls.length === 0) return undefined;
    const code = `${PRELUDE}return [${this.#calls.join(", ")}];\n`;
    return { src: "core.code", input: { language: "javascript", code, inputs: this.#inputs } };
  }
}
