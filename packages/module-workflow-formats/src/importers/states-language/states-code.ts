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
`;

export type CodeFunction = "merge" | "partition";

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
