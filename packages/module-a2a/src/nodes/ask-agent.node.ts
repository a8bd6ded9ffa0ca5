import { JsonObjectSchema, JsonSchema } from "@oven/contract";
import { defineNode } from "@oven/module-registry";
import { outsideToolStep } from "@oven/module-workflow-agents";
import { approvalInput } from "@oven/module-workflows";
import { z } from "zod";
import { A2A_NAMESPACE, USE_PERMISSION } from "../client/connection-row.ts";

const AskInput = z.strictObject({
  tool: z.string().min(1).describe("`a2a.{connection}.ask`, as the connection's page shows it"),
  arguments: JsonObjectSchema.default({}).describe("`message`, and `data` or `contextId` where they are wanted"),
  ...approvalInput,
});

/** `a2a.askAgent`: asks one approved outside agent. */
export const askAgentNode = defineNode({
  id: "a2a.askAgent",
  version: 1,
  title: "A2A agent",
  synonyms: ["agent", "a2a", "remote agent", "sub-agent"],
  docs: [
    "Asks an outside agent over A2A, and waits for what it makes, without a worker and across restarts.",
    "",
    "The agent must have been approved at the connection's page, and both the starter and the version of the run must be allowed to ask outside agents (`a2a-agents.use`). Where the agent asks for input, the step waits for a person, whose answer goes back to it.",
    "An agent that needs approval for each message waits for a review of exactly this message; a rejection is the error REVIEW_REJECTED. `approved` hands on a message that a review before this step has released.",
    "A message is sent at most once: after a crash while it was sent a person is asked what happened. A task that the agent has begun is only looked at again.",
  ].join("\n"),
  category: "api",
  kind: "tool",
  effect: "at-most-once",
  isWait: true,
  tags: ["outside-content", "outbound", "a2a"],
  // What the tools themselves ask for, so that it is checked before a person is asked, and counted in what a version needs.
  permissions: [USE_PERMISSION],
  literals: ["tool"],
  input: AskInput,
  output: z.strictObject({
    text: z.string(),
    data: z.array(JsonSchema).optional(),
    links: z.array(z.string()).optional(),
    attachments: z.array(JsonSchema).optional(),
    contextId: z.string().optional(),
  }),
  ...outsideToolStep<z.output<typeof AskInput>>({
    node: "a2a.askAgent",
    namespace: A2A_NAMESPACE,
    what: "a connected A2A agent",
    form: "a2a.{connection}.ask",
  }),
});
