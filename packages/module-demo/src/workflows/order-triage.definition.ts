import type { Definition } from "@oven/contract/workflow";

export const orderTriage: Definition = {
  id: "order-triage",
  initial: "known",
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
      queue: { type: "string", enum: ["urgent", "routine"] },
      category: { type: "string" },
      summary: { type: "string" },
    },
    required: ["queue", "category", "summary"],
  },
  agentConfig: { model: "simulated:order-triage" },
  states: {
    known: {
      label: "Order known?",
      invoke: {
        src: "core.condition",
        input: { key: "trigger.orderId", operator: "exists" },
        onDone: "ticket",
      },
    },
    ticket: {
      label: "Write the ticket",
      invoke: {
        src: "core.transform",
        input: {
          mapping: {
            subject: 'Order {{ $.trigger.orderId | default("unknown") }}',
            body: "{{ $.trigger.message }}",
            orderKnown: "$.known_output.result",
          },
        },
        onDone: "classify",
      },
    },
    classify: {
      label: "Classify",
      invoke: {
        src: "agent.llm",
        input: {
          system: "You sort messages to a shop. Answer with JSON only.",
          prompt: "{{ $.ticket_output.subject }}\n\n{{ $.ticket_output.body }}",
          outputSchema: {
            type: "object",
            properties: {
              category: { type: "string", enum: ["delivery", "refund", "question"] },
              urgent: { type: "boolean" },
              summary: { type: "string" },
            },
            required: ["category", "urgent", "summary"],
            additionalProperties: false,
          },
        },
        onDone: [
          {
            target: "urgent",
            guard: {
              type: "condition",
              params: { key: "$.classify_output.object.urgent", operator: "==", value: true },
            },
          },
          { target: "routine" },
        ],
      },
    },
    urgent: {
      label: "Urgent",
      type: "final",
      output: {
        queue: "urgent",
        category: "$.classify_output.object.category",
        summary: "$.classify_output.object.summary",
      },
    },
    routine: {
      label: "Routine",
      type: "final",
      output: {
        queue: "routine",
        category: "$.classify_output.object.category",
        summary: "$.classify_output.object.summary",
      },
    },
  },
  meta: {
    note: "Runs with a simulated model that follows a script. For a real one set OPENAI_API_KEY or OPENAI_BASE_URL and change agentConfig.model to `fast`.",
    examples: [
      { title: "Urgent", input: { message: "My parcel has not arrived and it is a birthday present!", orderId: 8841 } },
      { title: "Routine", input: { message: "Which flour do you recommend for rye bread?" } },
    ],
  },
};
