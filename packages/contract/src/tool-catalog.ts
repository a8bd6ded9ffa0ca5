import { z } from "zod";
import { ToolInfoSchema } from "./ai.ts";
import { ExecutionKindSchema } from "./execution.ts";
import { JsonObjectSchema, JsonSchema } from "./json.ts";
import { SchemaNoteSchema } from "./schema-note.ts";

/** A tool as the catalogue has it, for the one who asks. */
export const CatalogToolSchema = ToolInfoSchema.extend({
  /** First part of its id; of outside servers `mcp.` and the connection's name. */
  group: z.string(),
  /** Whether who asks holds every permission that a call needs. */
  granted: z.boolean(),
  /** What models do not see of its input schema; only where one tool is asked for. */
  notes: z.array(SchemaNoteSchema).optional(),
});
export type CatalogTool = z.infer<typeof CatalogToolSchema>;

/** Tools that belong together: a module's, or a connected server's. */
export const ToolGroupSchema = z.strictObject({
  id: z.string(),
  tools: z.int().nonnegative(),
  /** How many of them who asks may call. */
  granted: z.int().nonnegative(),
});
export type ToolGroup = z.infer<typeof ToolGroupSchema>;

/** An agent or a workflow that names something. */
export const UseSchema = z.strictObject({
  kind: z.enum(["agent", ...ExecutionKindSchema.options]),
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  /** The words it names it by: the name itself, or a pattern such as `orders.*`. */
  as: z.string(),
});
export type Use = z.infer<typeof UseSchema>;

/** The agents and workflows that name something, as far as the caller may see them. */
export const UsesSchema = z.strictObject({
  uses: z.array(UseSchema),
  /** There are more than were looked through. */
  truncated: z.boolean(),
});
export type Uses = z.infer<typeof UsesSchema>;

/** The arguments of a tool; the body of `POST /api/tools/[id]/call`. */
export const CallToolSchema = z.strictObject({ arguments: JsonObjectSchema });

/** What one call by hand came to. */
export const TriedToolSchema = z.strictObject({
  result: JsonSchema,
  error: z.strictObject({ code: z.string(), message: z.string(), fix: z.string().nullable() }).nullable(),
  durationMs: z.int(),
});
export type TriedTool = z.infer<typeof TriedToolSchema>;
