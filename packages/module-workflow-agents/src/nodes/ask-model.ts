import type { JsonObject } from "@oven/contract";
import type { ModelAnswer } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import { findMismatch, type ModelRequest, outputMismatch, toCorrection } from "@oven/module-ai";
import type { NodeContext } from "@oven/module-registry";

interface Asking {
  outputSchema?: JsonObject | undefined;
  maxCorrections: number;
  streaming?: boolean | undefined;
}
type Context = NodeContext<Asking>;

export interface Asked {
  answer: ModelAnswer;
  usage: TokenUsage;
  costMicros: number;
}

/** Asks, and asks again while the answer does not fit the schema: at most `maxCorrections` times. */
export async function ask(context: Context, request: ModelRequest): Promise<Asked> {
  const { outputSchema, maxCorrections } = context.input;
  let messages = request.messages;
  let usage: TokenUsage = { input: 0, output: 0, total: 0 };
  let costMicros = 0;
  for (let attempt = 0; ; attempt += 1) {
    const { answer, partIds } = await askOnce(
      context,
      { ...request, messages, idempotencyKey: context.idempotencyKey(attempt) },
      attempt,
    );
    usage = addUsage(usage, answer.usage);
    costMicros += answer.costMicros;
    if (outputSchema === undefined || answer.toolCalls.length > 0) return { answer, usage, costMicros };
    const mismatch = findMismatch(outputSchema, answer);
    if (mismatch === undefined) return { answer, usage, costMicros };
    if (attempt >= maxCorrections) throw outputMismatch(mismatch, attempt + 1);
    for (const partId of partIds) context.event("text.discarded", { partId });
    messages = [...messages, answer.message, { role: "user", content: toCorrection(mismatch, outputSchema) }];
  }
}

async function askOnce(
  context: Context,
  request: ModelRequest,
  attempt: number,
): Promise<{ answer: ModelAnswer; partIds: Set<string> }> {
  const partIds = new Set<string>();
  if (!(context.input.streaming ?? context.settings.streamingEnabled))
    return { answer: await context.services.ai.generate(request), partIds };
  const answer = await context.services.ai.stream(request, {
    onText(part, text) {
      const partId = `${attempt}.${part}`;
      partIds.add(partId);
      context.text(partId, text);
    },
    onDiscarded(parts) {
      for (const part of parts) {
        const partId = `${attempt}.${part}`;
        partIds.delete(partId);
        context.event("text.discarded", { partId });
      }
    },
  });
  return { answer, partIds };
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
