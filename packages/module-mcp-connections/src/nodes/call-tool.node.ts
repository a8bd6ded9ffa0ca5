import { JsonObjectSchema, JsonSchema, type NodeResult, OvenError } from "@oven/contract";
import { defineNode, done, type NodeContext, type ToolAnswer, toToolRun } from "@oven/module-registry";
import { orAskPerson, toAnswer } from "@oven/module-workflows";
import { z } from "zod";
import { MCP_NAMESPACE } from "../tools/tool-id.ts";

const CallInput = z.strictObject({
  tool: z.string().min(1).describe("`mcp.{connection}.{tool}`, as the connection's page shows it"),
  arguments: JsonObjectSchema.default({}).describe("What the tool's input schema asks for"),
});

export const callToolNode = defineNode({
  id: "mcp.callTool",
  version: 1,
  title: "MCP tool",
  docs: [
    "Calls one tool of a connected MCP server, without a model.",
    "",
    "The tool must have been approved at the connection's page, and whoever started the run must be allowed to use connected servers. Where the server asks a question, the step waits for a person's answer.",
    "It acts at most once: after a crash in the middle of the call a person is asked what happened.",
  ].join("\n"),
  category: "api",
  kind: "tool",
  effect: "at-most-once",
  tags: ["outside-content", "outbound", "mcp"],
  literals: ["tool"],
  input: CallInput,
  output: z.strictObject({
    text: z.string(),
    structured: JsonObjectSchema.optional(),
    attachments: z.array(JsonSchema).optional(),
  }),
  run: (context) => call(context),
  resume: async (context, signal) => call(context, toAnswer("mcp.callTool", signal)),
});

type Context = NodeContext<z.output<typeof CallInput>>;

async function call(context: Context, answer?: ToolAnswer): Promise<NodeResult> {
  const { tool, arguments: args } = context.input;
  if (!tool.startsWith(`${MCP_NAMESPACE}.`))
    throw new OvenError("TOOL_UNKNOWN", `\`${tool}\` is no tool of a connected MCP server`, {
      status: 422,
      fix: "Write it as `mcp.{connection}.{tool}`.",
    });
  return orAskPerson({ arguments: args }, async () => {
    const result = await context.services.tools.call(tool, args, {
      principal: context.principal,
      signal: context.signal,
      idempotencyKey: context.idempotencyKey(),
      run: toToolRun(context),
      report: (message, data) => context.log("info", message, data),
      ...(answer === undefined ? {} : { answer }),
    });
    return done(JsonObjectSchema.parse(result));
  });
}
