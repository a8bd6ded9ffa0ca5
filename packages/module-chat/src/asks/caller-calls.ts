import { type Json, notFound, OvenError, type Principal, toActor } from "@oven/contract";
import { CALLER_TOOLS_ANSWERED } from "@oven/contract/agent";
import { type ToolCall, ToolCallSchema } from "@oven/contract/ai";
import type { RunEvent } from "@oven/contract/run";
import type { WorkflowFace } from "@oven/module-workflows";
import type { CallResult } from "./asks-face.ts";

type Runs = WorkflowFace["runs"];

/** The calls of the caller's tools that a run waits for, as its log has them. */
export async function askedCalls(runs: Runs, principal: Principal, id: number): Promise<ToolCall[]> {
  const asked = new Map<string, ToolCall>();
  const onEvents = async (events: readonly RunEvent[]) => {
    for (const { event, toolCallId, tool, arguments: given } of events) {
      if (event === "tool.asked") {
        const call = ToolCallSchema.parse({ toolCallId, tool, arguments: given });
        asked.set(call.toolCallId, call);
      }
      if (event === "tool.completed" || event === "tool.failed") asked.delete(String(toolCallId));
      // What is over asks nothing more.
      if (event === "execution.failed" || event === "execution.cancelled") asked.clear();
    }
  };
  await runs.follow(principal, id, { milliseconds: 0, signal: new AbortController().signal, onEvents });
  return [...asked.values()];
}

/** @throws OvenError as `AsksFace.answerCalls` */
export async function answerCalls(
  runs: Runs,
  principal: Principal,
  id: number,
  results: readonly CallResult[],
): Promise<void> {
  const { triggeredBy } = await runs.reader.row(principal, id);
  const me = toActor(principal);
  // The right to read a run is not the right to speak for its caller.
  if (triggeredBy.kind !== me.kind || triggeredBy.id !== me.id) throw notFound("execution", id);
  const asked = await askedCalls(runs, principal, id);
  const [first] = asked;
  const given = new Map<string, Json>(results.map(({ toolCallId, output }) => [toolCallId, output]));
  if (first === undefined || !asked.some(({ toolCallId }) => given.has(toolCallId))) return;
  const missing = asked.find(({ toolCallId }) => !given.has(toolCallId));
  if (missing !== undefined)
    throw new OvenError("INVALID_INPUT", `The result of the call of ${missing.tool} is missing`, {
      fix: "Send the results of all calls of that answer together.",
    });
  const payload = { results: asked.map(({ toolCallId }) => ({ toolCallId, output: given.get(toolCallId) ?? null })) };
  const correlation = first.toolCallId.slice(0, 200);
  await runs.sendEvent(principal, id, { event: CALLER_TOOLS_ANSWERED, payload, correlation }, `caller:${correlation}`);
}
