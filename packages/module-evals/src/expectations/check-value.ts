import type { Expectation } from "@oven/contract/eval";
import { compileCel, isSameJson, validateJson } from "@oven/engine";
import { readOutput } from "./read-output.ts";
import type { SeenRun } from "./seen-run.ts";
import { bounded, type Verdict, verdict } from "./verdict.ts";

type Of<Type extends Expectation["type"]> = Extract<Expectation, { type: Type }>;

export function checkExact({ path, value: wanted }: Of<"exact">, { output }: SeenRun): Verdict {
  const value = readOutput(output, path);
  if (value === undefined) return verdict(false, null, `There is nothing at ${path}`);
  return verdict(isSameJson(value, wanted), bounded(value), `Expected ${JSON.stringify(wanted)}`);
}

export function checkExists({ path, exists }: Of<"jsonPath">, { output }: SeenRun): Verdict {
  const value = readOutput(output, path);
  const reason = exists ? `There is nothing at ${path}` : `There is something at ${path}`;
  return verdict((value !== undefined) === exists, bounded(value ?? null), reason);
}

export function checkSchema({ path, schema }: Of<"schema">, { output }: SeenRun): Verdict {
  const value = readOutput(output, path);
  if (value === undefined) return verdict(false, null, `There is nothing at ${path}`);
  const problems = validateJson(schema, value);
  const reason = problems.map((problem) => `${problem.path}: ${problem.message}`).join("; ");
  return verdict(problems.length === 0, bounded(value), reason);
}

/** @throws OvenError EXPRESSION_ERROR */
export function checkCel({ expression }: Of<"cel">, run: SeenRun): Verdict {
  const { output, context, trigger, toolCalls, execution } = run;
  const passed = compileCel(expression).test({
    context: { values: context, writers: new Map() },
    trigger,
    execution,
    overlay: new Map([
      ["output", output],
      // cast: records of calls are JSON
      ["toolCalls", JSON.parse(JSON.stringify(toolCalls))],
    ]),
  });
  return verdict(passed, bounded(output), "The expression is false");
}
