import { JsonObjectSchema, JsonSchema } from "@oven/contract";
import { defineNode } from "@oven/module-registry";
import { outsideToolStep } from "@oven/module-workflow-agents";
import { approvalInput } from "@oven/module-workflows";
import { z } from "zod";
import { USE_PERMISSION } from "../tools/tool-catalogue.ts";
import { MCP_NAMESPACE } from "../tools/tool-id.ts";

const CallInput = z.strictObject({
  tool: z.string().min(1).describe("`mcp.{connection}.{tool}`, as the connection's page shows it"),
  arguments: JsonObjectSchema.default({}).describe("What the tool's input schema asks for"),
  timeoutMs: z
    .int()
    .min(1_000)
    .max(600_000)
    .optional()
    .meta({ title: "Longest silence" })
    .describe("How long the server may be silent; a report of progress begins it anew. Else as its connection says"),
  maxTotalMs: z
    .int()
    .min(1_000)
    .max(86_400_000)
    .optional()
    .meta({ title: "Longest duration" })
    .describe("How long the call may take in all, whatever progress is reported. Else as its connection says"),
  ...approvalInput,
});

/** `mcp.callTool`: calls one approved tool of a connected MCP server. */
export const callToolNode = defineNode({
  id: "mcp.callTool",
  version: 1,
  title: "MCP tool",
  docs: [
    "Calls one tool of a connected MCP server, without a model.",
    "",
    "The tool must have been approved at the connection's page, and both the starter and the version of the run must be allowed to use connected servers (`mcp-tools.use`). Where the server asks a question, the step waits for a person's answer.",
    "A tool that needs approval for each call waits for a review of exactly this call; what a person edited is what is called, and a rejection is the error REVIEW_REJECTED. `approved` hands on a call that a review before this step has released.",
    "A call is not cut while its server reports progress: `timeoutMs` counts each silence, `maxTotalMs` the whole call.",
    "It acts at most once: after a crash in the middle of the call a person is asked what happened.",
  ].join("\n"),
  category: "api",
  kind: "tool",
  effect: "at-most-once",
  tags: ["outside-content", "outbound", "mcp"],
  // What the tools themselves ask for, so that it is checked before a person is asked, and counted in what a version needs.
  permissions: [USE_PERMISSION],
  literals: ["tool"],
  input: CallInput,
  output: z.strictObject({
    text: z.string(),
    structured: JsonObjectSchema.optional().meta({
      "x-type-from": [{ called: "tool" }, { sample: "structured" }],
    }),
    attachments: z.array(JsonSchema).optional(),
  }),
  ...outsideToolStep<z.output<typeof CallInput>>({
    node: "mcp.callTool",
    namespace: MCP_NAMESPACE,
    what: "a connected MCP server",
    form: "mcp.{connection}.{tool}",
    limits: ({ timeoutMs, maxTotalMs }) => ({
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(maxTotalMs === undefined ? {} : { maxTotalMs }),
    }),
  }),
});
