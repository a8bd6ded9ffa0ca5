import type { Json } from "@oven/contract";
import type { Agent, AgentReply } from "@oven/contract/agent";
import { toPending } from "@oven/contract/mcp";
import type { RunAgent } from "@oven/contract/node";
import type { Review } from "@oven/contract/review";
import type { ExecutionSummary } from "@oven/contract/run";

/** A run as whoever called the agent sees it: the answer, or what it waits for, and always the handle. */
export function toReply(
  run: ExecutionSummary,
  { id, slug, version, sessionId }: RunAgent & Pick<Agent, "slug">,
  pending: readonly Review[],
  publicUrl: string,
): AgentReply {
  const { status, output, errorInfo, error, tokenUsage, costMicros, simulated } = run;
  const object = isObject(output) ? output.object : undefined;
  return {
    status,
    text: status === "completed" ? toText(output) : null,
    ...(object === undefined ? {} : { object }),
    output,
    error: toError(errorInfo, error),
    sessionId,
    agent: { id, slug, version },
    pending: pending.map((review) => toPending(review, publicUrl)),
    tokenUsage,
    costMicros,
    simulated,
    run: { id: run.id, url: `${publicUrl}/agent-workflow-executions/${run.id}/show` },
  };
}

/** What a run says: its `text`, else all of its output. */
export function toText(output: Json): string {
  const said = isObject(output) && typeof output.text === "string" ? output.text : output;
  return typeof said === "string" ? said : JSON.stringify(said);
}

function toError(info: ExecutionSummary["errorInfo"], message: string | null): AgentReply["error"] {
  if (info !== null) return { code: info.code, message: info.message };
  return message === null ? null : { code: "RUN_FAILED", message };
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
