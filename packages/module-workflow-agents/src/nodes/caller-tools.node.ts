import { JsonSchema, OvenError } from "@oven/contract";
import { CALLER_TOOLS_ANSWERED } from "@oven/contract/agent";
import { type ToolCall, ToolCallSchema } from "@oven/contract/ai";
import { type ToolCallRecord, ToolCallRecordSchema } from "@oven/contract/node";
import { defineNode, done, type NodeContext } from "@oven/module-registry";
import { toInstant } from "@oven/module-workflows";
import { z } from "zod";
import { unexpectedSignal } from "./node-error.ts";

/** A caller that does not come back holds nothing for ever. */
const LONGEST_WAIT = "P7D";

const PayloadSchema = z.object({
  results: z.array(z.object({ toolCallId: z.string(), output: JsonSchema })).max(1_000),
});

/** The calls of an answer that the agent's caller runs. */
export const callerToolsNode = defineNode({
  id: "agent.callerTools",
  version: 1,
  title: "Tools of the caller",
  synonyms: ["client tools", "function call"],
  docs: [
    "Waits until the program that called the agent has run the calls of its own tools, at most seven days.",
    "",
    "Each call is in the run's log as `tool.asked`. What comes back is words of the caller's: the model gets it as the result of that call and of no other. A call that the caller leaves out reaches the model as an error.",
  ].join("\n"),
  category: "agent",
  kind: "tool",
  effect: "pure",
  isWait: true,
  input: z.strictObject({ calls: z.array(ToolCallSchema).min(1).describe("What the caller is to run") }),
  output: z.strictObject({ answered: z.array(ToolCallRecordSchema) }),
  ceiling: () => ({ perVisit: { waiting: 7 * 86_400_000 } }),
  async run(context) {
    const { calls } = context.input;
    for (const { toolCallId, tool, arguments: given } of calls)
      context.event("tool.asked", { toolCallId, tool, arguments: given });
    const dueAt = toInstant(LONGEST_WAIT, context.now());
    return { type: "wait", for: "event", request: { event: CALLER_TOOLS_ANSWERED, correlation: first(calls), dueAt } };
  },
  async resume(context, signal) {
    if (signal.type !== "event") throw unexpectedSignal("agent.callerTools", signal.type);
    const { data } = PayloadSchema.safeParse(signal.payload);
    const answered = context.input.calls.map((call) => {
      const given = data?.results.find(({ toolCallId }) => toolCallId === call.toolCallId);
      return toRecord(context, call, given);
    });
    return done({ answered });
  },
});

/** Which of several waits of a run is meant. */
function first([call]: readonly ToolCall[]): string {
  if (call === undefined) throw new OvenError("TOOL_CALLS_INVALID", "There is no call to wait for");
  return call.toolCallId.slice(0, 200);
}

function toRecord(
  { event }: Pick<NodeContext, "event">,
  { toolCallId, tool, arguments: given }: ToolCall,
  result: z.output<typeof PayloadSchema>["results"][number] | undefined,
): ToolCallRecord {
  const about = { toolCallId, tool, arguments: given, durationMs: 0 };
  if (result === undefined) {
    const error = "The caller has given no result of this call";
    event("tool.failed", { toolCallId, tool, error });
    return { ...about, error };
  }
  event("tool.completed", { toolCallId, tool, durationMs: 0 });
  return { ...about, result: result.output };
}
