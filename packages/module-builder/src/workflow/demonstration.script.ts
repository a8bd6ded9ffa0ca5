import type { JsonObject } from "@oven/contract";
import type { SimulatedScript } from "@oven/contract/ai";

/** What the demonstration draws: a reply that a person approves before it goes on. */
const EXAMPLE: JsonObject = {
  put: {
    reply: {
      label: "Write a reply",
      invoke: {
        src: "core.transform",
        input: { mapping: { text: "Thank you for your message: {{ $.trigger.message }}" } },
        onDone: "review",
      },
    },
    review: {
      label: "Approve the reply",
      invoke: {
        src: "agent.humanReview",
        input: { title: "Send this reply?", show: "$.reply_output.text" },
        onDone: [
          {
            target: "sent",
            guard: { type: "condition", params: { key: "$.review_output.action", operator: "!=", value: "reject" } },
          },
          { target: "declined" },
        ],
      },
    },
    sent: { type: "final", outcome: "sent", output: { text: "$.reply_output.text" } },
    declined: { type: "final", outcome: "declined" },
  },
  remove: ["done"],
  settings: {
    initial: "reply",
    payloadSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  },
};

/** Stands in for a model where none is connected: it draws the same example whatever is said, and says that it does. */
export const demonstration: SimulatedScript = {
  name: "builder",
  rules: [
    {
      when: { last: "user", matches: "(?i)what does|explain|why did|warum|was macht|erkl" },
      reply: {
        text: "This is a demonstration: no model is connected, so nothing can be explained yet. Connect one under Models; then ask again.",
      },
    },
    {
      when: { last: "user" },
      reply: {
        text: "This is a demonstration: no model is connected, so I draw a small example instead of what you described.",
        toolCalls: [{ tool: "build.read_steps", arguments: {} }],
      },
    },
    {
      when: { last: "tool", tool: "build.read_steps", matches: '"step":"done"' },
      reply: {
        text: "A reply is written, and a person approves it.",
        toolCalls: [{ tool: "build.change_steps", arguments: { $literal: EXAMPLE } }],
      },
    },
    {
      when: { last: "tool", tool: "build.change_steps", matches: '"valid":true' },
      reply: {
        text: "Now I try it.",
        toolCalls: [
          {
            tool: "build.check_draft",
            arguments: {
              cases: [
                {
                  name: "Example",
                  input: { message: "Where is my order?" },
                  expect: { outcome: "sent", visits: ["reply", "review"] },
                },
              ],
            },
          },
        ],
      },
    },
    {
      when: { last: "tool", tool: "build.check_draft" },
      reply: {
        text: "This is a demonstration: [Write a reply](#step:reply) and [Approve the reply](#step:review) are an example. Connect a model under Models, and describe again what should happen.",
      },
    },
    {
      when: { last: "tool" },
      reply: {
        text: "This is a demonstration: no model is connected, and it works on a new workflow only. Connect a model under Models.",
      },
    },
  ],
  otherwise: { text: "This is a demonstration: no model is connected. Connect one under Models." },
};
