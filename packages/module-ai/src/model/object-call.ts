import type { JsonObject } from "@oven/contract";
import type { ModelAnswer } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import type { ModelRequest } from "./model-request.ts";
import { findMismatch, outputMismatch, toCorrection } from "./output-check.ts";

/** A request for JSON of a schema. */
export interface ObjectRequest extends ModelRequest {
  outputSchema: JsonObject;
  /** How often an answer that does not fit is asked for again; each is a call of its own. Default 2. */
  maxCorrections?: number;
}

/**
 * Asks until the answer fits the schema, telling the model each time what does not. Usage and cost are of all calls together.
 * An answer that calls tools is handed on: it is none yet.
 * @throws OvenError OUTPUT_SCHEMA_MISMATCH, NUMBER_NOT_EXACT; what `ask` throws
 */
export async function askForObject(
  { maxCorrections = 2, ...request }: ObjectRequest,
  ask: (request: ModelRequest) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  let messages = request.messages;
  let usage: TokenUsage = { input: 0, output: 0, total: 0 };
  let costMicros = 0;
  for (let attempt = 0; ; attempt++) {
    const answer = await ask({ ...request, messages, ...ofAttempt(request, attempt) });
    usage = addUsage(usage, answer.usage);
    costMicros += answer.costMicros;
    const whole = { ...answer, usage, costMicros };
    if (answer.toolCalls.length > 0) return whole;
    const mismatch = findMismatch(request.outputSchema, answer);
    if (mismatch === undefined) return whole;
    if (attempt >= maxCorrections) throw outputMismatch(mismatch, attempt + 1);
    const correction = toCorrection(mismatch, request.outputSchema);
    messages = [...messages, answer.message, { role: "user", content: correction }];
  }
}

/** A correction is another request: under the key of the first one a provider would answer as it did. */
function ofAttempt({ idempotencyKey, recording }: ModelRequest, attempt: number): Partial<ModelRequest> {
  if (attempt === 0) return {};
  return {
    ...(idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}-${attempt}` }),
    ...(recording === undefined ? {} : { recording: { ...recording, callKey: `${recording.callKey}#${attempt}` } }),
  };
}

function addUsage(total: TokenUsage, more: TokenUsage): TokenUsage {
  const sum: TokenUsage = {
    input: total.input + more.input,
    output: total.output + more.output,
    total: total.total + more.total,
  };
  for (const key of ["cached", "written", "reasoning"] as const) {
    if (total[key] !== undefined || more[key] !== undefined) sum[key] = (total[key] ?? 0) + (more[key] ?? 0);
  }
  return sum;
}
