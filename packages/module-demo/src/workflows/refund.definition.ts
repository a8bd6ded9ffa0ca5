import type { Definition, Guard } from "@oven/contract/workflow";

const asksForTools: Guard = {
  type: "not",
  guard: { type: "condition", params: { key: "$.toolCalls", operator: "empty" } },
};
const asksForRefund: Guard = {
  type: "condition",
  params: { key: "$.toolCalls[0].tool", operator: "==", value: "orders.refund" },
};

/** The tool loop drawn by hand, so that the review of the refund stands on the canvas. */
export const refund: Definition = {
  id: "refund",
  initial: "ask",
  payloadSchema: {
    type: "object",
    properties: {
      message: { type: "string", minLength: 1, description: "What the customer wrote, with the order's number" },
    },
    required: ["message"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: {
      reply: { type: "string" },
      decision: { type: "string", enum: ["approve", "edit", "reject", "none"] },
    },
    required: ["reply", "decision"],
  },
  agentConfig: {
    model: "simulated:refund",
    system:
      "You handle refunds of a small shop for bakers. Look the order up first. Propose a refund only when the policy gives one.",
  },
  entry: [
    { type: "assign", params: { path: "$.messages", append: { role: "user", content: "{{ $.trigger.message }}" } } },
  ],
  states: {
    ask: {
      label: "Decide what to do",
      invoke: {
        src: "agent.llm",
        input: { tools: ["orders.get", "orders.refund"] },
        onDone: [
          { target: "review", guard: asksForRefund },
          { target: "lookUp", guard: asksForTools },
          { target: "done" },
        ],
      },
    },
    lookUp: {
      label: "Look the order up",
      invoke: { src: "agent.toolExecutor", input: { tools: ["orders.get"] }, onDone: "ask" },
    },
    review: {
      label: "Approve the refund",
      invoke: {
        src: "agent.humanReview",
        input: {
          title: "Refund this order?",
          toolCall: "$.toolCalls[0]",
          context: { message: "$.trigger.message", why: "$.ask_output.text", lookedUp: "$.toolResults" },
        },
        onDone: [
          {
            target: "pay",
            guard: { type: "condition", params: { key: "$.review_output.action", operator: "!=", value: "reject" } },
          },
          { target: "declined" },
        ],
      },
    },
    pay: {
      label: "Pay the refund",
      invoke: {
        src: "agent.toolExecutor",
        input: { tools: ["orders.refund"], approved: "$.review_output.toolCall" },
        onDone: "answer",
      },
    },
    answer: { label: "Tell the customer", invoke: { src: "agent.llm", onDone: "done" } },
    declined: {
      label: "Explain the refusal",
      invoke: {
        src: "agent.llm",
        input: { prompt: "A person declined the refund: {{ $.review_output.reason }}" },
        onDone: "done",
      },
    },
    done: {
      label: "Answered",
      type: "final",
      output: { reply: "$.text", decision: '$.review_output.action | default("none")' },
    },
  },
  meta: {
    note: "Runs with a simulated model that follows a script. For a real one set OPENAI_API_KEY or OPENAI_BASE_URL and change agentConfig.model to `fast`.",
    examples: [
      { title: "A late order", input: { message: "Order 9001 is late and I want my money back." } },
      { title: "Nothing to refund", input: { message: "Please refund order 8843." } },
    ],
  },
};
