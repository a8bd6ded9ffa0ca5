import {
  type JsonObject,
  JsonObjectSchema,
  JsonSchema,
  OvenError,
  type Principal,
  withoutBounds,
} from "@oven/contract";
import type { SpokenMessage } from "@oven/contract/agent";
import type { ChildRequest } from "@oven/contract/node";
import { DurationSchema } from "@oven/contract/workflow";
import type {} from "@oven/module-agent-core";
import { defineNode, done, type NodeContext } from "@oven/module-registry";
import { checkPayload, toInstant, writtenTime } from "@oven/module-workflows";
import { z } from "zod";
import { unexpectedSignal } from "./node-error.ts";

const SubagentInput = z.strictObject({
  agent: z.union([z.string().min(1), z.int().positive()]).describe("Slug or id of the agent"),
  message: z.string().min(1).max(1_000_000).describe("What it is asked"),
  context: JsonObjectSchema.optional().describe("What it is told before that, as JSON; nothing else of this run"),
  parameters: JsonObjectSchema.default({}).describe("What the agent exposes"),
  deadline: z
    .union([DurationSchema, z.iso.datetime({ offset: true })])
    .optional()
    .describe("Milliseconds or a duration such as PT10M from now on, or an instant; then it is cancelled"),
});
type Context = NodeContext<z.output<typeof SubagentInput>>;

export const subagentNode = defineNode({
  id: "agent.subagent",
  version: 1,
  title: "Subagent",
  synonyms: ["call agent", "agent", "delegate", "hand over"],
  docs: [
    "Asks another agent, as a run and a conversation of its own, and waits for its answer, however long that takes: a review inside it pauses this run, too.",
    "",
    "The agent gets `context` and `message` as messages, and its own settings and tools; of this run it sees nothing else. It may do what this run may do and what was granted to the agent when its settings were saved. What it spends counts here as well.",
    "When it fails or is cancelled, this step fails with its error, which `onError` can take. Runs are nested five deep at most (DEPTH_LIMIT).",
  ].join("\n"),
  category: "agent",
  kind: "child",
  // Its conversation is begun once per key.
  effect: "idempotent",
  isWait: true,
  input: SubagentInput,
  output: z.strictObject({
    executionId: z.int(),
    text: z.string(),
    object: JsonSchema.optional()
      .describe("The checked value, where the agent has an outputSchema")
      .meta({ "x-type-from": { called: "agent" } }),
    output: JsonSchema,
  }),
  ceiling({ input }) {
    const longestWait = writtenTime(input.deadline, { code: "no-deadline" });
    return typeof longestWait === "number" ? { longestWait } : {};
  },
  async run(context) {
    const { input, principal, services } = context;
    const { agent, message, parameters, deadline } = input;
    const messages: SpokenMessage[] = [...toContextMessage(input.context), { role: "user", content: message }];
    // cast: their schema is that of JSON objects
    const said = { messages, parameters: parameters as JsonObject, isTest: context.options?.test === true };
    const prepared = await services.agents.prepare(principal, String(agent), said, context.idempotencyKey());
    const request = await toChild(services, principal, prepared);
    return {
      type: "wait",
      for: "child",
      request: { ...request, dueAt: deadline === undefined ? null : toInstant(deadline, context.now()) },
    };
  },
  async resume(context, signal) {
    if (signal.type !== "child") throw unexpectedSignal("agent.subagent", signal.type);
    const { executionId, status, output, error } = signal;
    const text = await context.services.agents.settle(context.principal, executionId, context.idempotencyKey());
    if (status === "completed") return done({ executionId, text: text ?? "", ...toObject(output), output });
    throw new OvenError(error?.code ?? "CHILD_FAILED", error?.message ?? `The run ${executionId} was ${status}`, {
      fix: `See execution ${executionId}.`,
      details: { executionId, status },
    });
  },
});

function toContextMessage(context: Context["input"]["context"]): SpokenMessage[] {
  if (context === undefined || Object.keys(context).length === 0) return [];
  return [{ role: "user", content: `Context:\n${JSON.stringify(context, null, 2)}` }];
}

type Prepared = Awaited<ReturnType<Context["services"]["agents"]["prepare"]>>;

async function toChild(
  { workflowPlatform }: Context["services"],
  principal: Principal,
  { workflowId, input, agent }: Prepared,
): Promise<ChildRequest> {
  const kind = "agent-workflow";
  const called = await workflowPlatform.face(kind).workflows.get(withoutBounds(principal), String(workflowId));
  if (!called.enabled)
    throw new OvenError("WORKFLOW_DISABLED", `${called.name} is disabled`, { status: 409, fix: "Enable it first." });
  await workflowPlatform.policies.requireRunnable(principal, kind, called, {});
  checkPayload(called.name, called.definition, input);
  return { kind, workflowId, workflowVersion: called.version, part: null, input, agent };
}

function toObject(output: z.output<typeof JsonSchema>): { object?: z.output<typeof JsonSchema> } {
  if (typeof output !== "object" || output === null || Array.isArray(output) || output.object === undefined) return {};
  return { object: output.object };
}
