import type { ServerContext } from "@modelcontextprotocol/server";
import { type JsonObject, JsonSchema, type Principal } from "@oven/contract";
import type { Agent } from "@oven/contract/agent";
import type { McpEnvelope, McpToolDefinition } from "@oven/contract/mcp";
import type { ServiceMap } from "@oven/module-registry";
import { type RunCalls, toEnvelopeSchema, toJsonSchema } from "@oven/module-workflows";
import { z } from "zod";

const AskSchema = z.strictObject({
  message: z.string().min(1).max(1_000_000).describe("What the agent is asked"),
  sessionId: z
    .int()
    .positive()
    .optional()
    .describe("`sessionId` of an earlier answer, to go on with that conversation"),
  parameters: z.record(z.string(), JsonSchema).default({}).describe("What the agent exposes"),
});

export function toAgentToolName(slug: string): string {
  return `ask_${slug.replaceAll("-", "_")}`.slice(0, 64);
}

type Shown = Pick<Agent, "slug" | "name" | "description" | "exposedParameters" | "outputSchema">;

/** An agent that a workflow asks, to be asked directly. */
export function toAgentTool({ slug, name, description, exposedParameters }: Shown): McpToolDefinition {
  const schema = toJsonSchema(AskSchema, "input");
  const { parameters: any, ...properties } = schema.properties as JsonObject; // cast: zod's document of an object
  const parameters: JsonObject =
    exposedParameters === null ? {} : { parameters: { ...(any as JsonObject), ...exposedParameters } }; // cast: as above
  return {
    name: toAgentToolName(slug),
    title: name,
    description: `${description ?? `Asks the agent ${name}.`} The answer is \`output\`; \`sessionId\` goes on with the conversation. Long or paused runs answer with a handle for get_run.`,
    inputSchema: { ...schema, properties: { ...properties, ...parameters } },
    outputSchema: toEnvelopeSchema(undefined),
    annotations: { readOnlyHint: false },
    source: { kind: "agent", slug },
  };
}

interface Asking {
  agents: ServiceMap["agents"];
  principal: Principal;
  calls: RunCalls;
  key: string;
}

/** Every call is a run on the engine, and part of a conversation. @throws OvenError as invoking the agent */
export async function askAgent(
  { agents, principal, calls, key }: Asking,
  slug: string,
  input: JsonObject,
  context: ServerContext,
): Promise<McpEnvelope> {
  const { message, sessionId, parameters } = AskSchema.parse(input);
  const said = { message, parameters, ...(sessionId === undefined ? {} : { sessionId }) };
  const executionId = await agents.start(principal, slug, said, key);
  calls.began(context, executionId);
  const envelope = await calls.follow(executionId, context);
  const reply = await agents.reply(principal, executionId);
  return reply.sessionId === null ? envelope : { ...envelope, sessionId: reply.sessionId };
}
