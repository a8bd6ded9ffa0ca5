import type { Json } from "@oven/contract";
import type { DividedProgram } from "./divide-program.ts";
import type { Step } from "./lower-pieces.ts";
import { namesIn, parsePython } from "./python-tree.ts";
import { neededBy, usesOf } from "./uses.ts";

type CodeStep = Extract<Step, { kind: "code" | "program" }>;

/** What the steps with code of a graph get and give. */
export class CodeSteps {
  readonly #divided: DividedProgram;
  readonly #made: ReadonlySet<string>;
  readonly #inputs: ReadonlySet<string>;
  /** How many steps name a variable. */
  readonly #named = new Map<string, number>();

  /** @param inputs of the program */
  constructor(steps: readonly Step[], divided: DividedProgram, made: ReadonlySet<string>, inputs: readonly string[]) {
    this.#divided = divided;
    this.#inputs = new Set(inputs);
    this.#made = made;
    for (const step of walkSteps(steps))
      for (const name of this.#namesOf(step)) this.#named.set(name, (this.#named.get(name) ?? 0) + 1);
  }

  /** The code of a step, the variables that it gets, and those that it gives. */
  toStep(step: CodeStep): { code: string; inputs: string[]; outputs: string[] } {
    const shared = this.#sharedFor(step.text);
    const whole = [...shared, step.text].join("\n");
    const { given, sure } = usesOf(whole);
    const needed = neededBy(whole);
    const outputs = step.isLast
      ? []
      : [...given].filter((name) => this.#isVariable(name) && this.#isShared(name, needed));

    const inputs = [...new Set([...needed, ...outputs.filter((name) => !sure.has(name))])].filter(
      (name) => this.#isVariable(name) && (this.#inputs.has(name) || !this.#divided.together.has(name)),
    );
    const answer = `{${outputs.map((name) => `${JSON.stringify(name)}: ${name}`).join(", ")}}`;
    const code = [...shared, step.text, ...(outputs.length === 0 ? [] : [answer])].join("\n");
    return { code: `${code}\n`, inputs, outputs };
  }

  /** Another step reads it, or this one in the next round of a loop. */
  #isShared(name: string, needed: ReadonlySet<string>): boolean {
    return !this.#divided.together.has(name) && ((this.#named.get(name) ?? 0) > 1 || needed.has(name));
  }

  #isVariable(name: string): boolean {
    const isShared = this.#divided.shared.some((one) => one.name === name);
    return !isShared && (this.#divided.variables.has(name) || this.#made.has(name));
  }

  /** Imports and functions that a text names, and those that these name. */
  #sharedFor(text: string): string[] {
    const { shared } = this.#divided;
    const names = new Set(parsePython(text).flatMap(namesIn));
    // Each function may name those above it; going up once finds all.
    const used = shared.toReversed().filter((one) => {
      if (!names.has(one.name)) return false;
      for (const name of parsePython(one.text).flatMap(namesIn)) names.add(name);
      return true;
    });
    return [...new Set(used.toReversed().map((one) => one.text))];
  }

  #namesOf(step: Step): Set<string> {
    switch (step.kind) {
      case "code":
      case "program":
        return new Set(parsePython([...this.#sharedFor(step.text), step.text].join("\n")).flatMap(namesIn));
      case "set":
        return new Set(step.sets.flatMap(({ name, value }) => [name, ...namesInValue(value)]));
      case "calls":
        return new Set([
          ...(step.into === undefined ? [] : [step.into]),
          ...step.calls.flatMap((call) => namesInValue(call.arguments)),
        ]);
      case "if":
        return new Set([...namesInValue(step.guard as unknown as Json)]); // cast: a guard is JSON
      case "each":
        return new Set([...step.targets, ...namesInValue(step.items)]);
      case "end":
        return new Set(namesInValue(step.value));
      case "next":
        return new Set();
    }
  }
}

function* walkSteps(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step;
    if (step.kind === "if") yield* walkSteps([...step.whenTrue, ...step.whenFalse]);
    if (step.kind === "each") yield* walkSteps(step.body);
  }
}

/** Variables that the texts of a value or guard may read. */
function namesInValue(value: Json): string[] {
  return [...JSON.stringify(value).matchAll(/\bvars\.(\w+)/g)].map(([, name = ""]) => name);
}
