import { JsonObjectSchema, JsonSchema, OvenError } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { NodeResult, NodeSignal } from "@oven/contract/node";
import { asksFirst } from "@oven/module-agent-core";
import {
  defineNode,
  done,
  type Most,
  type NodeContext,
  type ToolAnswer,
  toToolRun,
  unknownMost,
} from "@oven/module-registry";
import {
  approvalInput,
  type CallToApprove,
  callOrAsk,
  callRejected,
  callReleased,
  findAnswer,
  isApproval,
  orAskPerson,
  type ReleasedCall,
  readAsked,
  toDueAt,
} from "@oven/module-workflows";
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
  ceiling({ input }, facts) {
    const { tool } = input;
    const isNamed = typeof tool === "string";
    const asks: Most = { code: "tool-asks", ...(isNamed ? { about: tool } : {}) };
    const spends = isNamed && facts.tools([tool]).some((one) => one.spends);
    return {
      perCall: {
        ...(spends ? unknownMost({ code: "tool", about: tool }) : {}),
        ...{ toolCalls: 1, ...(isNamed ? { [`tool:${tool}`]: 1 } : {}) },
      },
      perVisit: { reviews: asks, waiting: asks },
    };
  },
  run: callOrWait,
  resume: goOn,
});

type Context = NodeContext<z.output<typeof CallInput>>;

async function callOrWait(context: Context): Promise<NodeResult> {
  const { principal, services, input } = context;
  const { tool, arguments: args } = input;
  if (!tool.startsWith(`${MCP_NAMESPACE}.`))
    throw new OvenError("TOOL_UNKNOWN", `\`${tool}\` is no tool of a connected MCP server`, {
      status: 422,
      fix: "Write it as `mcp.{connection}.{tool}`.",
    });
  const info = services.tools.get(tool, principal.tenantId);
  // The call says what is wrong.
  if (info === undefined) return call(context, input);
  // No person is asked about a call that cannot be made.
  services.tools.check(tool, args, principal.tenantId);
  return callOrAsk(context, toCallToApprove(context, info), (released) => call(context, released));
}

async function goOn(context: Context, signal: NodeSignal): Promise<NodeResult> {
  const { principal, services, input } = context;
  const answer = findAnswer(signal);
  if (answer !== undefined) return call(context, (await readAsked(context, answer)) ?? input, answer);
  if (signal.type !== "decision")
    throw new OvenError("UNEXPECTED_SIGNAL", `mcp.callTool waited for a decision and got ${signal.type}`, {
      status: 500,
    });
  if (!isApproval(signal.action)) throw callRejected(input.tool, signal.reason);
  const info = services.tools.get(input.tool, principal.tenantId);
  // The call says what became of the tool since it was approved.
  if (info === undefined) return call(context, { arguments: signal.data, release: signal.review });
  return callReleased(context, toCallToApprove(context, info), signal, (released) => call(context, released));
}

function toCallToApprove({ input }: Context, tool: ToolInfo): CallToApprove {
  return {
    tool,
    arguments: input.arguments,
    about: { tool: tool.description },
    reviewers: input,
    approved: input.approved,
    needsRelease: (args) => asksFirst(tool, args),
  };
}

/** What is called, with the review that released it, where one had to. */
type Made = Pick<ReleasedCall, "arguments"> & { release?: ReleasedCall["release"] | undefined };

async function call(context: Context, { arguments: args, release }: Made, answer?: ToolAnswer): Promise<NodeResult> {
  const { assignees, dueIn, timeoutMs, maxTotalMs } = context.input;
  const outside = {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxTotalMs === undefined ? {} : { maxTotalMs }),
  };
  return orAskPerson({ arguments: args, release, assignees, dueAt: toDueAt(dueIn) }, async () => {
    const result = await context.services.tools.call(context.input.tool, args, {
      principal: context.principal,
      signal: context.signal,
      idempotencyKey: context.idempotencyKey(),
      outside,
      run: toToolRun(context),
      report: (message, data) => context.log("info", message, data),
      ...(answer === undefined ? {} : { answer }),
      ...(release === undefined ? {} : { release }),
    });
    return done(JsonObjectSchema.parse(result));
  });
}
