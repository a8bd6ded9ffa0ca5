import { type EvaluateBody, type Evaluation, isOvenError, type Json } from "@oven/contract";
import {
  compileGuard,
  compileValue,
  ExpressionSyntaxError,
  getOwn,
  type RunRecord,
  type RunSnapshot,
  type Scope,
} from "@oven/engine";

/** Longer values are not sent: the preview is read by a person. In characters of JSON. */
const LARGEST = 100_000;

/** Computes a value or a condition over a run as it stood, with the engine's own bounds; what goes wrong is an answer. */
export function evaluateAt(
  { id, kind, workflowId, input }: Pick<RunRecord, "id" | "kind" | "workflowId" | "input">,
  { context, state }: RunSnapshot,
  { value, guard }: Pick<EvaluateBody, "value" | "guard">,
): Omit<Evaluation, "seq"> {
  const { startedAt, config } = state;
  const scope: Scope = {
    context,
    trigger: input,
    execution: { id, kind, workflowId, startedAt },
    ...(config ? { config: (key: string) => getOwn(config, key) } : {}),
  };
  try {
    const computed: Json =
      guard === undefined ? compileValue(value ?? null).resolve(scope) : compileGuard(guard)(scope);
    if (JSON.stringify(computed).length > LARGEST)
      return {
        problem: { message: `The value is longer than ${LARGEST} characters`, fix: null },
      };
    return { value: computed, problem: null };
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return { problem: { message: error.message, fix: error.fix } };
    if (!isOvenError(error)) throw error;
    return { problem: { message: error.message, fix: error.fix ?? null } };
  }
}
