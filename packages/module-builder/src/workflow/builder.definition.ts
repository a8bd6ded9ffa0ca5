import type { Definition, Guard } from "@oven/contract/workflow";
import { INSTRUCTIONS } from "./instructions.ts";

/** How often what is wrong with a draft goes back to the model. */
const MAX_ROUNDS = 4;

const isProved: Guard = { type: "condition", params: { key: "$.prove_output.feedback", operator: "==", value: "" } };
const isLastRound: Guard = { type: "condition", params: { key: "$.round", operator: ">=", value: MAX_ROUNDS } };

/** The assistant: it works with its tools until it has an answer, and what it made is proved before the answer is given. */
export const builderDefinition: Definition = {
  id: "builder",
  initial: "begin",
  payloadSchema: {
    type: "object",
    properties: {
      message: { type: "string", minLength: 1, description: "What the person says" },
      messages: { type: "array", items: { type: "object" }, description: "The conversation, with the message last" },
      workflow: { type: "integer", minimum: 1, description: "Id of the agent workflow that is built" },
    },
    required: ["message", "workflow"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: { text: { type: "string" }, proof: { type: ["object", "null"] } },
    required: ["text", "proof"],
  },
  agentConfig: { model: "builder" },
  maxSteps: 2_000,
  maxCostMicros: 3_000_000,
  entry: [
    {
      type: "assign",
      params: {
        path: "$.messages",
        value: {
          $cel: "has(trigger.messages) ? trigger.messages : [{'role': 'user', 'content': trigger.message}]",
        },
      },
    },
    { type: "assign", params: { path: "$.round", value: 1 } },
  ],
  states: {
    begin: {
      label: "Begin",
      invoke: { src: "builder.begin", input: { workflow: "$.trigger.workflow" }, onDone: "work" },
    },
    work: {
      label: "Work",
      invoke: {
        src: "agent.toolLoop",
        input: {
          system: INSTRUCTIONS,
          tools: ["build.*"],
          maxIterations: 60,
          maxToolContextChars: 80_000,
        },
        onDone: "prove",
      },
    },
    prove: {
      label: "Prove it",
      invoke: {
        src: "builder.prove",
        input: { text: "$.work_output.text" },
        onDone: [
          { target: "done", guard: isProved },
          { target: "done", guard: isLastRound },
          {
            target: "work",
            actions: [
              { type: "assign", params: { path: "$.round", add: 1 } },
              {
                type: "assign",
                params: {
                  path: "$.messages",
                  append: {
                    role: "user",
                    content:
                      "This was checked and is not right yet. Correct it, then answer the person anew.\n{{ $.prove_output.feedback }}",
                  },
                },
              },
            ],
          },
        ],
      },
    },
    done: {
      type: "final",
      output: { text: "$.prove_output.text", proof: "$.prove_output.proof" },
    },
  },
};
