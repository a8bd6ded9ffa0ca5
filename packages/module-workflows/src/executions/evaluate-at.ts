import { isOvenError, type Json } from "@oven/contract";
import type { EvaluateBody, Evaluation } from "@oven/contract/run";
import type { Guard } from "@oven/contract/workflow";
import {
  type CompiledMachine,
  compileGuard,
  compileValue,
  ExpressionSyntaxError,
  getOwn,
  type RunFacts,
  type RunSnapshot,
  type Scope,
  toScope,
} from "@oven/engine";

/** Longer values are not sent: the preview is read by a person. In characters of JSON. */
const LARGEST = 100_000;

type Computed = Pick<Evaluation, "value" | "problem">;

/** Computes a value, or conditions, over a run as it stood, with the engine's own bounds; what goes wrong is an answer. */
export function evaluateAt(
  facts: RunFacts,
  compiled: CompiledMachine,
  snapshot: RunSnapshot,
  { value, guard, guards, state, after }: Omit<EvaluateBody, "checkpoint">,
): Omit<Evaluation, "seq"> {
  const scope = scopeAt(facts, compiled, snapshot, state, after);
  const test = (one: Guard): Computed => compute(() => compileGuard(one)(scope));
  if (guards !== undefined) return { problem: null, results: guards.map(test) };
  return guard === undefined ? compute(() => compileValue(value ?? null).resolve(scope)) : test(guard);
}

/** What an expression sees there. A state that the version of the run does not have stands in no loop. */
function scopeAt(
  facts: RunFacts,
  compiled: CompiledMachine,
  { context, state }: RunSnapshot,
  stateId: string | undefined,
  after: EvaluateBody["after"],
): Scope {
  const owner = stateId === undefined ? undefined : compiled.states.get(stateId);
  const output = after === undefined ? undefined : getOwn(context.values, `${stateId}_output`);
  const more = output === undefined ? undefined : new Map([["output", output]]);
  return toScope(facts, state, context, owner, state.loops ?? [], more);
}

function compute(run: () => Json): Computed {
  try {
    const computed = run();
    if (JSON.stringify(computed).length > LARGEST)
      return { problem: { message: `The value is longer than ${LARGEST} characters`, fix: null } };
    return { value: computed, problem: null };
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return { problem: { message: error.message, fix: error.fix } };
    if (!isOvenError(error)) throw error;
    return { problem: { message: error.message, fix: error.fix ?? null } };
  }
}
