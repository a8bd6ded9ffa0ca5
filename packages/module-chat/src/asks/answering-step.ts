import type { Json } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import { toAnswer } from "../targets/chat-mapping.ts";

/** `$.answer_output.text`, also as a template that is nothing else. */
const OUTPUT_OF_STEP = /^(?:\{\{\s*)?\$\.([A-Za-z0-9_-]+)_output(?:\.text)?(?:\s*\}\})?$/;

/**
 * The step whose text is the answer of a run, word for word: what its model writes can be shown while it is written. Undefined where the
 * end makes the answer of several steps, or changes it.
 */
export function answeringStep({ states }: Pick<Definition, "states">): string | undefined {
  const ends = Object.values(states).filter(({ type }) => type === "final");
  const steps = new Set(ends.map(({ output }) => stepOf(output)).filter((step) => step !== undefined));
  const [step] = steps;
  return steps.size === 1 ? step : undefined;
}

function stepOf(output: Json | undefined): string | undefined {
  return output === undefined ? undefined : OUTPUT_OF_STEP.exec(toAnswer(output, null))?.[1];
}
