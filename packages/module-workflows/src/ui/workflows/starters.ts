import type { JsonObject } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";

/** One model, one person, two ends. */
const AGENT_STARTER: JsonObject = {
  initial: "draft",
  payloadSchema: {
    type: "object",
    properties: { message: { type: "string", title: "Message" } },
    required: ["message"],
  },
  agentConfig: { model: "fast" },
  states: {
    draft: {
      label: "Draft an answer",
      invoke: {
        src: "agent.llm",
        input: { prompt: "Answer this message in three sentences: {{ $.trigger.message }}" },
        onDone: "review",
        onError: "failed",
      },
    },
    review: {
      label: "Check the answer",
      invoke: {
        src: "agent.humanReview",
        input: { show: "$.draft_output.text" },
        onDone: [
          {
            target: "done",
            guard: { type: "condition", params: { key: "$.review_output.action", operator: "!=", value: "reject" } },
          },
          { target: "rejected" },
        ],
      },
    },
    done: { type: "final", output: "$.review_output.data" },
    rejected: { type: "final", outcome: "rejected" },
    failed: { type: "final", outcome: "failed" },
  },
};

/** One step, two ends. */
const REGULAR_STARTER: JsonObject = {
  initial: "greet",
  payloadSchema: {
    type: "object",
    properties: { name: { type: "string", title: "Name" } },
    required: ["name"],
  },
  states: {
    greet: {
      label: "Write a greeting",
      invoke: {
        src: "core.transform",
        input: { mapping: { text: "Hello, {{ $.trigger.name }}" } },
        onDone: "done",
        onError: "failed",
      },
    },
    done: { type: "final", output: "$.greet_output" },
    failed: { type: "final", outcome: "failed" },
  },
};

/** What a new workflow begins as: small, and valid as it stands. */
export const STARTERS: Record<ExecutionKind, JsonObject> = {
  "agent-workflow": AGENT_STARTER,
  workflow: REGULAR_STARTER,
};
