import type { Definition } from "@oven/contract/workflow";

export const supportReply: Definition = {
  id: "support-reply",
  initial: "prompt",
  payloadSchema: {
    type: "object",
    properties: {
      message: { type: "string", minLength: 1, description: "What the customer wrote" },
      orderId: { type: "integer", description: "The order's number, when it is known" },
    },
    required: ["message"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: {
      reply: { type: "string", description: "The reply that a person approved" },
      approvedBy: { type: ["integer", "null"], description: "Id of the user who approved it" },
    },
    required: ["reply", "approvedBy"],
  },
  agentConfig: { model: "simulated:support-reply" },
  mcpExport: true,
  streamingEnabled: true,
  states: {
    prompt: {
      label: "Set the tone",
      invoke: {
        src: "agent.prompt",
        input: {
          system: [
            "You answer customers of a small shop for bakers.",
            "Look the order up and read the policy before you promise anything. Be warm, short and exact.",
          ].join("\n"),
          template:
            'The customer writes:\n\n{{ $.trigger.message }}\n\nOrder number: {{ $.trigger.orderId | default("not given") }}',
        },
        onDone: "draft",
      },
    },
    draft: {
      label: "Draft a reply",
      invoke: {
        src: "agent.toolLoop",
        input: { prompt: "$.prompt_output.text", tools: ["orders.get", "orders.policy"], maxIterations: 6 },
        onDone: "review",
      },
    },
    review: {
      label: "Check the reply",
      invoke: {
        src: "agent.humanReview",
        input: {
          title: "Reply to a customer",
          show: "$.text",
          schema: { type: "string", minLength: 1 },
          context: { message: "$.trigger.message", lookedUp: "$.toolResults" },
        },
        onDone: [
          {
            target: "done",
            guard: { type: "condition", params: { key: "$.review_output.action", operator: "!=", value: "reject" } },
          },
          { target: "revise" },
        ],
      },
    },
    revise: {
      label: "Write it again",
      invoke: {
        src: "agent.llm",
        input: { prompt: "A reviewer did not accept this reply: {{ $.review_output.reason }}" },
        onDone: "review",
      },
    },
    done: {
      label: "Sent",
      type: "final",
      output: { reply: "$.review_output.data", approvedBy: "$.review_output.reviewer" },
    },
  },
  meta: {
    note: "Runs with a simulated model that follows a script. For a real one set OPENAI_API_KEY or OPENAI_BASE_URL and change agentConfig.model to `fast`.",
    examples: [
      {
        title: "A late parcel",
        input: { message: "Where is my order 8841? It should have been here last week.", orderId: 8841 },
      },
      { title: "A delivered parcel", input: { message: "I am still waiting for order 8842." } },
      { title: "Damaged goods", input: { message: "The lid of my bread oven arrived with a crack. What now?" } },
    ],
  },
};
