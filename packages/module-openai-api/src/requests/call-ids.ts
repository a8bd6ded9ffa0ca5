import type { ToolCall } from "@oven/contract/ai";
import type { CallResult } from "@oven/module-chat";

/** What comes back of one answer: results of calls of one run. */
export interface AnsweredCalls {
  runId: number;
  results: CallResult[];
}

/** Says of which run it is: a client sends nothing else with the result. */
export function toCallId(runId: number, { toolCallId }: Pick<ToolCall, "toolCallId">): string {
  return `call_${runId}_${toolCallId}`;
}

/**
 * The results at the end of a request, where they are of calls that a run here has asked for. Others are words of a conversation that was
 * held elsewhere.
 */
export function readAnsweredCalls(results: readonly { id: string; text: string }[]): AnsweredCalls | undefined {
  let runId: number | undefined;
  const found: CallResult[] = [];
  for (const { id, text } of results) {
    const [, run, toolCallId] = /^call_(\d{1,15})_(.+)$/s.exec(id) ?? [];
    if (run === undefined || toolCallId === undefined) return undefined;
    runId ??= Number(run);
    if (runId !== Number(run)) return undefined;
    found.push({ toolCallId, output: text });
  }
  return runId === undefined ? undefined : { runId, results: found };
}
