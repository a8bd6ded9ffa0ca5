import type { JsonObject } from "@oven/contract";
import type { AgentSettings } from "@oven/contract/agent";

/** The agent workflow that an agent without one of its own runs: one tool loop, between recalling and remembering. */
export function toDefinition(settings: AgentSettings): JsonObject {
  const { systemPrompt, model, callerTools, agentConfig, exposedParameters, toolBindings, memoryConfig, outputSchema } =
    settings;
  const remembers = memoryConfig !== null && memoryConfig.enabled !== false;
  return {
    initial: remembers ? "recall" : "answer",
    payloadSchema: toPayloadSchema(exposedParameters, callerTools),
    agentConfig: { ...agentConfig, ...(model === null ? {} : { model }) },
    ...(memoryConfig === null ? {} : { memoryConfig }),
    ...(settings.maxToolIterations === null ? {} : { maxToolIterations: settings.maxToolIterations }),
    streamingEnabled: settings.streamingEnabled,
    entry: [{ type: "assign", params: { path: "$.messages", value: "$.trigger.messages" } }],
    states: {
      // What cannot be recalled or remembered keeps nobody from an answer; the run shows the error.
      ...(remembers && {
        recall: { label: "Recall", invoke: { src: "agent.memory.read", onDone: "answer", onError: "answer" } },
        remember: { label: "Remember", invoke: { src: "agent.memory.write", onDone: "done", onError: "done" } },
      }),
      answer: {
        label: "Answer",
        invoke: {
          src: "agent.toolLoop",
          input: {
            tools: toolBindings,
            ...(callerTools ? { callerTools: "$.trigger.callerTools | default([])" } : {}),
            ...(systemPrompt === "" ? {} : { system: systemPrompt }),
            ...(outputSchema === null ? {} : { outputSchema }),
          },
          onDone: remembers ? "remember" : "done",
        },
      },
      done: {
        label: "Answered",
        type: "final",
        output: {
          text: "$.answer_output.text",
          ...(outputSchema === null ? {} : { object: "$.answer_output.object" }),
        },
      },
    },
  };
}

/** Names of the input that are not for parameters. */
export const RESERVED_PARAMETERS: readonly string[] = ["message", "messages", "callerTools"];

function toPayloadSchema(exposed: JsonObject | null, callerTools: boolean): JsonObject {
  const { properties, required } = exposed ?? {};
  const parameters =
    typeof properties === "object" && properties !== null && !Array.isArray(properties) ? properties : {};
  return {
    type: "object",
    properties: {
      ...parameters,
      message: { type: "string", description: "What the user says" },
      messages: { type: "array", description: "The conversation so far, with what the user says last" },
      ...(callerTools ? { callerTools: { type: "array", description: "Tools that the caller runs by itself" } } : {}),
    },
    required: [...(Array.isArray(required) ? required : []), "messages"],
    additionalProperties: false,
  };
}
