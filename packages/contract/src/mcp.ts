import { z } from "zod";
import { JsonSchema } from "./json.ts";

export const McpPendingSchema = z.strictObject({
  reviewId: z.int(),
  title: z.string(),
  proposal: JsonSchema,
  schema: z.record(z.string(), JsonSchema).nullable(),
  actions: z.array(z.string()),
  digest: z.string(),
  url: z.string(),
});

/** What a workflow tool answers: truthful for a finished run and for a paused one. */
export const McpEnvelopeSchema = z.strictObject({
  status: z.enum(["pending", "running", "paused", "completed", "failed", "cancelled"]),
  outcome: z.string().optional(),
  output: JsonSchema.optional(),
  error: z.string().optional(),
  pending: McpPendingSchema.optional(),
  simulated: z.boolean().optional(),
  run: z.strictObject({ id: z.int(), url: z.string() }),
});
export type McpEnvelope = z.infer<typeof McpEnvelopeSchema>;

export const McpToolDefinitionSchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), JsonSchema),
  outputSchema: z.record(z.string(), JsonSchema),
});

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
