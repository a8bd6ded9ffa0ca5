import { z } from "zod";
import { JsonSchema } from "./json.ts";
import { ReviewRiskSchema } from "./review.ts";
import { SchemaNoteSchema } from "./schema-note.ts";
import { WorstCaseSummarySchema } from "./worst-case.ts";

/** The review that a run waits for, in the answer of an MCP tool. */
export const McpPendingSchema = z.strictObject({
  reviewId: z.int(),
  title: z.string(),
  proposal: JsonSchema,
  /** What the person who decides should know of the proposal before they read it. */
  warning: z.string().optional(),
  /** What the reviewer should know: data, reasons. Absent where there is none; of one that is too long, the beginning. */
  context: JsonSchema.optional(),
  /** Which of the fields are shortened; the page at `url` has all of them. */
  shortened: z.array(z.literal("context")).optional(),
  /** The tool that a decision releases a call of, and what that may do. */
  tool: z.string().nullable(),
  risk: ReviewRiskSchema.nullable(),
  workflow: z.string(),
  /** Who may decide, such as `role:support-lead`; empty: anyone who may decide. */
  assignees: z.array(z.string()),
  dueAt: z.string().nullable(),
  schema: z.record(z.string(), JsonSchema).nullable(),
  actions: z.array(z.string()),
  digest: z.string(),
  url: z.string(),
});
export type McpPending = z.infer<typeof McpPendingSchema>;

/** What a workflow tool answers: truthful for a finished run and for a paused one. */
export const McpEnvelopeSchema = z.strictObject({
  status: z.enum(["pending", "running", "paused", "completed", "failed", "cancelled"]),
  outcome: z.string().optional(),
  output: JsonSchema.optional(),
  error: z.string().optional(),
  pending: McpPendingSchema.optional(),
  simulated: z.boolean().optional(),
  /** The conversation with the agent that was asked; given again, it goes on. */
  sessionId: z.int().optional(),
  run: z.strictObject({ id: z.int(), url: z.string() }),
});
export type McpEnvelope = z.infer<typeof McpEnvelopeSchema>;

/** What a tool of a server does: starts the workflow, follows runs, calls a tool of the platform, or asks an agent. */
export const McpToolSourceSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("workflow") }),
  z.strictObject({ kind: z.literal("runs") }),
  z.strictObject({ kind: z.literal("tool"), id: z.string() }),
  z.strictObject({ kind: z.literal("agent"), slug: z.string() }),
]);
export type McpToolSource = z.infer<typeof McpToolSourceSchema>;

/** Hints of the protocol, from the effect classes of what is called. */
const McpToolAnnotationsSchema = z.strictObject({
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});

/** A tool of a generated MCP server. */
export const McpToolDefinitionSchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), JsonSchema),
  outputSchema: z.record(z.string(), JsonSchema),
  annotations: McpToolAnnotationsSchema.optional(),
  /** Absent in servers that an earlier release generated: the first one starts the workflow, the others follow runs. */
  source: McpToolSourceSchema.optional(),
  /** What clients do not see of its input schema. */
  notes: z.array(SchemaNoteSchema).optional(),
  /** Of the tool that starts runs of a workflow: what one needs at most, as models and prices are now. */
  worstCase: WorstCaseSummarySchema.optional(),
});
export type McpToolDefinition = z.infer<typeof McpToolDefinitionSchema>;

/** An MCP server, as `GET /api/mcp-servers/[id]` answers it. */
export const McpServerSchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int().nullable(),
  agentWorkflowId: z.int(),
  name: z.string(),
  slug: z.string(),
  url: z.string(),
  toolDefinitions: z.array(McpToolDefinitionSchema),
  status: z.enum(["active", "disabled"]),
  lastGeneratedAt: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type McpServer = z.infer<typeof McpServerSchema>;
